// A record of all changes that a program makes to the files below a folder, from which Tests/acceptance/powerloss.py
// computes what may be left after a power failure.
//
// FROST_FAULT_JOURNAL names the file of the record, and FROST_FAULT_BELOW the folder, as an absolute path without links.
// Several processes may share a record. An entry is a line of a word, two numbers and the lengths of two byte strings, and
// then the bytes of these strings:
//
//   create INODE MODE          path              a new file
//   mkdir 0 MODE               path
//   write INODE OFFSET         bytes
//   truncate INODE SIZE
//   chmod INODE MODE
//   sync INODE MODE            bytes             fsync of a file, with its content: another process may have written it
//   syncdir 0 0                path              fsync of a folder
//   rename 0 0                 old, new path
//   link 0 0                   old, new path
//   unlink 0 0                 path              also rmdir
//   say 0 DESCRIPTOR           bytes             a write to standard output or standard error
//
// Times, owners and extended attributes are not recorded.

#pragma once

#include <sys/types.h>

// Makes the calls and entries of all threads and processes wait until `journal_end`, so that the order of the entries is that
// of the calls.
void journal_begin(void);
void journal_end(void);

// Whether writes to an open file are recorded. A write to a pipe may wait for another thread, so it must not hold the others up.
int journal_takes(int file);

// What a call must know before it is made.
off_t journal_place(int file);          // where a write would begin
int journal_exists(const char *path);   // whether open would create no file

void journal_open(int flags, int existed, int file);
void journal_write(int file, off_t place, const void *bytes, ssize_t count);
void journal_number(const char *what, int file, long long number);
void journal_sync(int file);
void journal_paths(const char *what, long long number, const char *path, const char *other);
