// Memory that is given back all at once: what a model or a variable table consists of.
//
// A shortage is remembered, so that it is checked once at the end of a piece of work.

#ifndef ZENOFMU_MEMORY_H
#define ZENOFMU_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

typedef struct memory {
    struct memory_block *blocks;
    bool failed;
    char nothing[1]; // the text that is handed out when memory is short
} memory;

// Zeroed memory for `count` things; NULL when memory is short.
void *memory_take(memory *m, size_t count, size_t size);

// A formatted text; never NULL.
char *memory_text(memory *m, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Gives everything back.
void memory_release(memory *m);

#endif
