#ifdef FROST_TIFF

#include "functions.h"

#include "CTIFFShim.h"

#include <string.h>

struct frost_tiff_functions frost_libtiff;

#define NAME(name) #name,
static const char *const names[] = {FROST_TIFF_FUNCTIONS(NAME)};

// TIFFOpenOptions, which the shim needs, came with 4.5.0. Since then the name has ended in 6.
const char *frost_tiff_library(void) { return "libtiff.so.6"; }

const char *const *frost_tiff_name_list(void) { return names; }

size_t frost_tiff_name_count(void) { return sizeof names / sizeof *names; }

void frost_tiff_use(void *const *functions) { memcpy(&frost_libtiff, functions, sizeof frost_libtiff); }

#endif
