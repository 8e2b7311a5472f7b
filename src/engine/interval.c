// Interval arithmetic by outward rounding: each bound is computed in the host's rounding mode and then moved outward.

#include "interval.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

// How far a result of libm may be off, in doubles. Below a power of two doubles lie twice as dense, so that a margin of
// 4 is worth at least 2 ulp, one of 8 at least 4 ulp.
//
//   function              margin   largest error known, glibc 2.43 [ulp]
//   sin, cos                   4   0.52
//   asin, acos, atan           4   0.52
//   atan2, pow                 4   0.53
//   exp, log                   4   0.52
//   tan                        8   0.62; a quotient of two series
//   sinh, cosh                 8   1.93; exp, its inverse and their sum
//   tanh                       8   2.21; a quotient of such sums
//
// Source: Gladman, Innocente, Mather, Ozaki, Zimmermann, "Accuracy of Mathematical Functions in Single, Double, Double
// Extended, and Quadruple Precision", hal-03141101, Table 3: the largest errors found by search in glibc, Apple's and
// Microsoft's libraries, musl and others. Apple's sin and cos have 0.95, Microsoft's exp 1.5. glibc before 2.28 rounds
// sin, cos, tan, asin, acos, atan, atan2, exp, log, pow all but correctly (IBM Accurate Mathematical Library) and has
// the same sinh, cosh, tanh. On Windows sin, cos, tan, exp, log come from zig's compiler_rt (musl), the others from the
// Universal C Runtime.
enum { MARGIN = 4, WIDE_MARGIN = 8 };

static const zeno_interval PI = {0x1.921fb54442d18p+1, 0x1.921fb54442d19p+1}; // neighbours
static const double HALF_PI_ABOVE = 0x1.921fb54442d19p+0;
static const double LESS_THAN_HALF_PI = 1.5;
static const double LARGEST_ANGLE = 0x1p50;

// ---- rounding

// The double `steps` above x. Doubles are ordered like their bits read as sign and magnitude, so this is an addition of
// integers, which no rounding mode reaches. Infinity stays; from -inf the way leads to the finite numbers.
static double up(double x, int steps) {
    if (!(x < INFINITY)) return x;
    int64_t bits;
    memcpy(&bits, &x, sizeof bits);
    int64_t rank = (bits < 0 ? INT64_MIN - bits : bits) + steps;
    const int64_t infinity = INT64_C(0x7ff0000000000000);
    if (rank > infinity) rank = infinity;
    bits = rank < 0 ? INT64_MIN - rank : rank;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static double down(double x, int steps) {
    return -up(-x, steps);
}

static double smaller(double a, double b) {
    return a < b ? a : b;
}

static double larger(double a, double b) {
    return a > b ? a : b;
}

// A sum is exact when a term is 0, or when everything cancels: sums of doubles don't underflow.
static double sum_up(double a, double b) {
    const double sum = a + b;
    return a == 0 || b == 0 || sum == 0 ? sum : up(sum, 1);
}

static double sum_down(double a, double b) {
    return -sum_up(-a, -b);
}

// Infinite ends stand for arbitrarily large reals: 0 times one of them is 0.
static double product(double a, double b) {
    return a == 0 || b == 0 ? 0 : a * b;
}

// ---- sets

static const zeno_interval WHOLE = {-INFINITY, INFINITY};

// True for the whole line, and for what a caller made of NaN.
static bool unknown(zeno_interval x) {
    return !(x.lo <= x.hi) || (x.lo == -INFINITY && x.hi == INFINITY);
}

static bool is_point(zeno_interval x, double value) {
    return x.lo == value && x.hi == value;
}

// The part of x inside the range that a function is known to have.
static zeno_interval clip(zeno_interval x, double lo, double hi) {
    return (zeno_interval){larger(x.lo, lo), smaller(x.hi, hi)};
}

// The part of y, within +-bound, that has the sign of x.
static zeno_interval clip_to_sign(zeno_interval y, zeno_interval x, double bound) {
    return clip(y, x.lo >= 0 ? 0 : -bound, x.hi <= 0 ? 0 : bound);
}

zeno_interval zeno_interval_whole(void) {
    return WHOLE;
}

zeno_interval zeno_interval_point(double x) {
    return isfinite(x) ? (zeno_interval){x, x} : WHOLE;
}

zeno_interval zeno_interval_between(double lo, double hi) {
    return lo <= hi && lo < INFINITY && hi > -INFINITY ? (zeno_interval){lo, hi} : WHOLE;
}

zeno_interval zeno_interval_around(double center, double radius) {
    return zeno_interval_add(zeno_interval_point(center), zeno_interval_between(-radius, radius));
}

zeno_interval zeno_interval_hull(zeno_interval x, zeno_interval y) {
    if (unknown(x) || unknown(y)) return WHOLE;
    return (zeno_interval){smaller(x.lo, y.lo), larger(x.hi, y.hi)};
}

bool zeno_interval_is_finite(zeno_interval x) {
    return isfinite(x.lo) && isfinite(x.hi);
}

bool zeno_interval_contains(zeno_interval x, double value) {
    return x.lo <= value && value <= x.hi;
}

double zeno_interval_width(zeno_interval x) {
    return sum_up(x.hi, -x.lo);
}

double zeno_interval_magnitude(zeno_interval x) {
    return larger(fabs(x.lo), fabs(x.hi));
}

double zeno_interval_mignitude(zeno_interval x) {
    return zeno_interval_contains(x, 0) ? 0 : smaller(fabs(x.lo), fabs(x.hi));
}

double zeno_interval_midpoint(zeno_interval x) {
    return x.lo == x.hi ? x.lo : 0.5 * x.lo + 0.5 * x.hi; // halves first: the sum may overflow
}

// ---- arithmetic

zeno_interval zeno_interval_neg(zeno_interval x) {
    return (zeno_interval){-x.hi, -x.lo};
}

zeno_interval zeno_interval_abs(zeno_interval x) {
    if (unknown(x)) return WHOLE;
    return (zeno_interval){zeno_interval_mignitude(x), zeno_interval_magnitude(x)};
}

zeno_interval zeno_interval_add(zeno_interval x, zeno_interval y) {
    if (unknown(x) || unknown(y)) return WHOLE;
    return (zeno_interval){sum_down(x.lo, y.lo), sum_up(x.hi, y.hi)};
}

zeno_interval zeno_interval_sub(zeno_interval x, zeno_interval y) {
    return zeno_interval_add(x, zeno_interval_neg(y));
}

zeno_interval zeno_interval_mul(zeno_interval x, zeno_interval y) {
    if (unknown(x) || unknown(y)) return WHOLE;
    if (is_point(x, 0) || is_point(y, 0)) return (zeno_interval){0, 0};
    if (is_point(x, 1)) return y;
    if (is_point(y, 1)) return x;
    if (x.hi <= 0) return zeno_interval_neg(zeno_interval_mul(zeno_interval_neg(x), y));
    if (y.hi <= 0) return zeno_interval_neg(zeno_interval_mul(x, zeno_interval_neg(y)));
    // Now both reach above 0. A lower bound of 0 is kept; beside a negative one it doesn't matter.
    const double hi = up(larger(product(x.lo, y.lo), product(x.hi, y.hi)), 1);
    if (x.lo >= 0 && y.lo >= 0) return (zeno_interval){larger(0, down(product(x.lo, y.lo), 1)), hi};
    return (zeno_interval){down(smaller(product(x.lo, y.hi), product(x.hi, y.lo)), 1), hi};
}

zeno_interval zeno_interval_div(zeno_interval x, zeno_interval y) {
    if (unknown(x) || unknown(y) || zeno_interval_contains(y, 0)) return WHOLE;
    if (y.hi < 0) return zeno_interval_neg(zeno_interval_div(x, zeno_interval_neg(y)));
    if (is_point(y, 1)) return x;
    const zeno_interval quotient = {down(x.lo / (x.lo >= 0 ? y.hi : y.lo), 1), up(x.hi / (x.hi >= 0 ? y.lo : y.hi), 1)};
    return clip_to_sign(quotient, x, INFINITY);
}

zeno_interval zeno_interval_sqrt(zeno_interval x) {
    if (unknown(x) || x.lo < 0) return WHOLE;
    return clip_to_sign((zeno_interval){down(sqrt(x.lo), 1), up(sqrt(x.hi), 1)}, x, INFINITY);
}

// ---- functions of libm

// The images of the ends under an increasing function.
static zeno_interval increasing(double (*f)(double), zeno_interval x, int margin) {
    return (zeno_interval){down(f(x.lo), margin), up(f(x.hi), margin)};
}

// An increasing function with f(-x) = -f(x), |f| <= bound.
static zeno_interval odd(double (*f)(double), zeno_interval x, int margin, double bound) {
    if (unknown(x)) return WHOLE;
    return clip_to_sign(increasing(f, x, margin), x, bound);
}

// A function of two numbers that is extreme at corners of the box.
static zeno_interval corners(double (*f)(double, double), zeno_interval x, zeno_interval y) {
    const double a = f(x.lo, y.lo), b = f(x.lo, y.hi), c = f(x.hi, y.lo), d = f(x.hi, y.hi);
    return (zeno_interval){down(smaller(smaller(a, b), smaller(c, d)), MARGIN),
                           up(larger(larger(a, b), larger(c, d)), MARGIN)};
}

// Increasing for n > 0 and decreasing, on each side of 0, for n < 0, once |x| stands for x where n is even.
zeno_interval zeno_interval_power(zeno_interval x, int n) {
    if (unknown(x) || (n < 0 && zeno_interval_contains(x, 0))) return WHOLE;
    if (n == 0) return zeno_interval_point(1);
    if (n == 1) return x;
    if (n == -1) return zeno_interval_div(zeno_interval_point(1), x);
    const zeno_interval base = n % 2 == 0 ? zeno_interval_abs(x) : x;
    if (n == 2) return zeno_interval_mul(base, base);
    const double a = pow(base.lo, n), b = pow(base.hi, n);
    return clip_to_sign((zeno_interval){down(smaller(a, b), MARGIN), up(larger(a, b), MARGIN)}, base, INFINITY);
}

// For a fixed x > 0 monotonic in y, for a fixed y monotonic in x.
zeno_interval zeno_interval_pow(zeno_interval x, zeno_interval y) {
    if (unknown(x) || unknown(y)) return WHOLE;
    if (y.lo == y.hi && y.lo == trunc(y.lo) && fabs(y.lo) <= INT_MAX) return zeno_interval_power(x, (int)y.lo);
    if (x.lo < 0 || (x.lo == 0 && y.lo <= 0)) return WHOLE;
    return clip(corners(pow, x, y), 0, INFINITY);
}

zeno_interval zeno_interval_exp(zeno_interval x) {
    if (unknown(x)) return WHOLE;
    return clip(increasing(exp, x, MARGIN), 0, INFINITY);
}

zeno_interval zeno_interval_log(zeno_interval x) {
    if (unknown(x) || x.lo <= 0) return WHOLE;
    return clip(increasing(log, x, MARGIN), x.lo >= 1 ? 0 : -INFINITY, x.hi <= 1 ? 0 : INFINITY);
}

// x in half turns.
static zeno_interval half_turns(zeno_interval x) {
    return zeno_interval_div(x, PI);
}

// cos and sin, which turn where `t` is a whole number: at 1 where it is even, at -1 where it is odd. `t` is an
// enclosure, so that a turning point is rather seen where there is none; the function is then within rounding of it.
static zeno_interval wave(double (*f)(double), zeno_interval x, zeno_interval t) {
    if (unknown(x)) return WHOLE;
    const double first = ceil(t.lo), last = floor(t.hi);
    if (first < last || zeno_interval_magnitude(x) > LARGEST_ANGLE) return (zeno_interval){-1, 1};
    const double a = f(x.lo), b = f(x.hi);
    zeno_interval y = {down(smaller(a, b), MARGIN), up(larger(a, b), MARGIN)};
    if (first == last && fmod(first, 2) == 0) y.hi = 1;
    if (first == last && fmod(first, 2) != 0) y.lo = -1;
    return clip(y, -1, 1);
}

zeno_interval zeno_interval_cos(zeno_interval x) {
    return wave(cos, x, half_turns(x));
}

zeno_interval zeno_interval_sin(zeno_interval x) {
    if (zeno_interval_magnitude(x) <= LESS_THAN_HALF_PI) return odd(sin, x, MARGIN, 1);
    return wave(sin, x, zeno_interval_sub(half_turns(x), zeno_interval_point(0.5)));
}

zeno_interval zeno_interval_tan(zeno_interval x) {
    if (zeno_interval_magnitude(x) <= LESS_THAN_HALF_PI) return odd(tan, x, WIDE_MARGIN, INFINITY);
    const zeno_interval t = zeno_interval_sub(half_turns(x), zeno_interval_point(0.5)); // whole numbers are poles
    if (!(zeno_interval_magnitude(x) <= LARGEST_ANGLE) || ceil(t.lo) <= floor(t.hi)) return WHOLE;
    return increasing(tan, x, WIDE_MARGIN);
}

zeno_interval zeno_interval_asin(zeno_interval x) {
    if (zeno_interval_magnitude(x) > 1) return WHOLE;
    return odd(asin, x, MARGIN, HALF_PI_ABOVE);
}

zeno_interval zeno_interval_acos(zeno_interval x) {
    if (unknown(x) || zeno_interval_magnitude(x) > 1) return WHOLE;
    return clip((zeno_interval){down(acos(x.hi), MARGIN), up(acos(x.lo), MARGIN)}, 0, PI.hi);
}

zeno_interval zeno_interval_atan(zeno_interval x) {
    return odd(atan, x, MARGIN, HALF_PI_ABOVE);
}

// The angle under which a box is seen from the origin is extreme at corners. Zero counts as both sides of the cut,
// because C's atan2 tells +0 from -0.
zeno_interval zeno_interval_atan2(zeno_interval y, zeno_interval x) {
    if (unknown(x) || unknown(y)) return WHOLE;
    if (zeno_interval_contains(y, 0)) {
        if (zeno_interval_contains(x, 0)) return WHOLE;
        if (x.lo < 0) return (zeno_interval){-PI.hi, PI.hi};
    }
    return clip_to_sign(corners(atan2, y, x), y, PI.hi);
}

zeno_interval zeno_interval_sinh(zeno_interval x) {
    return odd(sinh, x, WIDE_MARGIN, INFINITY);
}

zeno_interval zeno_interval_cosh(zeno_interval x) {
    if (unknown(x)) return WHOLE;
    return clip(increasing(cosh, zeno_interval_abs(x), WIDE_MARGIN), 1, INFINITY);
}

zeno_interval zeno_interval_tanh(zeno_interval x) {
    return odd(tanh, x, WIDE_MARGIN, 1);
}
