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

// Modes in a row that each lasted shorter than the time before, or hardly at all, before a least dwell is given.
enum { PATIENCE = 1000 };
// The least dwell, in communication steps of the default experiment. It doubles after so many dwells in a row: a motion
// that slides for long is carried in bounded work.
#define LEAST_DWELL 1e-6
enum { DWELLS_OF_A_SIZE = 2000000 };
// A mode that lasts longer than so many dwells lasts on its own.
enum { SOME_DWELLS = 10 };

// What has become of a guard at the anchor.
enum {
    NOT_TAKEN,
    SPENT, // taken, back in the same mode, and still on its way down
    TURNED // taken, back in the same mode, and no longer on its way down
};

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
    const zeno_point x = zeno_point_at(engine, 0, engine->anchor.y);
    for (int i = 0; i < model->inputs; ++i)
        engine->input_rates[i] = zeno_signal_at(&engine->anchor.inputs[i], 1, x.t);
    if (engine->system->guard(engine, 0, engine->anchor.y, guards->value) != 0) return false;
    mode->rates(&x, engine->input_rates, states, guards->rate);
    for (int j = 0; j < mode->transitions; ++j)
        if (!isfinite(guards->rate[j])) return false;
    return true;
}

bool zeno_is_spent(const zeno_engine *engine, int j) {
    return engine->model->hybrid && engine->anchor.mode.taken[j] == SPENT;
}

bool zeno_waits_on_guard(const zeno_engine *engine, const zeno_guards *guards, int j) {
    const zeno_state *anchor = &engine->anchor;
    if (anchor->mode.taken[j] != NOT_TAKEN) return anchor->mode.taken[j] == TURNED;
    const double instant = 64 * DBL_EPSILON * (fabs(anchor->time) + anchor->last_flight + anchor->mode.reach);
    return fabs(guards->value[j]) <= instant * fabs(guards->rate[j]);
}

void zeno_forget_taken(zeno_engine *engine) {
    for (int j = 0; j < engine->model->guards; ++j)
        engine->anchor.mode.taken[j] = NOT_TAKEN;
}

void zeno_keep_waiting(zeno_engine *engine, int j, double first_step) {
    engine->anchor.mode.taken[j] = TURNED;
    engine->anchor.first_step = first_step;
}

static int first_due(const zeno_engine *engine, const zeno_guards *guards) {
    const int count = zeno_present_mode(engine)->transitions;
    for (int j = 0; j < count; ++j)
        if (guards->rate[j] < 0 && zeno_waits_on_guard(engine, guards, j)) return j;
    return -1;
}

// ---- The least dwell

static double full_dwell(const zeno_engine *engine) {
    const long doublings = engine->anchor.mode.glides / DWELLS_OF_A_SIZE;
    return ldexp(LEAST_DWELL * engine->model->step_size, (int)(doublings < 60 ? doublings : 60));
}

// What is left of the present dwell: a change from outside may have moved the anchor into its middle.
double zeno_least_dwell(const zeno_engine *engine) {
    const zeno_state *anchor = &engine->anchor;
    if (!anchor->mode.gliding) return 0;
    const double dwell = full_dwell(engine), left = dwell - fmod(anchor->flight_age, dwell);
    return fmax(left, zeno_time_resolution(anchor));
}

// At the end of a dwell a guard counts that has been reached on the way down; one that is farther below than the dwells
// so far can have led belongs to a mode that began beyond it.
static int first_due_after_glide(const zeno_engine *engine, const zeno_guards *guards) {
    const int count = zeno_present_mode(engine)->transitions;
    const double duration = (double)(engine->anchor.mode.glides + SOME_DWELLS) * full_dwell(engine);
    for (int j = 0; j < count; ++j) {
        const double way = duration * fabs(guards->rate[j]);
        if (guards->rate[j] < 0 && guards->value[j] <= 0 && guards->value[j] >= -way) return j;
    }
    return -1;
}

void zeno_begin_gliding(zeno_engine *engine) {
    zeno_mode_state *mode = &engine->anchor.mode;
    mode->gliding = true;
    mode->glides = 0;
    zeno_log(&engine->host, ZENO_LOG_EVENTS,
             "t = %.17g: start of sliding or Zeno accumulation in mode '%s' after %ld modes in a row that lasted ever "
             "shorter or hardly at all: from here on each lasts at least %g s",
             engine->anchor.time, zeno_present_mode(engine)->name, engine->anchor.shrinking, full_dwell(engine));
}

static void end_gliding(zeno_engine *engine, const zeno_guards *guards) {
    zeno_state *anchor = &engine->anchor;
    zeno_log(&engine->host, ZENO_LOG_EVENTS,
             "t = %.17g: end of sliding or Zeno accumulation: mode '%s' lasts again; %ld were cut short", anchor->time,
             zeno_present_mode(engine)->name, anchor->mode.glides);
    anchor->mode.gliding = false;
    anchor->mode.glides = 0;
    anchor->shrinking = 0;
    // What is not above zero now has had its time to rise: it counts as begun beyond.
    for (int j = 0; j < zeno_present_mode(engine)->transitions; ++j)
        if (!(guards->value[j] > 0)) anchor->mode.taken[j] = SPENT;
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

// A transition that leads back into its own mode and doesn't turn its guard round is taken once, not for ever; one that
// does finds its guard at zero. An update moves nothing: a guard at rest that it was taken for is not turned either.
static zeno_status note_taken(zeno_engine *engine, int j) {
    const bool update = zeno_present_mode(engine)->transition[j].update;
    zeno_guards guards;
    if (!zeno_guards_at_anchor(engine, &guards)) return zeno_singular(engine);
    const bool goes_on = guards.rate[j] < 0 || (update && guards.rate[j] == 0);
    engine->anchor.mode.taken[j] = goes_on ? SPENT : TURNED;
    return ZENO_OK;
}

static zeno_status take(zeno_engine *engine, int j) {
    zeno_state *anchor = &engine->anchor;
    const zeno_transition *transition = &zeno_present_mode(engine)->transition[j];
    const int from = anchor->mode.present;
    zeno_status status = apply_reset(engine, transition);
    if (status != ZENO_OK) return status;
    judge_dwell(engine);
    if (!transition->update) {
        log_transition(engine, transition);
        anchor->mode.present = transition->to;
        ++anchor->mode.transitions;
        anchor->mode.last_time = anchor->time;
    }
    if (anchor->mode.present != from) zeno_forget_taken(engine);
    anchor->first_step = anchor->mode.last_dwell[anchor->mode.present]; // modes that shrink begin with short steps
    if (anchor->shrinking >= PATIENCE && !anchor->mode.gliding) zeno_begin_gliding(engine);
    status = zeno_carry_guards(engine);
    return status == ZENO_OK && anchor->mode.present == from ? note_taken(engine, j) : status;
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
    if (engine->anchor.flight_age > SOME_DWELLS * full_dwell(engine)) end_gliding(engine, &guards);
    return ZENO_OK;
}
