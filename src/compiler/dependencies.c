// Which inputs reach which outputs at once. Coordinates, rates and what is made of them alone answer to inputs only
// through the motion; accelerations and contact forces solve M a + b = J' lambda, in which coordinates hang together by
// the elements of M and J that aren't 0.

#include "dependencies.h"

#include <stdlib.h>

struct dependencies {
    memory memory;
    const model_file *model;
    int *group;        // [coordinates] coordinates with the same number hang together
    bool *group_input; // [coordinates x inputs] the inputs in b of a group's coordinates
    int *constraint;   // [constraints] a coordinate in whose group the constraint is
    bool *output;      // [outputs x inputs]
};

static void join_groups(dependencies *d, int i, int j) {
    const int joined = d->group[i], old = d->group[j];
    for (int k = 0; k < d->model->coordinate_count; k++)
        if (d->group[k] == old) d->group[k] = joined;
}

static bool is_zero(const model_file *model, expr x) {
    return expr_is_constant(model->graph, x, 0);
}

static void find_groups(dependencies *d, const model_equations *equations) {
    const int n = equations->n;
    for (int i = 0; i < n; i++)
        d->group[i] = i;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            if (!is_zero(d->model, equations->M[i * n + j])) join_groups(d, i, j);
    for (int c = 0; c < equations->m; c++) {
        d->constraint[c] = -1;
        for (int i = 0; i < n; i++) {
            if (is_zero(d->model, equations->J[c * n + i])) continue;
            if (d->constraint[c] < 0) d->constraint[c] = i;
            join_groups(d, d->constraint[c], i);
        }
    }
}

// The row of a table that has one column per input.
static bool *row_of(const dependencies *d, bool *rows, int index) {
    return rows + (size_t)index * (size_t)d->model->input_count;
}

// A row to be marked.
typedef struct input_row {
    const dependencies *d;
    bool *row;
} input_row;

static void mark_group(const input_row *to, int coordinate) {
    const int inputs = to->d->model->input_count;
    const bool *from = row_of(to->d, to->d->group_input, to->d->group[coordinate]);
    for (int u = 0; u < inputs; u++)
        to->row[u] |= from[u];
}

static void mark_symbol(void *context, expr_symbol symbol) {
    const input_row *to = context;
    if (symbol.class == SYMBOL_INPUT) to->row[symbol.index] = true;
    if (symbol.class == SYMBOL_ACCELERATION) mark_group(to, symbol.index);
    if (symbol.class == SYMBOL_FORCE) mark_group(to, to->d->constraint[symbol.index]);
}

static void mark_expressions(dependencies *d, const model_equations *equations) {
    const model_file *model = d->model;
    for (int i = 0; i < equations->n; i++) {
        input_row to = {d, row_of(d, d->group_input, d->group[i])};
        expr_symbols(model->graph, equations->b[i], mark_symbol, &to);
    }
    for (int i = 0; i < model->output_count; i++) {
        input_row to = {d, row_of(d, d->output, i)};
        expr_symbols(model->graph, model->outputs[i].value, mark_symbol, &to);
    }
}

dependencies *dependencies_find(const model_file *model, const model_equations *equations) {
    dependencies *d = calloc(1, sizeof *d);
    if (!d) return NULL;
    const size_t n = (size_t)equations->n, m = (size_t)equations->m, inputs = (size_t)model->input_count;
    d->model = model;
    d->group = memory_take(&d->memory, n, sizeof *d->group);
    d->group_input = memory_take(&d->memory, n * inputs, sizeof *d->group_input);
    d->constraint = memory_take(&d->memory, m, sizeof *d->constraint);
    d->output = memory_take(&d->memory, (size_t)model->output_count * inputs, sizeof *d->output);
    if (d->memory.failed) {
        dependencies_free(d);
        return NULL;
    }
    find_groups(d, equations);
    mark_expressions(d, equations);
    return d;
}

void dependencies_free(dependencies *d) {
    if (!d) return;
    memory_release(&d->memory);
    free(d);
}

bool dependencies_has(const dependencies *d, const fmi_variable *output, int input) {
    switch (output->quantity) {
    case ZENO_ACCELERATION:
        return row_of(d, d->group_input, d->group[output->index])[input];
    case ZENO_GAP_ACCELERATION:
    case ZENO_FORCE:
    case ZENO_STABLE_POSITION:
    case ZENO_STABLE_VELOCITY:
        return row_of(d, d->group_input, d->group[d->constraint[output->index]])[input];
    case ZENO_OUTPUT:
        return row_of(d, d->output, output->index)[input];
    default:
        return false;
    }
}
