// What the files that write a model as C share: functions that assign expressions to arrays.

#ifndef ZENOFMU_WRITE_C_IMPL_H
#define ZENOFMU_WRITE_C_IMPL_H

#include "write.h"

// What a model function may be given, as the engine's `zeno_lagrangian` and `zeno_mode` declare it.
typedef enum argument {
    POINT = 1,
    BOX = 2,
    ACCELERATION = 4,
    FORCE = 8,
    DIRECTION = 16,
    CHANGES = 32,
    INPUT_RATES = 64
} argument;

// An array that a model function writes.
typedef struct result {
    const char *name;
    const expr *values;
    int count;
    int columns; // of a matrix of which only the lower triangle is written; else 0
} result;

// A model function; `results` ends with a row without name.
typedef struct function {
    const char *name;
    const expr_dialect *dialect;
    unsigned arguments; // sum of `argument`
    result results[5];
} function;

// (write_function.c)
void write_function(const expr_graph *graph, const function *f, text *out);
// A C string; what is not plain ASCII goes in as octal escapes, '?' escaped for it may begin a trigraph. (write_c.c)
void write_string(const char *string, text *out);

// The functions of a model and the descriptor of its kind: `lagrangian` or `hybrid`. (write_lagrangian_c.c,
// write_modes_c.c)
void write_lagrangian(const model_file *model, const model_equations *equations, text *out);
void write_hybrid(const model_file *model, const model_equations *equations, text *out);

#endif
