#ifdef FROST_AVIF

#include "CAVIF.h"

#define NAME(name) #name,
static const char *const names[] = {FROST_AVIF_FUNCTIONS(NAME)};

const char *const *frost_avif_name_list(void) { return names; }

size_t frost_avif_name_count(void) { return sizeof names / sizeof *names; }

#endif
