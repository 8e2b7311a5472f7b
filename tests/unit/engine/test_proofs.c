// Where nothing can be proven, nothing is claimed: bounds that are too wide, overflow, or are not there.

#include "playground.h"

// ---- A mass whose bounds are wide: true, but of little use

static zeno_interval mass_error, pull_error, normal_error;

static void wide_enclosure(const zeno_box *x, zeno_interval *M, zeno_interval *b, zeno_interval *J,
                           zeno_interval *curvature) {
    mass_on_floor.lagrangian->enclosure(x, M, b, J, curvature);
    M[0] = zeno_interval_add(M[0], mass_error);
    b[0] = zeno_interval_add(b[0], pull_error);
    J[0] = zeno_interval_add(J[0], normal_error);
}

static zeno_model vague_mass(zeno_lagrangian *lagrangian) {
    *lagrangian = *mass_on_floor.lagrangian;
    lagrangian->enclosure = wide_enclosure;
    mass_error = pull_error = normal_error = zeno_interval_point(0);
    zeno_model model = mass_on_floor;
    model.lagrangian = lagrangian;
    return model;
}

// The cascade is followed as far as time can be told apart.
static void expect_no_proof(const zeno_model *model) {
    playground *p = playground_create(model);
    put(p, ZENO_SETTING, ZENO_STABILITY, 1);
    begin(p, 1e-6);
    go_to(p, 3);
    assert_near(get(p, ZENO_CLOSED, 0), 1, 0);
    assert_near(get(p, ZENO_ZENO_CERTIFIED, 0), 0, 0);
    assert_true(get(p, ZENO_IMPACTS, 0) > 40);
    assert_true(says(p, "not certified: flights have become shorter"));
    assert_near(get(p, ZENO_STABLE_POSITION, 0), 0, 0);
    assert_near(get(p, ZENO_STABLE_VELOCITY, 0), 0, 0);
    playground_destroy(p);
}

static void bounds_that_tell_nothing_prove_nothing(void **state) {
    (void)state;
    const zeno_interval wide = {-2, 2}, endless = {-HUGE_VAL, HUGE_VAL}, pushed = {-20, 0};
    zeno_lagrangian lagrangian;
    zeno_model model = vague_mass(&lagrangian);
    mass_error = wide; // a mass of 0 is among the possible
    expect_no_proof(&model);
    model = vague_mass(&lagrangian);
    pull_error = endless;
    expect_no_proof(&model);
    model = vague_mass(&lagrangian);
    pull_error = pushed; // gravity may be none, or point upwards
    expect_no_proof(&model);
    model = vague_mass(&lagrangian);
    normal_error = wide; // the floor may be a wall
    expect_no_proof(&model);
}

static void bounds_that_are_a_little_wide_prove_a_little_less(void **state) {
    (void)state;
    zeno_lagrangian lagrangian;
    const zeno_model model = vague_mass(&lagrangian);
    playground *exact = playground_create(&mass_on_floor), *vague = playground_create(&model);
    mass_error = (zeno_interval){-0.01, 0.01};
    playground *const both[] = {exact, vague};
    for (int i = 0; i < 2; ++i) {
        begin(both[i], 1e-6);
        go_to(both[i], 3);
        assert_near(get(both[i], ZENO_ZENO_CERTIFIED, 0), 1, 0);
    }
    const double sharp = get(exact, ZENO_ZENO_TIME_BOUND, 0), wider = get(vague, ZENO_ZENO_TIME_BOUND, 0);
    const double speeds = get(vague, ZENO_LAST_IMPACT_SPEED, 0) / get(exact, ZENO_LAST_IMPACT_SPEED, 0);
    assert_true(wider / speeds > 1.005 * sharp);
    assert_true(wider < 1e-4);
    playground_destroy(exact);
    playground_destroy(vague);
}

// Whatever is asked of the position alone, the bounds keep to it.
static void bounds_keep_to_what_is_asked_of_the_position(void **state) {
    (void)state;
    for (double epsilon = 1e-2; epsilon > 1e-8; epsilon /= 1.07) {
        playground *p = playground_create(&ball_on_sine);
        put(p, ZENO_SETTING, ZENO_EPSILON_Q, epsilon);
        put(p, ZENO_SETTING, ZENO_EPSILON_V, 1);
        put(p, ZENO_SETTING, ZENO_EPSILON_T, 1);
        begin(p, 1e-4);
        go_to(p, 3);
        assert_near(get(p, ZENO_ZENO_CERTIFIED, 0), 1, 0);
        assert_true(get(p, ZENO_ZENO_POSITION_BOUND, 0) < epsilon);
        playground_destroy(p);
    }
}

// At 1e160 m/s the square of a speed is no number any more; the solver gives up too.
static void bounds_that_overflow_prove_nothing(void **state) {
    (void)state;
    playground *p = playground_create(&mass_on_floor);
    for (int i = ZENO_EPSILON_Q; i <= ZENO_EPSILON_T; ++i)
        put(p, ZENO_SETTING, i, 1e300);
    put(p, ZENO_COORDINATE, 0, 0);
    put(p, ZENO_RATE, 0, -1e160);
    assert_int_equal(zeno_initialize(p->engine, 0, 1e-6), ZENO_FAILED);
    assert_true(says(p, "impact on floor, speed"));
    assert_false(says(p, "Zeno"));
    playground_destroy(p);
}

// ---- Radii of stability

static playground *resting_mass(double e) {
    playground *p = playground_create(&mass_on_floor);
    put(p, ZENO_PARAMETER, MASS_E, e);
    put(p, ZENO_COORDINATE, 0, 0);
    put(p, ZENO_SETTING, ZENO_STABILITY, 1);
    return p;
}

// As seen before the start.
static double radius(playground *p) {
    const double position = get(p, ZENO_STABLE_POSITION, 0), velocity = get(p, ZENO_STABLE_VELOCITY, 0);
    assert_true((position > 0) == (velocity > 0));
    playground_destroy(p);
    return position;
}

// From the edge of the neighbourhood the first flight alone takes sqrt(2 h / g).
static void radii_leave_time_for_the_way_back(void **state) {
    (void)state;
    const double restitutions[] = {0, 1e-3, 0.5, 0.99};
    for (int k = 0; k < 4; ++k) {
        double last = HUGE_VAL;
        for (double time = 1; time > 1e-9; time /= 3) {
            playground *p = resting_mass(restitutions[k]);
            put(p, ZENO_SETTING, ZENO_EPSILON_T, time);
            const double position = radius(p);
            assert_true(sqrt(2 * position / 10) < time);
            assert_true(position <= last);
            last = position;
        }
    }
}

// A ball that slides fast is soon out of a small neighbourhood.
static void radii_vanish_where_the_motion_leaves_too_soon(void **state) {
    (void)state;
    for (double epsilon = 1e-2; epsilon > 1e-12; epsilon /= 10) {
        playground *p = playground_create(&ball_on_sine);
        put(p, ZENO_SETTING, ZENO_STABILITY, 1);
        put(p, ZENO_PARAMETER, BALL_G, 20);
        put(p, ZENO_COORDINATE, 0, -1.5707963267948966); // the bottom of a valley
        put(p, ZENO_COORDINATE, 1, -1);
        put(p, ZENO_RATE, 0, 0);
        put(p, ZENO_SETTING, ZENO_EPSILON_Q, epsilon);
        const double at_rest = radius(p);
        p = playground_create(&ball_on_sine);
        put(p, ZENO_SETTING, ZENO_STABILITY, 1);
        put(p, ZENO_PARAMETER, BALL_G, 20);
        put(p, ZENO_COORDINATE, 0, -1.5707963267948966);
        put(p, ZENO_COORDINATE, 1, -1);
        put(p, ZENO_RATE, 0, 100);
        put(p, ZENO_SETTING, ZENO_EPSILON_Q, epsilon);
        assert_true(at_rest > 0);
        assert_true(radius(p) < at_rest);
    }
}

static void radii_need_bounds(void **state) {
    (void)state;
    zeno_lagrangian bare = *mass_on_floor.lagrangian;
    bare.enclosure = NULL;
    zeno_model model = mass_on_floor;
    model.lagrangian = &bare;
    playground *p = playground_create(&model);
    put(p, ZENO_COORDINATE, 0, 0);
    put(p, ZENO_SETTING, ZENO_STABILITY, 1);
    assert_near(radius(p), 0, 0);
    const double gravities[] = {1e200, 10}, masses[] = {1, 1e-200}; // |a| or |w| can't be squared
    for (int k = 0; k < 2; ++k) {
        p = resting_mass(0.5);
        put(p, ZENO_PARAMETER, MASS_G, gravities[k]);
        put(p, ZENO_PARAMETER, MASS_M, masses[k]);
        assert_near(radius(p), 0, 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounds_that_tell_nothing_prove_nothing),
        cmocka_unit_test(bounds_that_are_a_little_wide_prove_a_little_less),
        cmocka_unit_test(bounds_keep_to_what_is_asked_of_the_position),
        cmocka_unit_test(bounds_that_overflow_prove_nothing),
        cmocka_unit_test(radii_leave_time_for_the_way_back),
        cmocka_unit_test(radii_vanish_where_the_motion_leaves_too_soon),
        cmocka_unit_test(radii_need_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
