#include "CMicrohttpd.h"

#define NAME(name) #name,
static const char *const names[] = {FROST_MICROHTTPD_FUNCTIONS(NAME)};

const char *const *frost_microhttpd_name_list(void) { return names; }

size_t frost_microhttpd_name_count(void) { return sizeof names / sizeof *names; }

struct MHD_Daemon *frost_http_start(
    const frost_microhttpd *table, int listener, const frost_http_callbacks *callbacks, const frost_http_limits *limits) {
    return table->MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, callbacks->request, callbacks->context,
        MHD_OPTION_LISTEN_SOCKET, (MHD_socket)listener,                                      //
        MHD_OPTION_URI_LOG_CALLBACK, callbacks->target, callbacks->context,                  //
        MHD_OPTION_NOTIFY_COMPLETED, callbacks->completed, callbacks->context,               //
        MHD_OPTION_NOTIFY_CONNECTION, callbacks->connection, callbacks->context,             //
        MHD_OPTION_CONNECTION_LIMIT, limits->connections,                                    //
        MHD_OPTION_PER_IP_CONNECTION_LIMIT, limits->connections_per_address,                 //
        MHD_OPTION_CONNECTION_TIMEOUT, limits->idle_seconds,                                 //
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, limits->connection_memory,                       //
        MHD_OPTION_STRICT_FOR_CLIENT, 1,                                                     //
        MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1,                                                //
        MHD_OPTION_END);
}

int frost_http_socket(const frost_microhttpd *table, struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *const info =
        table->MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

// Is not called, because a response with status 304 has no body.
static ssize_t no_bytes(void *context, uint64_t position, char *buffer, size_t count) {
    (void)context, (void)position, (void)buffer, (void)count;
    return MHD_CONTENT_READER_END_WITH_ERROR;
}

struct MHD_Response *frost_http_not_modified(const frost_microhttpd *table, int64_t length) {
    const uint64_t size = length < 0 ? MHD_SIZE_UNKNOWN : (uint64_t)length;
    struct MHD_Response *const response = table->MHD_create_response_from_callback(size, 1, no_bytes, NULL, NULL);
    if (!response || length >= 0) return response;
    if (table->MHD_set_response_options(response, MHD_RF_HTTP_1_0_COMPATIBLE_STRICT, MHD_RO_END) == MHD_YES) return response;
    table->MHD_destroy_response(response);
    return NULL;
}

void *frost_http_connection_context(const frost_microhttpd *table, struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *const info =
        table->MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}
