#include "mode_models.h"

#include <math.h>
#include <stddef.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

static const char *const NAMES[] = {"a", "b", "c", "d", "e"};
static const double ZEROS[] = {0, 0, 0, 0, 0}, ONES[] = {1, 1, 1, 1, 1};
static const zeno_range ANY_VALUE[] = {{-HUGE_VAL, HUGE_VAL, false, false}, {-HUGE_VAL, HUGE_VAL, false, false}};

#define COMMON                                                                                                         \
    .guid = "{test}", .parameter_name = NAMES, .parameter_range = ANY_VALUE, .input_name = NAMES,                      \
    .input_start = ZEROS, .state_name = NAMES, .state_nominal = ONES, .held_name = NAMES, .held_start = ZEROS,         \
    .setting_start = {1e-4, 1e-4, 1e-4, 1, 0, 0, 0}, .tolerance = 1e-8, .step_size = 0.01

static void no_outputs(const zeno_point *x, double *y) {
    (void)x, (void)y;
}

static void no_outputs_tangent(const zeno_point *x, const zeno_direction *d, double *y) {
    (void)x, (void)d, (void)y;
}

// ---- spring

static void flight_rates(const zeno_point *x, const double *input_rates, double *states, double *guards) {
    (void)input_rates;
    states[0] = x->q[1];
    states[1] = x->u[0] / x->p[SPRING_M];
    guards[0] = x->q[1];
}

static void flight_tangent(const zeno_point *x, const zeno_direction *d, double *states, double *guards) {
    states[0] = d->q[1];
    states[1] = d->u[0] / x->p[SPRING_M];
    guards[0] = d->q[1];
}

static void flight_guards(const zeno_point *x, double *g, double *rounding) {
    g[0] = x->q[0];
    rounding[0] = fabs(x->q[0]);
}

static void touch_down(const zeno_point *x, double *states, double *held) {
    (void)states;
    held[HELD_APPROACH] = -x->q[1];
    held[HELD_DEEPEST] = 0;
}

static double spring_push(const zeno_point *x) {
    return x->u[0] - x->p[SPRING_K] * x->q[0];
}

// The second guard is an update: the deepest point, where v rises through 0.
static void contact_rates(const zeno_point *x, const double *input_rates, double *states, double *guards) {
    (void)input_rates;
    states[0] = x->q[1];
    states[1] = spring_push(x) / x->p[SPRING_M];
    guards[0] = -states[0];
    guards[1] = -states[1];
}

static void contact_tangent(const zeno_point *x, const zeno_direction *d, double *states, double *guards) {
    states[0] = d->q[1];
    states[1] = (d->u[0] - x->p[SPRING_K] * d->q[0]) / x->p[SPRING_M];
    guards[0] = -states[0];
    guards[1] = -states[1];
}

static void contact_guards(const zeno_point *x, double *g, double *rounding) {
    g[0] = -x->q[0];
    g[1] = -x->q[1];
    rounding[0] = fabs(x->q[0]);
    rounding[1] = fabs(x->q[1]);
}

static void contact_outputs(const zeno_point *x, double *y) {
    y[0] = -x->p[SPRING_K] * x->q[0];
}

static void contact_outputs_tangent(const zeno_point *x, const zeno_direction *d, double *y) {
    y[0] = -x->p[SPRING_K] * d->q[0];
}

static void flight_outputs(const zeno_point *x, double *y) {
    (void)x;
    y[0] = 0;
}

static void flight_outputs_tangent(const zeno_point *x, const zeno_direction *d, double *y) {
    (void)x, (void)d;
    y[0] = 0;
}

static void lift_off(const zeno_point *x, double *states, double *held) {
    (void)states;
    held[HELD_RESTITUTION] = x->q[1] / x->v[HELD_APPROACH];
}

static void deepest(const zeno_point *x, double *states, double *held) {
    (void)states;
    held[HELD_DEEPEST] = fmax(x->v[HELD_DEEPEST], -x->q[0]);
}

static const zeno_transition from_flight[] = {{"x falls", CONTACT, false, touch_down}};
static const zeno_transition from_contact[] = {{"x rises", FLIGHT, false, lift_off},
                                               {"v rises", CONTACT, true, deepest}};
static const zeno_mode spring_modes[] = {
    {"flight", 1, from_flight, flight_rates, flight_tangent, flight_guards, flight_outputs, flight_outputs_tangent},
    {"contact", 2, from_contact, contact_rates, contact_tangent, contact_guards, contact_outputs,
     contact_outputs_tangent},
};
static const zeno_hybrid spring_hybrid = {2, FLIGHT, spring_modes};
static const double spring_parameters[] = {1, 1000}, spring_start[] = {0, -1};
const zeno_model spring = {COMMON,
                           .name = "spring",
                           .parameters = 2,
                           .parameter_start = spring_parameters,
                           .inputs = 1,
                           .outputs = 1,
                           .states = 2,
                           .state_start = spring_start,
                           .held = 3,
                           .guards = 2,
                           .hybrid = &spring_hybrid};

// ---- thresholds

static const double THRESHOLD_RATE[4][2] = {{1, 1}, {0.5, 1}, {1, 0.5}, {0.5, 0.25}};

#define THRESHOLD_MODE(mode, count, first, second)                                                                     \
    static void rates_##mode(const zeno_point *x, const double *input_rates, double *states, double *guards) {         \
        (void)x, (void)input_rates;                                                                                    \
        states[0] = THRESHOLD_RATE[mode][0];                                                                           \
        states[1] = THRESHOLD_RATE[mode][1];                                                                           \
        if ((count) > 0) guards[0] = -states[first];                                                                   \
        if ((count) > 1) guards[1] = -states[second];                                                                  \
    }                                                                                                                  \
    static void tangent_##mode(const zeno_point *x, const zeno_direction *d, double *states, double *guards) {         \
        (void)x, (void)d;                                                                                              \
        states[0] = states[1] = 0;                                                                                     \
        for (int j = 0; j < (count); ++j)                                                                              \
            guards[j] = 0;                                                                                             \
    }                                                                                                                  \
    static void guards_##mode(const zeno_point *x, double *g, double *rounding) {                                      \
        const int which[] = {first, second};                                                                           \
        for (int j = 0; j < (count); ++j) {                                                                            \
            g[j] = -x->q[which[j]];                                                                                    \
            rounding[j] = fabs(g[j]);                                                                                  \
        }                                                                                                              \
    }
THRESHOLD_MODE(0, 2, 0, 1)
THRESHOLD_MODE(1, 1, 1, 1)
THRESHOLD_MODE(2, 1, 0, 0)
THRESHOLD_MODE(3, 0, 0, 0)

#define MODE(name, mode, transitions)                                                                                  \
    {                                                                                                                  \
        name, COUNT(transitions), transitions, rates_##mode, tangent_##mode, guards_##mode, no_outputs,                \
            no_outputs_tangent                                                                                         \
    }

static const zeno_transition from_0[] = {{"a rises", 1, false, NULL}, {"b rises", 2, false, NULL}};
static const zeno_transition from_1[] = {{"b rises", 3, false, NULL}};
static const zeno_transition from_2[] = {{"a rises", 3, false, NULL}};
static const zeno_mode threshold_modes[] = {
    MODE("neither", 0, from_0),
    MODE("first", 1, from_1),
    MODE("second", 2, from_2),
    {"both", 0, NULL, rates_3, tangent_3, guards_3, no_outputs, no_outputs_tangent}};
static const zeno_hybrid threshold_hybrid = {4, 0, threshold_modes};
static const double threshold_start[] = {-1, -1};
#define THRESHOLDS(hybrid_system)                                                                                      \
    {                                                                                                                  \
        COMMON, .name = "thresholds", .states = 2, .state_start = threshold_start, .guards = 2,                        \
                .hybrid = &(hybrid_system)                                                                             \
    }
const zeno_model thresholds = THRESHOLDS(threshold_hybrid);

static void rates_0_reversed(const zeno_point *x, const double *input_rates, double *states, double *guards) {
    rates_0(x, input_rates, states, guards);
    guards[0] = -states[1];
    guards[1] = -states[0];
}

static void guards_0_reversed(const zeno_point *x, double *g, double *rounding) {
    g[0] = -x->q[1];
    g[1] = -x->q[0];
    rounding[0] = fabs(g[0]);
    rounding[1] = fabs(g[1]);
}

static const zeno_transition from_0_reversed[] = {{"b rises", 2, false, NULL}, {"a rises", 1, false, NULL}};
static const zeno_mode reversed_modes[] = {
    {"neither", 2, from_0_reversed, rates_0_reversed, tangent_0, guards_0_reversed, no_outputs, no_outputs_tangent},
    MODE("first", 1, from_1),
    MODE("second", 2, from_2),
    {"both", 0, NULL, rates_3, tangent_3, guards_3, no_outputs, no_outputs_tangent}};
static const zeno_hybrid reversed_hybrid = {4, 0, reversed_modes};
const zeno_model thresholds_reversed = THRESHOLDS(reversed_hybrid);

// ---- relay

static void above_rates(const zeno_point *x, const double *input_rates, double *states, double *guards) {
    (void)input_rates;
    states[0] = x->u[0] - 1;
    guards[0] = states[0];
}

static void below_rates(const zeno_point *x, const double *input_rates, double *states, double *guards) {
    (void)input_rates;
    states[0] = x->u[0] + 2;
    guards[0] = -states[0];
}

static void still_tangent(const zeno_point *x, const zeno_direction *d, double *states, double *guards) {
    (void)x;
    states[0] = d->u[0];
    guards[0] = d->u[0];
}

static void above_guards(const zeno_point *x, double *g, double *rounding) {
    g[0] = x->q[0];
    rounding[0] = fabs(x->q[0]);
}

static void below_guards(const zeno_point *x, double *g, double *rounding) {
    g[0] = -x->q[0];
    rounding[0] = fabs(x->q[0]);
}

static const zeno_transition from_above[] = {{"x falls", 1, false, NULL}}, from_below[] = {{"x rises", 0, false, NULL}};
static const zeno_mode relay_modes[] = {
    {"above", 1, from_above, above_rates, still_tangent, above_guards, no_outputs, no_outputs_tangent},
    {"below", 1, from_below, below_rates, still_tangent, below_guards, no_outputs, no_outputs_tangent}};
static const zeno_hybrid relay_hybrid = {2, 0, relay_modes};
const zeno_model relay = {COMMON,      .name = "relay",        .inputs = 1, .states = 1, .state_start = ONES,
                          .guards = 1, .hybrid = &relay_hybrid};

// ---- bouncer

static void fall_rates(const zeno_point *x, const double *input_rates, double *states, double *guards) {
    (void)input_rates;
    states[0] = x->q[1];
    states[1] = -x->p[BOUNCER_G];
    guards[0] = x->q[1];
}

static void fall_tangent(const zeno_point *x, const zeno_direction *d, double *states, double *guards) {
    (void)x;
    states[0] = guards[0] = d->q[1];
    states[1] = 0;
}

static void bounce(const zeno_point *x, double *states, double *held) {
    (void)held;
    states[1] = -x->p[BOUNCER_E] * x->q[1];
}

static const zeno_transition bounces[] = {{"x falls", 0, false, bounce}};
static const zeno_mode bouncer_modes[] = {
    {"fall", 1, bounces, fall_rates, fall_tangent, above_guards, no_outputs, no_outputs_tangent}};
static const zeno_hybrid bouncer_hybrid = {1, 0, bouncer_modes};
static const double bouncer_parameters[] = {10, 0.5}, bouncer_start[] = {1, 0};
const zeno_model bouncer = {COMMON,          .name = "bouncer",
                            .parameters = 2, .parameter_start = bouncer_parameters,
                            .states = 2,     .state_start = bouncer_start,
                            .guards = 1,     .hybrid = &bouncer_hybrid};

// ---- pulse

static void pulse_rates(const zeno_point *x, const double *input_rates, double *states, double *guards) {
    (void)input_rates;
    states[0] = 0;
    guards[0] = -sin(x->t);
}

static void pulse_tangent(const zeno_point *x, const zeno_direction *d, double *states, double *guards) {
    (void)x;
    states[0] = guards[0] = 0 * d->t;
}

static void pulse_guards(const zeno_point *x, double *g, double *rounding) {
    g[0] = cos(x->t) + 0.999;
    rounding[0] = fabs(cos(x->t)) + fabs(g[0]);
}

static void count_pulse(const zeno_point *x, double *states, double *held) {
    (void)states;
    held[0] = x->v[0] + 1;
}

static const zeno_transition pulses[] = {{"pulse", 0, false, count_pulse}};
static const zeno_mode pulse_modes[] = {
    {"waiting", 1, pulses, pulse_rates, pulse_tangent, pulse_guards, no_outputs, no_outputs_tangent}};
static const zeno_hybrid pulse_hybrid = {1, 0, pulse_modes};
const zeno_model pulse = {COMMON,      .name = "pulse",        .states = 1, .state_start = ZEROS, .held = 1,
                          .guards = 1, .hybrid = &pulse_hybrid};

// ---- decay

static void decay_rates(const zeno_point *x, const double *input_rates, double *states, double *guards) {
    (void)input_rates, (void)guards;
    states[0] = x->p[DECAY_K] * (cos(x->t) - x->q[0]);
}

static void decay_tangent(const zeno_point *x, const zeno_direction *d, double *states, double *guards) {
    (void)guards;
    states[0] = -x->p[DECAY_K] * (sin(x->t) * d->t + d->q[0]);
}

static void no_guards(const zeno_point *x, double *g, double *rounding) {
    (void)x, (void)g, (void)rounding;
}

static const zeno_mode decay_modes[] = {
    {"decay", 0, NULL, decay_rates, decay_tangent, no_guards, no_outputs, no_outputs_tangent}};
static const zeno_hybrid decay_hybrid = {1, 0, decay_modes};
const zeno_model decay = {COMMON,      .name = "decay",      .parameters = 1,        .parameter_start = ONES,
                          .states = 1, .state_start = ZEROS, .hybrid = &decay_hybrid};
