// Calls for files, processes and timers that the module Glibc lacks. glibc declares the functions below only if _GNU_SOURCE is
// defined, and Swift's clang does not define it.
#pragma once

#include <spawn.h>
#include <sys/timerfd.h>
#include <sys/xattr.h>

int pipe2(int ends[2], int flags);
int memfd_create(const char *name, unsigned int flags);
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int lowest);

static const unsigned int frost_memfd_cloexec = 1; // MFD_CLOEXEC
static const unsigned int frost_memfd_sealable = 2; // MFD_ALLOW_SEALING
static const int frost_add_seals = 1033;           // F_ADD_SEALS
static const int frost_seal_size = 1 | 2 | 4;      // F_SEAL_SEAL, F_SEAL_SHRINK and F_SEAL_GROW
static const int frost_set_pipe_size = 1031;       // F_SETPIPE_SZ
