#pragma once
#include <stdbool.h>
#include <stddef.h>

// Writes that `bytes` bytes could not be allocated to standard error and, if `json` is true, also as an object of JSON with the exit
// code `code` to standard output. 0 bytes stand for an unknown number. Allocates nothing.
void frost_report_missing_memory(size_t bytes, int code, bool json);
