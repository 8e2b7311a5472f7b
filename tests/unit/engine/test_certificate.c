// Truncation and its certificate: what is proven is reported, and nothing else.

#include "engine_impl.h"
#include "playground.h"

static playground *falling_mass(double e) {
    playground *p = playground_create(&mass_on_floor);
    put(p, ZENO_PARAMETER, MASS_E, e);
    return p;
}

static void set_bounds(playground *p, double epsilon) {
    put(p, ZENO_SETTING, ZENO_EPSILON_Q, epsilon);
    put(p, ZENO_SETTING, ZENO_EPSILON_V, epsilon);
    put(p, ZENO_SETTING, ZENO_EPSILON_T, epsilon);
}

// With constant gravity the theorem is sharp: T = 2 e s / (g (1 - e)) is the time that the rest of the cascade takes.
static void the_bounds_of_a_bouncing_mass_are_those_of_the_closed_form(void **state) {
    (void)state;
    for (int i = 1; i < 10; ++i) {
        const double e = 0.1 * i;
        playground *p = falling_mass(e);
        begin(p, 1e-10);
        go_to(p, 20);
        const double speed = get(p, ZENO_LAST_IMPACT_SPEED, 0), rest = 2 * e * speed / (10 * (1 - e));
        assert_near(get(p, ZENO_ZENO_CERTIFIED, 0), 1, 0);
        assert_near(get(p, ZENO_ZENO_TIME_BOUND, 0) / rest, 1, 1e-12);
        assert_true(get(p, ZENO_ZENO_TIME_BOUND, 0) >= rest * (1 - 1e-15));
        // e s + (1 + e) s e / (1 - e) + g T
        const double velocity = e * speed * (1 + (1 + e) / (1 - e)) + 10 * rest;
        assert_near(get(p, ZENO_ZENO_VELOCITY_BOUND, 0) / velocity, 1, 1e-12);
        playground_destroy(p);
    }
}

static void bounds_are_never_above_what_was_asked(void **state) {
    (void)state;
    for (double epsilon = 1e-3; epsilon > 1e-9; epsilon /= 10) {
        for (int map = ZENO_KINETIC; map <= ZENO_ORTHOGONAL; ++map) {
            playground *p = playground_create(&ball_on_sine);
            set_bounds(p, epsilon);
            put(p, ZENO_SETTING, ZENO_REINITIALIZATION, map);
            begin(p, 1e-8);
            go_to(p, 3);
            assert_near(get(p, ZENO_ZENO_CERTIFIED, 0), 1, 0);
            assert_true(get(p, ZENO_ZENO_TIME_BOUND, 0) < epsilon);
            assert_true(get(p, ZENO_ZENO_POSITION_BOUND, 0) < epsilon);
            assert_true(get(p, ZENO_ZENO_VELOCITY_BOUND, 0) < epsilon);
            // and not far below: one impact earlier, at twice the speed, they would not have been met
            assert_true(get(p, ZENO_ZENO_VELOCITY_BOUND, 0) > 0.4 * epsilon);
            playground_destroy(p);
        }
    }
}

static void a_plastic_impact_is_certified_with_all_bounds_zero(void **state) {
    (void)state;
    playground *p = falling_mass(0);
    put(p, ZENO_SETTING, ZENO_REINITIALIZATION, ZENO_ORTHOGONAL);
    begin(p, 1e-8);
    go_to(p, 1);
    assert_near(get(p, ZENO_ZENO_CERTIFIED, 0), 1, 0);
    assert_near(get(p, ZENO_ZENO_TIME_BOUND, 0), 0, 0);
    assert_near(get(p, ZENO_ZENO_POSITION_BOUND, 0), 0, 0);
    assert_near(get(p, ZENO_ZENO_VELOCITY_BOUND, 0), 0, 0);
    playground_destroy(p);
}

static void a_model_without_bounds_truncates_uncertified_and_says_so(void **state) {
    (void)state;
    zeno_lagrangian bare = *mass_on_floor.lagrangian;
    bare.enclosure = NULL;
    zeno_model model = mass_on_floor;
    model.lagrangian = &bare;
    playground *p = playground_create(&model);
    begin(p, 1e-8);
    go_to(p, 3);
    assert_near(get(p, ZENO_CLOSED, 0), 1, 0);
    assert_near(get(p, ZENO_ZENO_CERTIFIED, 0), 0, 0);
    assert_true(says(p, "not certified: the model gives no bounds"));
    playground_destroy(p);
}

// The mass in contact, 1e-6 s after its truncating impact; its certificate runs for about 1e-5 s.
static playground *just_truncated(void) {
    playground *p = falling_mass(0.5);
    begin(p, 1e-10);
    go_to(p, 2);
    const double impact = get(p, ZENO_LAST_IMPACT_TIME, 0);
    assert_true(get(p, ZENO_ZENO_TIME_BOUND, 0) > 2e-6);
    zeno_reset(p->engine);
    put(p, ZENO_PARAMETER, MASS_E, 0.5);
    begin(p, 1e-10);
    go_to(p, impact + 1e-6);
    assert_near(get(p, ZENO_ZENO_CERTIFIED, 0), 1, 0);
    return p;
}

static void an_input_inside_the_certified_interval_replaces_the_bounds(void **state) {
    (void)state;
    playground *p = just_truncated();
    const double before = get(p, ZENO_ZENO_TIME_BOUND, 0);
    put(p, ZENO_INPUT, 0, 1); // a tenth of the weight
    go_to(p, 2);
    assert_near(get(p, ZENO_ZENO_CERTIFIED, 0), 1, 0);
    assert_true(says(p, "stays certified with the changed inputs"));
    // a_min = 9, a_max = 10: T = 2 e s / (9 (1 - e sqrt(10/9)))
    const double speed = get(p, ZENO_LAST_IMPACT_SPEED, 0);
    assert_near(get(p, ZENO_ZENO_TIME_BOUND, 0), speed / (9 * (1 - 0.5 * sqrt(10.0 / 9))), 1e-12);
    assert_true(get(p, ZENO_ZENO_TIME_BOUND, 0) > before);
    playground_destroy(p);
}

static void an_input_that_lifts_inside_the_certified_interval_voids_the_certificate(void **state) {
    (void)state;
    playground *p = just_truncated();
    put(p, ZENO_INPUT, 0, 11);
    go_to(p, 2);
    assert_near(get(p, ZENO_ZENO_CERTIFIED, 0), 0, 0);
    assert_true(says(p, "no longer certified: an input changed"));
    playground_destroy(p);
}

static void a_parameter_inside_the_certified_interval_voids_the_certificate(void **state) {
    (void)state;
    playground *p = just_truncated();
    put(p, ZENO_PARAMETER, MASS_G, 9);
    go_to(p, 2);
    assert_near(get(p, ZENO_ZENO_CERTIFIED, 0), 0, 0);
    assert_true(says(p, "no longer certified: a parameter changed"));
    playground_destroy(p);
}

static void an_input_after_the_certified_interval_changes_nothing(void **state) {
    (void)state;
    playground *p = just_truncated();
    const double before = get(p, ZENO_ZENO_TIME_BOUND, 0);
    go_to(p, 1.5);
    put(p, ZENO_INPUT, 0, 5);
    go_to(p, 2);
    assert_near(get(p, ZENO_ZENO_CERTIFIED, 0), 1, 0);
    assert_near(get(p, ZENO_ZENO_TIME_BOUND, 0), before, 0);
    playground_destroy(p);
}

static void stability_radii_are_computed_on_demand_and_only_in_contact(void **state) {
    (void)state;
    playground *p = playground_create(&ball_on_sine);
    begin(p, 1e-8);
    go_to(p, 3); // sliding
    assert_near(get(p, ZENO_STABLE_POSITION, 0), 0, 0);
    put(p, ZENO_SETTING, ZENO_STABILITY, 1);
    assert_true(get(p, ZENO_STABLE_POSITION, 0) > 1e-12);
    assert_true(get(p, ZENO_STABLE_VELOCITY, 0) > 1e-6);
    assert_true(get(p, ZENO_STABLE_VELOCITY, 0) < 1e-4);
    go_to(p, 5); // flying
    assert_near(get(p, ZENO_STABLE_POSITION, 0), 0, 0);
    assert_near(get(p, ZENO_STABLE_VELOCITY, 0), 0, 0);
    playground_destroy(p);
}

// Starts on the edge of the neighbourhood of a resting mass, up and down: all come to rest within epsilon_t.
static void a_mass_within_the_stability_radii_returns_in_time(void **state) {
    (void)state;
    playground *resting = falling_mass(0.5);
    put(resting, ZENO_COORDINATE, 0, 0);
    put(resting, ZENO_SETTING, ZENO_STABILITY, 1);
    begin(resting, 1e-8);
    const double position = get(resting, ZENO_STABLE_POSITION, 0), velocity = get(resting, ZENO_STABLE_VELOCITY, 0);
    assert_true(position > 0 && velocity > 0);
    for (int i = -4; i <= 4; ++i) {
        playground *p = falling_mass(0.5);
        put(p, ZENO_COORDINATE, 0, position);
        put(p, ZENO_RATE, 0, velocity * i / 4);
        set_bounds(p, 1e-8);
        begin(p, 1e-8);
        go_to(p, 1e-4);
        assert_near(get(p, ZENO_CLOSED, 0), 1, 0);
        assert_true(get(p, ZENO_ZENO_TIME, 0) < 1e-4);
        playground_destroy(p);
    }
    playground_destroy(resting);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bounds_of_a_bouncing_mass_are_those_of_the_closed_form),
        cmocka_unit_test(bounds_are_never_above_what_was_asked),
        cmocka_unit_test(a_plastic_impact_is_certified_with_all_bounds_zero),
        cmocka_unit_test(a_model_without_bounds_truncates_uncertified_and_says_so),
        cmocka_unit_test(an_input_inside_the_certified_interval_replaces_the_bounds),
        cmocka_unit_test(an_input_that_lifts_inside_the_certified_interval_voids_the_certificate),
        cmocka_unit_test(a_parameter_inside_the_certified_interval_voids_the_certificate),
        cmocka_unit_test(an_input_after_the_certified_interval_changes_nothing),
        cmocka_unit_test(stability_radii_are_computed_on_demand_and_only_in_contact),
        cmocka_unit_test(a_mass_within_the_stability_radii_returns_in_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
