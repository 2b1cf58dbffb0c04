#ifdef FROST_TIFF

#include "functions.h"

#include "CTIFF.h"

#include <string.h>

struct frost_tiff_functions frost_libtiff;

#define NAME(name) #name,
static const char *const names[] = {FROST_TIFF_FUNCTIONS(NAME)};

// The shim needs TIFFOpenOptions, which libtiff introduced in 4.5.0. Since 4.5.0 the library's file name ends in 6.
const char *frost_tiff_library(void) { return "libtiff.so.6"; }

const char *const *frost_tiff_name_list(void) { return names; }

size_t frost_tiff_name_count(void) { return sizeof names / sizeof *names; }

void frost_tiff_use(void *const *functions) { memcpy(&frost_libtiff, functions, sizeof frost_libtiff); }

#endif
