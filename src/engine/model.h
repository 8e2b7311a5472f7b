// The model descriptor: all that the engine knows of a model.
//
// The model compiler writes one `const zeno_model` per model file; one can also be written by hand. Nothing
// here depends on FMI, XML or the solver.

#ifndef ZENO_MODEL_H
#define ZENO_MODEL_H

#include <stdbool.h>

#include "interval.h"

// What a variable of a model stands for; together with its index it says where the engine finds the value.
typedef enum zeno_quantity {
    ZENO_PARAMETER,    // index: the model's own parameters
    ZENO_SETTING,      // index: zeno_setting
    ZENO_INPUT,        // index: inputs
    ZENO_COORDINATE,   // index: coordinates
    ZENO_RATE,         // index: coordinates
    ZENO_ACCELERATION, // index: coordinates; right-hand limit
    ZENO_OUTPUT,       // index: outputs that the model defines
    // Of a constraint; index: constraints.
    ZENO_GAP,              // h
    ZENO_GAP_RATE,         // dh/dt
    ZENO_GAP_ACCELERATION, // d2h/dt2 of the free motion
    ZENO_FORCE,            // lambda, 0 when open
    ZENO_CLOSED,
    ZENO_IMPACTS,
    ZENO_RELEASES,
    ZENO_LAST_IMPACT_TIME,
    ZENO_LAST_IMPACT_SPEED,
    ZENO_LAST_IMPULSE,
    ZENO_ZENO_COUNT,
    ZENO_ZENO_TIME,
    ZENO_ZENO_TIME_BOUND,
    ZENO_ZENO_POSITION_BOUND,
    ZENO_ZENO_VELOCITY_BOUND,
    ZENO_ZENO_CERTIFIED,
    ZENO_STABLE_POSITION, // radii of the neighbourhood from which motions certainly return to contact
    ZENO_STABLE_VELOCITY,
    // Of the whole system; index 0.
    ZENO_KINETIC_ENERGY,
    ZENO_POTENTIAL_ENERGY,
    ZENO_DISSIPATED_ENERGY,
    // Of a hybrid system with modes.
    ZENO_STATE,       // index: states
    ZENO_HELD,        // index: held variables
    ZENO_MODE,        // index 0, as the two that follow
    ZENO_TRANSITIONS, // how many were taken
    ZENO_LAST_TRANSITION_TIME
} zeno_quantity;

// Parameters that every model has; they choose how the engine works.
typedef enum zeno_setting {
    ZENO_EPSILON_Q,        // truncation.epsilon_q > 0
    ZENO_EPSILON_V,        // truncation.epsilon_v > 0
    ZENO_EPSILON_T,        // truncation.epsilon_t > 0
    ZENO_REINITIALIZATION, // truncation.reinitialization: ZENO_KINETIC or ZENO_ORTHOGONAL
    ZENO_RELAXATION,       // relaxation.epsilon >= 0
    ZENO_STABILITY,        // stability.compute: whether the radii are computed
    ZENO_TOLERANCE,        // solver.tolerance >= 0; 0: the host's, or the experiment's
    ZENO_SETTINGS          // how many there are
} zeno_setting;

enum { ZENO_KINETIC = 1, ZENO_ORTHOGONAL = 2 };

typedef enum zeno_type { ZENO_REAL, ZENO_INTEGER, ZENO_BOOLEAN } zeno_type; // an enumeration is an INTEGER

// When a host may set a variable.
typedef enum zeno_access {
    ZENO_READ_ONLY, // never
    ZENO_START,     // until the end of initialization: start values
    ZENO_FIXED,     // until the end of initialization: fixed parameters
    ZENO_TUNABLE,   // also between steps: tunable parameters
    ZENO_LIVE       // at any time: inputs
} zeno_access;

// One row of the variable table. The row's position is the FMI value reference.
typedef struct zeno_variable {
    const char *name;
    zeno_quantity quantity;
    int index;
    zeno_type type;
    zeno_access access;
} zeno_variable;

// The values that a parameter may take. Infinite limits are +-INFINITY.
typedef struct zeno_range {
    double min, max;
    bool min_excluded, max_excluded; // `above`, `below` of the model file
} zeno_range;

// Where a model function is evaluated.
typedef struct zeno_point {
    double t;
    const double *p; // parameters
    const double *u; // inputs
    const double *q; // coordinates; of a system with modes: states
    const double *v; // rates; of a system with modes: held variables
} zeno_point;

// A box of such places; proofs need bounds over all of it.
typedef struct zeno_box {
    zeno_interval t;
    const zeno_interval *p, *u, *q, *v;
} zeno_box;

// A direction in which a model function is differentiated; parameters stay.
typedef struct zeno_direction {
    double t;
    const double *u, *q, *v;
} zeno_direction;

// A hybrid Lagrangian (Q, L, h) [TAC, Definition 2] with n coordinates and m constraints. Matrices are row by row.
// No function writes anything but its results; none keeps state.
typedef struct zeno_lagrangian {
    // M (n x n, only the lower triangle is written), b = C v + N - F (n), J = dh/dq (m x n), and the part of
    // d2h/dt2 that is not J a: curvature = v'Hv (m). [TAC, Eq. (2), (5)]
    void (*dynamics)(const zeno_point *x, double *M, double *b, double *J, double *curvature);

    // Bounds of the same over a box. NULL for a model by hand without proofs: nothing is then certified.
    void (*enclosure)(const zeno_box *x, zeno_interval *M, zeno_interval *b, zeno_interval *J,
                      zeno_interval *curvature);

    // h (m); its first-order rounding error in units of the rounding unit (m); J (m x n); drift = dh/dt at fixed q (m).
    void (*constraints)(const zeno_point *x, double *h, double *rounding, double *J, double *drift);

    // Coefficients of restitution (m); depends on the parameters only.
    void (*restitution)(const zeno_point *x, double *e);

    void (*energy)(const zeno_point *x, double *kinetic, double *potential);

    // Derivatives along `d` with acceleration (n) and force (m) held:
    // residual = d(M a + b - J' lambda) (n), curvature = d(J a + v'Hv) (m).
    void (*tangent)(const zeno_point *x, const double *acceleration, const double *force, const zeno_direction *d,
                    double *residual, double *curvature);

    // The model's own outputs.
    void (*outputs)(const zeno_point *x, const double *acceleration, const double *force, double *y);

    // Derivatives of energies and outputs along `d`; of the outputs with the changes of acceleration and force too.
    void (*energy_tangent)(const zeno_point *x, const zeno_direction *d, double *kinetic, double *potential);
    void (*outputs_tangent)(const zeno_point *x, const double *acceleration, const double *force,
                            const zeno_direction *d, const double *acceleration_change, const double *force_change,
                            double *y);
} zeno_lagrangian;

// A transition of a mode: taken when its guard falls through zero.
typedef struct zeno_transition {
    const char *guard; // as it stands in the model, for the log: "x falls"
    int to;            // mode
    bool update;       // only sets held variables: the mode goes on, and it doesn't count as a transition
    // Copies of states and held variables come in, what the transition makes of them goes out. NULL: nothing changes.
    void (*reset)(const zeno_point *x, double *states, double *held);
} zeno_transition;

typedef struct zeno_mode {
    const char *name;
    int transitions;
    const zeno_transition *transition; // [transitions]
    // Time derivatives of the states, and of the guards along the motion [transitions] while the inputs change at
    // `input_rates` [inputs].
    void (*rates)(const zeno_point *x, const double *input_rates, double *states, double *guards);
    // How they change along `d`, with input rates 0.
    void (*rates_tangent)(const zeno_point *x, const zeno_direction *d, double *states, double *guards);
    // The guards, so written that each falls through zero at its transition, 1 where the transition isn't enabled; and
    // their first-order rounding errors in units of the rounding unit. [transitions]
    void (*guards)(const zeno_point *x, double *g, double *rounding);
    // The model's own outputs; 0 for one that the mode doesn't define.
    void (*outputs)(const zeno_point *x, double *y);
    void (*outputs_tangent)(const zeno_point *x, const zeno_direction *d, double *y);
} zeno_mode;

// A hybrid system with modes, guards and resets [Burden, Definition 7].
typedef struct zeno_hybrid {
    int modes, initial;
    const zeno_mode *mode; // [modes]
} zeno_hybrid;

// Counts that a kind of system has no use for are 0, and their arrays NULL.
typedef struct zeno_model {
    const char *name; // FMI modelIdentifier
    const char *guid;

    int parameters, inputs, outputs, coordinates, constraints;
    const double *parameter_start;      // [parameters]
    const zeno_range *parameter_range;  // [parameters]
    const char *const *parameter_name;  // [parameters]
    const double *input_start;          // [inputs]
    const char *const *input_name;      // [inputs]
    const double *coordinate_start;     // [coordinates]
    const double *rate_start;           // [coordinates]
    const double *nominal;              // [coordinates] typical size; 1 where the model gives none
    const char *const *coordinate_name; // [coordinates]
    const char *const *rate_name;       // [coordinates]
    const char *const *constraint_name; // [constraints]

    int states, held, guards;      // guards: the most transitions that a mode has
    const double *state_start;     // [states]
    const double *state_nominal;   // [states] typical size; 1 where the model gives none
    const char *const *state_name; // [states]
    const double *held_start;      // [held]
    const char *const *held_name;  // [held]

    double setting_start[ZENO_SETTINGS];
    double tolerance; // of the default experiment
    double step_size; // of the default experiment

    int variables;
    const zeno_variable *variable; // [variables]

    // What kind of system it is: one of the two, the other is NULL.
    const zeno_lagrangian *lagrangian;
    const zeno_hybrid *hybrid;
} zeno_model;

#endif
