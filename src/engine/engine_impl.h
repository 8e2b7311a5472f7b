// Inside of an engine, shared by the engine's files only.

#ifndef ZENO_ENGINE_IMPL_H
#define ZENO_ENGINE_IMPL_H

#include "enclosure.h"
#include "engine.h"
#include "integrator.h"
#include "motion.h"
#include "state.h"

typedef enum zeno_event_kind {
    ZENO_NO_EVENT,
    ZENO_GUARD_FELL,   // a guard fell through zero
    ZENO_GUARD_WOKE,   // a guard that was not above zero at the anchor is below zero after a step
    ZENO_HOLD_PASSED,  // the strip of a relaxed execution is passed
    ZENO_GLIDE_PASSED, // the least dwell of a mode is over
    ZENO_LONG_STRETCH, // so many steps since the anchor that a new one keeps restores cheap
    ZENO_STIFFNESS     // the fixed-point iteration struggles
} zeno_event_kind;

// Something that is due at local time s; until a step reaches it, it changes nothing.
typedef struct zeno_event {
    zeno_event_kind kind;
    double s;
    double tried; // ZENO_GUARD_WOKE: how far the solver had gone when it showed
} zeno_event;

// A kind of system: what the event loop and the host's view ask of it. Guards are watched for falling through zero.
typedef struct zeno_system {
    int (*guards)(const zeno_model *model);
    // Completes the anchor at the start, whose time, values and start values are set. False where the equations can't
    // be evaluated; *below tells the constraint that is violated.
    bool (*place)(zeno_engine *engine, int *below);
    // Whether the values that the host has set can be used, as far as the ranges of parameters don't tell.
    zeno_status (*check)(const zeno_engine *engine);
    int (*derivative)(void *engine, double s, const double *y, double *dy);
    int (*guard)(void *engine, double s, const double *y, double *g);
    int (*jacobian)(void *engine, double s, const double *y, double *const *column);
    void (*tolerances)(const zeno_engine *engine, double *absolute_tolerance);
    // Whether the guards that fell where the solver stands are an event, or are only passed by.
    bool (*counts)(zeno_engine *engine, const bool *fell);
    // Whether a guard fell inside the solver's last step unseen by it, and at which *s; `fell` is then set.
    bool (*dipped)(zeno_engine *engine, double *s);
    // Whether it sees all falls by itself. Then a crossing that is passed by is left behind with its step: the solver's
    // root finder would go on at noise, one crossing after another, where a guard stays at zero.
    bool sees_all_falls;
    // Whether guards that were not above zero at the anchor and are below zero after a step, with these values, fell.
    bool (*woke)(zeno_engine *engine, const double *guard, const bool *fell);
    // Local time of the least dwell that begins at the anchor, 0 for none; and the motion in it, if there ever is one.
    double (*dwell)(const zeno_engine *engine);
    bool (*glide)(zeno_engine *engine, double s, double *y);
    // The anchor was moved along the motion: put it onto the constraints in force.
    zeno_status (*anchored)(zeno_engine *engine);
    // The values in force are about to be replaced at the anchor by others.
    void (*replacing)(zeno_engine *engine);
    // Events that are due at the anchor itself, after the start or a change from outside.
    zeno_status (*settle)(zeno_engine *engine);
    // The pending event, a guard's or the end of a hold, at the anchor.
    zeno_status (*handle)(zeno_engine *engine);

    // What the host sees. Puts a solution onto the constraints in force.
    bool (*tidy)(zeno_engine *engine, double *y);
    // Evaluates what follows from the state, for zeno_view_motion; and what is too costly to be evaluated with it.
    bool (*observe)(zeno_engine *engine, const zeno_point *x);
    bool (*observe_radii)(zeno_engine *engine);
    double (*value)(const zeno_engine *engine, const zeno_variable *variable);
    // Derivatives along the motion, or along the change of the inputs that is set; then that of a variable.
    void (*differentiate)(zeno_engine *engine, const zeno_point *x);
    double (*change)(const zeno_engine *engine, const zeno_variable *variable);
} zeno_system;

extern const zeno_system zeno_lagrangian_system, zeno_hybrid_system;

// A neighbourhood of a state in contact: |q - q*| < position, |v - v*| < velocity, on the feasible side.
typedef struct zeno_radii {
    double position, velocity;
} zeno_radii;

// How what the host sees changes in some direction.
typedef struct zeno_change {
    bool along_motion; // the direction is that of the motion, not one of the inputs
    double *q, *v, *u; // the direction; of a system with modes: states, held variables, inputs
    double *acceleration, *force, *gap_acceleration, *outputs;
    double kinetic, potential;
} zeno_change;

// What the host sees: values at the time reached, with the inputs and parameters set last.
typedef struct zeno_view {
    bool state_is_fresh;  // y
    bool motion_is_fresh; // motion, energies, outputs
    bool radii_are_fresh;
    double *y;
    double kinetic, potential;
    double *outputs, *inputs;
    zeno_motion motion;
    zeno_radii *radii; // [m]
    zeno_change change;
} zeno_view;

struct zeno_engine {
    const zeno_model *model;
    const zeno_system *system;
    zeno_host host;
    zeno_integrator *integrator;

    // Set by the host; in force (in the anchor) from the next step on.
    double *parameters, *settings;
    zeno_signal *inputs;
    bool touched;  // something may have been set since the values in force were compared last
    double *start; // [2 n + states + held] q, v; or states and held variables

    bool initialized;
    double tolerance; // relative tolerance of the solver
    double time;      // the time reached
    zeno_state anchor;
    zeno_event event;

    double s, last_s; // local time that the solver has reached, and where its last step began
    long steps;       // since the anchor
    double *solver_y; // the solution at s
    bool *fell;       // [guards] at the pending event
    bool *asleep;     // [guards] not above zero at the anchor, nor since
    bool any_asleep;
    double *guard;    // [guards] scratch
    double *rounding; // [guards] scratch: their rounding errors
    double *nearby;   // [states + held + 2 guards] scratch of the transitions
    double *glide;    // [2 dimension] scratch
    double *absolute_tolerance;
    double *candidate;      // [n] scratch: v* of a truncation
    double *tangent;        // [2 n + n + 2 m] scratch of the Jacobian
    double *no_input;       // [inputs] zeros
    double *running_inputs; // [inputs] scratch: their values where the model is evaluated
    bool steady;            // since the solver's start they are the same everywhere
    double *input_rates;    // [inputs] scratch: their derivatives there
    zeno_motion motion;
    zeno_enclosure enclosure;
    zeno_view view;
};

// ---- execution.c: the event loop

// Starts the solver at the anchor.
zeno_status zeno_restart(zeno_engine *engine);
// Brings the solver from the anchor to the time reached, as it was when that time was first reached.
zeno_status zeno_resume(zeno_engine *engine);
// The equations of motion can't be evaluated at the anchor: logs it.
zeno_status zeno_singular(const zeno_engine *engine);
// Whether it stands there already.
bool zeno_solver_covers_present(const zeno_engine *engine);
// The solution at the time reached; false when it can't be had.
bool zeno_read_present(zeno_engine *engine, double *y);
// Local time that is no longer told apart from the anchor's time.
double zeno_time_resolution(const zeno_state *anchor);

// ---- start.c

// The anchor from the start values at `time`. A start on the constraint at rest is closed; *below tells the constraint
// that is violated, or -1. False where the equations of motion can't be evaluated.
bool zeno_place_start(zeno_engine *engine, double time, int *below);
// The part of it that is a Lagrangian's.
bool zeno_place_contacts(zeno_engine *engine, int *below);

// ---- lagrangian.c

// A free flight begins at the anchor: sets the sizes that gap and gap rate will have in it.
void zeno_begin_flight(zeno_engine *engine, int j, double gap_acceleration);

// ---- contact.c

// Moves q onto h_j = 0, in the kinetic metric; `x` shares q.
bool zeno_project_coordinates(const zeno_model *model, const zeno_point *x, int j, double *q, zeno_motion *motion);
// The same for all closed constraints, and then v onto dh/dt = 0.
bool zeno_project(const zeno_model *model, const zeno_point *x, const zeno_contact *contact, double *y,
                  zeno_motion *motion);
// Closes constraint j at the anchor: from here on the motion is constrained.
zeno_status zeno_close(zeno_engine *engine, int j);
// Opens constraint j at the anchor.
zeno_status zeno_release(zeno_engine *engine, int j);

// ---- impact.c

// Constraint j is struck at the anchor.
zeno_status zeno_impact(zeno_engine *engine, int j);
// The rebound of an impact that was held on the strip of a relaxed execution.
zeno_status zeno_rebound(zeno_engine *engine, int j);

// ---- lagrangian_view.c

bool zeno_lagrangian_tidy(zeno_engine *engine, double *y);
bool zeno_lagrangian_observe(zeno_engine *engine, const zeno_point *x);
bool zeno_lagrangian_observe_radii(zeno_engine *engine);
double zeno_lagrangian_value(const zeno_engine *engine, const zeno_variable *variable);
void zeno_lagrangian_differentiate(zeno_engine *engine, const zeno_point *x);
double zeno_lagrangian_change(const zeno_engine *engine, const zeno_variable *variable);

// ---- hybrid.c

// Makes the carried guards equal to the guards at the anchor.
zeno_status zeno_carry_guards(zeno_engine *engine);

// ---- transition.c

// Guards at the anchor and their rates, in the engine's scratch.
typedef struct zeno_guards {
    double *value, *rate; // [guards]
} zeno_guards;

// The mode in force.
const zeno_mode *zeno_present_mode(const zeno_engine *engine);
// False where they can't be evaluated.
bool zeno_guards_at_anchor(zeno_engine *engine, zeno_guards *guards);
// Whether guard j is zero at the anchor, as far as rounding lets tell, and not spent.
bool zeno_waits_on_guard(const zeno_engine *engine, const zeno_guards *guards, int j);
// Whether the guard was taken at the anchor and is still on its way down; never in a Lagrangian.
bool zeno_is_spent(const zeno_engine *engine, int j);
// Guard j is zero at the anchor and rises: it is watched from a short first step on.
void zeno_keep_waiting(zeno_engine *engine, int j, double first_step);
// From here on modes have a least dwell.
void zeno_begin_gliding(zeno_engine *engine);
// The anchor has moved on: nothing was taken here.
void zeno_forget_taken(zeno_engine *engine);
// Takes transition j, after its strip in a relaxed execution, and then whatever is due at the same time.
zeno_status zeno_begin_transition(zeno_engine *engine, int j);
// The transition that was on the strip.
zeno_status zeno_end_strip(zeno_engine *engine);
// Takes what is due at the anchor.
zeno_status zeno_take_due(zeno_engine *engine);
// The least dwell of a mode is over.
zeno_status zeno_end_glide(zeno_engine *engine);
double zeno_least_dwell(const zeno_engine *engine);

// ---- values.c

// Where and with what the model's functions are evaluated at local time s.
zeno_point zeno_point_at(const zeno_engine *engine, double s, const double *y);
// The same inside the solver, where inputs that don't change are not evaluated again.
zeno_point zeno_running_point(const zeno_engine *engine, double s, const double *y);
// Whether the inputs in force are; they are then evaluated.
bool zeno_inputs_are_constant(const zeno_engine *engine);
// The other variables of a point beside those at the front of y: rates, or held variables.
const double *zeno_beside(const zeno_engine *engine, const double *y);

// Whether the values that the host has set can be used; logs the name of the one that can't.
zeno_status zeno_check_values(const zeno_engine *engine);
// Of that, the coefficients of restitution.
zeno_status zeno_check_restitution(const zeno_engine *engine);
// Whether they differ from those in force.
bool zeno_values_changed(const zeno_engine *engine);
void zeno_adopt_values(zeno_engine *engine);
// Evaluates the inputs at time t into `values`, which is returned.
const double *zeno_input_values(const zeno_model *model, const zeno_signal *inputs, double t, double *values);

// ---- view.c

// The present state, with the values that the host set last.
zeno_point zeno_view_point(const zeno_engine *engine);
// Reads the present state, and evaluates the motion there; false where that can't be done.
bool zeno_view_state(zeno_engine *engine);
bool zeno_view_motion(zeno_engine *engine);
// What the host sees is to be evaluated anew.
void zeno_view_spoil(zeno_engine *engine);

#endif
