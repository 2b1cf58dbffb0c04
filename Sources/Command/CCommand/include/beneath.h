#pragma once

// Opens a file below a folder for reading, whatever links and ".." the path has: no part of the path may lead out of the
// folder. It does not wait for a pipe.
//
// folder: the descriptor of the folder. path: relative to it.
//
// Returns a descriptor, or -1; errno then has the reason, which is EXDEV for a path that leads out.
int frost_open_beneath(int folder, const char *path);
