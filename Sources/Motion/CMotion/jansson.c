#include "CJansson.h"

#define NAME(name) #name,
static const char *const names[] = {FROST_JANSSON_FUNCTIONS(NAME)};

const char *const *frost_jansson_name_list(void) { return names; }

size_t frost_jansson_name_count(void) { return sizeof names / sizeof *names; }
