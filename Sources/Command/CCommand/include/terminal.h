#pragma once
#include <sys/ioctl.h>

// Returns the number of columns of a terminal, or 0 if the descriptor is not a terminal. This is C code because ioctl
// is variadic, so Swift cannot call it.
static inline int frost_terminal_columns(int descriptor) {
    struct winsize size;
    return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}
