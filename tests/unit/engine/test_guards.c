// Guards and modes beyond the ordinary: which of several falls first, modes that begin beyond a guard, sliding late and
// with guards far below, a mode without any.

#include "mode_models.h"
#include "playground.h"

// ---- A mass with two guards at different heights, whose falls are noted by updates: x'' = u

#define HIGHER 0.01

static void two_heights_rates(const zeno_point *x, const double *input_rates, double *states, double *guards) {
    (void)input_rates;
    states[0] = x->q[1];
    states[1] = x->u[0];
    guards[0] = guards[1] = x->q[1];
}

static void two_heights_tangent(const zeno_point *x, const zeno_direction *d, double *states, double *guards) {
    (void)x;
    states[0] = guards[0] = guards[1] = d->q[1];
    states[1] = d->u[0];
}

static void two_heights_guards(const zeno_point *x, double *g, double *rounding) {
    g[0] = x->q[0];
    g[1] = x->q[0] - HIGHER;
    rounding[0] = fabs(g[0]);
    rounding[1] = fabs(x->q[0]) + HIGHER;
}

static void note_lower(const zeno_point *x, double *states, double *held) {
    (void)states;
    held[0] = x->t;
}

static void note_higher(const zeno_point *x, double *states, double *held) {
    (void)states;
    held[1] = x->t;
}

static void no_outputs(const zeno_point *x, double *y) {
    (void)x, (void)y;
}

static const zeno_transition two_heights_notes[] = {{"x falls", 0, true, note_lower},
                                                    {"x falls to 0.01", 0, true, note_higher}};
static const zeno_mode two_heights_modes[] = {{.name = "flight",
                                               .transitions = 2,
                                               .transition = two_heights_notes,
                                               .rates = two_heights_rates,
                                               .rates_tangent = two_heights_tangent,
                                               .guards = two_heights_guards,
                                               .outputs = no_outputs}};
static const zeno_hybrid two_heights_hybrid = {1, 0, two_heights_modes};

static zeno_model two_heights(void) {
    zeno_model model = spring; // for what all models have
    model.outputs = 0;
    model.hybrid = &two_heights_hybrid;
    return model;
}

// x = (t - a)^2 - d: both guards dip within one step, the second before the first.
static void of_two_guards_that_dip_the_first_to_fall_is_taken_first(void **state) {
    (void)state;
    const zeno_model model = two_heights();
    for (int i = 0; i < 40; ++i) {
        const double a = 0.3 * pow(1.06, i), d = 0.01 * a * a;
        playground *p = playground_create(&model);
        put(p, ZENO_STATE, 0, a * a - d);
        put(p, ZENO_STATE, 1, -2 * a);
        put(p, ZENO_INPUT, 0, 2);
        begin(p, 1e-8);
        go_to(p, 2 * a);
        assert_near(get(p, ZENO_HELD, 0), a - sqrt(d), 1e-6);
        assert_near(get(p, ZENO_HELD, 1), a - sqrt(d + HIGHER), 1e-6);
        assert_near(get(p, ZENO_STATE, 0), a * a - d, 1e-6);
        playground_destroy(p);
    }
}

// From rest at the higher guard, with the lower one far beyond: its place comes first in the mode.
static void below_guards(const zeno_point *x, double *g, double *rounding) {
    two_heights_guards(x, g, rounding);
    g[0] = x->q[0] - 1;
    rounding[0] += 1;
}

static void a_guard_that_was_passed_before_does_not_hide_one_that_falls(void **state) {
    (void)state;
    zeno_mode mode = two_heights_modes[0];
    mode.guards = below_guards;
    const zeno_hybrid hybrid = {1, 0, &mode};
    zeno_model model = two_heights();
    model.hybrid = &hybrid;
    playground *p = playground_create(&model);
    put(p, ZENO_STATE, 0, HIGHER);
    put(p, ZENO_STATE, 1, 0);
    put(p, ZENO_HELD, 0, -1);
    put(p, ZENO_HELD, 1, -1);
    put(p, ZENO_INPUT, 0, -2);
    begin(p, 1e-8);
    go_to(p, 0.05);
    assert_near(get(p, ZENO_HELD, 0), -1, 0);
    assert_near(get(p, ZENO_HELD, 1), 0, 0);
    assert_near(get(p, ZENO_STATE, 0), HIGHER - 0.05 * 0.05, 1e-9);
    playground_destroy(p);
}

// An update leaves the mass alone: it is noted once that it falls, and that again after it was above.
static void an_update_of_a_guard_that_falls_from_rest_is_made_once(void **state) {
    (void)state;
    const zeno_model model = two_heights();
    playground *p = playground_create(&model);
    put(p, ZENO_STATE, 0, 0);
    put(p, ZENO_STATE, 1, 0);
    put(p, ZENO_HELD, 0, -1);
    put(p, ZENO_INPUT, 0, -2);
    begin(p, 1e-8);
    go_to(p, 1);
    assert_near(get(p, ZENO_HELD, 0), 0, 0);
    assert_false(says(p, "start of sliding"));
    put(p, ZENO_INPUT, 0, 6); // x = -1 - 2 s + 3 s^2, above zero from s = 1 on
    go_to(p, 3);
    put(p, ZENO_INPUT, 0, -20);
    go_to(p, 6);
    // x = 7 + 10 s - 10 s^2
    assert_near(get(p, ZENO_HELD, 0), 3 + (10 + sqrt(100 + 280)) / 20, 1e-7);
    playground_destroy(p);
}

// A reset may well leave a mass at rest on its guard: then it is held there.
static void a_ball_that_its_reset_leaves_at_rest_stays(void **state) {
    (void)state;
    playground *p = playground_create(&bouncer);
    put(p, ZENO_PARAMETER, BOUNCER_E, 0);
    put(p, ZENO_STATE, 0, 0.2); // falls for 0.2 s
    begin(p, 1e-6);
    go_to(p, 0.201);
    assert_near(get(p, ZENO_STATE, 0), 0, 1e-6);
    playground_destroy(p);
}

// ---- An update that turns its own guard: x'' = -x, and every zero of x is counted, rising or falling

enum { SIDE, ZEROS }; // held: the sign of x so far, and the count

static void swing_rates(const zeno_point *x, const double *input_rates, double *states, double *guards) {
    (void)input_rates;
    states[0] = x->q[1];
    states[1] = -x->q[0];
    guards[0] = x->v[SIDE] * x->q[1];
}

static void swing_tangent(const zeno_point *x, const zeno_direction *d, double *states, double *guards) {
    states[0] = d->q[1];
    states[1] = -d->q[0];
    guards[0] = x->v[SIDE] * d->q[1];
}

static void swing_guards(const zeno_point *x, double *g, double *rounding) {
    g[0] = x->v[SIDE] * x->q[0];
    rounding[0] = fabs(g[0]);
}

static void change_sides(const zeno_point *x, double *states, double *held) {
    (void)states;
    held[SIDE] = -x->v[SIDE];
    held[ZEROS] = x->v[ZEROS] + 1;
}

static const zeno_transition swing_changes[] = {{"x changes sign", 0, true, change_sides}};
static const zeno_mode swing_modes[] = {{.name = "swing",
                                         .transitions = 1,
                                         .transition = swing_changes,
                                         .rates = swing_rates,
                                         .rates_tangent = swing_tangent,
                                         .guards = swing_guards,
                                         .outputs = no_outputs}};
static const zeno_hybrid swing_hybrid = {1, 0, swing_modes};

static void an_update_that_turns_its_guard_is_made_at_every_fall(void **state) {
    (void)state;
    zeno_model model = two_heights();
    model.hybrid = &swing_hybrid;
    model.guards = 1;
    playground *p = playground_create(&model);
    put(p, ZENO_STATE, 0, 1);
    put(p, ZENO_STATE, 1, 0);
    put(p, ZENO_HELD, SIDE, 1);
    begin(p, 1e-8);
    for (int i = 1; i <= 100; ++i) {
        go_to(p, i);
        assert_near(get(p, ZENO_HELD, ZEROS), floor(i / acos(-1) + 0.5), 0);
    }
    assert_false(says(p, "start of sliding"));
    playground_destroy(p);
}

// ---- Sliding

static void sliding_far_from_time_zero_goes_on_as_well(void **state) {
    (void)state;
    playground *p = playground_create(&relay);
    assert_int_equal(zeno_initialize(p->engine, 1e6, 1e-6), ZENO_OK);
    go_to(p, 1e6 + 1.0001);
    assert_true(says(p, "start of sliding"));
    assert_near(get(p, ZENO_STATE, 0), 0, 1e-6);
    put(p, ZENO_INPUT, 0, 2); // no longer held: x' = 1
    go_to(p, 1e6 + 2);
    assert_true(says(p, "end of sliding"));
    assert_near(get(p, ZENO_STATE, 0), 0.9999, 1e-6);
    playground_destroy(p);
}

static void above_rates(const zeno_point *x, const double *input_rates, double *states, double *guards) {
    relay.hybrid->mode[0].rates(x, input_rates, states, guards);
    guards[1] = states[0];
}

static void above_tangent(const zeno_point *x, const zeno_direction *d, double *states, double *guards) {
    relay.hybrid->mode[0].rates_tangent(x, d, states, guards);
    guards[1] = guards[0];
}

static void above_guards(const zeno_point *x, double *g, double *rounding) {
    relay.hybrid->mode[0].guards(x, g, rounding);
    g[1] = x->q[0] - 5;
    rounding[1] = fabs(x->q[0]) + 5;
}

// The relay with a third mode that is entered where x falls through 5; it begins, and slides, far below.
static void a_guard_far_below_is_not_taken_while_sliding(void **state) {
    (void)state;
    const zeno_transition from_above[] = {{"x falls", 1, false, NULL}, {"x falls to 5", 2, false, NULL}};
    zeno_mode modes[] = {relay.hybrid->mode[0], relay.hybrid->mode[1], relay.hybrid->mode[1]};
    modes[0].transitions = 2;
    modes[0].transition = from_above;
    modes[0].rates = above_rates;
    modes[0].rates_tangent = above_tangent;
    modes[0].guards = above_guards;
    const zeno_hybrid hybrid = {3, 0, modes};
    zeno_model model = relay;
    model.guards = 2;
    model.hybrid = &hybrid;
    playground *p = playground_create(&model);
    begin(p, 1e-6);
    for (int i = 1; i <= 100; ++i) {
        go_to(p, 1 + 1e-6 * i);
        assert_true(get(p, ZENO_MODE, 0) < 2);
    }
    assert_true(says(p, "start of sliding"));
    assert_near(get(p, ZENO_STATE, 0), 0, 1e-6);
    playground_destroy(p);
}

// ---- Resets

static void hold_infinity(const zeno_point *x, double *states, double *held) {
    (void)x, (void)states;
    held[1] = HUGE_VAL;
}

static void a_held_variable_that_is_set_to_infinity_is_an_error_and_named(void **state) {
    (void)state;
    zeno_mode modes[] = {spring.hybrid->mode[FLIGHT], spring.hybrid->mode[CONTACT]};
    const zeno_transition touch_down = {"x falls", CONTACT, false, hold_infinity};
    modes[FLIGHT].transition = &touch_down;
    const zeno_hybrid hybrid = {2, FLIGHT, modes};
    zeno_model model = spring;
    model.hybrid = &hybrid;
    playground *p = playground_create(&model);
    put(p, ZENO_STATE, 0, 1);
    put(p, ZENO_STATE, 1, -1);
    begin(p, 1e-6);
    assert_int_equal(zeno_advance(p->engine, 2), ZENO_FAILED);
    assert_true(says(p, "when x falls in mode 'flight', 'b' is set to inf, expected a finite value"));
    playground_destroy(p);
}

// ---- A mode without guards, stiff

// x = (k^2 cos t + k sin t) / (k^2 + 1) once the start is forgotten.
static void a_stiff_mode_without_guards_has_its_closed_form_and_tries_adams_again(void **state) {
    (void)state;
    const double k = 1e5;
    playground *p = playground_create(&decay);
    put(p, ZENO_PARAMETER, DECAY_K, k);
    begin(p, 1e-8);
    for (int i = 1; i <= 400; ++i) {
        const double t = 0.25 * i;
        go_to(p, t);
        assert_near(get(p, ZENO_STATE, 0), (k * k * cos(t) + k * sin(t)) / (k * k + 1), 1e-7);
    }
    assert_true(says(p, "BDF takes over"));
    assert_true(says(p, "Adams is tried again"));
    playground_destroy(p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_two_guards_that_dip_the_first_to_fall_is_taken_first),
        cmocka_unit_test(a_guard_that_was_passed_before_does_not_hide_one_that_falls),
        cmocka_unit_test(an_update_of_a_guard_that_falls_from_rest_is_made_once),
        cmocka_unit_test(an_update_that_turns_its_guard_is_made_at_every_fall),
        cmocka_unit_test(a_ball_that_its_reset_leaves_at_rest_stays),
        cmocka_unit_test(sliding_far_from_time_zero_goes_on_as_well),
        cmocka_unit_test(a_guard_far_below_is_not_taken_while_sliding),
        cmocka_unit_test(a_held_variable_that_is_set_to_infinity_is_an_error_and_named),
        cmocka_unit_test(a_stiff_mode_without_guards_has_its_closed_form_and_tries_adams_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
