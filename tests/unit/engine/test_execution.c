// The event loop: what depends on the anchor alone, bounded work, values that are refused, and the way back.

#include "engine_impl.h"
#include "playground.h"

enum { SAMPLES = 40 };

// The ball on the sine at 0.5, 1.0, ... 20 with `between` communication points in each interval.
static zeno_statistics sample(double results[SAMPLES][2], int between, int set_inputs) {
    playground *p = playground_create(&ball_on_sine);
    begin(p, 1e-8);
    for (int i = 0; i < SAMPLES; ++i) {
        for (int k = 1; k <= between; ++k) {
            if (set_inputs) put(p, ZENO_INPUT, 0, 0), put(p, ZENO_INPUT, 1, 0);
            go_to(p, k == between ? 0.5 * (i + 1) : 0.5 * i + 0.5 * k / between * (1 - 1e-3 * (k % 7)));
        }
        results[i][0] = get(p, ZENO_COORDINATE, 0);
        results[i][1] = get(p, ZENO_RATE, 1);
    }
    const zeno_statistics work = zeno_work(p->engine);
    playground_destroy(p);
    return work;
}

static void communication_points_change_no_bit_and_no_step(void **state) {
    (void)state;
    double coarse[SAMPLES][2], fine[SAMPLES][2];
    const zeno_statistics few = sample(coarse, 1, 0);
    const int points[] = {2, 7, 50, 500};
    for (size_t i = 0; i < sizeof points / sizeof *points; ++i) {
        const zeno_statistics many = sample(fine, points[i], 1);
        assert_memory_equal(fine, coarse, sizeof coarse);
        assert_int_equal(many.steps, few.steps);
        assert_int_equal(many.starts, few.starts);
    }
}

static void an_input_within_rounding_of_the_running_one_is_no_change(void **state) {
    (void)state;
    playground *p = playground_create(&mass_on_floor);
    put(p, ZENO_INPUT, 0, 0.3);
    begin(p, 1e-8);
    go_to(p, 0.1);
    const long starts = zeno_work(p->engine).starts;
    put(p, ZENO_INPUT, 0, 0.1 + 0.2); // one rounding error more
    go_to(p, 0.2);
    assert_int_equal(zeno_work(p->engine).starts, starts);
    put(p, ZENO_INPUT, 0, 0.3 + 1e-12);
    go_to(p, 0.3);
    assert_int_equal(zeno_work(p->engine).starts, starts + 1);
    playground_destroy(p);
}

static void a_parameter_set_to_its_value_is_no_change(void **state) {
    (void)state;
    playground *p = playground_create(&mass_on_floor);
    begin(p, 1e-8);
    go_to(p, 0.1);
    const long starts = zeno_work(p->engine).starts;
    put(p, ZENO_PARAMETER, MASS_G, 10);
    go_to(p, 0.2);
    assert_int_equal(zeno_work(p->engine).starts, starts);
    playground_destroy(p);
}

static void a_communication_point_on_an_event_shows_the_state_after_it(void **state) {
    (void)state;
    playground *p = playground_create(&mass_on_floor);
    begin(p, 1e-8);
    go_to(p, 0.5);
    const double impact = get(p, ZENO_LAST_IMPACT_TIME, 0);
    zeno_reset(p->engine);
    begin(p, 1e-8);
    go_to(p, nextafter(impact, 0));
    assert_near(get(p, ZENO_IMPACTS, 0), 0, 0);
    assert_true(get(p, ZENO_RATE, 0) < 0);
    go_to(p, impact);
    assert_near(get(p, ZENO_IMPACTS, 0), 1, 0);
    assert_true(get(p, ZENO_RATE, 0) > 0);
    playground_destroy(p);
}

// y'' = -c (y' - v) with c = 1e6: after 1e-6 s the velocity is at its limit g/c and an explicit method crawls.
static void a_stiff_motion_goes_over_to_newtons_method(void **state) {
    (void)state;
    playground *p = playground_create(&mass_on_floor);
    put(p, ZENO_PARAMETER, MASS_C, 1e6);
    begin(p, 1e-8);
    go_to(p, 1000);
    assert_true(says(p, "BDF takes over"));
    assert_near(get(p, ZENO_COORDINATE, 0), 1 - 1000 * 10 / 1e6, 1e-7);
    assert_true(zeno_work(p->engine).steps < 5000);
    playground_destroy(p);
}

static void long_stretches_are_anchored_again(void **state) {
    (void)state;
    playground *p = playground_create(&mass_on_floor);
    put(p, ZENO_COORDINATE, 0, 1e6);
    put(p, ZENO_PARAMETER, MASS_AMPLITUDE, 1);
    put(p, ZENO_PARAMETER, MASS_G, 0);
    put(p, ZENO_PARAMETER, MASS_FREQUENCY, 50);
    begin(p, 1e-10);
    go_to(p, 100);
    const zeno_statistics work = zeno_work(p->engine);
    assert_true(work.steps > 600);
    assert_true(work.starts >= work.steps / 301);
    const double w = 50, t = 100; // y'' = sin(w t): y = t/w - sin(w t)/w^2
    assert_near(get(p, ZENO_RATE, 0), (1 - cos(w * t)) / w, 1e-8);
    playground_destroy(p);
}

// e so near 1 that the conditions can't be met before a million impacts, flights of 1e-10 m. The first 999 990 are
// taken as counted.
static void a_cascade_that_outlasts_the_budget_of_impacts_is_cut_uncertified(void **state) {
    (void)state;
    playground *p = playground_create(&mass_on_floor);
    put(p, ZENO_PARAMETER, MASS_E, 1 - 1e-6);
    put(p, ZENO_COORDINATE, 0, 1e-10);
    begin(p, 1e-10);
    go_to(p, 0.0001);
    const double impacts = get(p, ZENO_IMPACTS, 0);
    assert_true(impacts > 0);
    p->engine->anchor.shrinking = 999990;
    go_to(p, 0.01);
    assert_near(get(p, ZENO_IMPACTS, 0), impacts + 10, 1);
    assert_near(get(p, ZENO_ZENO_COUNT, 0), 1, 0);
    assert_near(get(p, ZENO_ZENO_CERTIFIED, 0), 0, 0);
    assert_near(get(p, ZENO_CLOSED, 0), 1, 0);
    assert_true(says(p, "budget of impacts"));
    playground_destroy(p);
}

// With e = 1 flights shrink by rounding alone: a million of them leave the ball as high as ever.
static void a_million_flights_that_can_be_seen_are_no_reason_to_stop_a_ball(void **state) {
    (void)state;
    const double restitution[] = {1, 1 - 1e-6};
    for (int k = 0; k < 2; ++k) {
        playground *p = playground_create(&mass_on_floor);
        put(p, ZENO_PARAMETER, MASS_E, restitution[k]);
        put(p, ZENO_COORDINATE, 0, 1e-3);
        begin(p, 1e-10);
        go_to(p, 0.1);
        const double impacts = get(p, ZENO_IMPACTS, 0);
        p->engine->anchor.shrinking = 2000000;
        go_to(p, 1);
        assert_near(get(p, ZENO_ZENO_COUNT, 0), 0, 0);
        assert_near(get(p, ZENO_CLOSED, 0), 0, 0);
        assert_near(get(p, ZENO_IMPACTS, 0), 10 * impacts, 10);
        playground_destroy(p);
    }
}

static void flights_below_the_resolution_of_time_are_cut_uncertified(void **state) {
    (void)state;
    playground *p = playground_create(&mass_on_floor);
    put(p, ZENO_SETTING, ZENO_EPSILON_T, 1e-30); // conditions that can't be met
    assert_int_equal(zeno_initialize(p->engine, 1000, 1e-8), ZENO_OK);
    go_to(p, 1010);
    assert_near(get(p, ZENO_CLOSED, 0), 1, 0);
    assert_near(get(p, ZENO_ZENO_CERTIFIED, 0), 0, 0);
    assert_true(says(p, "resolution of time"));
    assert_near(get(p, ZENO_ZENO_TIME, 0), 1000 + sqrt(0.2) * 3, 1e-7);
    playground_destroy(p);
}

// Each impact takes epsilon on the strip: the n-th impact comes n - 1 strips later than without.
static void a_relaxed_execution_converges_at_first_order(void **state) {
    (void)state;
    double error[3];
    for (int k = 0; k < 3; ++k) {
        playground *p = playground_create(&mass_on_floor);
        const double epsilon = 1e-3 / (1 << k);
        put(p, ZENO_SETTING, ZENO_RELAXATION, epsilon);
        begin(p, 1e-10);
        go_to(p, 0.8);
        const double fall = sqrt(0.2), s = 0.8 - fall - epsilon; // since the first rebound, with sqrt(20) / 2 upwards
        const double exact_s = 0.8 - fall;
        assert_near(get(p, ZENO_COORDINATE, 0), sqrt(5) * s - 5 * s * s, 1e-8);
        error[k] = fabs(get(p, ZENO_COORDINATE, 0) - (sqrt(5) * exact_s - 5 * exact_s * exact_s));
        go_to(p, 3);
        assert_near(get(p, ZENO_CLOSED, 0), 1, 0);
        playground_destroy(p);
    }
    assert_near(error[0] / error[1], 2, 0.05);
    assert_near(error[1] / error[2], 2, 0.05);
}

static void the_state_is_held_on_the_strip_of_a_relaxed_execution(void **state) {
    (void)state;
    playground *p = playground_create(&mass_on_floor);
    put(p, ZENO_SETTING, ZENO_RELAXATION, 0.1);
    begin(p, 1e-10);
    go_to(p, 0.5);
    const double held = get(p, ZENO_RATE, 0);
    assert_near(held, -sqrt(20), 1e-8);
    put(p, ZENO_INPUT, 0, 1); // a change on the strip must not restart the wait
    go_to(p, 0.54);
    assert_near(get(p, ZENO_RATE, 0), held, 0);
    go_to(p, 0.56);
    assert_near(get(p, ZENO_RATE, 0), sqrt(5) - 9 * (0.56 - sqrt(0.2) - 0.1), 1e-8);
    playground_destroy(p);
}

static void values_out_of_range_are_refused_by_name_and_change_nothing(void **state) {
    (void)state;
    playground *p = playground_create(&mass_on_floor);
    put(p, ZENO_PARAMETER, MASS_M, 0);
    assert_int_equal(zeno_initialize(p->engine, 0, 1e-8), ZENO_REFUSED);
    assert_true(says(p, "'m'"));
    put(p, ZENO_PARAMETER, MASS_M, 1);
    put(p, ZENO_SETTING, ZENO_EPSILON_V, 0);
    assert_int_equal(zeno_initialize(p->engine, 0, 1e-8), ZENO_REFUSED);
    assert_true(says(p, "'truncation.epsilon_v'"));
    put(p, ZENO_SETTING, ZENO_EPSILON_V, 1e-4);
    put(p, ZENO_RATE, 0, NAN);
    assert_int_equal(zeno_initialize(p->engine, 0, 1e-8), ZENO_REFUSED);
    assert_true(says(p, "'vy'"));
    put(p, ZENO_RATE, 0, 0);
    begin(p, 1e-8);
    go_to(p, 0.1);
    const double y = get(p, ZENO_COORDINATE, 0);
    put(p, ZENO_INPUT, 0, INFINITY);
    assert_int_equal(zeno_advance(p->engine, 0.2), ZENO_REFUSED);
    assert_true(says(p, "'F'"));
    put(p, ZENO_INPUT, 0, 0);
    assert_near(zeno_time(p->engine), 0.1, 0);
    assert_near(get(p, ZENO_COORDINATE, 0), y, 0);
    put(p, ZENO_PARAMETER, MASS_E, 1.5);
    assert_int_equal(zeno_advance(p->engine, 0.2), ZENO_REFUSED);
    assert_true(says(p, "'e'"));
    put(p, ZENO_PARAMETER, MASS_E, 0.5);
    go_to(p, 0.2);
    assert_near(get(p, ZENO_COORDINATE, 0), 1 - 5 * 0.04, 1e-8);
    playground_destroy(p);
}

static void a_tolerance_out_of_range_is_clamped_and_the_log_says_so(void **state) {
    (void)state;
    playground *p = playground_create(&mass_on_floor);
    begin(p, 1e-20);
    assert_true(says(p, "1e-12 is used"));
    zeno_reset(p->engine);
    begin(p, 10);
    assert_true(says(p, "0.001 is used"));
    playground_destroy(p);
}

static void time_does_not_run_backwards(void **state) {
    (void)state;
    playground *p = playground_create(&mass_on_floor);
    assert_int_equal(zeno_advance(p->engine, 1), ZENO_REFUSED);
    begin(p, 1e-8);
    go_to(p, 1);
    assert_int_equal(zeno_advance(p->engine, 0.5), ZENO_REFUSED);
    assert_int_equal(zeno_advance(p->engine, NAN), ZENO_REFUSED);
    assert_int_equal(zeno_advance(p->engine, INFINITY), ZENO_REFUSED);
    assert_near(zeno_time(p->engine), 1, 0);
    playground_destroy(p);
}

static void a_reset_gives_the_bits_of_a_new_engine(void **state) {
    (void)state;
    playground *fresh = playground_create(&ball_on_sine), *used = playground_create(&ball_on_sine);
    put(used, ZENO_PARAMETER, BALL_E, 0.9);
    put(used, ZENO_INPUT, 0, 1);
    begin(used, 1e-4);
    go_to(used, 7);
    zeno_reset(used->engine);
    begin(fresh, 1e-8);
    begin(used, 1e-8);
    for (int i = 1; i <= 30; ++i) {
        go_to(fresh, 0.5 * i);
        go_to(used, 0.5 * i);
        for (zeno_quantity q = ZENO_GAP; q <= ZENO_DISSIPATED_ENERGY; ++q)
            assert_near(get(used, q, 0), get(fresh, q, 0), 0);
    }
    assert_int_equal(zeno_work(used->engine).steps, zeno_work(fresh->engine).steps);
    playground_destroy(fresh);
    playground_destroy(used);
}

static int allocations_left;

static void *allocate_some(size_t count, size_t size) {
    return allocations_left-- > 0 ? calloc(count, size) : NULL;
}

static void an_engine_without_memory_is_not_made_and_leaves_nothing(void **state) {
    (void)state;
    const zeno_host host = {.allocate = allocate_some, .release = free};
    zeno_engine *engine = NULL;
    for (int allowed = 0; !engine; ++allowed) {
        allocations_left = allowed;
        engine = zeno_create(&ball_on_sine, &host);
        assert_true(allowed < 20);
    }
    zeno_destroy(engine);
    zeno_destroy(NULL);
}

static void variables_can_be_read_before_the_start(void **state) {
    (void)state;
    playground *p = playground_create(&mass_on_floor);
    put(p, ZENO_COORDINATE, 0, 3);
    assert_near(get(p, ZENO_GAP, 0), 3, 0);
    assert_near(get(p, ZENO_ACCELERATION, 0), -10, 0);
    put(p, ZENO_COORDINATE, 0, 0);
    assert_near(get(p, ZENO_FORCE, 0), 10, 0);
    assert_near(get(p, ZENO_CLOSED, 0), 1, 0);
    playground_destroy(p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(communication_points_change_no_bit_and_no_step),
        cmocka_unit_test(an_input_within_rounding_of_the_running_one_is_no_change),
        cmocka_unit_test(a_parameter_set_to_its_value_is_no_change),
        cmocka_unit_test(a_communication_point_on_an_event_shows_the_state_after_it),
        cmocka_unit_test(a_stiff_motion_goes_over_to_newtons_method),
        cmocka_unit_test(long_stretches_are_anchored_again),
        cmocka_unit_test(a_cascade_that_outlasts_the_budget_of_impacts_is_cut_uncertified),
        cmocka_unit_test(a_million_flights_that_can_be_seen_are_no_reason_to_stop_a_ball),
        cmocka_unit_test(flights_below_the_resolution_of_time_are_cut_uncertified),
        cmocka_unit_test(a_relaxed_execution_converges_at_first_order),
        cmocka_unit_test(the_state_is_held_on_the_strip_of_a_relaxed_execution),
        cmocka_unit_test(values_out_of_range_are_refused_by_name_and_change_nothing),
        cmocka_unit_test(a_tolerance_out_of_range_is_clamped_and_the_log_says_so),
        cmocka_unit_test(time_does_not_run_backwards),
        cmocka_unit_test(a_reset_gives_the_bits_of_a_new_engine),
        cmocka_unit_test(an_engine_without_memory_is_not_made_and_leaves_nothing),
        cmocka_unit_test(variables_can_be_read_before_the_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
