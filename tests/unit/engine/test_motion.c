// Accelerations and forces where several constraints are closed at once: a ball in a groove.

#include "engine_impl.h"
#include "linear.h"
#include "playground.h"

// Sides with slope +-30 degrees meet at the origin: h = y cos(a) -+ x sin(a).
#define SINE 0.5
static const double cosine = 0.86602540378443865;

enum { GROOVE_M, GROOVE_G };
enum { RIGHT, LEFT }; // sides

static void groove_normals(double *J) {
    J[0] = -SINE;
    J[2] = SINE;
    J[1] = J[3] = cosine;
}

static void groove_dynamics(const zeno_point *x, double *M, double *b, double *J, double *curvature) {
    M[0] = M[3] = x->p[GROOVE_M];
    M[2] = 0;
    b[0] = -x->u[0];
    b[1] = x->p[GROOVE_M] * x->p[GROOVE_G] - x->u[1];
    groove_normals(J);
    curvature[0] = curvature[1] = 0;
}

static void groove_tangent(const zeno_point *x, const double *acceleration, const double *force,
                           const zeno_direction *d, double *residual, double *curvature) {
    (void)x, (void)acceleration, (void)force;
    residual[0] = -d->u[0];
    residual[1] = -d->u[1];
    curvature[0] = curvature[1] = 0;
}

static const zeno_lagrangian groove_lagrangian = {.dynamics = groove_dynamics, .tangent = groove_tangent};
static const double zeros[] = {0, 0}, groove_parameters[] = {2, 10};
static const zeno_model groove = {.coordinates = 2, .constraints = 2, .lagrangian = &groove_lagrangian};

// A motion with its memory, at the origin.
typedef struct place {
    zeno_motion motion;
    void *memory;
    zeno_point x;
    zeno_contact contact[2];
} place;

static place origin(const zeno_model *model, const double *u) {
    place p = {.memory = calloc(1, zeno_motion_memory(model)),
               .x = {.p = groove_parameters, .u = u, .q = zeros, .v = zeros}};
    assert_non_null(p.memory);
    zeno_motion_place(&p.motion, model, p.memory);
    return p;
}

// sin(a) (right - left) = Fx and cos(a) (right + left) = m g - Fy
static void two_sides_share_the_load(void **state) {
    (void)state;
    const double u[] = {3, 4};
    place p = origin(&groove, u);
    p.contact[RIGHT].closed = p.contact[LEFT].closed = true;
    assert_true(zeno_motion_constrained(&groove, &p.x, p.contact, &p.motion));
    assert_near(SINE * (p.motion.force[RIGHT] - p.motion.force[LEFT]), 3, 1e-14);
    assert_near(cosine * (p.motion.force[RIGHT] + p.motion.force[LEFT]), 16, 1e-13);
    assert_near(p.motion.acceleration[0], 0, 1e-14);
    assert_near(p.motion.acceleration[1], 0, 1e-14);
    // and share a change of it
    const double more[] = {1, -2};
    const zeno_direction d = {.t = 0, .u = more, .q = zeros, .v = zeros};
    double acceleration[2], force[2], turning[2];
    zeno_motion_tangent(&groove, &p.x, p.contact, &p.motion, &d, acceleration, force, turning);
    assert_near(SINE * (force[RIGHT] - force[LEFT]), 1, 1e-14);
    assert_near(cosine * (force[RIGHT] + force[LEFT]), 2, 1e-14);
    assert_near(acceleration[0], 0, 1e-14);
    assert_near(turning[RIGHT], (-SINE * 1 + cosine * -2) / 2, 1e-15); // of the free motion
    free(p.memory);
}

static void the_side_that_is_open_bears_nothing(void **state) {
    (void)state;
    const double u[] = {0, 0};
    for (int closed = 0; closed < 2; ++closed) {
        place p = origin(&groove, u);
        p.contact[closed].closed = true;
        assert_true(zeno_motion_constrained(&groove, &p.x, p.contact, &p.motion));
        assert_near(p.motion.force[closed], 2 * 10 * cosine, 1e-13);
        assert_near(p.motion.force[1 - closed], 0, 0);
        const double downhill = closed == RIGHT ? -1 : 1; // g sin(a) along the side
        assert_near(p.motion.acceleration[0], downhill * 10 * SINE * cosine, 1e-14);
        assert_near(p.motion.acceleration[1], -10 * SINE * SINE, 1e-14);
        free(p.memory);
    }
}

static void same_side_dynamics(const zeno_point *x, double *M, double *b, double *J, double *curvature) {
    groove_dynamics(x, M, b, J, curvature);
    memcpy(J + 2, J, 2 * sizeof *J);
}

static void two_constraints_that_are_one_have_no_forces(void **state) {
    (void)state;
    zeno_lagrangian lagrangian = groove_lagrangian;
    lagrangian.dynamics = same_side_dynamics;
    zeno_model flat = groove;
    flat.lagrangian = &lagrangian;
    place p = origin(&flat, zeros);
    p.contact[0].closed = true;
    assert_true(zeno_motion_constrained(&flat, &p.x, p.contact, &p.motion));
    p.contact[1].closed = true;
    assert_false(zeno_motion_constrained(&flat, &p.x, p.contact, &p.motion));
    free(p.memory);
}

static void a_matrix_that_is_not_finite_has_no_factor(void **state) {
    (void)state;
    const double wrong[] = {NAN, HUGE_VAL, -HUGE_VAL};
    for (int n = 1; n <= 3; ++n)
        for (int i = 0; i < n; ++i)
            for (int k = 0; k < 3; ++k) {
                double A[9] = {0};
                for (int j = 0; j < n; ++j)
                    A[j * n + j] = 2;
                assert_true(zeno_cholesky_factor(n, A));
                A[i * n + i] = wrong[k];
                assert_false(zeno_cholesky_factor(n, A));
            }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_sides_share_the_load),
        cmocka_unit_test(the_side_that_is_open_bears_nothing),
        cmocka_unit_test(two_constraints_that_are_one_have_no_forces),
        cmocka_unit_test(a_matrix_that_is_not_finite_has_no_factor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
