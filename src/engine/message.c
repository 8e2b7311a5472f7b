// Formats messages on the stack: no allocation, no static buffer.

#include "message.h"

#include <stdarg.h>
#include <stdio.h>

void zeno_log(const zeno_host *host, zeno_category category, const char *format, ...) {
    if (!host->log || (host->listens && !host->listens(host->environment, category))) return;
    char message[ZENO_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    host->log(host->environment, category, message);
}
