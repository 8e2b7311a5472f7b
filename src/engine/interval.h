// Interval arithmetic: each result certainly contains what exact arithmetic gives for any numbers in the operands.
//
// - An interval [lo, hi], lo <= hi, is a set of reals; an infinite end only says that nothing bounds it there. Build
//   intervals with the constructors below: they let no NaN in.
// - The whole line [-inf, inf] means "no information". It is the answer wherever a function isn't defined on all of
//   its argument (sqrt([-1e-20, 4]), 1/[0, 1], log([0, 1]), tan over a pole): no certificate rather than a wrong one.
//   And it absorbs: every operation on it gives it again, even 0 * x, x^0 and sin(x), so that an undefined
//   part of an expression can't be hidden by what is computed from it.
// - + - * / sqrt are rounded outward by one ulp, which encloses in every rounding mode that a host may have set; it is
//   never touched. Functions of libm are widened by the margins in interval.c, which hold for rounding to nearest.
//   Gradual underflow is assumed: a host that flushes subnormals to zero voids bounds below 2.3e-308.
// - Exact zeros and ones stay exact (0 + x, 0 * x, 1 * x, x / 1, sin(0)), and no bound crosses zero by rounding: the
//   constants in a mass matrix stay points, and sqrt(x * x) is defined.

#ifndef ZENO_INTERVAL_H
#define ZENO_INTERVAL_H

#include <stdbool.h>

typedef struct zeno_interval {
    double lo, hi;
} zeno_interval;

zeno_interval zeno_interval_whole(void);
zeno_interval zeno_interval_point(double x);                      // whole if x isn't finite
zeno_interval zeno_interval_between(double lo, double hi);        // whole unless lo <= hi
zeno_interval zeno_interval_around(double center, double radius); // whole unless radius >= 0
zeno_interval zeno_interval_hull(zeno_interval x, zeno_interval y);

bool zeno_interval_is_finite(zeno_interval x); // bounded on both sides
bool zeno_interval_contains(zeno_interval x, double value);
double zeno_interval_width(zeno_interval x);     // rounded up
double zeno_interval_magnitude(zeno_interval x); // the largest |x|
double zeno_interval_mignitude(zeno_interval x); // the smallest |x|
double zeno_interval_midpoint(zeno_interval x);  // about the middle of a finite interval

zeno_interval zeno_interval_neg(zeno_interval x);
zeno_interval zeno_interval_abs(zeno_interval x);
zeno_interval zeno_interval_add(zeno_interval x, zeno_interval y);
zeno_interval zeno_interval_sub(zeno_interval x, zeno_interval y);
zeno_interval zeno_interval_mul(zeno_interval x, zeno_interval y);
zeno_interval zeno_interval_div(zeno_interval x, zeno_interval y); // whole if 0 is in y
zeno_interval zeno_interval_sqrt(zeno_interval x);                 // whole if x reaches below 0
// x^n; x^0 = 1 for every x; whole if 0 is in x and n < 0.
zeno_interval zeno_interval_power(zeno_interval x, int n);
// x^y = exp(y log x), so whole if x reaches below 0, or 0 when y isn't positive; with y a whole number: power.
zeno_interval zeno_interval_pow(zeno_interval x, zeno_interval y);

zeno_interval zeno_interval_exp(zeno_interval x);
zeno_interval zeno_interval_log(zeno_interval x); // whole unless x > 0
// Of angles beyond 2^50, where doubles are a quarter of a radian apart, only the range is told.
zeno_interval zeno_interval_sin(zeno_interval x);
zeno_interval zeno_interval_cos(zeno_interval x);
zeno_interval zeno_interval_tan(zeno_interval x);  // whole if a pole may be in x
zeno_interval zeno_interval_asin(zeno_interval x); // whole if x leaves [-1, 1]
zeno_interval zeno_interval_acos(zeno_interval x); // whole if x leaves [-1, 1]
zeno_interval zeno_interval_atan(zeno_interval x);
// [-pi, pi] across the branch cut (y = 0, x < 0); whole if the origin is in the box.
zeno_interval zeno_interval_atan2(zeno_interval y, zeno_interval x);
zeno_interval zeno_interval_sinh(zeno_interval x);
zeno_interval zeno_interval_cosh(zeno_interval x);
zeno_interval zeno_interval_tanh(zeno_interval x);

#endif
