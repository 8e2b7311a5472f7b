// What a host may set and ask for: what can't be used is refused with a reason, and what is not there is no number.

#include "mode_models.h"
#include "playground.h"

static void expect_refused(playground *p, const char *words) {
    assert_int_equal(zeno_initialize(p->engine, 0, 1e-6), ZENO_REFUSED);
    assert_true(says(p, words));
}

static void a_start_time_that_is_not_finite_is_refused(void **state) {
    (void)state;
    const double times[] = {NAN, HUGE_VAL, -HUGE_VAL};
    for (int i = 0; i < 3; ++i) {
        playground *p = playground_create(&mass_on_floor);
        assert_int_equal(zeno_initialize(p->engine, times[i], 1e-6), ZENO_REFUSED);
        assert_true(says(p, "the start time is"));
        begin(p, 1e-6); // nothing has changed
        go_to(p, 0.1);
        assert_near(get(p, ZENO_COORDINATE, 0), 1 - 10 * 0.1 * 0.1 / 2, 1e-7);
        playground_destroy(p);
    }
}

static void the_start_time_of_a_motion_that_runs_stays(void **state) {
    (void)state;
    playground *p = playground_create(&mass_on_floor);
    begin(p, 1e-6);
    go_to(p, 0.25);
    zeno_set_start_time(p->engine, 7);
    assert_near(zeno_time(p->engine), 0.25, 0);
    playground_destroy(p);
}

static void a_limit_that_is_excluded_is_refused_and_shown_so(void **state) {
    (void)state;
    zeno_range ranges[6];
    memcpy(ranges, mass_on_floor.parameter_range, sizeof ranges);
    ranges[MASS_E] = (zeno_range){0, 1, false, true};
    zeno_model model = mass_on_floor;
    model.parameter_range = ranges;
    playground *p = playground_create(&model);
    put(p, ZENO_PARAMETER, MASS_E, 1);
    expect_refused(p, "parameter 'e' is 1, expected a finite value in [0, 1)");
    put(p, ZENO_PARAMETER, MASS_E, nextafter(1, 0));
    begin(p, 1e-6);
    playground_destroy(p);
}

// Twice the parameter e: its own range doesn't tell.
static void twice_e(const zeno_point *x, double *e) {
    e[0] = 2 * x->p[MASS_E];
}

static void a_restitution_that_comes_out_above_one_is_refused_and_named(void **state) {
    (void)state;
    zeno_lagrangian lively = *mass_on_floor.lagrangian;
    lively.restitution = twice_e;
    zeno_model model = mass_on_floor;
    model.lagrangian = &lively;
    playground *p = playground_create(&model);
    put(p, ZENO_PARAMETER, MASS_E, 0.75);
    expect_refused(p, "the coefficient of restitution of 'floor' is 1.5, expected a finite value in [0, 1]");
    put(p, ZENO_PARAMETER, MASS_E, 0.25);
    begin(p, 1e-8);
    go_to(p, 0.5);
    assert_near(get(p, ZENO_LAST_IMPACT_SPEED, 0), sqrt(20), 1e-7);
    put(p, ZENO_PARAMETER, MASS_E, 0.6); // while it moves, too
    assert_int_equal(zeno_advance(p->engine, 1), ZENO_REFUSED);
    assert_near(zeno_time(p->engine), 0.5, 0);
    playground_destroy(p);
}

static void a_setting_is_refused_also_where_the_model_gives_it_no_name(void **state) {
    (void)state;
    playground *p = playground_create(&spring);
    put(p, ZENO_SETTING, ZENO_RELAXATION, -1);
    expect_refused(p, "parameter 'a setting' is -1, expected a finite value in [0, inf)");
    playground_destroy(p);
}

static void what_a_system_does_not_have_is_no_number(void **state) {
    (void)state;
    playground *mass = playground_create(&mass_on_floor), *modes = playground_create(&spring);
    begin(mass, 1e-6);
    begin(modes, 1e-6);
    assert_true(isnan(get(mass, ZENO_MODE, 0)));
    assert_true(isnan(get(modes, ZENO_GAP, 0)));
    playground_destroy(mass);
    playground_destroy(modes);
}

static void a_host_without_a_log_is_served_like_any_other(void **state) {
    (void)state;
    const zeno_host host = {.allocate = calloc, .release = free};
    playground p = {.engine = zeno_create(&mass_on_floor, &host)};
    assert_non_null(p.engine);
    assert_int_equal(zeno_initialize(p.engine, NAN, 1e-6), ZENO_REFUSED); // with a message to nobody
    begin(&p, 1e-6);
    go_to(&p, 3);
    assert_near(get(&p, ZENO_CLOSED, 0), 1, 0);
    zeno_destroy(p.engine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_start_time_that_is_not_finite_is_refused),
        cmocka_unit_test(the_start_time_of_a_motion_that_runs_stays),
        cmocka_unit_test(a_limit_that_is_excluded_is_refused_and_shown_so),
        cmocka_unit_test(a_restitution_that_comes_out_above_one_is_refused_and_named),
        cmocka_unit_test(a_setting_is_refused_also_where_the_model_gives_it_no_name),
        cmocka_unit_test(what_a_system_does_not_have_is_no_number),
        cmocka_unit_test(a_host_without_a_log_is_served_like_any_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
