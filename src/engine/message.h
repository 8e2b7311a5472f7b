// Messages to the host's log.

#ifndef ZENO_MESSAGE_H
#define ZENO_MESSAGE_H

#include "engine.h"

// A ready-made message, cut to ZENO_MESSAGE_SIZE; nothing happens where the host doesn't listen.
void zeno_log(const zeno_host *host, zeno_category category, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
