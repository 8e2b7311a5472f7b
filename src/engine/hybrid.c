// A hybrid system with modes, guards and resets as a system of the event loop [Burden, Fig. 8].
//
// The guards of the mode are carried as states beside the model's own: so the solver's step size follows them too, even
// where a guard depends on time alone and the states give it no reason to. What decides is the guard itself, evaluated.

#include <float.h>
#include <math.h>
#include <string.h>

#include "engine_impl.h"
#include "linear.h"

static int guards(const zeno_model *model) {
    return model->guards;
}

// ---- The motion in a mode

static bool all_finite(const double *x, int count) {
    for (int i = 0; i < count; ++i)
        if (!isfinite(x[i])) return false;
    return true;
}

static int derivative(void *context, double s, const double *y, double *dy) {
    zeno_engine *engine = context;
    const zeno_model *model = engine->model;
    const zeno_mode *mode = zeno_present_mode(engine);
    const zeno_point x = zeno_point_at(engine, s, y);
    for (int i = 0; i < model->inputs; ++i)
        engine->input_rates[i] = zeno_signal_at(&engine->anchor.inputs[i], 1, x.t);
    mode->rates(&x, engine->input_rates, dy, dy + model->states);
    for (int j = mode->transitions; j < model->guards; ++j)
        dy[model->states + j] = 0;
    return all_finite(dy, zeno_dimension(model)) ? 0 : 1;
}

// How many of its rounding errors a guard may be off zero and still be zero.
#define ALLOWANCE (256 * DBL_EPSILON / 2)

// Guards that the mode doesn't have never fall. One that is zero but for rounding is zero: noise is no crossing.
static int guard(void *context, double s, const double *y, double *g) {
    zeno_engine *engine = context;
    const zeno_mode *mode = zeno_present_mode(engine);
    const zeno_point x = zeno_point_at(engine, s, y);
    mode->guards(&x, g, engine->rounding);
    for (int j = 0; j < mode->transitions; ++j)
        if (fabs(g[j]) <= ALLOWANCE * engine->rounding[j]) g[j] = 0;
    for (int j = mode->transitions; j < engine->model->guards; ++j)
        g[j] = 1;
    return all_finite(g, engine->model->guards) ? 0 : 1;
}

static int jacobian(void *context, double s, const double *y, double *const *column) {
    zeno_engine *engine = context;
    const zeno_model *model = engine->model;
    const zeno_mode *mode = zeno_present_mode(engine);
    const zeno_point x = zeno_point_at(engine, s, y);
    double *unit = engine->tangent, *no_change = unit + model->states;
    const zeno_direction d = {.t = 0, .u = engine->no_input, .q = unit, .v = no_change};
    memset(unit, 0, (size_t)(model->states + model->held) * sizeof *unit);
    for (int k = 0; k < zeno_dimension(model); ++k) {
        memset(column[k], 0, (size_t)zeno_dimension(model) * sizeof(double));
        if (k >= model->states) continue; // nothing depends on a carried guard
        unit[k] = 1;
        mode->rates_tangent(&x, &d, column[k], column[k] + model->states);
        unit[k] = 0;
        if (!all_finite(column[k], zeno_dimension(model))) return 1;
    }
    return 0;
}

// Where modes last ever shorter, what happens in them gets smaller with the square of their length, as a bouncing
// ball's height does; the tolerances follow, down to a limit.
static double smallness(const zeno_engine *engine) {
    const zeno_state *anchor = &engine->anchor;
    const double length = anchor->mode.last_dwell[anchor->mode.present] / engine->model->step_size;
    return anchor->shrinking > 1 && length < 1 ? fmax(length * length, 1e-12) : 1;
}

// A guard's own size is that of its terms, which its rounding error tells.
static void tolerances(const zeno_engine *engine, double *absolute_tolerance) {
    const zeno_model *model = engine->model;
    const zeno_mode *mode = zeno_present_mode(engine);
    const zeno_point x = zeno_point_at(engine, 0, engine->anchor.y);
    const double tolerance = engine->tolerance * smallness(engine);
    for (int i = 0; i < model->states; ++i)
        absolute_tolerance[i] = tolerance * model->state_nominal[i];
    mode->guards(&x, engine->guard, engine->rounding);
    for (int j = 0; j < model->guards; ++j) {
        const double size = j < mode->transitions ? fmax(1, engine->rounding[j]) : 1;
        absolute_tolerance[model->states + j] = tolerance * size;
    }
}

// The middle-point rule: a dwell is a millionth of a communication step.
static bool glide(zeno_engine *engine, double s, double *y) {
    const int dimension = zeno_dimension(engine->model);
    double *slope = engine->glide, *middle = slope + dimension;
    memcpy(middle, engine->anchor.y, (size_t)dimension * sizeof *middle);
    if (derivative(engine, 0, middle, slope) != 0) return false;
    zeno_add(dimension, s / 2, slope, middle);
    if (derivative(engine, s / 2, middle, slope) != 0) return false;
    memcpy(y, engine->anchor.y, (size_t)dimension * sizeof *y);
    zeno_add(dimension, s, slope, y);
    return all_finite(y, dimension);
}

// ---- What ends it

static double guard_in_step(zeno_engine *engine, int j, double s) {
    zeno_integrator_read(engine->integrator, s, engine->glide);
    return guard(engine, s, engine->glide, engine->guard) == 0 ? engine->guard[j] : NAN;
}

// Where guard j reaches zero between a place above zero and one below, to the last digit.
static double bisect(zeno_engine *engine, int j, double above, double below) {
    for (;;) {
        const double middle = above + (below - above) / 2;
        if (!(middle > above && middle < below)) return below;
        if (guard_in_step(engine, j, middle) <= 0)
            below = middle;
        else
            above = middle;
    }
}

// Where guard j, seen above zero, first falls through it in the last step. The solver's root finder sees only the ends
// of a step and nothing of a guard that was zero at the start; and it stops a hundred rounding errors behind a
// crossing, too far where other guards are due at the same time and must be told from those that were passed before.
// A dip between the samples shows in the carried guard.
static bool falls_in_step(zeno_engine *engine, int j, double *s) {
    enum { SAMPLES = 24 }; // twice the degree that the solver's polynomials can have
    const double from = engine->last_s, to = engine->s;
    zeno_fall dip;
    bool dips = zeno_integrator_falls(engine->integrator, engine->model->states + j, 0, from, to, &dip);
    double above = NAN;
    for (int k = engine->asleep[j] ? 1 : 0; k <= SAMPLES; ++k) {
        double here = k < SAMPLES ? from + (to - from) * k / SAMPLES : to;
        if (dips && dip.below < here) {
            here = dip.below;
            dips = false;
            --k; // the sample comes after it
        }
        const double value = guard_in_step(engine, j, here);
        if (value > 0) above = here;
        if (!(value < 0) || isnan(above)) continue;
        *s = bisect(engine, j, above, here);
        return true;
    }
    return false;
}

// Without asking the guard: one that is carried high above zero has not fallen.
static bool may_have_fallen(const zeno_engine *engine, int j) {
    const int carried = engine->model->states + j;
    return engine->asleep[j] || zeno_integrator_may_fall(engine->integrator, carried, 0, engine->last_s);
}

// The first of all guards that fell.
static bool dipped(zeno_engine *engine, double *s) {
    const zeno_mode *mode = zeno_present_mode(engine);
    int first = -1;
    double here = HUGE_VAL;
    for (int j = 0; j < mode->transitions; ++j) {
        if (!may_have_fallen(engine, j) || !falls_in_step(engine, j, &here) || (first >= 0 && here >= *s)) continue;
        first = j;
        *s = here;
    }
    for (int j = 0; first >= 0 && j < engine->model->guards; ++j)
        engine->fell[j] = j == first;
    return first >= 0;
}

// What is left then are guards that are exactly zero where the root finder has stopped.
static bool counts(zeno_engine *engine, const bool *fell) {
    for (int j = 0; j < engine->model->guards; ++j)
        if (fell[j] && !engine->asleep[j]) return true;
    return false;
}

// A mode that began beyond a guard doesn't take its transition before the guard has come back.
static bool woke(zeno_engine *engine, const double *guard_now, const bool *fell) {
    (void)guard_now;
    zeno_guards at_anchor;
    if (!zeno_guards_at_anchor(engine, &at_anchor)) return false;
    for (int j = 0; j < engine->model->guards; ++j) {
        if (!fell[j]) continue;
        if (zeno_waits_on_guard(engine, &at_anchor, j)) return true;
    }
    return false;
}

static zeno_status anchored(zeno_engine *engine) {
    zeno_forget_taken(engine);
    return zeno_carry_guards(engine);
}

zeno_status zeno_carry_guards(zeno_engine *engine) {
    double *y = engine->anchor.y;
    return guard(engine, 0, y, y + engine->model->states) == 0 ? ZENO_OK : zeno_singular(engine);
}

static bool place(zeno_engine *engine, int *below) {
    (void)below;
    const zeno_model *model = engine->model;
    zeno_state *anchor = &engine->anchor;
    anchor->mode.present = model->hybrid->initial;
    memcpy(anchor->y, engine->start, (size_t)model->states * sizeof(double));
    memcpy(anchor->mode.held, engine->start + model->states, (size_t)model->held * sizeof(double));
    return guard(engine, 0, anchor->y, anchor->y + model->states) == 0;
}

static zeno_status check(const zeno_engine *engine) {
    (void)engine;
    return ZENO_OK;
}

static void replacing(zeno_engine *engine) {
    (void)engine;
}

static zeno_status settle(zeno_engine *engine) {
    const zeno_status status = zeno_carry_guards(engine);
    return status == ZENO_OK ? zeno_take_due(engine) : status;
}

// A guard that was zero at the anchor is below zero after a step and was not seen above in between: its transition was
// due at the anchor; or, where it began to rise, after a rise too short for that step: then a shorter one is tried, as
// long as time can be told apart.
static zeno_status handle_woken(zeno_engine *engine, const zeno_guards *at_anchor, int j) {
    const double bound = engine->anchor.first_step, tried = engine->event.tried;
    const double shorter = (bound > 0 ? fmin(bound, tried) : tried) / 10; // it may not have been the first step
    if (!(at_anchor->rate[j] > 0)) return zeno_begin_transition(engine, j);
    zeno_keep_waiting(engine, j, shorter);
    if (shorter <= zeno_time_resolution(&engine->anchor)) zeno_begin_gliding(engine);
    return ZENO_OK;
}

// A guard that is seen to fall although its rate says that it rises is within the solver's error of zero: it is watched
// from here on as one that begins at zero.
static zeno_status handle_fallen(zeno_engine *engine, const zeno_guards *at_anchor, int j) {
    if (!(at_anchor->rate[j] > 0)) return zeno_begin_transition(engine, j);
    zeno_keep_waiting(engine, j, engine->anchor.mode.last_dwell[engine->anchor.mode.present]);
    return ZENO_OK;
}

static zeno_status handle(zeno_engine *engine) {
    if (engine->event.kind == ZENO_HOLD_PASSED) return zeno_end_strip(engine);
    if (engine->event.kind == ZENO_GLIDE_PASSED) return zeno_end_glide(engine);
    if (engine->event.kind == ZENO_GUARD_FELL) engine->anchor.mode.reach = zeno_integrator_end(engine->integrator);
    zeno_guards at_anchor;
    if (!zeno_guards_at_anchor(engine, &at_anchor)) return zeno_singular(engine);
    for (int j = 0; j < engine->model->guards; ++j) {
        if (!engine->fell[j]) continue;
        if (engine->event.kind == ZENO_GUARD_FELL) return handle_fallen(engine, &at_anchor, j);
        if (zeno_waits_on_guard(engine, &at_anchor, j)) return handle_woken(engine, &at_anchor, j);
    }
    return ZENO_OK;
}

// ---- What the host sees

static bool tidy(zeno_engine *engine, double *y) {
    (void)engine, (void)y;
    return true;
}

static bool observe(zeno_engine *engine, const zeno_point *x) {
    if (engine->model->outputs > 0) zeno_present_mode(engine)->outputs(x, engine->view.outputs);
    return true;
}

static double value(const zeno_engine *engine, const zeno_variable *variable) {
    const zeno_mode_state *mode = &engine->anchor.mode;
    switch (variable->quantity) {
    case ZENO_STATE:
        return engine->view.y[variable->index];
    case ZENO_HELD:
        return mode->held[variable->index];
    case ZENO_MODE:
        return mode->present;
    case ZENO_TRANSITIONS:
        return (double)mode->transitions;
    case ZENO_LAST_TRANSITION_TIME:
        return mode->last_time;
    case ZENO_OUTPUT:
        return engine->view.outputs[variable->index];
    default:
        return NAN;
    }
}

static void differentiate(zeno_engine *engine, const zeno_point *x) {
    const zeno_model *model = engine->model;
    const zeno_mode *mode = zeno_present_mode(engine);
    zeno_change *change = &engine->view.change;
    memset(change->q, 0, (size_t)model->states * sizeof *change->q);
    memset(change->v, 0, (size_t)model->held * sizeof *change->v);
    const bool moving = change->along_motion && engine->anchor.strip == 0;
    if (moving) mode->rates(x, change->u, change->q, engine->guard);
    const zeno_direction d = {.t = change->along_motion, .u = change->u, .q = change->q, .v = change->v};
    if (model->outputs > 0) mode->outputs_tangent(x, &d, change->outputs);
}

static double change_of(const zeno_engine *engine, const zeno_variable *variable) {
    switch (variable->quantity) {
    case ZENO_STATE:
        return engine->view.change.q[variable->index];
    case ZENO_OUTPUT:
        return engine->view.change.outputs[variable->index];
    default:
        return 0; // what changes only at transitions
    }
}

const zeno_system zeno_hybrid_system = {
    .guards = guards,
    .place = place,
    .check = check,
    .derivative = derivative,
    .guard = guard,
    .jacobian = jacobian,
    .tolerances = tolerances,
    .counts = counts,
    .dipped = dipped,
    .sees_all_falls = true,
    .woke = woke,
    .dwell = zeno_least_dwell,
    .glide = glide,
    .anchored = anchored,
    .replacing = replacing,
    .settle = settle,
    .handle = handle,
    .tidy = tidy,
    .observe = observe,
    .observe_radii = zeno_view_motion, // there are none
    .value = value,
    .differentiate = differentiate,
    .change = change_of,
};
