// Processes that a process forks, and the descriptors that processes hand to each other. Swift cannot fork, and has none of the
// macros for messages with descriptors.
#pragma once

#include <stddef.h>
#include <sys/types.h>

// Sends a message with descriptors by a Unix socket. Returns 0, or -1; errno then has the reason. A closed socket is EPIPE, without
// a signal.
int frost_send_descriptors(int socket, const void *bytes, size_t size, const int *descriptors, size_t count);

// Receives a message with descriptors, which exec closes. Returns the number of its bytes, 0 if the other end is closed, or -1;
// errno then has the reason. A message with another number of descriptors is EBADMSG, and its descriptors are closed.
ssize_t frost_receive_descriptors(int socket, void *bytes, size_t size, int *descriptors, size_t count);

// Forks. The kernel kills the child when this thread ends, so call it from the only thread of a process. Returns 0 in the child, the
// child's number in this process, or -1; errno then has the reason.
pid_t frost_fork(void);

// Blocks SIGCHLD, and returns a descriptor that can be read when a child has ended; or -1.
int frost_watch_children(void);

// Reads all that a descriptor of frost_watch_children has.
void frost_clear_watch(int descriptor);

// Returns a descriptor that can be read when the parent of this process has ended; -1 if the system has none.
int frost_watch_parent(void);

// Gives descriptors the numbers 0, 1, 3 and 4, and closes all others but 2.
void frost_keep_descriptors(int input, int output, int request, int rows);
