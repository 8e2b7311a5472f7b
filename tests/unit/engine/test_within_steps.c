// What happens inside one step of the solver: under forces that are polynomials in time it takes steps of any length.

#include "mode_models.h"
#include "playground.h"

// Where the dips of these tests begin, and how long they last: down to depths of a few tolerances.
enum { BEGINS = 60, WIDTHS = 5 };

static double beginning(int i) {
    return 0.02 * pow(1.12, i);
}

static double width_of_dip(int i, int k) {
    return 2 * pow(0.25, k) * beginning(i);
}

static playground *mass_under(double value, double first, double second) {
    playground *p = playground_create(&mass_on_floor);
    put(p, ZENO_INPUT, 0, value);
    assert_int_equal(zeno_set_input_derivative(p->engine, 0, 1, first), ZENO_OK);
    assert_int_equal(zeno_set_input_derivative(p->engine, 0, 2, second), ZENO_OK);
    return p;
}

// y = (t - a) (t - a - width) with a lift of y'' = 2: the first zero is an impact however narrow the dip is.
static void no_dip_of_the_gap_goes_unseen(void **state) {
    (void)state;
    for (int i = 0; i < BEGINS; ++i) {
        for (int k = 0; k < WIDTHS; ++k) {
            const double a = beginning(i), width = width_of_dip(i, k);
            playground *p = mass_under(10 + 2, 0, 0);
            put(p, ZENO_COORDINATE, 0, a * (a + width));
            put(p, ZENO_RATE, 0, -(2 * a + width));
            begin(p, 1e-6);
            go_to(p, a + width);
            assert_near(get(p, ZENO_IMPACTS, 0), 1, 0);
            assert_near(get(p, ZENO_LAST_IMPACT_TIME, 0), a, 1e-5 * (1 + a) * (1 + a));
            playground_destroy(p);
        }
    }
}

// The force on a resting mass is (t - a) (t - a - width): the first zero is a release.
static void no_dip_of_the_force_goes_unseen(void **state) {
    (void)state;
    for (int i = 0; i < BEGINS; ++i) {
        for (int k = 0; k < WIDTHS; ++k) {
            const double a = beginning(i), width = width_of_dip(i, k);
            playground *p = mass_under(10 - a * (a + width), 2 * a + width, -2);
            put(p, ZENO_COORDINATE, 0, 0);
            begin(p, 1e-6);
            go_to(p, a + width);
            assert_near(get(p, ZENO_RELEASES, 0), 1, 0);
            // y'' = s (width - s) from the release on
            const double height = width * width * width * width / 12;
            assert_near(get(p, ZENO_COORDINATE, 0), height, 1e-6 * (1 + height));
            playground_destroy(p);
        }
    }
}

// The same for the guard of a mode.
static void no_dip_of_a_guard_goes_unseen(void **state) {
    (void)state;
    for (int i = 0; i < BEGINS; ++i) {
        for (int k = 0; k < WIDTHS; ++k) {
            const double a = beginning(i), width = width_of_dip(i, k);
            playground *p = playground_create(&spring);
            put(p, ZENO_STATE, 0, a * (a + width));
            put(p, ZENO_STATE, 1, -(2 * a + width));
            put(p, ZENO_INPUT, 0, 2);
            begin(p, 1e-8);
            go_to(p, a + fmin(width / 4, 0.01)); // the contact lasts 0.1 s
            assert_near(get(p, ZENO_TRANSITIONS, 0), 1, 0);
            assert_near(get(p, ZENO_LAST_TRANSITION_TIME, 0), a, 1e-6 * (1 + a) * (1 + a));
            playground_destroy(p);
        }
    }
}

// A gap that is a polynomial with coefficients by chance: where it first falls, there is the first impact, also when
// the step that goes over it ends high above, or level.
static void no_impact_is_lost_under_polynomial_forces(void **state) {
    (void)state;
    enum { DEGREE = 5 };
    unsigned seed = 1;
    int impacts = 0;
    for (int trial = 0; trial < 3000; ++trial) {
        double c[DEGREE + 1], factorial = 1, zero = 0;
        for (int k = 0; k <= DEGREE; ++k) {
            seed = seed * 1664525u + 1013904223u;
            const double chance = (seed >> 8) / 16777216.0;
            factorial *= fmax(1, k);
            c[k] = k == 0 ? 0.1 + 2 * chance : k == 1 ? -4 * chance : 12 * (2 * chance - 1) / factorial;
        }
        for (double t = 1e-3; zero == 0 && t < 3; t += 1e-3)
            if (c[0] + t * (c[1] + t * (c[2] + t * (c[3] + t * (c[4] + t * c[5])))) < -1e-4) zero = t;
        if (zero == 0) continue;
        playground *p = mass_under(10 + 2 * c[2], 6 * c[3], 24 * c[4]);
        assert_int_equal(zeno_set_input_derivative(p->engine, 0, 3, 120 * c[5]), ZENO_OK);
        put(p, ZENO_COORDINATE, 0, c[0]);
        put(p, ZENO_RATE, 0, c[1]);
        begin(p, 1e-6);
        go_to(p, zero);
        assert_true(get(p, ZENO_IMPACTS, 0) >= 1);
        ++impacts;
        playground_destroy(p);
    }
    assert_true(impacts > 1500);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_dip_of_the_gap_goes_unseen),
        cmocka_unit_test(no_dip_of_the_force_goes_unseen),
        cmocka_unit_test(no_dip_of_a_guard_goes_unseen),
        cmocka_unit_test(no_impact_is_lost_under_polynomial_forces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
