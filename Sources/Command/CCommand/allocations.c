// What the command does if Swift's runtime gets no memory. The runtime ends the process by a signal: it traps if it gets none for an
// object or an array, and uses a null pointer if it gets none for the description of a type. The command links the runtime
// statically, with the linker's option --wrap for the names below: the runtime and Frost's own code call the functions of this file
// in place of the real ones. The libraries of the system are not changed, nor are programs that embed Frost's libraries.

#include "memory.h"

#include <stdint.h>
#include <stdlib.h>

// The real functions; null in programs that are linked without --wrap, which never call the functions below.
[[gnu::weak]] void *__real_malloc(size_t size);
[[gnu::weak]] void *__real_calloc(size_t count, size_t size);

// Larger blocks belong to callers that handle a null pointer, such as a reader of pictures.
enum { SMALL = 64 << 10 };

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap__Znwm(size_t size);
[[noreturn]] void __wrap__ZN5swift28swift_abortAllocationFailureEmm(size_t size, size_t alignment);

void *__wrap_malloc(size_t size) {
    void *memory = __real_malloc(size);
    if (memory == NULL && size <= SMALL) frost_out_of_memory(size);
    return memory;
}

void *__wrap_calloc(size_t count, size_t size) {
    void *memory = __real_calloc(count, size);
    if (memory == NULL && count <= SMALL && size <= SMALL && count * size <= SMALL) frost_out_of_memory(count * size);
    return memory;
}

// operator new(size_t). The runtime is built without exceptions.
void *__wrap__Znwm(size_t size) {
    void *memory = __real_malloc(size == 0 ? 1 : size);
    if (memory == NULL) frost_out_of_memory(size);
    return memory;
}

// swift::swift_abortAllocationFailure(size_t, size_t)
void __wrap__ZN5swift28swift_abortAllocationFailureEmm(size_t size, size_t alignment) {
    (void)alignment;
    frost_out_of_memory(size);
}
