// Interval functions against exact arithmetic: random boxes, and what MPFR says about the range of the function there.
//
//     interval-functions [boxes for each function [seed [name of one function]]]
//
// MPFR rounds correctly in each direction, so [lo, hi] contains the range exactly if lo is at or below the minimum
// rounded down and hi at or above the maximum rounded up. How many doubles lie between is the excess. Ends with 1 on a
// violation.

#include <limits.h>
#include <math.h>
#include <mpfr.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "interval.h"
#include "random.h"

typedef struct box {
    zeno_interval x, y;
    int n;
    bool narrow; // a few ulp wide, numbers of moderate size: here the excess is told
} box;

typedef struct function {
    const char *name;
    // Exactly one pair is given.
    zeno_interval (*enclose)(zeno_interval);
    int (*exact)(mpfr_t, const mpfr_t, mpfr_rnd_t);
    zeno_interval (*enclose_two)(zeno_interval, zeno_interval);
    int (*exact_two)(mpfr_t, const mpfr_t, const mpfr_t, mpfr_rnd_t);
    zeno_interval (*enclose_power)(zeno_interval, int);
    int (*exact_power)(mpfr_t, const mpfr_t, long, mpfr_rnd_t);

    bool (*defined)(const box *); // NULL: everywhere
    double turn; // waves: +1 and -1 are taken at even and odd multiples of pi, after this many half turns
    bool wave;
    int smallest, largest; // exponents of arguments of moderate size
    bool positive;         // for most boxes
} function;

typedef struct score {
    long boxes, undefined, violations, uninformed;
    long narrow, worst;
    long histogram[4096]; // of the excess over narrow boxes
} score;

// ---- the exact range

static mpfr_t value, first, second, turns, pi;

static bool in(zeno_interval x, double a) {
    return x.lo <= a && a <= x.hi;
}

// The number of whole turns of x at or below: floor(x / pi - offset).
static double half_turns(double x, double offset) {
    mpfr_set_d(turns, x, MPFR_RNDN);
    mpfr_div(turns, turns, pi, MPFR_RNDA); // away from zero: the smallest x keeps its sign
    mpfr_sub_d(turns, turns, offset, MPFR_RNDD);
    mpfr_floor(turns, turns);
    return mpfr_get_d(turns, MPFR_RNDN);
}

static void include(zeno_interval *range, double lo, double hi) {
    if (isnan(lo) || isnan(hi)) return; // 0 * inf and the like: neighbours tell
    range->lo = fmin(range->lo, lo);
    range->hi = fmax(range->hi, hi);
}

static double evaluate(const function *f, double a, double b, int n, mpfr_rnd_t direction) {
    mpfr_set_d(first, a, MPFR_RNDN);
    mpfr_set_d(second, b, MPFR_RNDN);
    if (f->exact) f->exact(value, first, direction);
    if (f->exact_two) f->exact_two(value, first, second, direction);
    if (f->exact_power) f->exact_power(value, first, n, direction);
    return mpfr_get_d(value, direction);
}

// Where the function may be extreme on x, and two places beside; returns how many.
static int places(generator *g, zeno_interval x, double place[6]) {
    int count = 0;
    place[count++] = x.lo;
    place[count++] = x.hi;
    if (in(x, 0)) {
        place[count++] = 0.0;
        place[count++] = -0.0;
    }
    if (!isfinite(x.lo) || !isfinite(x.hi)) return count;
    for (int i = 0; i < 2; ++i)
        place[count++] = fmin(fmax(random_between(g, x.lo, x.hi), x.lo), x.hi);
    return count;
}

static void include_turning_points(const function *f, zeno_interval x, zeno_interval *range) {
    if (!isfinite(x.lo) || !isfinite(x.hi)) {
        include(range, -1, 1);
        return;
    }
    const double below = half_turns(x.lo, f->turn), last = half_turns(x.hi, f->turn);
    const double count = last - below + (f->turn == 0 && x.lo == 0); // 0 itself is a turning point of cos
    if (count < 1) return;
    const double top = fmod(last, 2) == 0 ? 1 : -1;
    include(range, top, top);
    if (count > 1) include(range, -top, -top);
}

static zeno_interval exact_range(const function *f, const box *b, generator *g) {
    zeno_interval range = {INFINITY, -INFINITY};
    double x[6], y[6] = {0};
    const int columns = places(g, b->x, x), rows = f->exact_two ? places(g, b->y, y) : 1;
    for (int i = 0; i < columns; ++i)
        for (int j = 0; j < rows; ++j)
            include(&range, evaluate(f, x[i], y[j], b->n, MPFR_RNDD), evaluate(f, x[i], y[j], b->n, MPFR_RNDU));
    if (f->wave) include_turning_points(f, b->x, &range);
    return range;
}

// ---- where functions are defined

static bool quotient_defined(const box *b) {
    return !in(b->y, 0);
}

static bool sqrt_defined(const box *b) {
    return b->x.lo >= 0;
}

static bool log_defined(const box *b) {
    return b->x.lo > 0;
}

static bool arc_defined(const box *b) {
    return b->x.lo >= -1 && b->x.hi <= 1;
}

static bool tan_defined(const box *b) {
    return isfinite(b->x.lo) && isfinite(b->x.hi) && half_turns(b->x.lo, 0.5) == half_turns(b->x.hi, 0.5);
}

static bool atan2_defined(const box *b) {
    return !in(b->x, 0) || !in(b->y, 0);
}

static bool power_defined(const box *b) {
    return b->n >= 0 || !in(b->x, 0);
}

static bool pow_defined(const box *b) {
    if (b->y.lo == b->y.hi && b->y.lo == rint(b->y.lo) && fabs(b->y.lo) <= INT_MAX) return b->y.lo >= 0 || !in(b->x, 0);
    return b->x.lo > 0 || (b->x.lo == 0 && b->y.lo > 0);
}

// ---- random boxes

static zeno_interval ordered(double a, double b) {
    return a < b ? zeno_interval_between(a, b) : zeno_interval_between(b, a);
}

// Places where something happens: zero, one, the limits of double, multiples of pi / 2, and their neighbours.
static double special(generator *g) {
    static const double known[] = {0,
                                   0x1p-1074,
                                   0x1p-1073,
                                   0x1p-1022,
                                   0x1p-27,
                                   0.5,
                                   1,
                                   2,
                                   0x1p50,
                                   0x1p53,
                                   0x1.fffffffffffffp1023,
                                   INFINITY,
                                   709.782712893384,
                                   745.1332191019411,
                                   0x1.921fb54442d18p+0};
    const int count = (int)(sizeof known / sizeof *known);
    double x = known[random_below(g, count)];
    if (random_below(g, 4) == 0) x = random_below(g, 1 << random_below(g, 20)) * 0x1.921fb54442d18p+0;
    for (int i = random_below(g, 3); i > 0; --i)
        x = nextafter(x, random_bits(g) & 1 ? INFINITY : -INFINITY);
    return random_bits(g) & 1 ? -x : x;
}

static zeno_interval narrow_interval(generator *g, const function *f) {
    const double a = random_scaled(g, f->smallest, f->largest);
    double b = a;
    for (int i = random_below(g, 17); i > 0; --i)
        b = nextafter(b, INFINITY);
    return ordered(a, b);
}

static zeno_interval random_interval(generator *g, const function *f, int kind) {
    for (;;) {
        zeno_interval x;
        switch (kind) {
        case 0:
            x = narrow_interval(g, f);
            break;
        case 1:
            x = ordered(random_scaled(g, f->smallest, f->largest), random_scaled(g, f->smallest, f->largest));
            break;
        case 2:
            x = ordered(random_pattern(g), random_pattern(g));
            break;
        default:
            x = ordered(special(g), special(g));
            break;
        }
        if (f->positive && random_below(g, 8) != 0) x = ordered(fabs(x.lo), fabs(x.hi));
        if (isfinite(x.lo) || isfinite(x.hi)) return x; // the whole line is no argument here
    }
}

static box random_box(generator *g, const function *f) {
    const int kind = random_below(g, 4);
    box b = {.x = random_interval(g, f, kind), .y = {0, 0}, .narrow = kind == 0};
    if (f->enclose_two) b.y = random_interval(g, f, kind);
    if (f->exact_two == mpfr_pow && random_below(g, 8) == 0) // whole exponents
        b.y = zeno_interval_point(random_below(g, 2001) - 1000);
    b.n = random_below(g, 16) == 0 ? random_below(g, 2001) - 1000 : random_below(g, 19) - 9;
    return b;
}

// ---- judging

static zeno_interval enclose(const function *f, const box *b) {
    if (f->enclose) return f->enclose(b->x);
    if (f->enclose_two) return f->enclose_two(b->x, b->y);
    return f->enclose_power(b->x, b->n);
}

static int64_t rank(double x) {
    int64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits < 0 ? INT64_MIN - bits : bits;
}

static void report(const function *f, const box *b, zeno_interval got, zeno_interval best) {
    printf("VIOLATION %s([%.17g, %.17g], [%.17g, %.17g], %d) = [%.17g, %.17g] but the range is [%.17g, %.17g]\n",
           f->name, b->x.lo, b->x.hi, b->y.lo, b->y.hi, b->n, got.lo, got.hi, best.lo, best.hi);
}

static void judge(const function *f, const box *b, generator *g, score *s) {
    const zeno_interval got = enclose(f, b);
    const bool whole = got.lo == -INFINITY && got.hi == INFINITY;
    s->boxes++;
    if (f->defined && !f->defined(b)) {
        s->undefined++;
        if (whole) return;
        s->violations++;
        report(f, b, got, zeno_interval_whole());
        return;
    }
    const zeno_interval best = exact_range(f, b, g);
    if (!(got.lo <= best.lo && best.hi <= got.hi)) {
        s->violations++;
        report(f, b, got, best);
        return;
    }
    if (!b->narrow) return;
    s->narrow++;
    if (whole) {
        s->uninformed++;
        return;
    }
    const long excess = (long)(rank(best.lo) - rank(got.lo) + rank(got.hi) - rank(best.hi));
    if (excess > s->worst) s->worst = excess;
    s->histogram[excess < 4095 ? excess : 4095]++;
}

static long median(const score *s) {
    long seen = 0, excess = -1;
    while (excess < 4095 && 2 * seen < s->narrow - s->uninformed)
        seen += s->histogram[++excess];
    return excess;
}

// ---- the campaign

static const function FUNCTIONS[] = {
    {"add", .enclose_two = zeno_interval_add, .exact_two = mpfr_add, .smallest = -20, .largest = 20},
    {"sub", .enclose_two = zeno_interval_sub, .exact_two = mpfr_sub, .smallest = -20, .largest = 20},
    {"mul", .enclose_two = zeno_interval_mul, .exact_two = mpfr_mul, .smallest = -20, .largest = 20},
    {"div", .enclose_two = zeno_interval_div, .exact_two = mpfr_div, .defined = quotient_defined, .smallest = -20,
     .largest = 20},
    {"neg", .enclose = zeno_interval_neg, .exact = mpfr_neg, .smallest = -20, .largest = 20},
    {"abs", .enclose = zeno_interval_abs, .exact = mpfr_abs, .smallest = -20, .largest = 20},
    {"sqrt", .enclose = zeno_interval_sqrt, .exact = mpfr_sqrt, .defined = sqrt_defined, .smallest = -20, .largest = 20,
     .positive = true},
    {"power", .enclose_power = zeno_interval_power, .exact_power = mpfr_pow_si, .defined = power_defined,
     .smallest = -20, .largest = 20},
    {"pow", .enclose_two = zeno_interval_pow, .exact_two = mpfr_pow, .defined = pow_defined, .smallest = -10,
     .largest = 5, .positive = true},
    {"exp", .enclose = zeno_interval_exp, .exact = mpfr_exp, .smallest = -20, .largest = 8},
    {"log", .enclose = zeno_interval_log, .exact = mpfr_log, .defined = log_defined, .smallest = -20, .largest = 20,
     .positive = true},
    {"sin", .enclose = zeno_interval_sin, .exact = mpfr_sin, .wave = true, .turn = 0.5, .smallest = -20, .largest = 20},
    {"cos", .enclose = zeno_interval_cos, .exact = mpfr_cos, .wave = true, .turn = 0, .smallest = -20, .largest = 20},
    {"tan", .enclose = zeno_interval_tan, .exact = mpfr_tan, .defined = tan_defined, .smallest = -20, .largest = 20},
    {"asin", .enclose = zeno_interval_asin, .exact = mpfr_asin, .defined = arc_defined, .smallest = -20, .largest = -1},
    {"acos", .enclose = zeno_interval_acos, .exact = mpfr_acos, .defined = arc_defined, .smallest = -20, .largest = -1},
    {"atan", .enclose = zeno_interval_atan, .exact = mpfr_atan, .smallest = -20, .largest = 20},
    {"atan2", .enclose_two = zeno_interval_atan2, .exact_two = mpfr_atan2, .defined = atan2_defined, .smallest = -20,
     .largest = 20},
    {"sinh", .enclose = zeno_interval_sinh, .exact = mpfr_sinh, .smallest = -20, .largest = 8},
    {"cosh", .enclose = zeno_interval_cosh, .exact = mpfr_cosh, .smallest = -20, .largest = 8},
    {"tanh", .enclose = zeno_interval_tanh, .exact = mpfr_tanh, .smallest = -20, .largest = 4},
};

static long try_function(const function *f, long boxes, uint64_t seed) {
    static score s;
    memset(&s, 0, sizeof s);
    generator g = {seed};
    for (long i = 0; i < boxes; ++i) {
        const box b = random_box(&g, f);
        judge(f, &b, &g, &s);
    }
    printf("%-6s %8ld %10ld %10ld %10ld %10ld %7ld %6ld\n", f->name, s.boxes, s.undefined, s.violations, s.narrow,
           s.uninformed, median(&s), s.worst);
    fflush(stdout);
    return s.violations;
}

int main(int argc, char **argv) {
    const long boxes = argc > 1 ? atol(argv[1]) : 1000000;
    const uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    mpfr_inits2(53, value, first, second, (mpfr_ptr)0);
    mpfr_inits2(2400, turns, pi, (mpfr_ptr)0); // enough for the remainder of the largest double
    mpfr_const_pi(pi, MPFR_RNDN);
    printf("                                          narrow boxes:           excess [ulp]\n");
    printf("%-6s %8s %10s %10s %10s %10s %7s %6s\n", "", "boxes", "undefined", "violations", "defined", "no answer",
           "median", "worst");
    long violations = 0;
    for (size_t i = 0; i < sizeof FUNCTIONS / sizeof *FUNCTIONS; ++i)
        if (argc <= 3 || strcmp(argv[3], FUNCTIONS[i].name) == 0)
            violations += try_function(&FUNCTIONS[i], boxes, seed);
    mpfr_clears(value, first, second, turns, pi, (mpfr_ptr)0);
    mpfr_free_cache();
    return violations == 0 ? 0 : 1;
}
