// The anchor: all that the motion from a (re)start of the solver on depends on. Plain data that can be copied.
//
// The solver's steps depend on nothing else, so the motion at a later time is the anchor carried there, to the bit.

#ifndef ZENO_STATE_H
#define ZENO_STATE_H

#include "engine.h"

// What the certificate of a Zeno point rests on, kept for as long as a changed input can touch it.
typedef struct zeno_proof {
    double time;           // of the truncating impact
    double approach;       // dh/dt before it
    double restitution;    // in it
    bool orthogonal;       // which re-initialisation map was used
    double first_jump;     // |v+ - v*| / |dh/dt|
    double *q, *v;         // [n] the candidate (q*, v*)
    zeno_interval *inputs; // [inputs] hull of those that have been in force since, but not of the present ones
    double *parameters;    // [parameters] then in force
} zeno_proof;

// What has happened at one constraint.
typedef struct zeno_contact {
    bool closed;
    bool hanging; // free, but with h = dh/dt = 0 so far: neither pressed nor leaving
    long impacts, releases;
    double last_impact_time, last_impact_speed, last_impulse;
    long zeno_count;
    double zeno_time, zeno_time_bound, zeno_position_bound, zeno_velocity_bound; // of the last Zeno point
    bool zeno_certified;
    zeno_proof proof;
    double gap_scale, rate_scale; // sizes that gap and gap rate have in the present flight
} zeno_contact;

// Where a system with modes stands, and what has happened in it.
typedef struct zeno_mode_state {
    int present;      // mode
    int pending;      // the transition that is on the strip of a relaxed execution
    long transitions; // taken
    double last_time; // of the last one
    double reach; // how far the solver's step led in which the anchor was found: its rounding errors are of that size
    bool gliding; // modes are left so often that each is given a least dwell
    long glides;  // dwells in a row
    double *held; // [held] variables that only transitions change
    double *last_dwell; // [modes] how long each lasted last time; 0 before
    double *taken;      // [guards] what has become of each at the anchor
} zeno_mode_state;

typedef struct zeno_state {
    double time, time_tail; // time + time_tail is the anchor's time: short flights add up without loss
    double flight_age;      // how long the present flight or contact had lasted at the anchor
    long bounces;           // impacts since contact or rest: 0 before the first of a cascade
    double last_flight;     // length of the flight before this one
    long shrinking;         // flights in a row that were each shorter than the one before
    double strip;           // time left on the strip of a relaxed execution; 0 when moving
    double first_step;      // bound for the solver's first step; 0 for none
    int stiff;              // stretches for which BDF stands in for Adams; 0 for Adams
    int flips;              // how often contact and free motion have changed places at this very time
    double dissipated;      // energy lost in impacts and truncation
    zeno_mode_state mode;   // of a system with modes
    double *y;              // q (n), v (n), h (m), dh/dt (m); or states and guards
    double *parameters;
    double *settings; // [ZENO_SETTINGS]
    zeno_signal *inputs;
    zeno_contact *contact; // [m]
} zeno_state;

// Length of the solver's vector: 2 n + 2 m; or states and guards.
int zeno_dimension(const zeno_model *model);
// How many start values a model has: q and v; or states and held variables.
int zeno_start_values(const zeno_model *model);
// How many modes the model has; 0 for a Lagrangian.
int zeno_modes(const zeno_model *model);
// Bytes behind a state's pointers, and their placement into as many bytes of zeroed memory.
size_t zeno_state_memory(const zeno_model *model);
void zeno_state_place(zeno_state *state, const zeno_model *model, void *memory);

// Parts of y.
static inline double *zeno_q(double *y) {
    return y;
}
static inline double *zeno_v(const zeno_model *model, double *y) {
    return y + model->coordinates;
}
static inline double *zeno_gap(const zeno_model *model, double *y) {
    return y + 2 * model->coordinates;
}
static inline double *zeno_gap_rate(const zeno_model *model, double *y) {
    return y + 2 * model->coordinates + model->constraints;
}

// Moves the anchor's time by `s`, compensated: time + time_tail is exact to twice the digits.
void zeno_state_pass(zeno_state *state, double s);
// `time` in the anchor's local time.
double zeno_state_local(const zeno_state *state, double time);

#endif
