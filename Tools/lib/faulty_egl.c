// libEGL.so.1 of the hardware kit: a driver that fails. FAULTY="KIND AFTER LASTS" are the arguments of faulty_set.
// FAULTY_EGL is the path of the real library, which Tests/CFaultyGL opens.
#include <stdio.h>
#include <stdlib.h>

#include "CFaultyGL.h"

__attribute__((constructor)) static void begin(void) {
    const char *fault = getenv("FAULTY");
    int kind = 0, after = 0, lasts = 0;
    if (fault && sscanf(fault, "%d %d %d", &kind, &after, &lasts) == 3) faulty_set((faulty_kind)kind, after, lasts);
}

__attribute__((destructor)) static void end(void) {
    if (faulty_count() == 0) fprintf(stderr, "no call of the driver has failed\n");
}

void (*eglGetProcAddress(const char *name))(void) { return faulty_get_proc_address(name); }
