// Two models by hand: one coordinate with everything that can be forced, and TAC's ball on a sine.

#include "models.h"

#include <math.h>
#include <stddef.h>

static void no_outputs(const zeno_point *x, const double *acceleration, const double *force, double *y) {
    (void)x, (void)acceleration, (void)force, (void)y;
}

// ---- mass on a floor

static double pull_on_mass(const zeno_point *x) {
    const double *p = x->p;
    return p[MASS_M] * p[MASS_G] + p[MASS_C] * x->v[0] - x->u[0] - p[MASS_AMPLITUDE] * sin(p[MASS_FREQUENCY] * x->t);
}

static void mass_dynamics(const zeno_point *x, double *M, double *b, double *J, double *curvature) {
    M[0] = x->p[MASS_M];
    b[0] = pull_on_mass(x);
    J[0] = 1;
    curvature[0] = 0;
}

static void mass_enclosure(const zeno_box *x, zeno_interval *M, zeno_interval *b, zeno_interval *J,
                           zeno_interval *curvature) {
    const zeno_interval *p = x->p;
    const zeno_interval wave = zeno_interval_sin(zeno_interval_mul(p[MASS_FREQUENCY], x->t));
    const zeno_interval push = zeno_interval_add(x->u[0], zeno_interval_mul(p[MASS_AMPLITUDE], wave));
    const zeno_interval weight = zeno_interval_mul(p[MASS_M], p[MASS_G]);
    M[0] = p[MASS_M];
    b[0] = zeno_interval_sub(zeno_interval_add(weight, zeno_interval_mul(p[MASS_C], x->v[0])), push);
    J[0] = zeno_interval_point(1);
    curvature[0] = zeno_interval_point(0);
}

static void mass_constraints(const zeno_point *x, double *h, double *rounding, double *J, double *drift) {
    h[0] = x->q[0];
    rounding[0] = fabs(x->q[0]);
    J[0] = 1;
    drift[0] = 0;
}

static void mass_restitution(const zeno_point *x, double *e) {
    e[0] = x->p[MASS_E];
}

static void mass_energy(const zeno_point *x, double *kinetic, double *potential) {
    *kinetic = x->p[MASS_M] * x->v[0] * x->v[0] / 2;
    *potential = x->p[MASS_M] * x->p[MASS_G] * x->q[0];
}

static void mass_energy_tangent(const zeno_point *x, const zeno_direction *d, double *kinetic, double *potential) {
    *kinetic = x->p[MASS_M] * x->v[0] * d->v[0];
    *potential = x->p[MASS_M] * x->p[MASS_G] * d->q[0];
}

static void mass_tangent(const zeno_point *x, const double *acceleration, const double *force, const zeno_direction *d,
                         double *residual, double *curvature) {
    (void)acceleration, (void)force;
    const double *p = x->p;
    residual[0] =
        p[MASS_C] * d->v[0] - d->u[0] - p[MASS_AMPLITUDE] * p[MASS_FREQUENCY] * cos(p[MASS_FREQUENCY] * x->t) * d->t;
    curvature[0] = 0;
}

static const zeno_lagrangian mass_lagrangian = {.dynamics = mass_dynamics,
                                                .enclosure = mass_enclosure,
                                                .constraints = mass_constraints,
                                                .restitution = mass_restitution,
                                                .energy = mass_energy,
                                                .tangent = mass_tangent,
                                                .energy_tangent = mass_energy_tangent,
                                                .outputs = no_outputs};

#define ANY                                                                                                            \
    { -HUGE_VAL, HUGE_VAL, false, false }

// Rows that every model has, named as FMUs name them.
static const zeno_variable setting_rows[] = {
    {"truncation.epsilon_q", ZENO_SETTING, ZENO_EPSILON_Q, ZENO_REAL, ZENO_TUNABLE},
    {"truncation.epsilon_v", ZENO_SETTING, ZENO_EPSILON_V, ZENO_REAL, ZENO_TUNABLE},
    {"truncation.epsilon_t", ZENO_SETTING, ZENO_EPSILON_T, ZENO_REAL, ZENO_TUNABLE},
    {"truncation.reinitialization", ZENO_SETTING, ZENO_REINITIALIZATION, ZENO_INTEGER, ZENO_TUNABLE},
    {"relaxation.epsilon", ZENO_SETTING, ZENO_RELAXATION, ZENO_REAL, ZENO_TUNABLE},
    {"stability.compute", ZENO_SETTING, ZENO_STABILITY, ZENO_BOOLEAN, ZENO_TUNABLE},
    {"solver.tolerance", ZENO_SETTING, ZENO_TOLERANCE, ZENO_REAL, ZENO_FIXED},
};

#define DEFAULT_SETTINGS                                                                                               \
    { 1e-4, 1e-4, 1e-4, ZENO_KINETIC, 0, 0, 0 }

static const char *const mass_parameters[] = {"m", "g", "e", "c", "amplitude", "frequency"};
static const double mass_starts[] = {1, 10, 0.5, 0, 0, 1};
static const zeno_range mass_ranges[] = {{0, HUGE_VAL, true, false}, ANY, {0, 1, false, false}, ANY, ANY, ANY};
static const double mass_nominal[] = {1};
static const char *const mass_coordinates[] = {"y"}, *const mass_rates[] = {"vy"}, *const mass_floor[] = {"floor"},
                         *const mass_inputs[] = {"F"};
static const double one[] = {1}, zero[] = {0};

const zeno_model mass_on_floor = {.name = "MassOnFloor",
                                  .guid = "{mass}",
                                  .parameters = 6,
                                  .inputs = 1,
                                  .coordinates = 1,
                                  .constraints = 1,
                                  .parameter_start = mass_starts,
                                  .parameter_range = mass_ranges,
                                  .parameter_name = mass_parameters,
                                  .input_start = zero,
                                  .input_name = mass_inputs,
                                  .coordinate_start = one,
                                  .rate_start = zero,
                                  .nominal = mass_nominal,
                                  .coordinate_name = mass_coordinates,
                                  .rate_name = mass_rates,
                                  .constraint_name = mass_floor,
                                  .setting_start = DEFAULT_SETTINGS,
                                  .tolerance = 1e-8,
                                  .step_size = 0.01,
                                  .variables = ZENO_SETTINGS,
                                  .variable = setting_rows,
                                  .lagrangian = &mass_lagrangian};

// ---- ball on a sine

static void ball_dynamics(const zeno_point *x, double *M, double *b, double *J, double *curvature) {
    const double m = x->p[BALL_M];
    M[0] = M[3] = m;
    M[2] = 0;
    b[0] = -x->u[0];
    b[1] = m * x->p[BALL_G] - x->u[1];
    J[0] = -cos(x->q[0]);
    J[1] = 1;
    curvature[0] = sin(x->q[0]) * x->v[0] * x->v[0];
}

static void ball_enclosure(const zeno_box *x, zeno_interval *M, zeno_interval *b, zeno_interval *J,
                           zeno_interval *curvature) {
    const zeno_interval m = x->p[BALL_M];
    M[0] = M[3] = m;
    M[2] = zeno_interval_point(0);
    b[0] = zeno_interval_neg(x->u[0]);
    b[1] = zeno_interval_sub(zeno_interval_mul(m, x->p[BALL_G]), x->u[1]);
    J[0] = zeno_interval_neg(zeno_interval_cos(x->q[0]));
    J[1] = zeno_interval_point(1);
    curvature[0] = zeno_interval_mul(zeno_interval_sin(x->q[0]), zeno_interval_power(x->v[0], 2));
}

static void ball_constraints(const zeno_point *x, double *h, double *rounding, double *J, double *drift) {
    const double sine = sin(x->q[0]), cosine = cos(x->q[0]);
    h[0] = x->q[1] - sine;
    rounding[0] = fabs(h[0]) + fabs(x->q[1]) + fabs(sine) + fabs(cosine * x->q[0]);
    J[0] = -cosine;
    J[1] = 1;
    drift[0] = 0;
}

static void ball_restitution(const zeno_point *x, double *e) {
    e[0] = x->p[BALL_E];
}

static void ball_energy(const zeno_point *x, double *kinetic, double *potential) {
    const double m = x->p[BALL_M];
    *kinetic = m / 2 * (x->v[0] * x->v[0] + x->v[1] * x->v[1]);
    *potential = m * x->p[BALL_G] * x->q[1];
}

static void ball_energy_tangent(const zeno_point *x, const zeno_direction *d, double *kinetic, double *potential) {
    const double m = x->p[BALL_M];
    *kinetic = m * (x->v[0] * d->v[0] + x->v[1] * d->v[1]);
    *potential = m * x->p[BALL_G] * d->q[1];
}

// r = (m a0 - u0 + cos x lambda, m a1 + m g - u1 - lambda), s = -cos x a0 + a1 + sin x vx^2
static void ball_tangent(const zeno_point *x, const double *acceleration, const double *force, const zeno_direction *d,
                         double *residual, double *curvature) {
    const double sine = sin(x->q[0]), cosine = cos(x->q[0]);
    residual[0] = -d->u[0] - sine * d->q[0] * force[0];
    residual[1] = -d->u[1];
    curvature[0] =
        sine * d->q[0] * acceleration[0] + cosine * d->q[0] * x->v[0] * x->v[0] + 2 * sine * x->v[0] * d->v[0];
}

static const zeno_lagrangian ball_lagrangian = {.dynamics = ball_dynamics,
                                                .enclosure = ball_enclosure,
                                                .constraints = ball_constraints,
                                                .restitution = ball_restitution,
                                                .energy = ball_energy,
                                                .tangent = ball_tangent,
                                                .energy_tangent = ball_energy_tangent,
                                                .outputs = no_outputs};

static const char *const ball_parameters[] = {"m", "g", "e"}, *const ball_coordinates[] = {"x", "y"},
                         *const ball_rates[] = {"vx", "vy"}, *const ball_surface[] = {"surface"},
                         *const ball_inputs[] = {"Fx", "Fy"};
static const double ball_parameter_starts[] = {1, 1, 0.5}, ball_inputs_start[] = {0, 0}, ball_starts[] = {0, 2},
                    ball_rate_starts[] = {1.5, 0}, ball_nominal[] = {1, 1};
static const zeno_range ball_ranges[] = {{0, HUGE_VAL, true, false}, ANY, {0, 1, false, false}};

const zeno_model ball_on_sine = {.name = "BallOnSine",
                                 .guid = "{ball}",
                                 .parameters = 3,
                                 .inputs = 2,
                                 .coordinates = 2,
                                 .constraints = 1,
                                 .parameter_start = ball_parameter_starts,
                                 .parameter_range = ball_ranges,
                                 .parameter_name = ball_parameters,
                                 .input_start = ball_inputs_start,
                                 .input_name = ball_inputs,
                                 .coordinate_start = ball_starts,
                                 .rate_start = ball_rate_starts,
                                 .nominal = ball_nominal,
                                 .coordinate_name = ball_coordinates,
                                 .rate_name = ball_rates,
                                 .constraint_name = ball_surface,
                                 .setting_start = DEFAULT_SETTINGS,
                                 .tolerance = 1e-8,
                                 .step_size = 0.01,
                                 .variables = ZENO_SETTINGS,
                                 .variable = setting_rows,
                                 .lagrangian = &ball_lagrangian};
