// Derivatives of what the host sees, against differences; and inputs that change with time.

#include "playground.h"

static const zeno_quantity SMOOTH[] = {ZENO_COORDINATE, ZENO_RATE,           ZENO_ACCELERATION,
                                       ZENO_GAP,        ZENO_GAP_RATE,       ZENO_GAP_ACCELERATION,
                                       ZENO_FORCE,      ZENO_KINETIC_ENERGY, ZENO_POTENTIAL_ENERGY};
enum { SMOOTH_COUNT = sizeof SMOOTH / sizeof *SMOOTH };

static double change_of(playground *p, zeno_quantity quantity) {
    const zeno_variable variable = {.name = "test", .quantity = quantity, .index = 0};
    return zeno_change_of(p->engine, &variable);
}

// The ball at time t of its default run, with a force on it.
static playground *ball_at(double t) {
    playground *p = playground_create(&ball_on_sine);
    begin(p, 1e-12);
    go_to(p, t);
    put(p, ZENO_INPUT, 0, 0.1);
    put(p, ZENO_INPUT, 1, -0.05);
    return p;
}

static const double IN_FLIGHT = 1.0, IN_CONTACT = 3.0;

static void derivatives_by_inputs_are_those_of_differences(void **state) {
    (void)state;
    const double times[] = {IN_FLIGHT, IN_CONTACT}, direction[] = {0.3, -0.7}, delta = 1e-4;
    for (int k = 0; k < 2; ++k) {
        playground *p = ball_at(times[k]);
        memcpy(zeno_input_change(p->engine), direction, sizeof direction);
        assert_int_equal(zeno_along_inputs(p->engine), ZENO_OK);
        for (int i = 0; i < SMOOTH_COUNT; ++i) {
            const double derivative = change_of(p, SMOOTH[i]);
            double value[2];
            for (int side = 0; side < 2; ++side) {
                const double step = side ? delta : -delta;
                put(p, ZENO_INPUT, 0, 0.1 + step * direction[0]);
                put(p, ZENO_INPUT, 1, -0.05 + step * direction[1]);
                value[side] = get(p, SMOOTH[i], 0);
            }
            // everything is linear in the forces: only rounding is left
            assert_near(derivative, (value[1] - value[0]) / (2 * delta), 1e-11);
        }
        playground_destroy(p);
    }
}

static void derivatives_by_time_are_those_of_differences(void **state) {
    (void)state;
    const double times[] = {IN_FLIGHT, IN_CONTACT}, delta = 1e-5;
    for (int k = 0; k < 2; ++k) {
        playground *p = ball_at(times[k]);
        assert_int_equal(zeno_set_input_derivative(p->engine, 0, 1, 0.2), ZENO_OK);
        go_to(p, times[k] + delta);
        double before[SMOOTH_COUNT], derivative[SMOOTH_COUNT];
        for (int i = 0; i < SMOOTH_COUNT; ++i)
            before[i] = get(p, SMOOTH[i], 0);
        go_to(p, times[k] + 2 * delta);
        assert_int_equal(zeno_along_motion(p->engine), ZENO_OK);
        for (int i = 0; i < SMOOTH_COUNT; ++i)
            derivative[i] = change_of(p, SMOOTH[i]);
        go_to(p, times[k] + 3 * delta);
        for (int i = 0; i < SMOOTH_COUNT; ++i)
            assert_near(derivative[i], (get(p, SMOOTH[i], 0) - before[i]) / (2 * delta), 1e-6); // delta^2 y''' / 6
        playground_destroy(p);
    }
}

static void what_changes_only_at_events_has_derivative_zero(void **state) {
    (void)state;
    playground *p = ball_at(IN_CONTACT);
    assert_int_equal(zeno_along_motion(p->engine), ZENO_OK);
    assert_near(change_of(p, ZENO_IMPACTS), 0, 0);
    assert_near(change_of(p, ZENO_LAST_IMPACT_TIME), 0, 0);
    assert_near(change_of(p, ZENO_GAP_RATE), 0, 0);
    playground_destroy(p);
}

// A mass without weight under F = 1 + 2 s + 3 s^2 / 2, s = t - 1: v' = F
static void an_input_with_derivatives_is_a_polynomial_in_time(void **state) {
    (void)state;
    playground *p = playground_create(&mass_on_floor);
    put(p, ZENO_PARAMETER, MASS_G, 0);
    begin(p, 1e-10);
    go_to(p, 1);
    put(p, ZENO_INPUT, 0, 1);
    assert_int_equal(zeno_set_input_derivative(p->engine, 0, 1, 2), ZENO_OK);
    assert_int_equal(zeno_set_input_derivative(p->engine, 0, 2, 3), ZENO_OK);
    go_to(p, 3);
    assert_near(get(p, ZENO_RATE, 0), 2 + 4 + 4, 1e-9);
    assert_near(get(p, ZENO_INPUT, 0), 1 + 4 + 6, 1e-14);
    const long starts = zeno_work(p->engine).starts;
    put(p, ZENO_INPUT, 0, 11); // the same polynomial, told again at t = 3
    assert_int_equal(zeno_set_input_derivative(p->engine, 0, 1, 8), ZENO_OK);
    assert_int_equal(zeno_set_input_derivative(p->engine, 0, 2, 3), ZENO_OK);
    go_to(p, 4);
    assert_int_equal(zeno_work(p->engine).starts, starts);
    put(p, ZENO_INPUT, 0, 0); // a value alone means derivatives 0
    go_to(p, 5);
    const double v = get(p, ZENO_RATE, 0);
    go_to(p, 6);
    assert_near(get(p, ZENO_RATE, 0), v, 1e-9);
    playground_destroy(p);
}

static void a_ramp_opens_the_contact_between_communication_points(void **state) {
    (void)state;
    playground *p = playground_create(&mass_on_floor);
    put(p, ZENO_COORDINATE, 0, 0);
    assert_int_equal(zeno_set_input_derivative(p->engine, 0, 1, 5), ZENO_OK); // carries the weight at t = 2
    begin(p, 1e-10);
    go_to(p, 3);
    assert_near(get(p, ZENO_RELEASES, 0), 1, 0);
    assert_near(get(p, ZENO_COORDINATE, 0), 5.0 / 6, 1e-9); // y'' = 5 s
    playground_destroy(p);
}

static void derivatives_set_before_the_start_count_from_the_start_time(void **state) {
    (void)state;
    playground *p = playground_create(&mass_on_floor);
    put(p, ZENO_PARAMETER, MASS_G, 0);
    assert_int_equal(zeno_set_input_derivative(p->engine, 0, 1, 2), ZENO_OK);
    zeno_set_start_time(p->engine, 1000);
    assert_int_equal(zeno_initialize(p->engine, 1000, 1e-10), ZENO_OK);
    go_to(p, 1001);
    assert_near(get(p, ZENO_RATE, 0), 1, 1e-9);
    playground_destroy(p);
}

static void orders_beyond_reason_are_refused(void **state) {
    (void)state;
    playground *p = playground_create(&mass_on_floor);
    assert_int_equal(zeno_set_input_derivative(p->engine, 0, 0, 1), ZENO_REFUSED);
    assert_int_equal(zeno_set_input_derivative(p->engine, 0, ZENO_INPUT_ORDERS, 1), ZENO_REFUSED);
    assert_true(says(p, "'F'"));
    playground_destroy(p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivatives_by_inputs_are_those_of_differences),
        cmocka_unit_test(derivatives_by_time_are_those_of_differences),
        cmocka_unit_test(what_changes_only_at_events_has_derivative_zero),
        cmocka_unit_test(an_input_with_derivatives_is_a_polynomial_in_time),
        cmocka_unit_test(a_ramp_opens_the_contact_between_communication_points),
        cmocka_unit_test(derivatives_set_before_the_start_count_from_the_start_time),
        cmocka_unit_test(orders_beyond_reason_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
