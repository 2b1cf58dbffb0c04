// A fault to be found: every second row of a PNG is read elsewhere, so the caller's row keeps what the memory held. This library is
// preloaded (LD_PRELOAD).

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>

void png_read_row(void *png, unsigned char *row, unsigned char *display) {
    static void (*read_row)(void *, unsigned char *, unsigned char *);
    static int count;
    static unsigned char elsewhere[1 << 20];
    if (!read_row) read_row = (void (*)(void *, unsigned char *, unsigned char *))dlsym(RTLD_NEXT, "png_read_row");
    read_row(png, count++ & 1 ? elsewhere : row, display);
}
