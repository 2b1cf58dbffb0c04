#include "memory-report.h"

#include <stdio.h>
#include <unistd.h>

void frost_report_missing_memory(size_t bytes, int code, bool json) {
    char reason[96] = "not enough memory", line[192];
    if (bytes != 0) snprintf(reason, sizeof reason, "not enough memory: %zu bytes could not be allocated", bytes);
    int count = snprintf(line, sizeof line, "frost: %s\n", reason);
    // There is nothing to do about a line that cannot be written.
    if (count > 0 && write(STDERR_FILENO, line, (size_t)count) < 0) return;
    if (!json) return;
    count = snprintf(
        line, sizeof line, "{\"schema\":\"frost.error/1\",\"input\":null,\"code\":%d,\"error\":\"%s\"}\n", code, reason);
    if (count > 0 && write(STDOUT_FILENO, line, (size_t)count) < 0) return;
}
