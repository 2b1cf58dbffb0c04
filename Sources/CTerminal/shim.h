#pragma once
#include <sys/ioctl.h>

// The columns of a terminal; 0 if the descriptor is none. ioctl is variadic, so Swift cannot call it.
static inline int frost_terminal_columns(int descriptor) {
    struct winsize size;
    return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}
