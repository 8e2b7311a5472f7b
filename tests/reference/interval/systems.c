// Verified linear systems against exact arithmetic: random interval systems, and members of them solved in 600 bits by
// MPFR.
//
//     interval-systems [systems of each kind [seed]]
//
// Each system is drawn with a random condition number and random units of its unknowns. Members are random symmetric
// matrices within the intervals, half of them vertices. The width is compared with
//
//     2 |A^-1| (rad b + rad A |x|)   for intervals: the first order of the exact width, and
//     eps |A^-1| |A| |x|             for numbers:   the effect of rounding A once.
//
// Ends with 1 if a solution lies outside its bounds.

#include <float.h>
#include <math.h>
#include <mpfr.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "interval_linear.h"
#include "random.h"

enum { LARGEST = 12, MEMBERS = 4, BITS = 600, RIGHT_SIDES = 2 };

typedef struct kind {
    const char *name;
    double narrowest, widest; // relative radius of A and b; 0, 0 for numbers
    int worst_condition;      // decimal exponent
} kind;

typedef struct problem {
    int n;
    double radius;
    zeno_interval A[LARGEST * LARGEST]; // lower triangle
    zeno_interval B[RIGHT_SIDES * LARGEST];
} problem;

typedef struct score {
    long systems, verified, solutions, violations;
    long ratios;
    double *ratio; // width / reference
} score;

// ---- a member, exactly

static mpfr_t a[LARGEST][LARGEST], b[LARGEST], factor;

// Gauss without pivoting, for positive definite matrices. False if this one isn't.
static bool solve_exactly(int n) {
    for (int k = 0; k < n; ++k) {
        if (mpfr_sgn(a[k][k]) <= 0) return false;
        for (int i = k + 1; i < n; ++i) {
            mpfr_div(factor, a[i][k], a[k][k], MPFR_RNDN);
            mpfr_neg(factor, factor, MPFR_RNDN);
            for (int j = k; j < n; ++j)
                mpfr_fma(a[i][j], factor, a[k][j], a[i][j], MPFR_RNDN);
            mpfr_fma(b[i], factor, b[k], b[i], MPFR_RNDN);
        }
    }
    for (int i = n - 1; i >= 0; --i) {
        for (int j = i + 1; j < n; ++j) {
            mpfr_neg(factor, a[i][j], MPFR_RNDN);
            mpfr_fma(b[i], factor, b[j], b[i], MPFR_RNDN);
        }
        mpfr_div(b[i], b[i], a[i][i], MPFR_RNDN);
    }
    return true;
}

static double member(generator *g, zeno_interval x, bool vertex) {
    if (vertex) return random_bits(g) & 1 ? x.lo : x.hi;
    return fmin(fmax(random_between(g, x.lo, x.hi), x.lo), x.hi);
}

static void draw_member(generator *g, const problem *p, int side) {
    const bool vertex = random_bits(g) & 1;
    for (int i = 0; i < p->n; ++i) {
        for (int j = 0; j <= i; ++j) {
            mpfr_set_d(a[i][j], member(g, p->A[i * p->n + j], vertex), MPFR_RNDN);
            mpfr_set(a[j][i], a[i][j], MPFR_RNDN);
        }
        mpfr_set_d(b[i], member(g, p->B[side * p->n + i], vertex), MPFR_RNDN);
    }
}

// ---- random systems

static zeno_interval fuzzy(generator *g, double center, double radius) {
    return zeno_interval_around(center, radius * random_unit(g) * fabs(center));
}

// A = D H S H D with a Householder reflection H, eigenvalues S from 1 to 1/condition, and units D.
static void draw_problem(generator *g, const kind *k, problem *p) {
    const int n = p->n = 1 + random_below(g, LARGEST);
    const double exponent = random_between(g, 0, k->worst_condition);
    p->radius = k->widest > 0 ? k->narrowest * pow(k->widest / k->narrowest, random_unit(g)) : 0;
    double normal[LARGEST], eigenvalue[LARGEST], unit[LARGEST], square = 0;
    for (int i = 0; i < n; ++i) {
        normal[i] = random_between(g, -1, 1);
        square += normal[i] * normal[i];
        eigenvalue[i] = i == 0 ? 1 : pow(10, -exponent * (i == 1 ? 1 : random_unit(g)));
        unit[i] = ldexp(1, random_below(g, 41) - 20);
    }
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j <= i; ++j) {
            double sum = 0;
            for (int m = 0; m < n; ++m)
                sum += ((i == m) - 2 * normal[i] * normal[m] / square) * eigenvalue[m] *
                       ((j == m) - 2 * normal[j] * normal[m] / square);
            p->A[i * n + j] = fuzzy(g, unit[i] * sum * unit[j], p->radius);
        }
        for (int side = 0; side < RIGHT_SIDES; ++side)
            p->B[side * n + i] = random_below(g, 8) == 0 ? zeno_interval_point(0)
                                                         : fuzzy(g, unit[i] * random_between(g, -1, 1), p->radius);
    }
}

// ---- widths

static zeno_interval entry(const problem *p, int i, int j) {
    return i >= j ? p->A[i * p->n + j] : p->A[j * p->n + i];
}

// |A^-1| at the midpoint, from unit right-hand sides.
static bool invert(const problem *p, double inverse[LARGEST][LARGEST]) {
    for (int column = 0; column < p->n; ++column) {
        for (int i = 0; i < p->n; ++i) {
            for (int j = 0; j < p->n; ++j)
                mpfr_set_d(a[i][j], zeno_interval_midpoint(entry(p, i, j)), MPFR_RNDN);
            mpfr_set_d(b[i], i == column, MPFR_RNDN);
        }
        if (!solve_exactly(p->n)) return false;
        for (int i = 0; i < p->n; ++i)
            inverse[i][column] = fabs(mpfr_get_d(b[i], MPFR_RNDN));
    }
    return true;
}

// How much each equation may be off: rad b + rad A |x|, or eps |A| |x| for numbers.
static void defects(const problem *p, const zeno_interval *rhs, const zeno_interval *x, double defect[LARGEST]) {
    for (int i = 0; i < p->n; ++i) {
        defect[i] = p->radius > 0 ? 0.5 * (rhs[i].hi - rhs[i].lo) : 0;
        for (int j = 0; j < p->n; ++j) {
            const zeno_interval A = entry(p, i, j);
            const double off = p->radius > 0 ? 0.5 * (A.hi - A.lo) : 0.5 * DBL_EPSILON * zeno_interval_magnitude(A);
            defect[i] += off * fabs(zeno_interval_midpoint(x[j]));
        }
    }
}

static void compare_widths(const problem *p, const zeno_interval *X, score *s) {
    double inverse[LARGEST][LARGEST], defect[LARGEST];
    if (!invert(p, inverse)) return;
    for (int side = 0; side < RIGHT_SIDES; ++side) {
        const zeno_interval *x = X + side * p->n;
        defects(p, p->B + side * p->n, x, defect);
        for (int i = 0; i < p->n; ++i) {
            double reference = 0;
            for (int j = 0; j < p->n; ++j)
                reference += 2 * inverse[i][j] * defect[j];
            if (reference > 0) s->ratio[s->ratios++] = (x[i].hi - x[i].lo) / reference;
        }
    }
}

// ---- judging

static void judge_member(const problem *p, const zeno_interval *x, score *s) {
    s->solutions++;
    if (!solve_exactly(p->n)) { // all are regular, as is said, and the midpoint is positive definite, so all are
        s->violations++;
        printf("VIOLATION n = %d, radius %g: a member isn't positive definite\n", p->n, p->radius);
        return;
    }
    for (int i = 0; i < p->n; ++i) {
        if (mpfr_cmp_d(b[i], x[i].lo) >= 0 && mpfr_cmp_d(b[i], x[i].hi) <= 0) continue;
        s->violations++;
        mpfr_printf("VIOLATION n = %d, radius %g: x[%d] = %.20Rg outside [%.17g, %.17g]\n", p->n, p->radius, i, b[i],
                    x[i].lo, x[i].hi);
    }
}

static void judge(const problem *p, generator *g, score *s) {
    zeno_interval X[RIGHT_SIDES * LARGEST];
    double scratch[2 * LARGEST * LARGEST + 8 * LARGEST];
    if (zeno_interval_solve_scratch(p->n) > (int)(sizeof scratch / sizeof *scratch)) abort();
    s->systems++;
    if (!zeno_interval_solve(p->n, p->A, RIGHT_SIDES, p->B, X, scratch)) return;
    s->verified++;
    for (int side = 0; side < RIGHT_SIDES; ++side)
        for (int m = 0; m < MEMBERS; ++m) {
            draw_member(g, p, side);
            judge_member(p, X + side * p->n, s);
        }
    compare_widths(p, X, s);
}

static int ascending(const void *x, const void *y) {
    const double difference = *(const double *)x - *(const double *)y;
    return (difference > 0) - (difference < 0);
}

static long try_kind(const kind *k, long systems, uint64_t seed) {
    generator g = {seed};
    score s = {.ratio = malloc((size_t)systems * RIGHT_SIDES * LARGEST * sizeof(double))};
    if (!s.ratio) abort();
    for (long i = 0; i < systems; ++i) {
        problem p;
        draw_problem(&g, k, &p);
        judge(&p, &g, &s);
    }
    qsort(s.ratio, (size_t)s.ratios, sizeof(double), ascending);
    printf("%-28s %8ld %8ld %9ld %10ld", k->name, s.systems, s.verified, s.solutions, s.violations);
    if (s.ratios > 0)
        printf(" %8.3g %8.3g %8.3g", s.ratio[s.ratios / 2], s.ratio[s.ratios * 99 / 100], s.ratio[s.ratios - 1]);
    printf("\n");
    free(s.ratio);
    return s.violations;
}

int main(int argc, char **argv) {
    static const kind KINDS[] = {{"numbers, condition to 1e4", 0, 0, 4},
                                 {"numbers, condition to 1e20", 0, 0, 20},
                                 {"radius 1e-12, cond. to 1e4", 1e-12, 1e-12, 4},
                                 {"radius 1e-8, cond. to 1e4", 1e-8, 1e-8, 4},
                                 {"radius 1e-4 .. 0.3, to 1e4", 1e-4, 0.3, 4}};
    const long systems = argc > 1 ? atol(argv[1]) : 20000;
    const uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    mpfr_init2(factor, BITS);
    for (int i = 0; i < LARGEST; ++i) {
        mpfr_init2(b[i], BITS);
        for (int j = 0; j < LARGEST; ++j)
            mpfr_init2(a[i][j], BITS);
    }
    printf("%-28s %8s %8s %9s %10s   width / reference\n", "", "systems", "verified", "solutions", "violations");
    printf("%-28s %8s %8s %9s %10s %8s %8s %8s\n", "", "", "", "", "", "median", "99 %", "worst");
    long violations = 0;
    for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS; ++i)
        violations += try_kind(&KINDS[i], systems, seed);
    mpfr_clear(factor);
    for (int i = 0; i < LARGEST; ++i) {
        mpfr_clear(b[i]);
        for (int j = 0; j < LARGEST; ++j)
            mpfr_clear(a[i][j]);
    }
    mpfr_free_cache();
    return violations == 0 ? 0 : 1;
}
