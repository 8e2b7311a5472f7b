// The event loop [TAC, V-B]: integrate to the next event, hold it back until a step reaches it, handle it, go on.
//
// The solver runs ahead of the communication point by at most the step that covers it, and that point is read from the
// step's dense output. So the solver's steps depend on the anchor alone, never on the communication points.

#include <math.h>
#include <string.h>

#include "engine_impl.h"
#include "message.h"

// Steps after which a new anchor is made, so that a restore from the anchor stays cheap.
enum { STRETCH = 300 };
// Stretches with BDF before Adams is tried again.
enum { STIFF_STRETCHES = 10 };

// Solver steps in one advance, after which it is given up: minutes of work.
#define MOST_STEPS 100000000L
// And in a restore, which repeats at most a stretch.
#define MOST_STEPS_AGAIN (4L * STRETCH)

double zeno_time_resolution(const zeno_state *anchor) {
    const double t = fabs(anchor->time);
    return 16 * (nextafter(t, HUGE_VAL) - t);
}

// When contact and free motion have changed places this often at one and the same time, the motion goes on as it is
// until time can be told apart from then.
enum { MOST_FLIPS = 40 };

zeno_status zeno_singular(const zeno_engine *engine) {
    if (engine->model->hybrid)
        zeno_log(&engine->host, ZENO_LOG_ERROR,
                 "the equations of mode '%s' can't be evaluated near t = %.17g: an expression is not finite",
                 zeno_present_mode(engine)->name, engine->anchor.time);
    else
        zeno_log(&engine->host, ZENO_LOG_ERROR,
                 "the equations of motion can't be evaluated near t = %.17g: the mass matrix is not positive definite, "
                 "a constraint has no normal, or an expression is not finite",
                 engine->anchor.time);
    return ZENO_FAILED;
}

// Notes which guards are not above zero at the anchor: their fall through zero would go unseen by the solver.
static bool put_to_sleep(zeno_engine *engine) {
    const int guards = engine->system->guards(engine->model);
    engine->any_asleep = false;
    if (engine->system->guard(engine, 0, engine->anchor.y, engine->guard) != 0) return false;
    for (int i = 0; i < guards; ++i) {
        engine->asleep[i] = !(engine->guard[i] > 0) || zeno_is_spent(engine, i);
        engine->any_asleep |= engine->asleep[i];
    }
    return true;
}

// After a step: guards above zero are awake and left to the solver; one below zero may have fallen at the anchor.
static bool a_sleeper_fell(zeno_engine *engine) {
    if (!engine->any_asleep) return false;
    if (engine->system->guard(engine, engine->s, engine->solver_y, engine->guard) != 0) return false;
    const int guards = engine->system->guards(engine->model);
    bool below = false;
    engine->any_asleep = false;
    for (int i = 0; i < guards; ++i) {
        engine->fell[i] = engine->asleep[i] && engine->guard[i] < 0;
        below |= engine->fell[i];
        engine->asleep[i] = engine->asleep[i] && engine->guard[i] <= 0;
        engine->any_asleep |= engine->asleep[i];
    }
    return below && engine->system->woke(engine, engine->guard, engine->fell);
}

zeno_status zeno_restart(zeno_engine *engine) {
    zeno_state *anchor = &engine->anchor;
    engine->s = engine->last_s = 0;
    engine->steps = 0;
    engine->event = (zeno_event){.kind = ZENO_NO_EVENT};
    engine->steady = zeno_inputs_are_constant(engine);
    memcpy(engine->solver_y, anchor->y, (size_t)zeno_dimension(engine->model) * sizeof(double));
    if (anchor->strip > 0) {
        engine->event = (zeno_event){.kind = ZENO_HOLD_PASSED, .s = anchor->strip};
        return ZENO_OK;
    }
    const double dwell = engine->system->dwell(engine);
    if (dwell > 0) {
        engine->event = (zeno_event){.kind = ZENO_GLIDE_PASSED, .s = dwell};
        return engine->system->glide(engine, dwell, engine->solver_y) ? ZENO_OK : zeno_singular(engine);
    }
    engine->system->tolerances(engine, engine->absolute_tolerance);
    const zeno_start start = {.y = anchor->y,
                              .relative_tolerance = engine->tolerance,
                              .absolute_tolerance = engine->absolute_tolerance,
                              .first_step = anchor->first_step,
                              .stiff = anchor->stiff > 0};
    const zeno_status status = put_to_sleep(engine) ? zeno_integrator_start(engine->integrator, &start) : ZENO_REFUSED;
    return status == ZENO_REFUSED ? zeno_singular(engine) : status;
}

static zeno_status lost(const zeno_engine *engine) {
    zeno_log(&engine->host, ZENO_LOG_ERROR, "the solver's step to t = %.17g can't be read",
             engine->anchor.time + engine->s);
    return ZENO_FAILED;
}

// After a failure the solver covers no time: a restore starts it anew.
static zeno_status conclude(zeno_engine *engine, zeno_status status) {
    if (status == ZENO_FAILED) engine->last_s = HUGE_VAL;
    return status;
}

// Where the solver got somewhere it starts anew from there: its root finder refuses to go on from a crossing that was
// passed by when another lies very near. If that doesn't help, the other method is tried.
static zeno_status stalled(zeno_engine *engine) {
    const bool moved = engine->s > zeno_time_resolution(&engine->anchor);
    if (moved || engine->anchor.stiff == 0) {
        engine->event = (zeno_event){.kind = moved ? ZENO_LONG_STRETCH : ZENO_STIFFNESS, .s = engine->s};
        return ZENO_OK;
    }
    zeno_log(&engine->host, ZENO_LOG_ERROR, "the solver can't go on at t = %.17g: no step meets the tolerance %g",
             engine->anchor.time + engine->s, engine->tolerance);
    return ZENO_FAILED;
}

static zeno_event fell_at(zeno_engine *engine, double s) {
    zeno_integrator_read(engine->integrator, s, engine->solver_y);
    return (zeno_event){.kind = ZENO_GUARD_FELL, .s = s};
}

// From a crossing that is passed by to the end of its step.
static void look_at_the_rest(zeno_engine *engine) {
    engine->last_s = engine->s;
    engine->s = zeno_integrator_end(engine->integrator);
    zeno_integrator_read(engine->integrator, engine->s, engine->solver_y);
}

// What the step just taken has shown.
static zeno_event find_event(zeno_engine *engine, zeno_progress progress) {
    const zeno_system *system = engine->system;
    const bool crossed = progress == ZENO_CROSSED, passed_by = crossed && system->sees_all_falls;
    double s;
    if (system->dipped(engine, &s)) return fell_at(engine, s);
    if (crossed && system->counts(engine, engine->fell)) return (zeno_event){.kind = ZENO_GUARD_FELL, .s = engine->s};
    if (passed_by) {
        look_at_the_rest(engine);
        if (system->dipped(engine, &s)) return fell_at(engine, s);
    }
    if (a_sleeper_fell(engine)) return (zeno_event){.kind = ZENO_GUARD_WOKE, .s = 0, .tried = engine->s};
    if (passed_by || (!crossed && ++engine->steps >= STRETCH))
        return (zeno_event){.kind = ZENO_LONG_STRETCH, .s = engine->s};
    if (zeno_integrator_is_struggling(engine->integrator)) return (zeno_event){.kind = ZENO_STIFFNESS, .s = engine->s};
    return (zeno_event){.kind = ZENO_NO_EVENT};
}

static zeno_status take_step(zeno_engine *engine) {
    const double from = engine->s;
    const zeno_progress progress = zeno_integrator_step(engine->integrator, &engine->s, engine->solver_y, engine->fell);
    if (progress == ZENO_STALLED) return stalled(engine);
    engine->last_s = from;
    const zeno_event event = find_event(engine, progress);
    if (zeno_integrator_is_lost(engine->integrator)) return lost(engine);
    const bool idle = engine->anchor.flips > MOST_FLIPS && event.s <= zeno_time_resolution(&engine->anchor);
    if (!idle) engine->event = event;
    return ZENO_OK;
}

// Moves the anchor along the motion by s.
static zeno_status move_anchor(zeno_engine *engine, double s, const double *y) {
    zeno_state *anchor = &engine->anchor;
    if (!(s > 0)) return ZENO_OK;
    zeno_state_pass(anchor, s);
    anchor->flight_age += s;
    anchor->strip = fmax(0, anchor->strip - s);
    anchor->first_step = 0;
    if (s > zeno_time_resolution(anchor)) anchor->flips = 0;
    memcpy(anchor->y, y, (size_t)zeno_dimension(engine->model) * sizeof *y);
    return engine->system->anchored(engine);
}

static void change_method(zeno_engine *engine) {
    zeno_state *anchor = &engine->anchor;
    if (engine->event.kind == ZENO_STIFFNESS) {
        anchor->stiff = STIFF_STRETCHES;
        zeno_log(&engine->host, ZENO_LOG_SOLVER, "t = %.17g: the motion is stiff: BDF takes over from Adams",
                 anchor->time);
    } else if (anchor->stiff > 0 && --anchor->stiff == 0) {
        zeno_log(&engine->host, ZENO_LOG_SOLVER, "t = %.17g: Adams is tried again", anchor->time);
    }
}

static zeno_status pass_event(zeno_engine *engine) {
    const zeno_event_kind kind = engine->event.kind;
    zeno_status status = move_anchor(engine, engine->event.s, engine->solver_y);
    if (status != ZENO_OK) return status;
    if (kind == ZENO_LONG_STRETCH || kind == ZENO_STIFFNESS)
        change_method(engine);
    else
        status = engine->system->handle(engine);
    return status == ZENO_OK ? zeno_restart(engine) : status;
}

bool zeno_read_present(zeno_engine *engine, double *y) {
    const double s = zeno_state_local(&engine->anchor, engine->time);
    if (!(s > 0) || engine->anchor.strip > 0) {
        memcpy(y, engine->anchor.y, (size_t)zeno_dimension(engine->model) * sizeof *y);
        return true;
    }
    if (engine->event.kind == ZENO_GLIDE_PASSED) return engine->system->glide(engine, s, y);
    return zeno_integrator_read(engine->integrator, fmin(s, engine->s), y);
}

bool zeno_solver_covers_present(const zeno_engine *engine) {
    const double s = zeno_state_local(&engine->anchor, engine->time);
    return s > 0 ? engine->last_s < s && s <= engine->s : engine->last_s == 0;
}

// Values that the host has changed come into force: the motion is anchored at the time reached.
static zeno_status adopt_changes(zeno_engine *engine) {
    if (!engine->touched) return ZENO_OK;
    engine->touched = zeno_values_changed(engine);
    if (!engine->touched) return ZENO_OK;
    zeno_status status = zeno_check_values(engine);
    if (status != ZENO_OK) return status;
    if (!zeno_read_present(engine, engine->solver_y)) return lost(engine);
    status = move_anchor(engine, zeno_state_local(&engine->anchor, engine->time), engine->solver_y);
    if (status != ZENO_OK) return status;
    engine->anchor.time = engine->time;
    engine->anchor.time_tail = 0;
    engine->anchor.flips = 0;
    engine->system->replacing(engine);
    zeno_adopt_values(engine);
    engine->touched = false;
    status = engine->system->settle(engine);
    return status == ZENO_OK ? zeno_restart(engine) : status;
}

// As hosts can name it. A communication point at this time shows the state after the event, even where the event is
// later by less than times can tell.
static double event_time(const zeno_engine *engine) {
    zeno_state then = {.time = engine->anchor.time, .time_tail = engine->anchor.time_tail};
    zeno_state_pass(&then, engine->event.s);
    return then.time;
}

// Carries the motion from where the solver stands to `time`.
static zeno_status carry(zeno_engine *engine, double time, long most_steps) {
    for (long steps = 0; steps < most_steps; ++steps) {
        const bool due = engine->event.kind != ZENO_NO_EVENT;
        if (due ? event_time(engine) > time : engine->s >= zeno_state_local(&engine->anchor, time)) return ZENO_OK;
        const zeno_status status = due ? pass_event(engine) : take_step(engine);
        if (status != ZENO_OK) return status;
    }
    zeno_log(&engine->host, ZENO_LOG_ERROR,
             "the way to t = %.17g takes more than %ld solver steps; t = %.17g is reached", time, most_steps,
             engine->anchor.time);
    return ZENO_FAILED;
}

// No event lies on the way, unless the machine that has saved the state rounds otherwise or the solver stumbles.
zeno_status zeno_resume(zeno_engine *engine) {
    zeno_status status = zeno_restart(engine);
    if (status == ZENO_OK) status = carry(engine, engine->time, MOST_STEPS_AGAIN);
    return conclude(engine, status);
}

zeno_status zeno_advance(zeno_engine *engine, double time) {
    if (!engine->initialized || !(time >= engine->time) || !isfinite(time)) {
        zeno_log(&engine->host, ZENO_LOG_ERROR, "can't advance from t = %.17g to t = %.17g", engine->time, time);
        return ZENO_REFUSED;
    }
    zeno_status status = adopt_changes(engine);
    zeno_view_spoil(engine);
    if (status == ZENO_OK) status = carry(engine, time, MOST_STEPS);
    if (status == ZENO_OK) engine->time = time;
    return conclude(engine, status);
}
