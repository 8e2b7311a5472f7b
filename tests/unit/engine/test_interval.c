// Interval arithmetic: known values, domains, extrema, and the limits of double. The comparison with exact arithmetic
// is in tests/reference/interval/.

#include "interval.h"

#include <fenv.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef zeno_interval (*unary)(zeno_interval);
typedef zeno_interval (*binary)(zeno_interval, zeno_interval);

static const unary functions[] = {
    zeno_interval_neg,  zeno_interval_abs,  zeno_interval_sqrt, zeno_interval_exp,  zeno_interval_log,
    zeno_interval_sin,  zeno_interval_cos,  zeno_interval_tan,  zeno_interval_asin, zeno_interval_acos,
    zeno_interval_atan, zeno_interval_sinh, zeno_interval_cosh, zeno_interval_tanh,
};
static const binary operations[] = {zeno_interval_add, zeno_interval_sub,   zeno_interval_mul, zeno_interval_div,
                                    zeno_interval_pow, zeno_interval_atan2, zeno_interval_hull};
enum {
    FUNCTIONS = sizeof functions / sizeof *functions,
    OPERATIONS = sizeof operations / sizeof *operations,
};

static const double tiny = 0x1p-1074;               // the smallest double
static const double below_pi = 0x1.921fb54442d18p1; // neighbours, pi between them
static const double above_pi = 0x1.921fb54442d19p1;

static zeno_interval between(double lo, double hi) {
    return zeno_interval_between(lo, hi);
}

static zeno_interval point(double x) {
    return zeno_interval_point(x);
}

#define assert_interval(x, lo, hi) expect_interval(x, lo, hi, #x, __FILE__, __LINE__)
#define assert_whole(x) assert_interval(x, -INFINITY, INFINITY)
// Contains [lo, hi] and has at most `excess` doubles more on each side.
#define assert_tight(x, lo, hi, excess) expect_tight(x, lo, hi, excess, #x, __FILE__, __LINE__)

static void fail_with(zeno_interval x, double lo, double hi, const char *what, const char *file, int line) {
    print_error("%s = [%.17g, %.17g], expected [%.17g, %.17g]\n", what, x.lo, x.hi, lo, hi);
    _fail(file, line);
}

static void expect_interval(zeno_interval x, double lo, double hi, const char *what, const char *file, int line) {
    if (x.lo == lo && x.hi == hi) return;
    fail_with(x, lo, hi, what, file, line);
}

static int64_t rank(double x) {
    int64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits < 0 ? INT64_MIN - bits : bits;
}

static void expect_tight(zeno_interval x, double lo, double hi, int excess, const char *what, const char *file,
                         int line) {
    if (x.lo <= lo && hi <= x.hi && rank(lo) - rank(x.lo) <= excess && rank(x.hi) - rank(hi) <= excess) return;
    fail_with(x, lo, hi, what, file, line);
}

static int holds(zeno_interval outer, zeno_interval inner) {
    return outer.lo <= inner.lo && inner.hi <= outer.hi;
}

// ---- sets

static void a_point_is_one_finite_number(void **state) {
    (void)state;
    assert_interval(point(0.1), 0.1, 0.1);
    assert_whole(point(NAN));
    assert_whole(point(INFINITY));
    assert_whole(point(-INFINITY));
}

static void bounds_in_the_wrong_order_give_no_information(void **state) {
    (void)state;
    assert_interval(between(-1, 2), -1, 2);
    assert_interval(between(1, INFINITY), 1, INFINITY);
    assert_whole(between(2, 1));
    assert_whole(between(NAN, 1));
    assert_whole(between(1, NAN));
    assert_whole(between(INFINITY, INFINITY));
}

static void a_box_around_a_center_is_rounded_outward(void **state) {
    (void)state;
    assert_interval(zeno_interval_around(0.1, 0), 0.1, 0.1);
    assert_interval(zeno_interval_around(0, 0.1), -0.1, 0.1);
    assert_interval(zeno_interval_around(1, 1e-30), 1 - DBL_EPSILON / 2, 1 + DBL_EPSILON);
    assert_whole(zeno_interval_around(0, -1));
    assert_whole(zeno_interval_around(NAN, 1));
    assert_whole(zeno_interval_around(1, NAN));
    assert_whole(zeno_interval_around(1, INFINITY));
}

static void hull_magnitude_mignitude_width_and_midpoint_measure_a_set(void **state) {
    (void)state;
    assert_interval(zeno_interval_hull(between(-3, -2), between(1, 2)), -3, 2);
    assert_true(zeno_interval_magnitude(between(-3, 2)) == 3);
    assert_true(zeno_interval_mignitude(between(-3, 2)) == 0);
    assert_true(zeno_interval_mignitude(between(-3, -2)) == 2);
    assert_true(zeno_interval_width(between(2, 2)) == 0);
    assert_true(zeno_interval_width(between(-tiny, 1)) > 1);
    assert_true(zeno_interval_width(zeno_interval_whole()) == INFINITY);
    assert_true(zeno_interval_midpoint(between(-DBL_MAX, DBL_MAX)) == 0);
    assert_true(zeno_interval_midpoint(point(tiny)) == tiny);
    assert_true(zeno_interval_contains(between(1, 2), 2));
    assert_false(zeno_interval_contains(between(1, 2), NAN));
    assert_true(zeno_interval_is_finite(between(1, 2)));
    assert_false(zeno_interval_is_finite(between(1, INFINITY)));
}

// ---- no information

static void the_whole_line_absorbs_every_operation(void **state) {
    (void)state;
    const zeno_interval whole = zeno_interval_whole(), operands[] = {{0, 0}, {1, 1}, {-2, 3}, {1, INFINITY}};
    for (int i = 0; i < FUNCTIONS; ++i)
        assert_whole(functions[i](whole));
    for (int i = 0; i < OPERATIONS; ++i)
        for (int j = 0; j < 4; ++j) {
            assert_whole(operations[i](whole, operands[j]));
            assert_whole(operations[i](operands[j], whole));
        }
    for (int n = -3; n <= 3; ++n)
        assert_whole(zeno_interval_power(whole, n));
}

static void a_nan_made_by_a_caller_gives_no_information(void **state) {
    (void)state;
    const zeno_interval bad[] = {{NAN, 1}, {0, NAN}, {NAN, NAN}};
    for (int k = 0; k < 3; ++k) {
        for (int i = 1; i < FUNCTIONS; ++i) // all but the sign, which passes it on
            assert_whole(functions[i](bad[k]));
        for (int i = 0; i < OPERATIONS; ++i) {
            assert_whole(operations[i](bad[k], point(1)));
            assert_whole(operations[i](point(1), bad[k]));
        }
        assert_whole(zeno_interval_power(bad[k], 2));
    }
}

static void a_divisor_with_zero_in_it_gives_no_information(void **state) {
    (void)state;
    assert_whole(zeno_interval_div(point(1), between(-1, 2)));
    assert_whole(zeno_interval_div(point(1), between(0, 2)));
    assert_whole(zeno_interval_div(point(1), between(-2, -0.0)));
    assert_whole(zeno_interval_div(point(0), point(0)));
    assert_interval(zeno_interval_div(between(1, 2), between(tiny, 1)), 1 - DBL_EPSILON / 2, INFINITY);
}

static void leaving_the_domain_by_an_ulp_gives_no_information(void **state) {
    (void)state;
    assert_whole(zeno_interval_sqrt(between(-1e-20, 4)));
    assert_whole(zeno_interval_sqrt(between(-tiny, 4)));
    assert_interval(zeno_interval_sqrt(between(-0.0, 0)), 0, 0);
    assert_whole(zeno_interval_log(between(0, 1)));
    assert_whole(zeno_interval_log(between(-1, 1)));
    assert_true(zeno_interval_is_finite(zeno_interval_log(between(tiny, 1))));
    const double above_one = 1 + DBL_EPSILON;
    assert_whole(zeno_interval_asin(between(0.9, above_one)));
    assert_whole(zeno_interval_asin(between(-above_one, 0)));
    assert_whole(zeno_interval_acos(between(0.9, above_one)));
    assert_whole(zeno_interval_acos(between(-above_one, 0)));
}

// ---- rounding

static void zeros_and_ones_stay_exact(void **state) {
    (void)state;
    const zeno_interval x = between(-0.1, 0.3);
    assert_interval(zeno_interval_add(x, point(0)), -0.1, 0.3);
    assert_interval(zeno_interval_sub(x, point(0)), -0.1, 0.3);
    assert_interval(zeno_interval_sub(point(0.1), point(0.1)), 0, 0);
    assert_interval(zeno_interval_mul(x, point(0)), 0, 0);
    assert_interval(zeno_interval_mul(between(1, INFINITY), point(-0.0)), 0, 0);
    assert_interval(zeno_interval_mul(point(1), x), -0.1, 0.3);
    assert_interval(zeno_interval_mul(x, point(-1)), -0.3, 0.1);
    assert_interval(zeno_interval_div(x, point(1)), -0.1, 0.3);
    assert_interval(zeno_interval_div(x, point(-1)), -0.3, 0.1);
    assert_interval(zeno_interval_div(point(0), point(3)), 0, 0);
    const unary odd[] = {zeno_interval_sin,  zeno_interval_tan,  zeno_interval_asin,
                         zeno_interval_atan, zeno_interval_sinh, zeno_interval_tanh};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; ++i)
        assert_interval(odd[i](point(0)), 0, 0);
    assert_interval(zeno_interval_log(point(1)), 0, 0);
}

static void rounding_never_crosses_zero(void **state) {
    (void)state;
    const zeno_interval small = between(0, tiny);
    assert_interval(zeno_interval_mul(small, small), 0, tiny);
    assert_interval(zeno_interval_mul(small, zeno_interval_neg(small)), -tiny, 0);
    assert_interval(zeno_interval_div(small, point(1e300)), 0, tiny);
    assert_true(zeno_interval_exp(point(-1e4)).lo == 0);
    assert_true(zeno_interval_sin(small).lo == 0);
    assert_true(zeno_interval_atan2(small, point(1e300)).lo == 0);
    const zeno_interval x = between(-1e-200, 1e-200);
    assert_interval(zeno_interval_sqrt(zeno_interval_power(x, 2)), 0, nextafter(sqrt(tiny), 1));
}

static void an_arithmetic_result_is_at_most_one_ulp_off_on_each_side(void **state) {
    (void)state;
    // 0.1 + 0.2 is not a double; the nearest is 0.30000000000000004. Likewise for the others.
    assert_tight(zeno_interval_add(point(0.1), point(0.2)), 0.1 + 0.2, 0.1 + 0.2, 1);
    assert_tight(zeno_interval_sub(point(0.1), point(0.3)), 0.1 - 0.3, 0.1 - 0.3, 1);
    assert_tight(zeno_interval_mul(between(0.1, 0.2), between(-0.3, 0.7)), 0.2 * -0.3, 0.2 * 0.7, 1);
    assert_tight(zeno_interval_mul(between(-0.3, 0.1), between(-0.3, 0.7)), -0.3 * 0.7, 0.3 * 0.3, 1);
    assert_tight(zeno_interval_div(between(-0.1, 0.2), between(0.3, 0.7)), -0.1 / 0.3, 0.2 / 0.3, 1);
    assert_tight(zeno_interval_div(between(0.1, 0.2), between(-0.7, -0.3)), 0.2 / -0.3, 0.1 / -0.7, 1);
    assert_tight(zeno_interval_sqrt(between(2, 3)), sqrt(2), sqrt(3), 1);
}

static void arithmetic_encloses_in_every_rounding_mode_a_host_may_set(void **state) {
    (void)state;
    const int modes[] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
    volatile double a = 0.1, b = -0.7;
    // The exact results lie between what rounding down and up give.
    fesetround(FE_DOWNWARD);
    const double down[] = {a + b, a * b, a / b, sqrt(a)};
    fesetround(FE_UPWARD);
    const double up[] = {a + b, a * b, a / b, sqrt(a)};
    for (int i = 0; i < 4; ++i) {
        fesetround(modes[i]);
        const zeno_interval x = point(a), y = point(b);
        const zeno_interval results[] = {zeno_interval_add(x, y), zeno_interval_mul(x, y), zeno_interval_div(x, y),
                                         zeno_interval_sqrt(x)};
        const int mode = fegetround();
        fesetround(FE_TONEAREST);
        assert_int_equal(mode, modes[i]);
        for (int k = 0; k < 4; ++k)
            assert_true(results[k].lo <= down[k] && up[k] <= results[k].hi);
    }
}

static void what_overflows_is_unbounded_and_keeps_its_lower_bound(void **state) {
    (void)state;
    const double huge = DBL_MAX;
    assert_interval(zeno_interval_add(point(huge), point(huge)), huge, INFINITY);
    assert_interval(zeno_interval_mul(point(huge), between(-2, -1)), -INFINITY, -huge * (1 - DBL_EPSILON / 2));
    assert_interval(zeno_interval_power(between(-2, 2), 1025), -INFINITY, INFINITY);
    const zeno_interval e = zeno_interval_exp(between(1000, 2000));
    assert_true(e.lo > 1.7e308 && e.lo < INFINITY && e.hi == INFINITY);
    assert_true(zeno_interval_sinh(point(-1000)).lo == -INFINITY);
    assert_true(zeno_interval_cosh(point(-1000)).hi == INFINITY);
    assert_true(zeno_interval_div(point(1), e).lo == 0);
    // A half line is a set of reals, no lack of information.
    assert_interval(zeno_interval_cos(e), -1, 1);
    assert_tight(zeno_interval_atan(e), below_pi / 2, above_pi / 2, 4);
    assert_interval(zeno_interval_mul(between(0, 1), between(1, INFINITY)), 0, INFINITY);
}

static void subnormal_numbers_are_enclosed(void **state) {
    (void)state;
    assert_interval(zeno_interval_mul(point(1e-200), point(1e-200)), 0, tiny);
    assert_interval(zeno_interval_mul(point(1e-200), point(-1e-200)), -tiny, 0);
    assert_interval(zeno_interval_add(point(tiny), point(tiny)), tiny, 3 * tiny);
    assert_interval(zeno_interval_mul(point(tiny), point(0.5)), 0, tiny);
    assert_interval(zeno_interval_div(point(tiny), point(2)), 0, tiny);
    assert_tight(zeno_interval_sqrt(point(tiny)), 0x1p-537, 0x1p-537, 1);
    assert_tight(zeno_interval_sin(point(4 * tiny)), 4 * tiny, 4 * tiny, 4);
    assert_tight(zeno_interval_exp(point(-740)), exp(-740), exp(-740), 4);
}

// ---- functions

static void functions_enclose_known_values_within_their_margins(void **state) {
    (void)state;
    // Correctly rounded by MPFR.
    static const struct {
        unary f;
        double x, y;
        int margin;
    } known[] = {
        {zeno_interval_sin, 1, 0.8414709848078965, 5},
        {zeno_interval_sin, 22, -0.0088513092904038762, 5},
        {zeno_interval_sin, -100, 0.50636564110975879, 5},
        {zeno_interval_sin, 3.1415926535897931, 1.2246467991473532e-16, 5},
        {zeno_interval_cos, 1, 0.54030230586813977, 5},
        {zeno_interval_cos, 11, 0.0044256979880507854, 5},
        {zeno_interval_cos, 1e10, 0.87311962267685606, 5},
        {zeno_interval_tan, 1, 1.5574077246549023, 9},
        {zeno_interval_tan, 11, -225.95084645419513, 9},
        {zeno_interval_asin, 0.5, 0.52359877559829893, 5},
        {zeno_interval_asin, -1, -1.5707963267948966, 5},
        {zeno_interval_acos, 0.5, 1.0471975511965979, 5},
        {zeno_interval_acos, -1, 3.1415926535897931, 5},
        {zeno_interval_atan, 1, 0.78539816339744828, 5},
        {zeno_interval_atan, -1e300, -1.5707963267948966, 5},
        {zeno_interval_sinh, 1, 1.1752011936438014, 9},
        {zeno_interval_sinh, -1e-5, -1.0000000000166668e-05, 9},
        {zeno_interval_cosh, 1, 1.5430806348152437, 9},
        {zeno_interval_cosh, -20, 242582597.70489514, 9},
        {zeno_interval_tanh, 0.5, 0.46211715726000974, 9},
        {zeno_interval_tanh, -19, -0.99999999999999989, 9},
        {zeno_interval_exp, 1, 2.7182818284590451, 5},
        {zeno_interval_exp, -700, 9.8596765437597708e-305, 5},
        {zeno_interval_log, 2, 0.69314718055994529, 5},
        {zeno_interval_log, 1e-300, -690.77552789821368, 5},
        {zeno_interval_sqrt, 2, 1.4142135623730951, 1},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; ++i)
        assert_tight(known[i].f(point(known[i].x)), known[i].y, known[i].y, known[i].margin);
}

static void results_stay_in_the_range_of_the_function(void **state) {
    (void)state;
    assert_true(zeno_interval_cos(point(0)).hi == 1);
    assert_true(zeno_interval_cosh(between(-1e-9, 1e-9)).lo == 1);
    assert_true(zeno_interval_tanh(point(50)).hi == 1);
    assert_true(zeno_interval_asin(between(-1, 1)).hi == above_pi / 2);
    assert_true(zeno_interval_acos(point(1)).lo == 0);
    assert_true(zeno_interval_acos(point(-1)).hi == above_pi);
    assert_true(zeno_interval_atan(point(-DBL_MAX)).lo == -above_pi / 2);
}

static void sine_and_cosine_reach_one_only_across_an_extremum(void **state) {
    (void)state;
    for (int k = -1000; k <= 1000; ++k) {
        const double turn = k * below_pi, sign = k % 2 == 0 ? 1 : -1;
        const zeno_interval around = zeno_interval_around(turn, 0.25);
        const zeno_interval after = between(turn + 0.25, turn + 0.5);
        const zeno_interval shifted = zeno_interval_add(around, point(below_pi / 2));
        assert_true(zeno_interval_contains(zeno_interval_cos(around), sign));
        assert_true(zeno_interval_mignitude(zeno_interval_cos(around)) > 0.9689); // cos 0.25 = 0.96891...
        assert_true(zeno_interval_magnitude(zeno_interval_cos(after)) < 0.9690);
        assert_true(zeno_interval_contains(zeno_interval_sin(shifted), sign));
        assert_true(zeno_interval_mignitude(zeno_interval_sin(shifted)) > 0.9689);
        assert_true(zeno_interval_contains(zeno_interval_sin(around), 0));
        assert_true(zeno_interval_magnitude(zeno_interval_sin(around)) < 0.2475); // sin 0.25 = 0.24740...
    }
}

static void an_extremum_between_neighbouring_doubles_is_seen(void **state) {
    (void)state;
    assert_true(zeno_interval_cos(between(below_pi, above_pi)).lo == -1);
    assert_true(zeno_interval_sin(between(below_pi / 2, above_pi / 2)).hi == 1);
    assert_true(zeno_interval_sin(between(-above_pi / 2, -below_pi / 2)).lo == -1);
    assert_true(zeno_interval_contains(zeno_interval_sin(between(below_pi, above_pi)), 0));
}

static void half_a_turn_and_more_gives_both_extrema_where_it_has_them(void **state) {
    (void)state;
    assert_interval(zeno_interval_cos(between(-0.1, 3.2)), -1, 1);
    assert_interval(zeno_interval_sin(between(-1.6, 1.6)), -1, 1);
    assert_interval(zeno_interval_sin(between(0, 100)), -1, 1);
    assert_tight(zeno_interval_sin(between(1, 4)), sin(4), 1, 4);
    assert_tight(zeno_interval_cos(between(1, 6)), -1, cos(6), 4);
}

static void of_a_huge_angle_only_the_range_is_told(void **state) {
    (void)state;
    const double huge[] = {0x1.8p50, 1e22, DBL_MAX};
    for (int i = 0; i < 3; ++i) {
        assert_interval(zeno_interval_sin(point(huge[i])), -1, 1);
        assert_interval(zeno_interval_cos(point(-huge[i])), -1, 1);
        assert_whole(zeno_interval_tan(point(huge[i])));
    }
}

static void a_tangent_across_a_pole_gives_no_information(void **state) {
    (void)state;
    assert_whole(zeno_interval_tan(between(1, 2)));
    assert_whole(zeno_interval_tan(between(below_pi / 2, above_pi / 2)));
    assert_whole(zeno_interval_tan(between(-100, 100)));
    assert_tight(zeno_interval_tan(between(1.6, 4.7)), tan(1.6), tan(4.7), 8);
}

static void even_powers_are_positive_and_odd_ones_keep_the_sign(void **state) {
    (void)state;
    const zeno_interval x = between(-3, 2);
    assert_tight(zeno_interval_power(x, 2), 0, 9, 1);
    assert_tight(zeno_interval_power(x, 3), -27, 8, 4);
    assert_tight(zeno_interval_power(x, 4), 0, 81, 4);
    assert_tight(zeno_interval_power(between(-3, -2), 3), -27, -8, 4);
    assert_interval(zeno_interval_power(x, 1), -3, 2);
    assert_interval(zeno_interval_power(x, 0), 1, 1);
}

static void negative_powers_need_a_base_away_from_zero(void **state) {
    (void)state;
    assert_tight(zeno_interval_power(between(2, 4), -1), 0.25, 0.5, 1);
    assert_tight(zeno_interval_power(between(-4, -2), -1), -0.5, -0.25, 1);
    assert_tight(zeno_interval_power(between(-4, -2), -2), 0.0625, 0.25, 4);
    assert_tight(zeno_interval_power(between(-4, -2), -3), -0.125, -0.015625, 4);
    assert_whole(zeno_interval_power(between(0, 2), -2));
    assert_whole(zeno_interval_power(between(-1, 2), -1));
    assert_true(zeno_interval_power(between(1, 2), INT_MIN).hi >= 1);
}

static void a_power_with_a_real_exponent_needs_a_positive_base(void **state) {
    (void)state;
    assert_tight(zeno_interval_pow(between(4, 9), point(0.5)), 2, 3, 4);
    assert_tight(zeno_interval_pow(between(0.25, 4), between(-0.5, 0.5)), 0.5, 2, 4);
    assert_tight(zeno_interval_pow(between(0, 4), point(1.5)), 0, 8, 4);
    assert_whole(zeno_interval_pow(between(-tiny, 4), point(0.5)));
    assert_whole(zeno_interval_pow(between(0, 4), point(-0.5)));
    assert_whole(zeno_interval_pow(between(0, 4), between(0, 1)));
    assert_tight(zeno_interval_pow(between(-3, 2), point(3)), -27, 8, 4);
    assert_tight(zeno_interval_pow(between(-3, 2), point(2)), 0, 9, 1);
    assert_whole(zeno_interval_pow(between(-3, 2), between(2, 3)));
}

static void the_angle_of_a_box_is_that_of_its_corners(void **state) {
    (void)state;
    const double pi = below_pi;
    assert_tight(zeno_interval_atan2(between(1, 2), between(1, 2)), atan2(1, 2), atan2(2, 1), 4);
    assert_tight(zeno_interval_atan2(between(-1, 1), between(1, 2)), -pi / 4, pi / 4, 4);
    assert_tight(zeno_interval_atan2(between(1, 2), between(-1, 1)), pi / 4, 3 * pi / 4, 5);
    assert_tight(zeno_interval_atan2(between(-2, -1), between(-2, -1)), atan2(-1, -2), atan2(-2, -1), 4);
    assert_tight(zeno_interval_atan2(between(0, 1), between(1, 2)), 0, pi / 4, 4);
    assert_tight(zeno_interval_atan2(between(1, 2), between(0, 1)), pi / 4, pi / 2, 4);
}

static void across_the_branch_cut_every_angle_is_possible(void **state) {
    (void)state;
    assert_interval(zeno_interval_atan2(between(-1, 1), between(-2, -1)), -above_pi, above_pi);
    // C's atan2(-0.0, -1) is -pi: zero lies on both sides.
    assert_interval(zeno_interval_atan2(between(0, 1), between(-2, -1)), -above_pi, above_pi);
    assert_interval(zeno_interval_atan2(between(-1, -0.0), between(-2, -1)), -above_pi, above_pi);
    assert_whole(zeno_interval_atan2(between(-1, 1), between(-1, 1)));
    assert_whole(zeno_interval_atan2(point(0), between(-1, 0)));
    assert_tight(zeno_interval_atan2(between(tiny, 1), between(-2, -1)), 3 * below_pi / 4, below_pi, 5);
}

// ---- inclusion

static double random_number(double reach) {
    return reach * (2.0 * rand() / RAND_MAX - 1);
}

static zeno_interval random_part(zeno_interval x) {
    const double a = x.lo + (x.hi - x.lo) * rand() / RAND_MAX, b = x.lo + (x.hi - x.lo) * rand() / RAND_MAX;
    const double lo = fmax(fmin(a, b), x.lo), hi = fmin(fmax(a, b), x.hi);
    return between(lo, fmax(lo, hi));
}

static zeno_interval random_interval(double reach) {
    return zeno_interval_around(random_number(reach), fabs(random_number(reach)));
}

static void a_part_of_a_box_has_its_results_inside_those_of_the_box(void **state) {
    (void)state;
    srand(1);
    for (int round = 0; round < 20000; ++round) {
        const double reach = ldexp(1, round % 12 - 6);
        const zeno_interval x = random_interval(reach), y = random_interval(reach);
        const zeno_interval x_part = random_part(x), y_part = random_part(y);
        for (int i = 0; i < FUNCTIONS; ++i)
            assert_true(holds(functions[i](x), functions[i](x_part)));
        for (int i = 0; i < OPERATIONS; ++i)
            assert_true(holds(operations[i](x, y), operations[i](x_part, y_part)));
        for (int n = -4; n <= 4; ++n)
            assert_true(holds(zeno_interval_power(x, n), zeno_interval_power(x_part, n)));
    }
}

// Above the largest number there is nothing but infinity, however many steps up are asked for.
static void a_bound_next_to_the_largest_number_is_infinity(void **state) {
    (void)state;
    int close = 0;
    for (int n = 3; n < 60; ++n) {
        double x = pow(DBL_MAX, 1.0 / n);
        while (isfinite(pow(x, n)))
            x = nextafter(x, INFINITY);
        while (!isfinite(pow(x, n)))
            x = nextafter(x, 0); // the largest one whose power is finite
        const double hi = zeno_interval_power(between(1, x), n).hi;
        assert_true(hi >= pow(x, n));
        close += pow(x, n) >= nextafter(DBL_MAX, 0) && hi == INFINITY;
        assert_true(isfinite(zeno_interval_power(between(1, 0.9 * x), n).hi));
    }
    assert_true(close > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_point_is_one_finite_number),
        cmocka_unit_test(bounds_in_the_wrong_order_give_no_information),
        cmocka_unit_test(a_box_around_a_center_is_rounded_outward),
        cmocka_unit_test(hull_magnitude_mignitude_width_and_midpoint_measure_a_set),
        cmocka_unit_test(the_whole_line_absorbs_every_operation),
        cmocka_unit_test(a_nan_made_by_a_caller_gives_no_information),
        cmocka_unit_test(a_divisor_with_zero_in_it_gives_no_information),
        cmocka_unit_test(leaving_the_domain_by_an_ulp_gives_no_information),
        cmocka_unit_test(zeros_and_ones_stay_exact),
        cmocka_unit_test(rounding_never_crosses_zero),
        cmocka_unit_test(an_arithmetic_result_is_at_most_one_ulp_off_on_each_side),
        cmocka_unit_test(arithmetic_encloses_in_every_rounding_mode_a_host_may_set),
        cmocka_unit_test(what_overflows_is_unbounded_and_keeps_its_lower_bound),
        cmocka_unit_test(subnormal_numbers_are_enclosed),
        cmocka_unit_test(functions_enclose_known_values_within_their_margins),
        cmocka_unit_test(results_stay_in_the_range_of_the_function),
        cmocka_unit_test(sine_and_cosine_reach_one_only_across_an_extremum),
        cmocka_unit_test(an_extremum_between_neighbouring_doubles_is_seen),
        cmocka_unit_test(half_a_turn_and_more_gives_both_extrema_where_it_has_them),
        cmocka_unit_test(of_a_huge_angle_only_the_range_is_told),
        cmocka_unit_test(a_tangent_across_a_pole_gives_no_information),
        cmocka_unit_test(even_powers_are_positive_and_odd_ones_keep_the_sign),
        cmocka_unit_test(negative_powers_need_a_base_away_from_zero),
        cmocka_unit_test(a_power_with_a_real_exponent_needs_a_positive_base),
        cmocka_unit_test(the_angle_of_a_box_is_that_of_its_corners),
        cmocka_unit_test(across_the_branch_cut_every_angle_is_possible),
        cmocka_unit_test(a_part_of_a_box_has_its_results_inside_those_of_the_box),
        cmocka_unit_test(a_bound_next_to_the_largest_number_is_infinity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
