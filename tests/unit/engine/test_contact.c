// Contacts at their limits: forces that begin at zero, bodies that hang, grazes, and what is seen before a step
// decides.

#include "playground.h"

static playground *mass_at(double y, double v) {
    playground *p = playground_create(&mass_on_floor);
    put(p, ZENO_COORDINATE, 0, y);
    put(p, ZENO_RATE, 0, v);
    return p;
}

static void force_up(playground *p, int order, double value) {
    assert_int_equal(zeno_set_input_derivative(p->engine, 0, order, value), ZENO_OK);
}

static double change_of(const playground *p, zeno_quantity quantity) {
    const zeno_variable variable = {.name = "test", .quantity = quantity};
    return zeno_change_of(p->engine, &variable);
}

// The weight is just borne when the ramp begins: y'' = s.
static void a_force_that_falls_from_zero_releases_at_once(void **state) {
    (void)state;
    playground *p = mass_at(0, 0);
    begin(p, 1e-8);
    go_to(p, 1);
    put(p, ZENO_INPUT, 0, 10);
    force_up(p, 1, 1);
    go_to(p, 2);
    assert_near(get(p, ZENO_RELEASES, 0), 1, 0);
    assert_near(get(p, ZENO_COORDINATE, 0), 1.0 / 6, 1e-8);
    playground_destroy(p);
}

// Lifted by less than anybody resolves, and pressed from t = 1 on: the body is on the floor all the time.
static void a_body_that_hardly_hangs_is_closed_where_it_is_pressed(void **state) {
    (void)state;
    playground *p = mass_at(0, 0);
    put(p, ZENO_PARAMETER, MASS_G, 0);
    put(p, ZENO_INPUT, 0, 1e-20);
    force_up(p, 1, -1e-20);
    begin(p, 1e-8);
    go_to(p, 0.5);
    assert_near(get(p, ZENO_CLOSED, 0), 0, 0);
    go_to(p, 2);
    assert_near(get(p, ZENO_CLOSED, 0), 1, 0);
    assert_near(get(p, ZENO_IMPACTS, 0), 0, 0);
    assert_near(get(p, ZENO_FORCE, 0), 1e-20, 1e-22);
    playground_destroy(p);
}

// y'' = size (s - s^2) from rest at the floor: up, and back at s = 2; for any size.
static void a_body_that_is_lifted_and_lowered_lands_once(void **state) {
    (void)state;
    for (double size = 1e-12; size < 1e3; size *= 10) {
        playground *p = mass_at(0, 0);
        put(p, ZENO_PARAMETER, MASS_G, 0);
        put(p, ZENO_PARAMETER, MASS_E, 0);
        force_up(p, 1, size);
        force_up(p, 2, -2 * size);
        begin(p, 1e-8);
        go_to(p, 1);
        assert_near(get(p, ZENO_COORDINATE, 0), size / 12, 1e-7 * fmax(size, 1));
        go_to(p, 3);
        assert_near(get(p, ZENO_CLOSED, 0), 1, 0);
        assert_near(get(p, ZENO_FORCE, 0), size * 6, 1e-9 * size);
        playground_destroy(p);
    }
}

// y = (t - 1)^2 + depth: whether it touches or not, it comes and goes.
static void a_graze_changes_little(void **state) {
    (void)state;
    for (int sign = -1; sign <= 1; sign += 2) {
        for (double depth = 1e-17; depth < 1e-6; depth *= 1.7) {
            playground *p = mass_at(1 + sign * depth, -2);
            put(p, ZENO_INPUT, 0, 10 + 2);
            begin(p, 1e-8);
            go_to(p, 2);
            assert_true(get(p, ZENO_IMPACTS, 0) <= 1);
            // an impact at speed 2 sqrt(depth) changes the velocity by 1.5 times as much
            assert_near(get(p, ZENO_COORDINATE, 0), 1, 4 * sqrt(depth) + 1e-7);
            assert_near(get(p, ZENO_GAP, 0), get(p, ZENO_COORDINATE, 0), 1e-8);
            playground_destroy(p);
        }
    }
}

// Inputs that change while a gap is zero but for the solver's error.
static void changes_right_after_a_release_are_borne(void **state) {
    (void)state;
    for (int i = 0; i < 60; ++i) {
        playground *p = mass_at(0, 0);
        force_up(p, 1, 5); // bears the weight at t = 2
        begin(p, 1e-6);
        double after = 1e-12 * pow(1.5, i);
        for (int k = 0; k < 4; ++k, after *= 2) {
            go_to(p, 2 + after);
            put(p, ZENO_INPUT, 0, 10 + 5 * after);
            force_up(p, 1, 5 + 1e-3 * (k + 1));
            assert_true(get(p, ZENO_GAP, 0) >= -1e-8);
        }
        go_to(p, 2 + after + 1);
        assert_near(get(p, ZENO_CLOSED, 0), 0, 0);
        assert_true(get(p, ZENO_COORDINATE, 0) > 0.8);
        playground_destroy(p);
    }
}

// Set above the weight, the force opens the contact with the next step; until then it neither pulls nor opens.
static void derivatives_of_a_contact_that_would_pull_are_those_of_the_free_motion(void **state) {
    (void)state;
    playground *p = mass_at(0, 0);
    begin(p, 1e-8);
    go_to(p, 1);
    put(p, ZENO_INPUT, 0, 12);
    force_up(p, 1, 3);
    assert_near(get(p, ZENO_FORCE, 0), 0, 0);
    assert_near(get(p, ZENO_ACCELERATION, 0), 2, 1e-14);
    assert_int_equal(zeno_along_motion(p->engine), ZENO_OK);
    assert_near(change_of(p, ZENO_ACCELERATION), 3, 1e-14);
    assert_near(change_of(p, ZENO_FORCE), 0, 0);
    assert_near(get(p, ZENO_CLOSED, 0), 1, 0);
    go_to(p, 1.5);
    assert_near(get(p, ZENO_CLOSED, 0), 0, 0);
    playground_destroy(p);
}

// ---- Outputs of a model: y[0] = F + force * y''

static void product_outputs(const zeno_point *x, const double *acceleration, const double *force, double *y) {
    y[0] = x->u[0] + force[0] * acceleration[0] + x->q[0] * x->v[0];
}

static void product_tangent(const zeno_point *x, const double *acceleration, const double *force,
                            const zeno_direction *d, const double *acceleration_change, const double *force_change,
                            double *y) {
    y[0] = d->u[0] + force_change[0] * acceleration[0] + force[0] * acceleration_change[0] + d->q[0] * x->v[0] +
           x->q[0] * d->v[0];
}

static void an_output_changes_along_the_motion_and_with_inputs(void **state) {
    (void)state;
    zeno_lagrangian lagrangian = *mass_on_floor.lagrangian;
    lagrangian.outputs = product_outputs;
    lagrangian.outputs_tangent = product_tangent;
    zeno_model model = mass_on_floor;
    model.lagrangian = &lagrangian;
    model.outputs = 1;
    playground *p = playground_create(&model);
    force_up(p, 1, 2);
    begin(p, 1e-8);
    go_to(p, 0.1); // v = 0.01 - 1, v' = 0.2 - 10
    const double v = 0.01 - 1, a = 0.2 - 10, y = 1 + 1e-3 / 3 - 0.05;
    assert_near(get(p, ZENO_OUTPUT, 0), 0.2 + y * v, 1e-8);
    assert_int_equal(zeno_along_motion(p->engine), ZENO_OK);
    assert_near(change_of(p, ZENO_OUTPUT), 2 + v * v + y * a, 1e-7);
    zeno_input_change(p->engine)[0] = 7;
    assert_int_equal(zeno_along_inputs(p->engine), ZENO_OK);
    assert_near(change_of(p, ZENO_OUTPUT), 7, 0);
    playground_destroy(p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_force_that_falls_from_zero_releases_at_once),
        cmocka_unit_test(a_body_that_hardly_hangs_is_closed_where_it_is_pressed),
        cmocka_unit_test(a_body_that_is_lifted_and_lowered_lands_once),
        cmocka_unit_test(a_graze_changes_little),
        cmocka_unit_test(changes_right_after_a_release_are_borne),
        cmocka_unit_test(derivatives_of_a_contact_that_would_pull_are_those_of_the_free_motion),
        cmocka_unit_test(an_output_changes_along_the_motion_and_with_inputs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
