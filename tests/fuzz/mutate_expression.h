// Expressions made by chance that have a chance to be accepted.

#ifndef ZENOFMU_FUZZ_MUTATE_EXPRESSION_H
#define ZENOFMU_FUZZ_MUTATE_EXPRESSION_H

#include "fuzz.h"

enum { LONGEST_EXPRESSION = 400 };

// A text that grows up to a length; what is more is left out.
typedef struct fuzz_text {
    char text[LONGEST_EXPRESSION + 1];
    size_t length;
} fuzz_text;

void fuzz_append(fuzz_text *out, const char *piece);

// Where names come from.
typedef struct fuzz_names {
    void (*append)(void *context, fuzz_chance *chance, fuzz_text *out);
    void *context;
} fuzz_names;

void fuzz_append_expression(fuzz_names names, fuzz_chance *chance, int depth, fuzz_text *out);

#endif
