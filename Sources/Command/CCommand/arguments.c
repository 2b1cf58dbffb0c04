#include "arguments.h"

#include <sys/auxv.h>

static int count;
static char **words;

__attribute__((constructor)) static void keep(int argc, char **argv) {
    count = argc;
    words = argv;
}

int frost_argument_count(void) { return count; }

const char *frost_argument(int index) { return words[index]; }

const char *frost_program_path(void) { return (const char *)getauxval(AT_EXECFN); }
