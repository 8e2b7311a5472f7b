// Writes a model function as C: a signature, and an assignment for each of its results.

#include <stdlib.h>

#include "write_c_impl.h"

// Symbols that say where a function is evaluated.
#define PLACE                                                                                                          \
    (1u << SYMBOL_TIME | 1u << SYMBOL_PARAMETER | 1u << SYMBOL_INPUT | 1u << SYMBOL_COORDINATE | 1u << SYMBOL_RATE |   \
     1u << SYMBOL_STATE | 1u << SYMBOL_HELD)

// The arguments in their order, and the symbols that are read from each.
static const struct {
    argument argument;
    const char *type, *name;
    unsigned classes;
} ARGUMENTS[] = {
    {POINT, "const zeno_point *", "x", PLACE},
    {BOX, "const zeno_box *", "x", PLACE},
    {ACCELERATION, "const double *", "acceleration", 1u << SYMBOL_ACCELERATION},
    {FORCE, "const double *", "force", 1u << SYMBOL_FORCE},
    {DIRECTION, "const zeno_direction *", "d",
     1u << SYMBOL_TIME_SEED | 1u << SYMBOL_INPUT_SEED | 1u << SYMBOL_COORDINATE_SEED | 1u << SYMBOL_RATE_SEED |
         1u << SYMBOL_STATE_SEED | 1u << SYMBOL_HELD_SEED},
    {INPUT_RATES, "const double *", "input_rates", 1u << SYMBOL_INPUT_RATE},
    {CHANGES, "const double *", "acceleration_change", 1u << SYMBOL_ACCELERATION_SEED},
    {CHANGES, "const double *", "force_change", 1u << SYMBOL_FORCE_SEED},
};
enum { ARGUMENT_COUNT = sizeof ARGUMENTS / sizeof ARGUMENTS[0] };

static void write_signature(const function *f, text *out) {
    const char *separator = "";
    text_append(out, "\nstatic void %s(", f->name);
    for (int i = 0; i < ARGUMENT_COUNT; i++) {
        if (!(f->arguments & ARGUMENTS[i].argument)) continue;
        text_append(out, "%s%s%s", separator, ARGUMENTS[i].type, ARGUMENTS[i].name);
        separator = ", ";
    }
    separator = f->arguments == POINT ? ", " : ",\n                    ";
    for (const result *r = f->results; r->name; r++) {
        text_append(out, "%s%s *%s", separator, f->dialect->type, r->name);
        separator = ", ";
    }
    text_append(out, ") {\n");
}

// Keeps C compilers quiet about parameters that this model's function doesn't need.
static void write_unused(const function *f, unsigned classes, text *out) {
    for (int i = 0; i < ARGUMENT_COUNT; i++) {
        const bool given = f->arguments & ARGUMENTS[i].argument, used = classes & ARGUMENTS[i].classes;
        if (given && !used) text_append(out, "    (void)%s;\n", ARGUMENTS[i].name);
    }
    for (const result *r = f->results; r->name; r++) {
        bool written = false;
        for (int i = 0; i < r->count; i++)
            written |= r->values[i] != EXPR_NONE;
        if (!written) text_append(out, "    (void)%s;\n", r->name);
    }
}

// The assignments of a function; how many there are. `classes` receives the symbol classes that they read.
static int list_assignments(const expr_graph *graph, const function *f, expr_assignment *list, unsigned *classes) {
    int count = 0;
    *classes = 0;
    for (const result *r = f->results; r->name; r++) {
        for (int i = 0; i < r->count; i++) {
            const bool above_diagonal = r->columns > 0 && i % r->columns > i / r->columns;
            if (above_diagonal || r->values[i] == EXPR_NONE) continue;
            snprintf(list[count].target, sizeof list[count].target, "%s[%d]", r->name, i);
            list[count++].value = r->values[i];
            *classes |= expr_get(graph, r->values[i]).classes;
        }
    }
    return count;
}

void write_function(const expr_graph *graph, const function *f, text *out) {
    size_t most = 1;
    for (const result *r = f->results; r->name; r++)
        most += (size_t)r->count;
    expr_assignment *list = malloc(most * sizeof *list);
    if (!list) {
        out->failed = true;
        return;
    }
    unsigned classes;
    const int count = list_assignments(graph, f, list, &classes);
    write_signature(f, out);
    write_unused(f, classes, out);
    expr_emit(graph, list, count, f->dialect, out);
    text_append(out, "}\n");
    free(list);
}
