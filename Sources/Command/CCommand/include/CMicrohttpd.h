// This module declares libmicrohttpd's types, a table of its functions, and those calls that Swift cannot make because they are
// variadic. HTTPLibrary.swift fills the table at run time, so Frost does not link against libmicrohttpd.
#pragma once

#if !__has_include(<microhttpd.h>)
#error "frost serve needs a header: apt-get install libmicrohttpd-dev"
#endif
#include <microhttpd.h>

/// The file name of the library, whose number is the version of its interface.
#define FROST_MICROHTTPD_LIBRARY "libmicrohttpd.so.12"

/// An X macro that lists the functions of libmicrohttpd that Frost calls. It applies its argument to each name.
#define FROST_MICROHTTPD_FUNCTIONS(_) \
    _(MHD_add_response_header) \
    _(MHD_create_response_from_buffer) \
    _(MHD_create_response_from_callback) \
    _(MHD_destroy_response) \
    _(MHD_get_connection_info) \
    _(MHD_get_connection_values) \
    _(MHD_get_version) \
    _(MHD_queue_response) \
    _(MHD_quiesce_daemon) \
    _(MHD_resume_connection) \
    _(MHD_set_response_options) \
    _(MHD_start_daemon) \
    _(MHD_stop_daemon) \
    _(MHD_suspend_connection)

#define FROST_MICROHTTPD_FIELD(name) __typeof__(name) *_Nonnull name;
typedef struct frost_microhttpd {
    FROST_MICROHTTPD_FUNCTIONS(FROST_MICROHTTPD_FIELD)
} frost_microhttpd;
#undef FROST_MICROHTTPD_FIELD

/// The names of the functions in the table frost_microhttpd, in the order of the table's fields.
const char *_Nonnull const *_Nonnull frost_microhttpd_name_list(void);

/// The number of functions in the table.
size_t frost_microhttpd_name_count(void);

/// What libmicrohttpd calls. It passes `context` as the first argument.
typedef struct frost_http_callbacks {
    void *_Nullable context;
    /// Gets the target of a request as it was sent. The result is the request's own pointer in later calls.
    void *_Nullable (*_Nonnull target)(
        void *_Nullable context, const char *_Nonnull target, struct MHD_Connection *_Nonnull connection);
    MHD_AccessHandlerCallback _Nonnull request;
    MHD_RequestCompletedCallback _Nonnull completed;
    MHD_NotifyConnectionCallback _Nonnull connection;
} frost_http_callbacks;

/// The limits of a server.
typedef struct frost_http_limits {
    /// The largest number of connections, and that of an address; 0 for no limit of its own.
    unsigned connections, connections_per_address;
    /// The seconds after which a connection is closed on which nothing happens.
    unsigned idle_seconds;
    /// The bytes of memory for the headers and the buffers of a connection.
    size_t connection_memory;
} frost_http_limits;

/// Starts a server with a thread of its own, which waits by epoll.
///
/// listener: a socket that listens. The server closes it when it stops.
/// Returns NULL if the server cannot be started; errno then has the reason.
struct MHD_Daemon *_Nullable frost_http_start(
    const frost_microhttpd *_Nonnull table, int listener, const frost_http_callbacks *_Nonnull callbacks,
    const frost_http_limits *_Nonnull limits);

/// Returns the socket of a connection, or -1.
int frost_http_socket(const frost_microhttpd *_Nonnull table, struct MHD_Connection *_Nonnull connection);

/// Makes a response with status 304, which has no body. Its field Content-Length, if there is one, must be that of the response with
/// status 200 (RFC 9110, section 8.6).
///
/// length: that length; -1 if it is not known. The connection then ends with the response, because libmicrohttpd would otherwise
/// send a body of no chunks.
/// Returns NULL if memory runs out.
struct MHD_Response *_Nullable frost_http_not_modified(
    const frost_microhttpd *_Nonnull table, int64_t length);

/// Returns the pointer that the callback `connection` has stored for a connection.
void *_Nullable frost_http_connection_context(
    const frost_microhttpd *_Nonnull table, struct MHD_Connection *_Nonnull connection);
