// The distance between two executions, sample by sample.

#include "distance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A trajectory, its columns as the model has them, and the state at the time that is being compared.
typedef struct execution {
    const trajectory *t;
    int *columns; // of states, inputs, held variables; -1: not there
    int mode;     // column; -1: the model has no modes
    int *events;  // columns of the counters of events
    int event_count;
    bool counts_events; // all counters are there
    int row;            // the last sample up to the time
    double *values;     // states, inputs, held variables
    int domain;
    bool interpolated;
} execution;

typedef struct comparison {
    const metric_model *metric;
    const model_file *model;
    int states, inputs, held;
    execution a, b;
    memory memory;
} comparison;

// ---- columns

static void report_missing(const trajectory *t, const char *name, diagnostics *d) {
    char hint[HINT_SIZE];
    const char *near = nearest_name(name, (const char *const *)t->names, t->columns);
    report_error(d, 0, "there is no column '%s'%s", name, did_you_mean(near, hint));
}

// The column of a variable that must be there, with finite numbers throughout; -1 otherwise.
static int require(const trajectory *t, const char *name, diagnostics *d) {
    const int column = trajectory_column(t, name);
    if (column < 0) {
        report_missing(t, name, d);
        return -1;
    }
    for (int row = 0; row < t->rows; row++) {
        if (isfinite(t->values[(size_t)row * (size_t)t->columns + (size_t)column])) continue;
        report_error(d, t->lines[row], "'%s' is no finite number", name);
        return -1;
    }
    return column;
}

static void bind_values(const comparison *c, execution *e, diagnostics *d) {
    const model_file *model = c->model;
    int *next = e->columns;
    for (int i = 0; i < c->states; i++)
        *next++ = require(e->t, metric_model_state_name(model, i), d);
    for (int i = 0; i < c->inputs; i++) {
        const char *name = model->inputs[i].about.name;
        *next++ = trajectory_column(e->t, name) < 0 ? -1 : require(e->t, name, d);
    }
    for (int i = 0; i < c->held; i++) {
        const char *name = model->held[i].about.name;
        *next++ = metric_model_reads(c->metric, (expr_symbol){SYMBOL_HELD, i}) ? require(e->t, name, d) : -1;
    }
}

static void bind_mode(const comparison *c, execution *e, diagnostics *d) {
    e->mode = c->model->kind == MODEL_HYBRID ? require(e->t, "mode", d) : -1;
    for (int row = 0; e->mode >= 0 && row < e->t->rows; row++) {
        const double mode = e->t->values[(size_t)row * (size_t)e->t->columns + (size_t)e->mode];
        if (mode >= 0 && mode < c->model->mode_count && mode == floor(mode)) continue;
        report_error(d, e->t->lines[row], "mode %g, expected one from 0 to %d", mode, c->model->mode_count - 1);
        return;
    }
}

static void bind_counter(execution *e, const char *name) {
    const int column = trajectory_column(e->t, name);
    e->events[e->event_count++] = column;
    e->counts_events = e->counts_events && column >= 0;
}

static void bind_counters(comparison *c, execution *e) {
    e->counts_events = true;
    if (c->model->kind == MODEL_HYBRID) bind_counter(e, "transitions");
    for (int i = 0; i < c->model->constraint_count; i++) {
        const char *constraint = c->model->constraints[i].about.name;
        bind_counter(e, memory_text(&c->memory, "%s.impacts", constraint));
        bind_counter(e, memory_text(&c->memory, "%s.releases", constraint));
    }
}

static bool bind(comparison *c, execution *e, const trajectory *t, diagnostics *d) {
    const size_t count = (size_t)(c->states + c->inputs + c->held);
    diagnostics here = {.file = t->path, .stream = d->stream};
    e->t = t;
    e->columns = memory_take(&c->memory, count + 1, sizeof *e->columns);
    e->values = memory_take(&c->memory, count + 1, sizeof *e->values);
    e->events = memory_take(&c->memory, 2 * (size_t)c->model->constraint_count + 1, sizeof *e->events);
    if (!c->memory.failed) {
        bind_values(c, e, &here);
        bind_mode(c, e, &here);
        bind_counters(c, e);
    }
    if (c->memory.failed) report_error(&here, 0, "out of memory");
    d->errors += here.errors;
    return here.errors == 0;
}

// ---- the state at a time

static const double *row_of(const execution *e, int row) {
    return e->t->values + (size_t)row * (size_t)e->t->columns;
}

static bool smooth_after(const execution *e, int row) {
    const double *now = row_of(e, row), *next = row_of(e, row + 1);
    bool same = e->counts_events && (e->mode < 0 || now[e->mode] == next[e->mode]);
    for (int i = 0; same && i < e->event_count; i++)
        same = now[e->events[i]] == next[e->events[i]];
    return same;
}

static double default_value(const comparison *c, int i) {
    if (i < c->states) return 0;
    return i < c->states + c->inputs ? c->model->inputs[i - c->states].start : 0;
}

// Takes the values between a sample and the next; held ones stay.
static void take_values(const comparison *c, execution *e, int row, double fraction) {
    const double *now = row_of(e, row), *next = fraction > 0 ? row_of(e, row + 1) : now;
    for (int i = 0; i < c->states + c->inputs + c->held; i++) {
        const int column = e->columns[i];
        const bool moves = fraction > 0 && i < c->states + c->inputs;
        e->values[i] = column < 0 ? default_value(c, i) : now[column];
        if (column >= 0 && moves) e->values[i] += fraction * (next[column] - now[column]);
    }
    e->domain = e->mode < 0 ? 0 : (int)now[e->mode];
    e->interpolated = fraction > 0;
}

// False where the state isn't known.
static bool move_to(const comparison *c, execution *e, double time, double tolerance) {
    const double *times = e->t->times;
    while (e->row + 1 < e->t->rows && times[e->row + 1] <= time + tolerance)
        e->row++;
    const bool sampled = fabs(times[e->row] - time) <= tolerance;
    if (!sampled && (e->row + 1 == e->t->rows || !smooth_after(e, e->row))) return false;
    const double fraction = sampled ? 0 : (time - times[e->row]) / (times[e->row + 1] - times[e->row]);
    take_values(c, e, e->row, fraction);
    return true;
}

static metric_point point_of(const comparison *c, const execution *e, double time) {
    const double *inputs = e->values + c->states;
    return (metric_point){e->domain, e->values, {time, inputs, inputs + c->inputs}};
}

// ---- all times

// Sample times that differ by less than this are the same: hosts add up their steps.
static double same_time(const trajectory *a, const trajectory *b, double time) {
    const double span = fmin(a->times[a->rows - 1] - a->times[0], b->times[b->rows - 1] - b->times[0]);
    const int most = a->rows > b->rows ? a->rows : b->rows;
    return 1e-9 * (fabs(time) + span / most);
}

// The next sample time of either execution after `time`; INFINITY after the last.
static double next_time(const comparison *c, int *a, int *b, double time, double tolerance) {
    const trajectory *ta = c->a.t, *tb = c->b.t;
    while (*a < ta->rows && ta->times[*a] <= time + tolerance)
        ++*a;
    while (*b < tb->rows && tb->times[*b] <= time + tolerance)
        ++*b;
    return fmin(*a < ta->rows ? ta->times[*a] : INFINITY, *b < tb->rows ? tb->times[*b] : INFINITY);
}

static bool compare_at(comparison *c, double time, int transitions, metric_result *here) {
    const metric_point p = point_of(c, &c->a, time), q = point_of(c, &c->b, time);
    return metric_distance(&c->metric->space, &p, &q, transitions, here);
}

typedef struct listener {
    void (*each)(void *context, double time, double distance);
    void *context;
} listener;

static bool compare_all(comparison *c, int transitions, const listener *l, execution_distance *result) {
    int next_a = 0, next_b = 0;
    for (double time = result->from; time <= result->to;) {
        const double tolerance = same_time(c->a.t, c->b.t, time);
        const bool known_a = move_to(c, &c->a, time, tolerance), known_b = move_to(c, &c->b, time, tolerance);
        metric_result here = {0};
        if (!(known_a && known_b)) {
            result->left_out++;
        } else {
            if (!compare_at(c, time, transitions, &here)) return false;
            if (l->each) l->each(l->context, time, here.distance);
            result->interpolated += c->a.interpolated || c->b.interpolated;
            if (result->compared++ == 0 || here.distance > result->greatest.distance) {
                result->greatest = here;
                result->time = time;
            }
        }
        time = next_time(c, &next_a, &next_b, time, tolerance);
    }
    return true;
}

static bool find_interval(const trajectory *a, const trajectory *b, execution_distance *result, diagnostics *d) {
    result->from = fmax(a->times[0], b->times[0]);
    result->to = fmin(a->times[a->rows - 1], b->times[b->rows - 1]);
    if (result->from <= result->to) return true;
    report_error(d, 0, "no common time: '%s' goes from %g to %g, '%s' from %g to %g", a->path, a->times[0],
                 a->times[a->rows - 1], b->path, b->times[0], b->times[b->rows - 1]);
    return false;
}

bool distance_of_executions(const metric_model *metric, const trajectory *a, const trajectory *b, int transitions,
                            void (*each)(void *context, double time, double distance), void *context,
                            execution_distance *result, diagnostics *d) {
    const model_file *model = metric->model;
    comparison c = {.metric = metric,
                    .model = model,
                    .states = metric->space.dimension,
                    .inputs = model->input_count,
                    .held = model->held_count};
    const listener l = {each, context};
    *result = (execution_distance){0};
    const bool bound_a = bind(&c, &c.a, a, d), bound_b = bind(&c, &c.b, b, d);
    bool good = bound_a && bound_b && find_interval(a, b, result, d);
    if (good && !compare_all(&c, transitions, &l, result)) {
        report_error(d, 0, "out of memory");
        good = false;
    }
    if (good && result->compared == 0) {
        report_error(
            d, 0, "no time can be compared: '%s' and '%s' have no sample time in common, and none can be interpolated",
            a->path, b->path);
        good = false;
    }
    memory_release(&c.memory);
    return good;
}
