// Impacts, contact and release: each way in which a motion can begin, meet, keep or leave its constraint.

#include "playground.h"

// Free fall from y = 1 with g = 10 takes sqrt(0.2) s and arrives with sqrt(20) m/s.
static const double fall_time = 0.44721359549995794, fall_speed = 4.4721359549995794;

static playground *falling_mass(double e) {
    playground *p = playground_create(&mass_on_floor);
    put(p, ZENO_PARAMETER, MASS_E, e);
    return p;
}

static playground *resting_mass(double e) {
    playground *p = falling_mass(e);
    put(p, ZENO_COORDINATE, 0, 0);
    return p;
}

static void a_plastic_impact_goes_to_the_constraint_at_once(void **state) {
    (void)state;
    playground *p = falling_mass(0);
    begin(p, 1e-10);
    go_to(p, 1);
    assert_near(get(p, ZENO_LAST_IMPACT_TIME, 0), fall_time, 1e-9);
    assert_near(get(p, ZENO_LAST_IMPACT_SPEED, 0), fall_speed, 1e-8);
    assert_near(get(p, ZENO_IMPACTS, 0), 1, 0);
    assert_near(get(p, ZENO_ZENO_COUNT, 0), 1, 0);
    assert_near(get(p, ZENO_ZENO_TIME_BOUND, 0), 0, 0);
    assert_near(get(p, ZENO_ZENO_POSITION_BOUND, 0), 0, 0);
    assert_near(get(p, ZENO_ZENO_VELOCITY_BOUND, 0), 0, 0);
    assert_near(get(p, ZENO_CLOSED, 0), 1, 0);
    assert_near(get(p, ZENO_FORCE, 0), 10, 1e-12);
    assert_near(get(p, ZENO_LAST_IMPULSE, 0), fall_speed, 1e-8);
    assert_near(get(p, ZENO_RATE, 0), 0, 0);
    assert_near(total_energy(p), 10, 1e-7);
    playground_destroy(p);
}

static void an_elastic_ball_never_truncates_and_keeps_its_energy(void **state) {
    (void)state;
    playground *p = falling_mass(1);
    begin(p, 1e-10);
    go_to(p, 100);
    assert_near(get(p, ZENO_ZENO_COUNT, 0), 0, 0);
    assert_near(get(p, ZENO_DISSIPATED_ENERGY, 0), 0, 0);
    // One impact at fall_time and one each 2 fall_time after: 111 at 2 * 111 - 1 = 221 <= 100 / fall_time = 223.6.
    assert_near(get(p, ZENO_IMPACTS, 0), 112, 0);
    assert_near(total_energy(p), 10, 1e-6);
    playground_destroy(p);
}

static void an_elastic_ball_with_damping_comes_to_no_halt(void **state) {
    (void)state;
    playground *p = falling_mass(1);
    put(p, ZENO_PARAMETER, MASS_C, 1);
    begin(p, 1e-8);
    go_to(p, 20); // damping acts on speeds, flights shrink slowly and never to nothing
    assert_near(get(p, ZENO_ZENO_COUNT, 0), 0, 0);
    assert_true(get(p, ZENO_IMPACTS, 0) > 100);
    assert_true(get(p, ZENO_GAP, 0) >= 0);
    playground_destroy(p);
}

static void a_bouncing_mass_meets_its_closed_form(void **state) {
    (void)state;
    for (int i = 1; i < 10; ++i) {
        const double e = 0.1 * i;
        playground *p = falling_mass(e);
        begin(p, 1e-10);
        const double zeno = fall_time * (1 + e) / (1 - e);
        go_to(p, zeno + 1);
        assert_near(get(p, ZENO_ZENO_TIME, 0), zeno, 1e-8 * (1 + zeno));
        assert_near(get(p, ZENO_ZENO_COUNT, 0), 1, 0);
        assert_true(get(p, ZENO_ZENO_TIME_BOUND, 0) < 1e-4);
        playground_destroy(p);
    }
}

static void a_start_at_rest_on_the_constraint_is_closed_without_an_impact(void **state) {
    (void)state;
    playground *p = resting_mass(0.5);
    begin(p, 1e-8);
    assert_near(get(p, ZENO_CLOSED, 0), 1, 0);
    go_to(p, 1);
    assert_near(get(p, ZENO_CLOSED, 0), 1, 0);
    assert_near(get(p, ZENO_IMPACTS, 0), 0, 0);
    assert_near(get(p, ZENO_ZENO_COUNT, 0), 0, 0);
    assert_near(get(p, ZENO_FORCE, 0), 10, 1e-12);
    playground_destroy(p);
}

static void a_resting_start_is_recognised_within_rounding(void **state) {
    (void)state;
    playground *p = playground_create(&ball_on_sine);
    put(p, ZENO_COORDINATE, 0, 4.5);
    put(p, ZENO_COORDINATE, 1, sin(4.5) + 2e-16);
    put(p, ZENO_RATE, 0, 0.1);
    put(p, ZENO_RATE, 1, 0.1 * cos(4.5) * (1 + 2e-16));
    begin(p, 1e-8);
    assert_near(get(p, ZENO_CLOSED, 0), 1, 0);
    assert_near(get(p, ZENO_GAP, 0), 0, 0);
    playground_destroy(p);
}

static void an_impact_due_at_the_start_happens_at_the_start(void **state) {
    (void)state;
    playground *p = resting_mass(0.5);
    put(p, ZENO_RATE, 0, -2);
    begin(p, 1e-8);
    assert_near(get(p, ZENO_IMPACTS, 0), 1, 0);
    assert_near(get(p, ZENO_LAST_IMPACT_TIME, 0), 0, 0);
    assert_near(get(p, ZENO_LAST_IMPACT_SPEED, 0), 2, 0);
    assert_near(get(p, ZENO_RATE, 0), 1, 0);
    go_to(p, 0.1);
    assert_near(get(p, ZENO_COORDINATE, 0), 0.1 - 0.05, 1e-9);
    playground_destroy(p);
}

static void a_start_that_leaves_the_constraint_is_free(void **state) {
    (void)state;
    playground *p = resting_mass(0.5);
    put(p, ZENO_RATE, 0, 2);
    begin(p, 1e-8);
    go_to(p, 0.1);
    assert_near(get(p, ZENO_IMPACTS, 0), 0, 0);
    assert_near(get(p, ZENO_COORDINATE, 0), 0.2 - 0.05, 1e-9);
    playground_destroy(p);
}

static void an_infeasible_start_is_refused_and_names_the_gap(void **state) {
    (void)state;
    playground *p = falling_mass(0.5);
    put(p, ZENO_COORDINATE, 0, -0.25);
    assert_int_equal(zeno_initialize(p->engine, 0, 1e-8), ZENO_REFUSED);
    assert_true(says(p, "'floor'"));
    assert_true(says(p, "-0.25"));
    put(p, ZENO_COORDINATE, 0, 0.25);
    begin(p, 1e-8);
    playground_destroy(p);
}

// The apex of a flight touches nothing: the ball of y = sin x passes its crest at a height above it.
static void a_grazing_contact_is_passed_in_one_piece(void **state) {
    (void)state;
    for (int above = 0; above < 2; ++above) {
        playground *p = playground_create(&ball_on_sine);
        // Parabola with the curvature of the crest of sin x at pi/2 times g/vx^2 = 0.5 < 1: it touches the crest from
        // above (gap 0 or 1e-9) and both fall away from each other: gap'' > 0 there.
        const double vx = sqrt(2.0), height = above ? 1e-9 : 0;
        const double before = 0.5; // seconds before the crest
        put(p, ZENO_COORDINATE, 0, acos(0.0) - vx * before);
        put(p, ZENO_COORDINATE, 1, 1 + height - before * before / 2);
        put(p, ZENO_RATE, 0, vx);
        put(p, ZENO_RATE, 1, before);
        begin(p, 1e-10);
        go_to(p, 1);
        assert_true(get(p, ZENO_IMPACTS, 0) <= 1);
        assert_near(get(p, ZENO_COORDINATE, 0), acos(0.0) + vx * before, 1e-6);
        assert_near(get(p, ZENO_COORDINATE, 1), 1 + height - before * before / 2, 1e-4);
        assert_near(get(p, ZENO_CLOSED, 0), 0, 0);
        playground_destroy(p);
    }
}

static void a_plastic_landing_where_the_surface_falls_away_flies_on(void **state) {
    (void)state;
    playground *p = playground_create(&ball_on_sine);
    put(p, ZENO_PARAMETER, BALL_E, 0);
    // Just before the crest with a speed at which the surface bends away faster than gravity follows.
    put(p, ZENO_COORDINATE, 0, 1.4);
    put(p, ZENO_COORDINATE, 1, sin(1.4) + 1e-3);
    put(p, ZENO_RATE, 0, 2);
    put(p, ZENO_RATE, 1, 2 * cos(1.4) - 0.1);
    begin(p, 1e-8);
    go_to(p, 0.2);
    assert_near(get(p, ZENO_IMPACTS, 0), 1, 0);
    assert_near(get(p, ZENO_ZENO_COUNT, 0), 0, 0);
    assert_near(get(p, ZENO_CLOSED, 0), 0, 0);
    assert_true(get(p, ZENO_GAP, 0) > 1e-4);
    playground_destroy(p);
}

static void an_input_opens_and_closes_the_contact_at_a_communication_point(void **state) {
    (void)state;
    playground *p = resting_mass(0.5);
    begin(p, 1e-10);
    go_to(p, 0.5);
    put(p, ZENO_INPUT, 0, 12); // lifts with 2 m/s2
    assert_near(get(p, ZENO_CLOSED, 0), 1, 0);
    assert_near(get(p, ZENO_FORCE, 0), 0, 0);
    assert_near(get(p, ZENO_ACCELERATION, 0), 2, 1e-12);
    go_to(p, 1.5);
    assert_near(get(p, ZENO_CLOSED, 0), 0, 0);
    assert_near(get(p, ZENO_RELEASES, 0), 1, 0);
    assert_near(get(p, ZENO_COORDINATE, 0), 1, 1e-8);
    put(p, ZENO_INPUT, 0, 0);
    go_to(p, 5);
    assert_near(get(p, ZENO_CLOSED, 0), 1, 0);
    assert_near(get(p, ZENO_ZENO_COUNT, 0), 1, 0);
    playground_destroy(p);
}

static void a_body_that_hangs_without_weight_is_closed_by_an_input(void **state) {
    (void)state;
    playground *p = resting_mass(0.5);
    put(p, ZENO_INPUT, 0, 10); // carries the weight exactly
    begin(p, 1e-10);
    go_to(p, 1);
    assert_near(get(p, ZENO_CLOSED, 0), 0, 0);
    assert_near(get(p, ZENO_GAP, 0), 0, 0);
    put(p, ZENO_INPUT, 0, 4);
    go_to(p, 2);
    assert_near(get(p, ZENO_CLOSED, 0), 1, 0);
    assert_near(get(p, ZENO_IMPACTS, 0), 0, 0);
    assert_near(get(p, ZENO_FORCE, 0), 6, 1e-12);
    playground_destroy(p);
}

// amplitude sin t against the weight: the contact opens when amplitude sin t = m g.
static void a_force_that_passes_through_zero_inside_a_step_opens_the_contact_there(void **state) {
    (void)state;
    playground *p = resting_mass(0);
    put(p, ZENO_PARAMETER, MASS_AMPLITUDE, 20);
    begin(p, 1e-10);
    go_to(p, 1); // one step: the force passes through zero at asin(1/2)
    assert_near(get(p, ZENO_RELEASES, 0), 1, 0);
    assert_true(says(p, "release from floor"));
    const double release = asin(0.5), s = 1 - release;
    // y'' = 20 sin t - 10 from rest at the release
    const double y = -20 * (sin(1) - sin(release)) + 20 * cos(release) * s - 5 * s * s;
    assert_near(get(p, ZENO_COORDINATE, 0), y, 1e-9);
    playground_destroy(p);
}

// With weight 0 the body hangs at lambda = 0 at the start, and amplitude sin t decides which way it goes.
static void a_hanging_body_is_pressed_or_lifted_by_what_comes(void **state) {
    (void)state;
    for (int sign = -1; sign <= 1; sign += 2) {
        playground *p = resting_mass(0.5);
        put(p, ZENO_PARAMETER, MASS_G, 0);
        put(p, ZENO_PARAMETER, MASS_AMPLITUDE, sign);
        begin(p, 1e-10);
        go_to(p, 2);
        assert_near(get(p, ZENO_IMPACTS, 0), 0, 0);
        assert_near(get(p, ZENO_CLOSED, 0), sign < 0, 0);
        // y'' = sin t from rest: y = t - sin t; pressed, it stays until pi and is then lifted
        assert_near(get(p, ZENO_COORDINATE, 0), sign < 0 ? 0 : 2 - sin(2), 1e-9);
        go_to(p, 4);
        if (sign < 0) {
            const double s = 4 - acos(-1.0);
            assert_near(get(p, ZENO_RELEASES, 0), 1, 0);
            assert_near(get(p, ZENO_COORDINATE, 0), s - sin(s), 1e-8);
        }
        playground_destroy(p);
    }
}

// A force that only touches zero: weight 1, amplitude 1: lambda = 1 - sin t is zero at pi/2 and positive elsewhere.
static void a_force_that_touches_zero_keeps_the_body_where_it_is(void **state) {
    (void)state;
    playground *p = resting_mass(0.5);
    put(p, ZENO_PARAMETER, MASS_G, 1);
    put(p, ZENO_PARAMETER, MASS_AMPLITUDE, 1);
    begin(p, 1e-10);
    go_to(p, 40);
    assert_near(get(p, ZENO_COORDINATE, 0), 0, 1e-12);
    assert_near(get(p, ZENO_CLOSED, 0), 1, 0);
    assert_near(get(p, ZENO_FORCE, 0), 1 - sin(40), 1e-12);
    playground_destroy(p);
}

// At a release the gap's acceleration is zero but for rounding: that must not close the contact again.
static void a_release_happens_once(void **state) {
    (void)state;
    double releases = 0;
    for (int i = 0; i < 120; ++i) {
        playground *p = playground_create(&ball_on_sine);
        put(p, ZENO_RATE, 0, 0.5 + 0.02 * i);
        begin(p, i % 3 == 0 ? 1e-6 : i % 3 == 1 ? 1e-8 : 1e-10);
        go_to(p, 15);
        // contact begins at a Zeno point, and each contact ends at most once
        assert_true(get(p, ZENO_RELEASES, 0) <= get(p, ZENO_ZENO_COUNT, 0));
        releases += get(p, ZENO_RELEASES, 0);
        playground_destroy(p);
    }
    assert_true(releases > 10);
}

// Under a ramp h = 0.3 - 2.5 s - 0.35 s^2 + 7.1 s^3 / 6 is below zero from 0.1188 to 1.7, and the solver, for which a
// cubic is exact, steps over all of that at once.
static void a_dip_of_the_gap_inside_one_solver_step_is_an_impact(void **state) {
    (void)state;
    playground *p = falling_mass(0.5);
    put(p, ZENO_COORDINATE, 0, 0.3);
    put(p, ZENO_RATE, 0, -2.5);
    put(p, ZENO_INPUT, 0, 9.3);
    assert_int_equal(zeno_set_input_derivative(p->engine, 0, 1, 7.1), ZENO_OK);
    begin(p, 1e-6);
    go_to(p, 0.2);
    const double s = get(p, ZENO_LAST_IMPACT_TIME, 0);
    assert_near(get(p, ZENO_IMPACTS, 0), 1, 0);
    assert_near(0.3 - 2.5 * s - 0.35 * s * s + 7.1 * s * s * s / 6, 0, 1e-6);
    playground_destroy(p);
}

// The force 10 - F with F = 12 - 4 (t - 1)^2 is below zero from 0.29 to 1.71 and positive before and after.
static void a_dip_of_the_force_inside_one_solver_step_is_a_release(void **state) {
    (void)state;
    playground *p = resting_mass(0);
    put(p, ZENO_INPUT, 0, 8);
    assert_int_equal(zeno_set_input_derivative(p->engine, 0, 1, 8), ZENO_OK);
    assert_int_equal(zeno_set_input_derivative(p->engine, 0, 2, -8), ZENO_OK);
    begin(p, 1e-8);
    go_to(p, 1);
    const double release = 1 - sqrt(0.5), s = 1 - release;
    assert_near(get(p, ZENO_RELEASES, 0), 1, 0);
    // y'' = 2 - 4 (t - 1)^2 from rest at the release
    const double y = 2 * s * s / 2 - 4 * (s * s * s * s / 12 - s * s * s * s / 3 + s * s * s * s / 2);
    assert_near(get(p, ZENO_COORDINATE, 0), y, 1e-7);
    playground_destroy(p);
}

static void no_bounce_is_lost_over_many_flights(void **state) {
    (void)state;
    // Stale flags of CVODE's root finder used to swallow an impact: the ball then falls through the floor.
    playground *p = falling_mass(0.99);
    begin(p, 1e-6);
    for (int i = 1; i <= 2000; ++i) {
        go_to(p, 0.05 * i);
        assert_true(get(p, ZENO_COORDINATE, 0) > -1e-6);
    }
    const double zeno = fall_time * 1.99 / 0.01;
    assert_near(get(p, ZENO_ZENO_TIME, 0), zeno, 100 * 1e-6 * zeno); // errors of 900 flights add up
    playground_destroy(p);
}

static void a_change_of_input_just_before_an_impact_loses_nothing(void **state) {
    (void)state;
    // Communication points within the root finder's resolution of the impact, on both sides.
    for (int k = -8; k <= 8; ++k) {
        playground *p = falling_mass(0.5);
        begin(p, 1e-10);
        go_to(p, fall_time + k * 1e-16 * 4);
        put(p, ZENO_INPUT, 0, 0.125);
        go_to(p, 0.7);
        assert_near(get(p, ZENO_IMPACTS, 0), 1, 0);
        assert_true(get(p, ZENO_GAP, 0) > 0.1);
        playground_destroy(p);
    }
}

static void both_maps_end_on_the_constraint(void **state) {
    (void)state;
    for (int map = ZENO_KINETIC; map <= ZENO_ORTHOGONAL; ++map) {
        playground *p = playground_create(&ball_on_sine);
        put(p, ZENO_SETTING, ZENO_REINITIALIZATION, map);
        begin(p, 1e-8);
        go_to(p, 3);
        assert_near(get(p, ZENO_CLOSED, 0), 1, 0);
        const double x = get(p, ZENO_COORDINATE, 0), vx = get(p, ZENO_RATE, 0);
        assert_near(get(p, ZENO_COORDINATE, 1), sin(x), 1e-15);
        assert_near(get(p, ZENO_RATE, 1), vx * cos(x), 1e-15);
        assert_near(total_energy(p), 3.125, 1e-6);
        playground_destroy(p);
    }
}

static void gravity_that_turns_round_takes_the_ball_off_the_floor(void **state) {
    (void)state;
    playground *p = resting_mass(0.5);
    begin(p, 1e-10);
    go_to(p, 1);
    put(p, ZENO_PARAMETER, MASS_G, -2); // a tunable parameter between steps
    go_to(p, 2);
    assert_near(get(p, ZENO_CLOSED, 0), 0, 0);
    assert_near(get(p, ZENO_COORDINATE, 0), 1, 1e-9);
    playground_destroy(p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plastic_impact_goes_to_the_constraint_at_once),
        cmocka_unit_test(an_elastic_ball_never_truncates_and_keeps_its_energy),
        cmocka_unit_test(an_elastic_ball_with_damping_comes_to_no_halt),
        cmocka_unit_test(a_bouncing_mass_meets_its_closed_form),
        cmocka_unit_test(a_start_at_rest_on_the_constraint_is_closed_without_an_impact),
        cmocka_unit_test(a_resting_start_is_recognised_within_rounding),
        cmocka_unit_test(an_impact_due_at_the_start_happens_at_the_start),
        cmocka_unit_test(a_start_that_leaves_the_constraint_is_free),
        cmocka_unit_test(an_infeasible_start_is_refused_and_names_the_gap),
        cmocka_unit_test(a_grazing_contact_is_passed_in_one_piece),
        cmocka_unit_test(a_plastic_landing_where_the_surface_falls_away_flies_on),
        cmocka_unit_test(an_input_opens_and_closes_the_contact_at_a_communication_point),
        cmocka_unit_test(a_body_that_hangs_without_weight_is_closed_by_an_input),
        cmocka_unit_test(a_force_that_passes_through_zero_inside_a_step_opens_the_contact_there),
        cmocka_unit_test(a_hanging_body_is_pressed_or_lifted_by_what_comes),
        cmocka_unit_test(a_force_that_touches_zero_keeps_the_body_where_it_is),
        cmocka_unit_test(a_release_happens_once),
        cmocka_unit_test(a_dip_of_the_gap_inside_one_solver_step_is_an_impact),
        cmocka_unit_test(a_dip_of_the_force_inside_one_solver_step_is_a_release),
        cmocka_unit_test(no_bounce_is_lost_over_many_flights),
        cmocka_unit_test(a_change_of_input_just_before_an_impact_loses_nothing),
        cmocka_unit_test(both_maps_end_on_the_constraint),
        cmocka_unit_test(gravity_that_turns_round_takes_the_ball_off_the_floor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
