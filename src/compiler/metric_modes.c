// The glued space of a system with modes: a domain per mode, a gluing per transition.

#include <string.h>

#include "metric_model_impl.h"

// A transition's expressions in `all`: guard, its gradient (n), its rate, that one's gradient (n), the state after the
// transition (n), its Jacobian (n x n).
enum { GUARD = 0, GUARD_GRADIENT = 1 };
static int rate_at(int n) {
    return 1 + n;
}
static int image_at(int n) {
    return 2 + 2 * n;
}
static int jacobian_at(int n) {
    return 2 + 3 * n;
}
static int count_all(int n) {
    return 2 + 3 * n + n * n;
}

static void cross(void *context, int gluing, const metric_situation *at, const double *x, metric_crossing *crossing) {
    const metric_model *metric = context;
    const gluing_expressions *e = &metric->expressions[gluing];
    const int n = metric->space.dimension;
    const size_t row = sizeof(double) * (size_t)n;
    metric_place place = {metric, at, x};
    double *values = metric->scratch;
    expr_program_run(e->program, metric_value, &place, values);
    crossing->guard = values[GUARD];
    crossing->rate = values[rate_at(n)];
    memcpy(crossing->guard_gradient, values + GUARD_GRADIENT, row);
    memcpy(crossing->rate_gradient, values + rate_at(n) + 1, row);
    memcpy(crossing->image, values + image_at(n), row);
    memcpy(crossing->jacobian, values + jacobian_at(n), row * (size_t)n);
}

// ---- expressions

static expr state_after(const metric_model *metric, const model_transition *transition, int state) {
    const expr reset = transition->states[state];
    return reset == EXPR_NONE ? expr_symbol_node(metric->model->graph, SYMBOL_STATE, state) : reset;
}

static bool keeps_states(const metric_model *metric, const model_transition *transition) {
    for (int i = 0; i < metric->space.dimension; i++) {
        if (state_after(metric, transition, i) != expr_symbol_node(metric->model->graph, SYMBOL_STATE, i)) return false;
    }
    return true;
}

// Fills in the expressions, of which the rate along the motion is given; true when all are affine on the guard.
static bool derive(const metric_model *metric, const model_transition *transition, expr guard_rate, expr *all) {
    const int n = metric->space.dimension;
    expr *gradient = all + GUARD_GRADIENT, *rate = all + rate_at(n);
    expr *image = all + image_at(n), *jacobian = all + jacobian_at(n);
    all[GUARD] = transition->guard;
    *rate = guard_rate;
    metric_differentiate(metric, all[GUARD], gradient);
    metric_differentiate(metric, *rate, rate + 1);
    for (int i = 0; i < n; i++) {
        image[i] = state_after(metric, transition, i);
        metric_differentiate(metric, image[i], jacobian + i * n);
    }
    if (!metric_is_affine(metric, all[GUARD])) return false;
    const metric_elimination elimination = metric_eliminate(metric, all[GUARD], gradient);
    bool affine = metric_is_affine(metric, metric_on_guard(metric, &elimination, *rate));
    for (int i = 0; i < n; i++)
        affine = affine && metric_is_affine(metric, metric_on_guard(metric, &elimination, image[i]));
    return affine;
}

// ---- held variables

typedef struct held_set {
    const expr *resets; // of the held variables
    bool found;
} held_set;

static void find_held(void *context, expr_symbol symbol) {
    held_set *set = context;
    if (symbol.class == SYMBOL_HELD && set->resets[symbol.index] != EXPR_NONE) set->found = true;
}

// Whether `first` sets a held variable that guard or reset of `second` reads.
static bool feeds(const metric_model *metric, const model_transition *first, const gluing_expressions *second) {
    held_set set = {.resets = first->held};
    for (int i = 0; i < second->count && !set.found; i++)
        expr_symbols(metric->model->graph, second->all[i], find_held, &set);
    if (second->when != EXPR_NONE) expr_symbols(metric->model->graph, second->when, find_held, &set);
    return set.found;
}

// ---- the gluings

static void glue(metric_model *metric, int from, const model_transition *transition, expr guard_rate,
                 metric_gluing *gluing, gluing_expressions *e) {
    const model_mode *modes = metric->model->modes;
    *gluing = (metric_gluing){.name = memory_text(&metric->memory, "%s -> %s (%s)", modes[from].about.name,
                                                  modes[transition->to].about.name, transition->guard_text),
                              .from = from,
                              .to = transition->to};
    e->when = transition->when;
    e->count = count_all(metric->space.dimension);
    e->all = memory_take(&metric->memory, (size_t)e->count, sizeof *e->all);
    if (!e->all) return;
    gluing->affine = derive(metric, transition, guard_rate, e->all);
    gluing->identity = keeps_states(metric, transition);
    metric_prepare(metric, e);
}

void metric_glue_modes(metric_model *metric, const model_equations *equations) {
    const model_file *model = metric->model;
    const size_t count = (size_t)metric->space.gluings;
    metric_gluing *gluings = memory_take(&metric->memory, count + 1, sizeof *gluings);
    const model_transition **transitions = memory_take(&metric->memory, count + 1, sizeof(const model_transition *));
    bool *fed = memory_take(&metric->memory, count * count + 1, sizeof *fed);
    metric->expressions = memory_take(&metric->memory, count + 1, sizeof *metric->expressions);
    metric->scratch = memory_take(&metric->memory, (size_t)count_all(metric->space.dimension), sizeof(double));
    if (metric->memory.failed) return;
    int next = 0;
    for (int i = 0; i < model->mode_count; i++) {
        for (int j = 0; j < model->modes[i].transition_count; j++) {
            const model_transition *transition = &model->modes[i].transitions[j];
            if (transition->update) continue;
            glue(metric, i, transition, equations->modes[i].guard_rates[j], &gluings[next], &metric->expressions[next]);
            transitions[next++] = transition;
        }
    }
    if (metric->memory.failed) return;
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < count; j++)
            fed[i * count + j] = feeds(metric, transitions[i], &metric->expressions[j]);
    }
    metric->space.gluing = gluings;
    metric->space.feeds = fed;
    metric->space.cross = cross;
}
