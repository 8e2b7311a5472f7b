// The glued space of a model: what both kinds of systems have in common.

#include "metric_model_impl.h"

#include <math.h>
#include <stdlib.h>

int metric_model_states(const model_file *model) {
    return model->kind == MODEL_HYBRID ? model->state_count : 2 * model->coordinate_count;
}

const char *metric_model_state_name(const model_file *model, int state) {
    return model_symbol_name(model, metric_state_symbol(model, state));
}

expr_symbol metric_state_symbol(const model_file *model, int state) {
    if (model->kind == MODEL_HYBRID) return (expr_symbol){SYMBOL_STATE, state};
    if (state < model->coordinate_count) return (expr_symbol){SYMBOL_COORDINATE, state};
    return (expr_symbol){SYMBOL_RATE, state - model->coordinate_count};
}

double metric_value(void *place, expr_symbol symbol) {
    const metric_place *here = place;
    switch (symbol.class) {
    case SYMBOL_TIME:
        return here->at->time;
    case SYMBOL_PARAMETER:
        return here->metric->parameters[symbol.index];
    case SYMBOL_INPUT:
        return here->at->inputs[symbol.index];
    case SYMBOL_INPUT_RATE:
        return 0; // they are held
    case SYMBOL_HELD:
        return here->at->held[symbol.index];
    case SYMBOL_STATE:
    case SYMBOL_COORDINATE:
        return here->x[symbol.index];
    case SYMBOL_RATE:
        return here->x[here->metric->model->coordinate_count + symbol.index];
    default:
        return NAN; // nothing else stands in guards and resets
    }
}

// ---- affine functions

static const unsigned STATES = 1u << SYMBOL_STATE | 1u << SYMBOL_COORDINATE | 1u << SYMBOL_RATE;

static bool is_constant(const metric_model *metric, expr x) {
    return !(expr_get(metric->model->graph, x).classes & STATES);
}

void metric_differentiate(const metric_model *metric, expr x, expr *gradient) {
    for (int i = 0; i < metric->space.dimension; i++) {
        const expr_symbol symbol = metric_state_symbol(metric->model, i);
        expr_gradient(metric->model->graph, x, &symbol, 1, &gradient[i]);
    }
}

bool metric_is_affine(const metric_model *metric, expr x) {
    if (x == EXPR_NONE || expr_get(metric->model->graph, x).kinks & STATES) return false;
    for (int i = 0; i < metric->space.dimension; i++) {
        const expr_symbol symbol = metric_state_symbol(metric->model, i);
        expr derivative;
        expr_gradient(metric->model->graph, x, &symbol, 1, &derivative);
        if (derivative == EXPR_NONE || !is_constant(metric, derivative)) return false;
    }
    return true;
}

static expr put_in_place(void *elimination, expr_symbol symbol) {
    const metric_elimination *e = elimination;
    return symbol.class == e->pivot.class && symbol.index == e->pivot.index ? e->value : EXPR_NONE;
}

expr metric_on_guard(const metric_model *metric, const metric_elimination *elimination, expr x) {
    metric_elimination e = *elimination;
    if (e.pivot.class == SYMBOL_CLASSES) return x;
    expr result;
    expr_substitute(metric->model->graph, &x, 1, put_in_place, &e, &result);
    return result;
}

// guard = factor * pivot + rest, so that pivot = -rest/factor.
metric_elimination metric_eliminate(const metric_model *metric, expr guard, const expr *gradient) {
    expr_graph *graph = metric->model->graph;
    metric_elimination best = {.pivot = {SYMBOL_CLASSES, 0}};
    metric_place nowhere = {.metric = metric};
    double largest = 0;
    expr factor = EXPR_NONE;
    for (int i = 0; i < metric->space.dimension; i++) {
        if (expr_get(graph, gradient[i]).classes & ~(1u << SYMBOL_PARAMETER)) continue;
        const double size = fabs(expr_evaluate(graph, gradient[i], metric_value, &nowhere));
        if (!(size > largest)) continue;
        largest = size;
        factor = gradient[i];
        best.pivot = metric_state_symbol(metric->model, i);
    }
    if (factor == EXPR_NONE) return best;
    best.value = expr_constant(graph, 0);
    const expr rest = metric_on_guard(metric, &best, guard);
    best.value = expr_unary(graph, EXPR_NEG, expr_binary(graph, EXPR_DIV, rest, factor));
    return best;
}

// ---- what is read

typedef struct symbol_use {
    expr_symbol symbol;
    bool found;
} symbol_use;

static void find_use(void *context, expr_symbol symbol) {
    symbol_use *use = context;
    use->found = use->found || (symbol.class == use->symbol.class && symbol.index == use->symbol.index);
}

bool metric_model_reads(const metric_model *metric, expr_symbol symbol) {
    symbol_use use = {symbol, false};
    for (int i = 0; i < metric->space.gluings && !use.found; i++) {
        const gluing_expressions *e = &metric->expressions[i];
        if (e->when != EXPR_NONE) expr_symbols(metric->model->graph, e->when, find_use, &use);
        for (int j = 0; j < e->count && !use.found; j++)
            expr_symbols(metric->model->graph, e->all[j], find_use, &use);
    }
    return use.found;
}

// ---- the space

static bool is_enabled(void *context, int gluing, const metric_situation *at) {
    const metric_model *metric = context;
    const expr when = metric->expressions[gluing].when;
    metric_place place = {metric, at, NULL};
    return when == EXPR_NONE || expr_evaluate(metric->model->graph, when, metric_value, &place) != 0;
}

void metric_prepare(metric_model *metric, gluing_expressions *e) {
    e->program = expr_program_create(metric->model->graph, e->all, e->count);
    if (!e->program) metric->memory.failed = true;
}

static int count_gluings(const model_file *model) {
    if (model->kind == MODEL_LAGRANGIAN) return model->constraint_count;
    int count = 0;
    for (int i = 0; i < model->mode_count; i++) {
        for (int j = 0; j < model->modes[i].transition_count; j++)
            count += !model->modes[i].transitions[j].update;
    }
    return count;
}

metric_model *metric_model_create(const model_file *model, const model_equations *equations, const double *parameters,
                                  diagnostics *d) {
    metric_model *metric = calloc(1, sizeof *metric);
    if (metric) {
        metric->model = model;
        metric->parameters = parameters;
        metric->space = (metric_space){.dimension = metric_model_states(model),
                                       .domains = model->kind == MODEL_HYBRID ? model->mode_count : 1,
                                       .gluings = count_gluings(model),
                                       .context = metric,
                                       .enabled = is_enabled};
        if (model->kind == MODEL_HYBRID)
            metric_glue_modes(metric, equations);
        else
            metric_glue_impacts(metric, equations);
    }
    if (metric && !metric->memory.failed && !expr_graph_failed(model->graph)) return metric;
    report_error(d, 0, "out of memory");
    metric_model_free(metric);
    return NULL;
}

void metric_model_free(metric_model *metric) {
    if (!metric) return;
    for (int i = 0; metric->expressions && i < metric->space.gluings; i++)
        expr_program_destroy(metric->expressions[i].program);
    memory_release(&metric->memory);
    free(metric);
}
