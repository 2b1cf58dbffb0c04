#include "CCairo.h"

#define NAME(name, result, parameters) "cairo_" #name,
static const char *const names[] = {FROST_CAIRO_FUNCTIONS(NAME)};

const char *const *frost_cairo_name_list(void) { return names; }

size_t frost_cairo_name_count(void) { return sizeof names / sizeof *names; }
