#ifdef FROST_HEIC

#include "CHEIF.h"

#define NAME(name) #name,
static const char *const names[] = {FROST_HEIF_FUNCTIONS(NAME)};

const char *const *frost_heif_name_list(void) { return names; }

size_t frost_heif_name_count(void) { return sizeof names / sizeof *names; }

#endif
