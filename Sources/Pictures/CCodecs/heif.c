#ifdef FROST_HEIC

#include "CHEIF.h"

#include <malloc.h>

#define NAME(name) #name,
static const char *const names[] = {FROST_HEIF_FUNCTIONS(NAME)};

const char *const *frost_heif_name_list(void) { return names; }

size_t frost_heif_name_count(void) { return sizeof names / sizeof *names; }

// malloc fills memory with the complement of the byte. The complement of 255 is 0, as in new pages of the system.
void frost_clear_memory(bool clears) { mallopt(M_PERTURB, clears ? 255 : 0); }

#endif
