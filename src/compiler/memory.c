// Memory that is given back all at once: a list of blocks.

#include "memory.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct memory_block {
    struct memory_block *next;
    max_align_t content[];
};

void *memory_take(memory *m, size_t count, size_t size) {
    const size_t head = sizeof(struct memory_block);
    const bool fits = size == 0 || count <= (SIZE_MAX - head) / size;
    struct memory_block *block = fits ? calloc(1, head + count * size) : NULL;
    if (!block) {
        m->failed = true;
        return NULL;
    }
    block->next = m->blocks;
    m->blocks = block;
    return block->content;
}

char *memory_text(memory *m, const char *format, ...) {
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, arguments);
    char *text = length < 0 ? NULL : memory_take(m, (size_t)length + 1, 1);
    if (text) vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    va_end(arguments);
    if (!text) m->failed = true;
    return text ? text : m->nothing;
}

void memory_release(memory *m) {
    while (m->blocks) {
        struct memory_block *block = m->blocks;
        m->blocks = block->next;
        free(block);
    }
}
