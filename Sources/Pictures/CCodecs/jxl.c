#ifdef FROST_JPEGXL

#include "CJXL.h"

#include <jxl/version.h>

// The file names of the libraries end in the major and the minor version number, for example libjxl.so.0.7. All
// versions before 1.0 are named in this way.
#define TEXT_OF(number) #number
#define TEXT(number) TEXT_OF(number)
#define SUFFIX ".so." TEXT(JPEGXL_MAJOR_VERSION) "." TEXT(JPEGXL_MINOR_VERSION)

#define NAME(name) #name,
static const char *const names[] = {FROST_JXL_FUNCTIONS(NAME)};

const char *const *frost_jxl_name_list(void) { return names; }

size_t frost_jxl_name_count(void) { return sizeof names / sizeof *names; }

const char *frost_jxl_library(void) { return "libjxl" SUFFIX; }

const char *frost_jxl_threads_library(void) { return "libjxl_threads" SUFFIX; }

#endif
