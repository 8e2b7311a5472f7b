// Verified linear systems. Solutions are known exactly: integer matrices times integer vectors, which double holds
// without rounding. The comparison with exact arithmetic for arbitrary systems is in tests/reference/interval/.

#include "interval_linear.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { LARGEST = 32 };

// A system with a known solution: one member of A is `matrix`, one of b is matrix * solution.
typedef struct problem {
    int n;
    double matrix[LARGEST * LARGEST], solution[LARGEST];
    zeno_interval A[LARGEST * LARGEST], b[LARGEST], x[LARGEST];
} problem;

static bool solve(problem *p) {
    double *scratch = malloc((size_t)zeno_interval_solve_scratch(p->n) * sizeof(double)); // its end is watched by ASan
    assert_non_null(scratch);
    const bool verified = zeno_interval_solve(p->n, p->A, 1, p->b, p->x, scratch);
    free(scratch);
    return verified;
}

static int random_integer(int reach) {
    return rand() % (2 * reach + 1) - reach;
}

static double random_unit(void) {
    return (double)rand() / RAND_MAX;
}

// Around the member, which lies anywhere inside.
static zeno_interval blur(double center, double radius) {
    return zeno_interval_hull(zeno_interval_around(center, 0),
                              zeno_interval_around(center + radius * (2 * random_unit() - 1), radius));
}

static void choose_right_hand_side(problem *p, double radius) {
    for (int i = 0; i < p->n; ++i) {
        double b = 0;
        for (int j = 0; j < p->n; ++j)
            b += p->matrix[i * p->n + j] * p->solution[j];
        p->b[i] = blur(b, radius * fabs(b));
    }
}

// G G' + weight I with small integers: every product and sum is exact.
static void choose_system(problem *p, int n, int weight, double radius) {
    double G[LARGEST * LARGEST];
    p->n = n;
    for (int k = 0; k < n * n; ++k)
        G[k] = random_integer(9);
    for (int i = 0; i < n; ++i) {
        p->solution[i] = random_integer(1000);
        for (int j = 0; j < n; ++j) {
            double sum = i == j ? weight : 0;
            for (int k = 0; k < n; ++k)
                sum += G[i * n + k] * G[j * n + k];
            p->matrix[i * n + j] = sum;
            p->A[i * n + j] = j <= i ? blur(sum, radius * fabs(sum)) : zeno_interval_whole(); // must not be read
        }
    }
    choose_right_hand_side(p, radius);
}

static void assert_contains_solution(const problem *p) {
    for (int i = 0; i < p->n; ++i) {
        if (zeno_interval_contains(p->x[i], p->solution[i])) continue;
        print_error("n = %d: x[%d] = %.17g is outside [%.17g, %.17g]\n", p->n, i, p->solution[i], p->x[i].lo,
                    p->x[i].hi);
        fail();
    }
}

static double widest(const problem *p) {
    double width = 0;
    for (int i = 0; i < p->n; ++i)
        width = fmax(width, zeno_interval_width(p->x[i]));
    return width;
}

static void the_solution_of_numbers_is_enclosed_within_a_few_ulp(void **state) {
    (void)state;
    srand(1);
    problem p;
    for (int round = 0; round < 500; ++round) {
        choose_system(&p, 1 + round % LARGEST, 1000, 0);
        assert_true(solve(&p));
        assert_contains_solution(&p);
        // Conditions are below 20 and solutions below 1000: a few rounding errors for each of n terms.
        assert_true(widest(&p) < 20 * 1000 * 4 * p.n * DBL_EPSILON);
    }
}

static void solutions_of_members_of_interval_systems_are_enclosed(void **state) {
    (void)state;
    srand(2);
    problem p;
    int verified = 0;
    for (int round = 0; round < 4000; ++round) {
        choose_system(&p, 1 + round % 8, 1 + round % 100, pow(10, -1 - round % 12));
        if (!solve(&p)) continue;
        ++verified;
        assert_contains_solution(&p);
    }
    assert_true(verified > 2500); // the widest have members that are singular
}

static void the_width_is_of_first_order_in_that_of_the_system(void **state) {
    (void)state;
    problem p;
    double width[2];
    for (int k = 0; k < 2; ++k) {
        srand(3);
        choose_system(&p, 6, 100, k == 0 ? 1e-4 : 1e-6);
        assert_true(solve(&p));
        width[k] = widest(&p);
    }
    assert_true(width[0] / width[1] > 99 && width[0] / width[1] < 103);
}

static void a_single_equation_is_a_division(void **state) {
    (void)state;
    problem p = {.n = 1, .A = {{2, 4}}, .b = {{6, 6}}};
    assert_true(solve(&p));
    // 6 / [2, 4] = [1.5, 3]. About the midpoint 3: x~ = 2, r = [-2/3, 2/3], |E| = 1/3, |y| <= 1: hence 2 +- 1.
    assert_true(p.x[0].lo <= 1.5 && p.x[0].lo > 1 - 1e-14 && p.x[0].hi >= 3 && p.x[0].hi < 3 + 1e-14);
}

static void unknowns_that_others_do_not_touch_stay_exact(void **state) {
    (void)state;
    // A point mass: M = diag(m, m), J = (0, 1). No force of the constraint along x.
    problem p = {.n = 2, .A = {{0.7, 0.7}, {0, 0}, {0, 0}, {0.7, 0.7}}, .b = {{0, 0}, {1, 1}}};
    assert_true(solve(&p));
    assert_true(zeno_interval_magnitude(p.x[0]) < 1e-30); // |E| times the error of the other
    assert_true(zeno_interval_width(p.x[1]) < 8 * DBL_EPSILON);
    p.b[1] = zeno_interval_point(0);
    assert_true(solve(&p));
    assert_true(zeno_interval_magnitude(p.x[0]) == 0 && zeno_interval_magnitude(p.x[1]) == 0);
}

static void units_of_very_different_size_do_no_harm(void **state) {
    (void)state;
    srand(4);
    problem p;
    choose_system(&p, 5, 200, 0.01);
    assert_true(solve(&p));
    const problem plain = p;
    for (int i = 0; i < p.n; ++i) {
        p.b[i] = zeno_interval_mul(p.b[i], zeno_interval_point(ldexp(1, 16 * i)));
        for (int j = 0; j <= i; ++j)
            p.A[i * p.n + j] = zeno_interval_mul(p.A[i * p.n + j], zeno_interval_point(ldexp(1, 16 * i + 16 * j)));
    }
    assert_true(solve(&p));
    for (int i = 0; i < p.n; ++i) {
        const double width = zeno_interval_width(p.x[i]) * ldexp(1, 16 * i);
        assert_true(width < 1.01 * zeno_interval_width(plain.x[i]));
    }
}

static void several_right_hand_sides_give_what_each_gives_alone(void **state) {
    (void)state;
    srand(5);
    problem p;
    choose_system(&p, 7, 50, 1e-3);
    zeno_interval B[3 * 7], X[3 * 7];
    for (int k = 0; k < 21; ++k)
        B[k] = blur(random_integer(100), 0.1);
    double scratch[2 * 7 * 7 + 8 * 7];
    assert_true(zeno_interval_solve(7, p.A, 3, B, X, scratch));
    for (int side = 0; side < 3; ++side) {
        memcpy(p.b, B + 7 * side, 7 * sizeof *B);
        assert_true(solve(&p));
        assert_memory_equal(p.x, X + 7 * side, 7 * sizeof *X);
    }
}

static void a_matrix_that_may_be_singular_is_refused_and_nothing_written(void **state) {
    (void)state;
    const zeno_interval wide = {-1, 3}, one = {1, 1}, two = {2, 2}, minus = {-1, -1};
    const zeno_interval whole = zeno_interval_whole();
    const problem cases[] = {
        {.n = 2, .A = {one, one, one, one}},                    // singular
        {.n = 2, .A = {one, two, two, one}},                    // indefinite
        {.n = 1, .A = {minus}},                                 // negative definite
        {.n = 1, .A = {wide}},                                  // 0 inside
        {.n = 2, .A = {two, whole, {0.9, 2.1}, two}},           // [2 2; 2 2] inside
        {.n = 2, .A = {one, whole, {0, 0}, whole}},             // no information
        {.n = 2, .A = {one, whole, {0, INFINITY}, one}},        // unbounded
        {.n = 1, .A = {{DBL_TRUE_MIN, DBL_TRUE_MIN}}},          // no inverse in double
        {.n = 2, .A = {one, whole, {0.5, 0.5}, {1, INFINITY}}}, // unbounded on the diagonal
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        problem p = cases[k];
        p.x[0] = (zeno_interval){17, 18};
        assert_false(solve(&p));
        assert_true(p.x[0].lo == 17 && p.x[0].hi == 18);
    }
}

static void an_unbounded_right_hand_side_gives_no_bounds(void **state) {
    (void)state;
    problem p = {.n = 2, .A = {{2, 2}, {0, 0}, {1, 1}, {2, 2}}, .b = {zeno_interval_whole(), {1, 1}}};
    assert_true(solve(&p));
    assert_false(zeno_interval_is_finite(p.x[0]));
    assert_false(zeno_interval_is_finite(p.x[1]));
}

// The n x n Hilbert matrix times lcm(1 .. 2n - 1), so that its entries are integers; condition about exp(3.5 n).
static void choose_hilbert(problem *p, int n) {
    static const double multiple[] = {1, 6, 60, 420, 2520, 27720, 360360, 360360, 12252240, 232792560};
    p->n = n;
    for (int i = 0; i < n; ++i) {
        p->solution[i] = i % 2 == 0 ? 1 : -2;
        for (int j = 0; j < n; ++j) {
            p->matrix[i * n + j] = multiple[n - 1] / (i + j + 1);
            p->A[i * n + j] = zeno_interval_point(p->matrix[i * n + j]);
        }
    }
    choose_right_hand_side(p, 0);
}

static void an_ill_conditioned_matrix_is_solved_with_its_condition_or_refused(void **state) {
    (void)state;
    problem p;
    for (int n = 1; n <= 10; ++n) {
        choose_hilbert(&p, n);
        assert_true(solve(&p)); // conditions up to 1.6e13
        assert_contains_solution(&p);
        assert_true(widest(&p) < 100 * n * exp(3.5 * n) * DBL_EPSILON);
        // One part in 1000 is more than these matrices bear.
        for (int k = 0; k < n * n; ++k)
            p.A[k] = zeno_interval_around(p.matrix[k], 1e-3 * p.matrix[k]);
        if (n >= 4) assert_false(solve(&p));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_solution_of_numbers_is_enclosed_within_a_few_ulp),
        cmocka_unit_test(solutions_of_members_of_interval_systems_are_enclosed),
        cmocka_unit_test(the_width_is_of_first_order_in_that_of_the_system),
        cmocka_unit_test(a_single_equation_is_a_division),
        cmocka_unit_test(unknowns_that_others_do_not_touch_stay_exact),
        cmocka_unit_test(units_of_very_different_size_do_no_harm),
        cmocka_unit_test(several_right_hand_sides_give_what_each_gives_alone),
        cmocka_unit_test(a_matrix_that_may_be_singular_is_refused_and_nothing_written),
        cmocka_unit_test(an_unbounded_right_hand_side_gives_no_bounds),
        cmocka_unit_test(an_ill_conditioned_matrix_is_solved_with_its_condition_or_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
