// Transitions: which are due, what they do, and how modes that are left again and again are kept from stopping time.
//
// Transitions that are due at the same time are taken one after another until none is due, each from the mode that the
// one before has led to [Burden, V-A, V-C]. Sliding between two modes and Zeno accumulation show as modes that last
// ever shorter, or no time at all: after a thousand such transitions every mode lasts at least a short dwell, in which
// its guards aren't looked at, until one lasts longer on its own.

#include <float.h>
#include <math.h>
#include <string.h>

#include "engine_impl.h"
#include "message.h"

// How many of its rounding errors a guard may be off zero and still be on it.
enum { ALLOWANCE = 256 };
// Modes in a row that each lasted shorter than the time before, or hardly at all, before a least dwell is given.
enum { PATIENCE = 1000 };
// The least dwell, in communication steps of the default experiment. It doubles after so many dwells in a row: a motion
// that slides for long is carried in bounded work.
#define LEAST_DWELL 1e-6
enum { DWELLS_OF_A_SIZE = 4000000 };

const zeno_mode *zeno_present_mode(const zeno_engine *engine) {
    return &engine->model->hybrid->mode[engine->anchor.mode.present];
}

// ---- Guards at the anchor

bool zeno_guards_at_anchor(zeno_engine *engine, zeno_guards *guards) {
    const zeno_model *model = engine->model;
    const zeno_mode *mode = zeno_present_mode(engine);
    double *states = engine->nearby;
    guards->value = states + model->states;
    guards->rate = guards->value + model->guards;
    guards->rounding = guards->rate + model->guards;
    const zeno_point x = zeno_point_at(engine, 0, engine->anchor.y);
    for (int i = 0; i < model->inputs; ++i)
        engine->input_rates[i] = zeno_signal_at(&engine->anchor.inputs[i], 1, x.t);
    mode->guards(&x, guards->value, guards->rounding);
    mode->rates(&x, engine->input_rates, states, guards->rate);
    for (int j = 0; j < mode->transitions; ++j)
        if (!isfinite(guards->value[j]) || !isfinite(guards->rate[j])) return false;
    return true;
}

bool zeno_is_on_guard(const zeno_engine *engine, const zeno_guards *guards, int j) {
    const zeno_state *anchor = &engine->anchor;
    const double instant = 64 * DBL_EPSILON * (fabs(anchor->time) + anchor->last_flight);
    const double rounding = ALLOWANCE * DBL_EPSILON / 2 * guards->rounding[j];
    return fabs(guards->value[j]) <= rounding + instant * fabs(guards->rate[j]);
}

static int first_due(const zeno_engine *engine, const zeno_guards *guards) {
    const int count = zeno_present_mode(engine)->transitions;
    for (int j = 0; j < count; ++j)
        if (guards->rate[j] < 0 && zeno_is_on_guard(engine, guards, j)) return j;
    return -1;
}

// ---- The least dwell

static double full_dwell(const zeno_engine *engine) {
    const long doublings = engine->anchor.mode.glides / DWELLS_OF_A_SIZE;
    return ldexp(LEAST_DWELL * engine->model->step_size, (int)(doublings < 60 ? doublings : 60));
}

double zeno_least_dwell(const zeno_engine *engine) {
    const zeno_state *anchor = &engine->anchor;
    if (!anchor->mode.gliding) return 0;
    return fmax(full_dwell(engine) - anchor->flight_age, zeno_time_resolution(anchor));
}

// At the end of a dwell a guard counts when it has been reached on the way down or will be within another dwell; one
// that is farther below belongs to a mode that began beyond it.
static int first_due_after_glide(const zeno_engine *engine, const zeno_guards *guards) {
    const int count = zeno_present_mode(engine)->transitions;
    const double dwell = full_dwell(engine);
    for (int j = 0; j < count; ++j) {
        const double way = dwell * fabs(guards->rate[j]);
        const double rounding = ALLOWANCE * DBL_EPSILON / 2 * guards->rounding[j];
        if (guards->rate[j] < 0 && guards->value[j] <= way && guards->value[j] >= -10 * way - rounding) return j;
    }
    return -1;
}

static void begin_gliding(zeno_engine *engine) {
    zeno_mode_state *mode = &engine->anchor.mode;
    mode->gliding = true;
    mode->glides = 0;
    zeno_log(&engine->host, ZENO_LOG_EVENTS,
             "t = %.17g: start of sliding or Zeno accumulation in mode '%s': %d modes in a row lasted ever shorter or "
             "below %g s; from here on each lasts at least %g s",
             engine->anchor.time, zeno_present_mode(engine)->name, PATIENCE, 1e-9 * (1 + fabs(engine->anchor.time)),
             full_dwell(engine));
}

static void end_gliding(zeno_engine *engine) {
    zeno_state *anchor = &engine->anchor;
    zeno_log(&engine->host, ZENO_LOG_EVENTS,
             "t = %.17g: end of sliding or Zeno accumulation: mode '%s' lasts again; %ld were cut short", anchor->time,
             zeno_present_mode(engine)->name, anchor->mode.glides);
    anchor->mode.gliding = false;
    anchor->mode.glides = 0;
    anchor->shrinking = 0;
}

// A mode is left after `flight_age`.
static void judge_dwell(zeno_engine *engine) {
    zeno_state *anchor = &engine->anchor;
    double *last = &anchor->mode.last_dwell[anchor->mode.present];
    const double dwell = anchor->flight_age;
    const bool short_again = dwell < *last || dwell <= 1e-9 * (1 + fabs(anchor->time));
    anchor->shrinking = short_again ? anchor->shrinking + 1 : 0;
    *last = anchor->last_flight = dwell;
    anchor->flight_age = 0;
    if (anchor->mode.gliding) ++anchor->mode.glides;
}

// ---- Taking a transition

static zeno_status refuse_reset(const zeno_engine *engine, const zeno_transition *transition, const char *name,
                                double value) {
    zeno_log(&engine->host, ZENO_LOG_ERROR,
             "t = %.17g: when %s in mode '%s', '%s' is set to %g, expected a finite value", engine->anchor.time,
             transition->guard, zeno_present_mode(engine)->name, name, value);
    return ZENO_FAILED;
}

static zeno_status apply_reset(zeno_engine *engine, const zeno_transition *transition) {
    const zeno_model *model = engine->model;
    zeno_state *anchor = &engine->anchor;
    double *states = engine->nearby, *held = states + model->states;
    const zeno_point x = zeno_point_at(engine, 0, anchor->y);
    if (!transition->reset) return ZENO_OK;
    memcpy(states, anchor->y, (size_t)model->states * sizeof *states);
    memcpy(held, anchor->mode.held, (size_t)model->held * sizeof *held);
    transition->reset(&x, states, held);
    for (int i = 0; i < model->states; ++i)
        if (!isfinite(states[i])) return refuse_reset(engine, transition, model->state_name[i], states[i]);
    for (int i = 0; i < model->held; ++i)
        if (!isfinite(held[i])) return refuse_reset(engine, transition, model->held_name[i], held[i]);
    memcpy(anchor->y, states, (size_t)model->states * sizeof *states);
    memcpy(anchor->mode.held, held, (size_t)model->held * sizeof *held);
    return ZENO_OK;
}

static void log_transition(const zeno_engine *engine, const zeno_transition *transition) {
    const zeno_hybrid *hybrid = engine->model->hybrid;
    if (engine->anchor.mode.gliding) return; // millions of them
    zeno_log(&engine->host, ZENO_LOG_EVENTS, "t = %.17g: transition from mode '%s' to mode '%s': %s",
             engine->anchor.time, zeno_present_mode(engine)->name, hybrid->mode[transition->to].name,
             transition->guard);
}

static zeno_status take(zeno_engine *engine, int j) {
    zeno_state *anchor = &engine->anchor;
    const zeno_transition *transition = &zeno_present_mode(engine)->transition[j];
    const zeno_status status = apply_reset(engine, transition);
    if (status != ZENO_OK) return status;
    judge_dwell(engine);
    if (!transition->update) {
        log_transition(engine, transition);
        anchor->mode.present = transition->to;
        ++anchor->mode.transitions;
        anchor->mode.last_time = anchor->time;
    }
    anchor->first_step = 0;
    if (anchor->shrinking >= PATIENCE && !anchor->mode.gliding) begin_gliding(engine);
    return engine->system->anchored(engine);
}

// Onto the strip of a relaxed execution [Burden, Definition 18]; or without one, through.
static zeno_status enter(zeno_engine *engine, int j) {
    zeno_state *anchor = &engine->anchor;
    const bool update = zeno_present_mode(engine)->transition[j].update;
    anchor->mode.pending = j;
    anchor->strip = update ? 0 : anchor->settings[ZENO_RELAXATION];
    return anchor->strip > 0 ? ZENO_OK : take(engine, j);
}

zeno_status zeno_take_due(zeno_engine *engine) {
    zeno_status status = ZENO_OK;
    while (status == ZENO_OK && engine->anchor.strip == 0 && !engine->anchor.mode.gliding) {
        zeno_guards guards;
        if (!zeno_guards_at_anchor(engine, &guards)) return zeno_singular(engine);
        const int due = first_due(engine, &guards);
        if (due < 0) break;
        status = enter(engine, due);
    }
    return status;
}

zeno_status zeno_begin_transition(zeno_engine *engine, int j) {
    const zeno_status status = enter(engine, j);
    return status == ZENO_OK ? zeno_take_due(engine) : status;
}

zeno_status zeno_end_strip(zeno_engine *engine) {
    zeno_state *anchor = &engine->anchor;
    anchor->strip = 0;
    if (anchor->mode.pending >= zeno_present_mode(engine)->transitions) return ZENO_OK; // a state made up by somebody
    const zeno_status status = take(engine, anchor->mode.pending);
    return status == ZENO_OK ? zeno_take_due(engine) : status;
}

zeno_status zeno_end_glide(zeno_engine *engine) {
    zeno_guards guards;
    if (!zeno_guards_at_anchor(engine, &guards)) return zeno_singular(engine);
    const int due = first_due_after_glide(engine, &guards);
    if (due >= 0) return enter(engine, due);
    end_gliding(engine);
    return ZENO_OK;
}
