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
    ZENO_LONG_STRETCH, // so many steps since the anchor that a new one keeps restores cheap
    ZENO_STIFFNESS     // the fixed-point iteration struggles
} zeno_event_kind;

// Something that is due at local time s; until a step reaches it, it changes nothing.
typedef struct zeno_event {
    zeno_event_kind kind;
    double s;
    double tried; // ZENO_GUARD_WOKE: how far the solver had gone when it showed
} zeno_event;

// A kind of system: what the event loop asks of it. Guards are watched for falling through zero.
typedef struct zeno_system {
    int (*guards)(const zeno_model *model);
    int (*derivative)(void *engine, double s, const double *y, double *dy);
    int (*guard)(void *engine, double s, const double *y, double *g);
    int (*jacobian)(void *engine, double s, const double *y, double *const *column);
    void (*tolerances)(const zeno_engine *engine, double *absolute_tolerance);
    // Whether the guards that fell at y are an event, or are only passed by.
    bool (*counts)(const zeno_engine *engine, const double *y, const bool *fell);
    // Whether a guard fell and came back inside the solver's last step, and at which *s; `fell` is then set.
    bool (*dipped)(zeno_engine *engine, double *s);
    // Whether guards that were not above zero at the anchor and are below zero after a step, with these values, fell.
    bool (*woke)(const zeno_engine *engine, const double *guard, const bool *fell);
    // The anchor was moved along the motion: put it onto the constraints in force.
    zeno_status (*anchored)(zeno_engine *engine);
    // The values in force are about to be replaced at the anchor by others.
    void (*replacing)(zeno_engine *engine);
    // Events that are due at the anchor itself, after the start or a change from outside.
    zeno_status (*settle)(zeno_engine *engine);
    // The pending event, a guard's or the end of a hold, at the anchor.
    zeno_status (*handle)(zeno_engine *engine);
} zeno_system;

extern const zeno_system zeno_lagrangian_system;

// A neighbourhood of a state in contact: |q - q*| < position, |v - v*| < velocity, on the feasible side.
typedef struct zeno_radii {
    double position, velocity;
} zeno_radii;

// How what the host sees changes in some direction.
typedef struct zeno_change {
    bool along_motion; // the direction is that of the motion, not one of the inputs
    double *q, *v, *u; // the direction
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
    double *start; // [2 n] q and v

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
    double *guard; // [guards] scratch
    double *absolute_tolerance;
    double *candidate;      // [n] scratch: v* of a truncation
    double *tangent;        // [2 n + n + 2 m] scratch of the Jacobian
    double *no_input;       // [inputs] zeros
    double *running_inputs; // [inputs] scratch: their values where the model is evaluated
    zeno_motion motion;
    zeno_enclosure enclosure;
    zeno_view view;
};

// ---- execution.c: the event loop

// Starts the solver at the anchor.
zeno_status zeno_restart(zeno_engine *engine);
// Brings the solver from the anchor to the time reached, as it was when that time was first reached.
zeno_status zeno_resume(zeno_engine *engine);
// Whether it stands there already.
bool zeno_solver_covers_present(const zeno_engine *engine);
// The solution at the time reached.
void zeno_read_present(const zeno_engine *engine, double *y);
// Local time that is no longer told apart from the anchor's time.
double zeno_time_resolution(const zeno_state *anchor);

// ---- start.c

// The anchor from the start values at `time`. A start on the constraint at rest is closed; *gap_below tells the
// constraint that is violated, or -1. False where the equations of motion can't be evaluated.
bool zeno_place_start(zeno_engine *engine, double time, int *below);

// ---- lagrangian.c

// Where and with what the model's functions are evaluated at local time s.
zeno_point zeno_point_at(const zeno_engine *engine, double s, const double *y);
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
// The equations of motion can't be evaluated at the anchor: logs it.
zeno_status zeno_singular(const zeno_engine *engine);

// ---- impact.c

// Constraint j is struck at the anchor.
zeno_status zeno_impact(zeno_engine *engine, int j);
// The rebound of an impact that was held on the strip of a relaxed execution.
zeno_status zeno_rebound(zeno_engine *engine, int j);

// ---- values.c

// Whether the values that the host has set can be used; logs the name of the one that can't.
zeno_status zeno_check_values(const zeno_engine *engine);
// Whether they differ from those in force.
bool zeno_values_changed(const zeno_engine *engine);
void zeno_adopt_values(zeno_engine *engine);
// Evaluates the inputs at time t into `values`, which is returned.
const double *zeno_input_values(const zeno_model *model, const zeno_signal *inputs, double t, double *values);

// ---- view.c

// The present state, with the values that the host set last.
zeno_point zeno_view_point(const zeno_engine *engine);
// Evaluates the motion there; false where that can't be done.
bool zeno_view_motion(zeno_engine *engine);
// What the host sees is to be evaluated anew.
void zeno_view_spoil(zeno_engine *engine);

#endif
