// Systems with modes: what ends a mode, several guards at once, starts on guards, sliding and Zeno accumulation.

#include "mode_models.h"
#include "playground.h"

static const double PI = 3.14159265358979323846;

static double state_of(playground *p, int i) {
    return get(p, ZENO_STATE, i);
}

static void a_contact_with_a_spring_has_its_closed_form(void **state) {
    (void)state;
    playground *p = playground_create(&spring);
    const double omega = sqrt(1000), end = PI / omega;
    begin(p, 1e-11);
    assert_near(get(p, ZENO_MODE, 0), CONTACT, 0); // x = 0 and v = -1 at the start: due at once
    assert_near(get(p, ZENO_TRANSITIONS, 0), 1, 0);
    go_to(p, end / 4);
    assert_near(state_of(p, 0), -sin(PI / 4) / omega, 1e-12);
    assert_near(get(p, ZENO_OUTPUT, 0), 1000 * sin(PI / 4) / omega, 1e-9);
    go_to(p, 0.2);
    assert_near(get(p, ZENO_MODE, 0), FLIGHT, 0);
    assert_near(get(p, ZENO_TRANSITIONS, 0), 2, 0); // the update is none
    assert_near(get(p, ZENO_LAST_TRANSITION_TIME, 0), end, 1e-11);
    assert_near(get(p, ZENO_HELD, HELD_RESTITUTION), 1, 1e-10);
    assert_near(get(p, ZENO_HELD, HELD_DEEPEST), 1 / omega, 1e-11);
    assert_near(state_of(p, 0), 0.2 - end, 1e-10);
    assert_near(get(p, ZENO_OUTPUT, 0), 0, 0);
    assert_true(says(p, "transition from mode 'flight' to mode 'contact': x falls"));
    playground_destroy(p);
}

static void a_start_on_a_guard_that_is_left_takes_no_transition(void **state) {
    (void)state;
    playground *p = playground_create(&spring);
    put(p, ZENO_STATE, 1, 1);
    begin(p, 1e-10);
    go_to(p, 1);
    assert_near(get(p, ZENO_TRANSITIONS, 0), 0, 0);
    assert_near(state_of(p, 0), 1, 1e-12);
    playground_destroy(p);
}

static void a_mode_that_begins_beyond_its_guard_waits_until_it_is_back(void **state) {
    (void)state;
    playground *p = playground_create(&spring);
    put(p, ZENO_STATE, 0, -1);
    put(p, ZENO_STATE, 1, 0);
    put(p, ZENO_INPUT, 0, 2); // flies up through 0 at t = 1
    begin(p, 1e-10);
    go_to(p, 1.5);
    assert_near(get(p, ZENO_TRANSITIONS, 0), 0, 0);
    put(p, ZENO_INPUT, 0, -10); // turns at v = 3 and comes down
    go_to(p, 2.4);
    assert_near(get(p, ZENO_TRANSITIONS, 0), 1, 0);
    // x = 1.25 + 3 s - 5 s^2 = 0
    assert_near(get(p, ZENO_LAST_TRANSITION_TIME, 0), 1.5 + (3 + sqrt(9 + 25)) / 10, 1e-9);
    playground_destroy(p);
}

static void a_mass_at_rest_on_a_guard_is_pressed_through_it(void **state) {
    (void)state;
    playground *p = playground_create(&spring);
    put(p, ZENO_STATE, 1, 0);
    put(p, ZENO_INPUT, 0, -1); // x = v = 0: the guard is zero and so is its rate
    begin(p, 1e-10);
    go_to(p, 0.01);
    assert_near(get(p, ZENO_MODE, 0), CONTACT, 0);
    assert_near(get(p, ZENO_LAST_TRANSITION_TIME, 0), 0, 0);
    const double omega = sqrt(1000);
    assert_near(state_of(p, 0), -(1 - cos(omega * 0.01)) / 1000, 1e-11);
    playground_destroy(p);
}

static void two_guards_at_once_are_both_taken(void **state) {
    (void)state;
    const zeno_model *const orders[] = {&thresholds, &thresholds_reversed};
    for (int i = 0; i < 2; ++i) {
        playground *p = playground_create(orders[i]);
        begin(p, 1e-10);
        go_to(p, 1);
        assert_near(get(p, ZENO_MODE, 0), 3, 0);
        assert_near(get(p, ZENO_TRANSITIONS, 0), 2, 0);
        go_to(p, 3);
        assert_near(state_of(p, 0), 1, 1e-12);
        assert_near(state_of(p, 1), 0.5, 1e-12);
        playground_destroy(p);
    }
}

static void neighbours_of_two_guards_at_once_take_them_in_turn(void **state) {
    (void)state;
    for (int exponent = 1; exponent <= 14; ++exponent)
        for (int side = -1; side <= 1; side += 2) {
            playground *p = playground_create(&thresholds);
            const double delta = side * pow(10, -exponent);
            put(p, ZENO_STATE, 0, -1 + delta);
            begin(p, 1e-10);
            go_to(p, 3);
            // The later one has rate 1 in between: it arrives |delta| later, and then both go on as in mode 3.
            const double lead = fabs(delta), first = side > 0 ? 0.5 : 0.25, other = side > 0 ? 0.25 : 0.5;
            const double early = lead * 0.5 + (2 - (side < 0 ? lead : 0)) * first;
            const double late = (2 - (side < 0 ? lead : 0)) * other;
            assert_near(state_of(p, side > 0 ? 0 : 1), early, 1e-10);
            assert_near(state_of(p, side > 0 ? 1 : 0), late, 1e-10);
            assert_near(get(p, ZENO_TRANSITIONS, 0), 2, 0);
            playground_destroy(p);
        }
}

static void guards_that_fall_together_but_for_rounding_are_both_taken(void **state) {
    (void)state;
    for (int i = 1; i <= 400;
         ++i) { // starts at which the ways to both thresholds take the same time, as doubles have it
        playground *p = playground_create(&thresholds);
        const double way = 0.01 * i + 0.1 / (i + 3);
        put(p, ZENO_STATE, 0, -way);
        put(p, ZENO_STATE, 1, -way * (1 + (i % 5 - 2) * 0x1p-52));
        begin(p, 1e-10);
        go_to(p, way + 1);
        assert_near(get(p, ZENO_MODE, 0), 3, 0);
        assert_near(get(p, ZENO_TRANSITIONS, 0), 2, 0);
        playground_destroy(p);
    }
}

static void a_guard_that_only_time_moves_is_not_stepped_over(void **state) {
    (void)state;
    playground *p = playground_create(&pulse);
    begin(p, 1e-8);
    go_to(p, 200 * PI);
    assert_near(get(p, ZENO_HELD, 0), 100, 0);
    assert_near(get(p, ZENO_LAST_TRANSITION_TIME, 0), 199 * PI - acos(0.999), 1e-7);
    playground_destroy(p);
}

static void sliding_goes_on_in_bounded_work(void **state) {
    (void)state;
    playground *p = playground_create(&relay);
    begin(p, 1e-8);
    go_to(p, 1.005);
    assert_near(state_of(p, 0), 0, 1e-6);
    assert_true(says(p, "start of sliding"));
    put(p, ZENO_INPUT, 0, 3); // now mode 0 leads away
    go_to(p, 2.005);
    assert_near(state_of(p, 0), 2, 1e-6);
    assert_true(says(p, "end of sliding"));
    playground_destroy(p);
}

static void a_zeno_accumulation_goes_on_in_bounded_work(void **state) {
    (void)state;
    const double e[] = {0, 0.5, 0.9};
    for (int i = 0; i < 3; ++i) {
        playground *p = playground_create(&bouncer);
        put(p, ZENO_PARAMETER, BOUNCER_E, e[i]);
        const double rest = sqrt(0.2) * (1 + e[i]) / (1 - e[i]);
        begin(p, 1e-8);
        go_to(p, rest + 0.002);
        assert_near(state_of(p, 0), 0, 1e-6);
        assert_near(state_of(p, 1), 0, 1e-5);
        assert_true(says(p, "start of sliding or Zeno accumulation"));
        playground_destroy(p);
    }
}

static void each_transition_of_a_relaxed_execution_takes_its_time(void **state) {
    (void)state;
    playground *p = playground_create(&thresholds);
    put(p, ZENO_SETTING, ZENO_RELAXATION, 0.125);
    begin(p, 1e-10);
    go_to(p, 1.0625);
    assert_near(get(p, ZENO_MODE, 0), 0, 0);
    assert_near(state_of(p, 0), 0, 1e-12);
    go_to(p, 1.1875); // on the second strip
    assert_near(get(p, ZENO_TRANSITIONS, 0), 1, 0);
    assert_near(state_of(p, 1), 0, 1e-12);
    go_to(p, 2.25);
    assert_near(get(p, ZENO_MODE, 0), 3, 0);
    assert_near(state_of(p, 0), 0.5, 1e-12);
    playground_destroy(p);
}

static void results_do_not_depend_on_the_communication_steps(void **state) {
    (void)state;
    playground *coarse = playground_create(&spring), *fine = playground_create(&spring);
    playground *const both[] = {coarse, fine};
    for (int i = 0; i < 2; ++i) {
        put(both[i], ZENO_INPUT, 0, -3);
        begin(both[i], 1e-9);
    }
    for (int step = 1; step <= 1000; ++step)
        go_to(fine, step * 0.001);
    go_to(coarse, 1);
    assert_true(get(coarse, ZENO_TRANSITIONS, 0) > 2);
    for (int i = 0; i < 2; ++i)
        assert_true(state_of(coarse, i) == state_of(fine, i));
    playground_destroy(coarse);
    playground_destroy(fine);
}

static void a_saved_state_goes_on_with_the_same_bits(void **state) {
    (void)state;
    const struct {
        const zeno_model *model;
        double moment;
    } places[] = {{&spring, 0.01}, {&spring, 0.3}, {&relay, 1.0021}, {&bouncer, 1.343}, {&thresholds, 1.05}};
    for (size_t i = 0; i < sizeof places / sizeof *places; ++i) {
        playground *p = playground_create(places[i].model), *q = playground_create(places[i].model);
        if (places[i].model == &thresholds) put(p, ZENO_SETTING, ZENO_RELAXATION, 0.125);
        begin(p, 1e-9);
        go_to(p, places[i].moment);
        unsigned char *bytes = malloc(zeno_saved_size(p->engine));
        zeno_save(p->engine, bytes);
        go_to(p, places[i].moment + 0.003);
        assert_int_equal(zeno_restore(q->engine, bytes, zeno_saved_size(q->engine)), ZENO_OK);
        go_to(q, places[i].moment + 0.003);
        for (int k = 0; k < places[i].model->states; ++k)
            assert_true(state_of(p, k) == state_of(q, k));
        assert_near(get(q, ZENO_TRANSITIONS, 0), get(p, ZENO_TRANSITIONS, 0), 0);
        free(bytes);
        playground_destroy(p);
        playground_destroy(q);
    }
}

static void a_reset_that_is_not_finite_is_an_error(void **state) {
    (void)state;
    playground *p = playground_create(&bouncer);
    put(p, ZENO_PARAMETER, BOUNCER_E, 1e308);
    begin(p, 1e-8);
    assert_int_equal(zeno_advance(p->engine, 1e3), ZENO_FAILED);
    assert_true(says(p, "expected a finite value"));
    playground_destroy(p);
}

static void derivatives_follow_the_mode(void **state) {
    (void)state;
    playground *p = playground_create(&spring);
    const zeno_variable v = {.name = "v", .quantity = ZENO_STATE, .index = 1};
    const zeno_variable force = {.name = "force", .quantity = ZENO_OUTPUT, .index = 0};
    begin(p, 1e-9);
    go_to(p, 0.01);
    assert_int_equal(zeno_along_motion(p->engine), ZENO_OK);
    assert_near(zeno_change_of(p->engine, &v), -1000 * state_of(p, 0), 1e-12);
    assert_near(zeno_change_of(p->engine, &force), -1000 * state_of(p, 1), 1e-9);
    zeno_input_change(p->engine)[0] = 1;
    assert_int_equal(zeno_along_inputs(p->engine), ZENO_OK);
    assert_near(zeno_change_of(p->engine, &force), 0, 0);
    playground_destroy(p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_contact_with_a_spring_has_its_closed_form),
        cmocka_unit_test(a_start_on_a_guard_that_is_left_takes_no_transition),
        cmocka_unit_test(a_mode_that_begins_beyond_its_guard_waits_until_it_is_back),
        cmocka_unit_test(a_mass_at_rest_on_a_guard_is_pressed_through_it),
        cmocka_unit_test(two_guards_at_once_are_both_taken),
        cmocka_unit_test(neighbours_of_two_guards_at_once_take_them_in_turn),
        cmocka_unit_test(guards_that_fall_together_but_for_rounding_are_both_taken),
        cmocka_unit_test(a_guard_that_only_time_moves_is_not_stepped_over),
        cmocka_unit_test(sliding_goes_on_in_bounded_work),
        cmocka_unit_test(a_zeno_accumulation_goes_on_in_bounded_work),
        cmocka_unit_test(each_transition_of_a_relaxed_execution_takes_its_time),
        cmocka_unit_test(results_do_not_depend_on_the_communication_steps),
        cmocka_unit_test(a_saved_state_goes_on_with_the_same_bits),
        cmocka_unit_test(a_reset_that_is_not_finite_is_an_error),
        cmocka_unit_test(derivatives_follow_the_mode),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
