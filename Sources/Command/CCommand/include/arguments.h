#pragma once

// The words of the process's command line, with the program's name first. Swift's CommandLine reads them from /proc, so
// it has none if /proc is not mounted. The C library passes them to every constructor.
int frost_argument_count(void);

// Returns a word of the command line. The index is below frost_argument_count().
const char *frost_argument(int index);

// Returns the path with which the program was started, or NULL. The kernel passes it to every program.
const char *frost_program_path(void);
