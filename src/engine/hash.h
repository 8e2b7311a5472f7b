// FNV-1a, 64 bits: finds every changed byte; no protection against intent.

#ifndef ZENO_HASH_H
#define ZENO_HASH_H

#include <stddef.h>
#include <stdint.h>

static inline uint64_t zeno_hash(const void *bytes, size_t size) {
    const unsigned char *byte = bytes;
    uint64_t value = 14695981039346656037u;
    for (size_t i = 0; i < size; ++i)
        value = (value ^ byte[i]) * 1099511628211u;
    return value;
}

#endif
