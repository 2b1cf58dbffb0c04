#pragma once

#include <stdbool.h>
#include <stdint.h>

// Limits the memory and the processor time of this process. It cannot be undone.
//
// memory: the bytes of writable private memory (RLIMIT_DATA). seconds: the processor time of all threads together
// (RLIMIT_CPU); the kernel then ends the process.
//
// Returns NULL, or the name of the call that failed; errno then has the reason. The process must then end.
const char *frost_limit(uint64_t memory, uint64_t seconds);

// Parts of the isolation that a kernel may lack.
enum { FROST_LACKS_SECCOMP = 1, FROST_LACKS_LANDLOCK = 2 };

// Returns the parts that this kernel lacks, or does not let this process use.
unsigned frost_sandbox_lacks(void);

// Compiles the filter of frost_sandbox_enter, which forked processes then need not do. Returns 0, or a negative errno.
int frost_sandbox_prepare(void);

// Takes away from this process everything but reading and writing the descriptors that are open, memory, and threads:
//
// - Landlock refuses every access by a path, TCP, and on newer kernels signals to and abstract sockets of other processes.
// - A seccomp filter allows a list of system calls. All others fail with EPERM. New memory is never executable.
// - The kernel limits the memory and the processor time, and writes no core dump.
//
// Call it while the process has a single thread. It cannot be undone.
//
// memory, seconds, and the result: as those of frost_limit. is_strict: whether it fails if the kernel lacks Landlock or seccomp; if
// not, the other measures are taken.
const char *frost_sandbox_enter(uint64_t memory, uint64_t seconds, bool is_strict);
