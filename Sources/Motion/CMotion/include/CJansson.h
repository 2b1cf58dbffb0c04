// This module declares Jansson's types, and a table of Jansson's functions. JSONParser.swift fills the table at run time,
// so Frost does not link against Jansson.
#pragma once

#include "../packages.h"

#include <jansson.h>

/// An X macro that lists the functions of Jansson that Frost calls. It applies its argument to each name.
#define FROST_JANSSON_FUNCTIONS(_) \
    _(json_array_get) \
    _(json_array_size) \
    _(json_delete) \
    _(json_loadb) \
    _(json_number_value) \
    _(json_object_iter) \
    _(json_object_iter_key) \
    _(json_object_iter_next) \
    _(json_object_iter_value) \
    _(json_string_length) \
    _(json_string_value)

#define FROST_JANSSON_FIELD(name) __typeof__(name) *_Nonnull name;
typedef struct frost_jansson {
    FROST_JANSSON_FUNCTIONS(FROST_JANSSON_FIELD)
} frost_jansson;
#undef FROST_JANSSON_FIELD

/// The names of the functions in the table frost_jansson, in the order of the table's fields.
const char *_Nonnull const *_Nonnull frost_jansson_name_list(void);

/// The number of functions in the table.
size_t frost_jansson_name_count(void);
