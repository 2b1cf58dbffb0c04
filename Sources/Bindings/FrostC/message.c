#include "message.h"

char *frost_message_buffer(size_t *capacity) {
    static _Thread_local char buffer[1024];
    *capacity = sizeof buffer;
    return buffer;
}
