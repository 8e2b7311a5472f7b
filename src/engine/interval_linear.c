// Verified linear systems by an approximate inverse [Rump, "Verification methods", Acta Numerica 2010].
//
// Let R be any matrix and x~ any vector. For every A and b within their intervals the error y = x - x~ obeys
//
//     y = r + E y,   r = R (b - A x~),   E = I - R A.
//
// If |E| < 1 in some norm, R and A are regular and |y| <= |r| / (1 - |E|); put into the right side of the equation,
// that bounds y once more, component by component. R approximates the inverse of the midpoint of A and x~ the solution,
// which makes r and E small; nothing is asked of them for the bounds to hold.

#include "interval_linear.h"

#include "linear.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct workspace {
    int n;
    double *R;    // n x n
    double *E;    // n x n, bounds of |I - R A|
    double *unit; // the size in which a component of x is measured: |y| = max |y_i| / unit_i
    double *x;    // x~
    double *error;
    double *residual_lo, *residual_hi; // of b - A x~
    double *center, *radius;           // of a column of A
} workspace;

int zeno_interval_solve_scratch(int n) {
    return 2 * n * n + 7 * n;
}

static workspace lay_out(int n, double *scratch) {
    double *vectors = scratch + 2 * n * n;
    return (workspace){.n = n,
                       .R = scratch,
                       .E = scratch + n * n,
                       .unit = vectors,
                       .x = vectors + n,
                       .error = vectors + 2 * n,
                       .residual_lo = vectors + 3 * n,
                       .residual_hi = vectors + 4 * n,
                       .center = vectors + 5 * n,
                       .radius = vectors + 6 * n};
}

static zeno_interval entry(int n, const zeno_interval *A, int i, int j) {
    return i >= j ? A[i * n + j] : A[j * n + i];
}

// sum + a x for a number a
static zeno_interval add_product(zeno_interval sum, double a, zeno_interval x) {
    return zeno_interval_add(sum, zeno_interval_mul(zeno_interval_point(a), x));
}

// An upper bound of the scalar product of x, y >= 0.
static double dot_above(int n, const double *x, const double *y) {
    zeno_interval sum = zeno_interval_point(0);
    for (int i = 0; i < n; ++i)
        sum = add_product(sum, x[i], zeno_interval_point(y[i]));
    return sum.hi;
}

// An upper bound of x / y for x, y > 0.
static double quotient_above(double x, double y) {
    return zeno_interval_div(zeno_interval_point(x), zeno_interval_point(y)).hi;
}

// R = the inverse of the midpoint of A, about. The factor lies in E meanwhile.
static bool invert_midpoint(workspace *w, const zeno_interval *A) {
    const int n = w->n;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j <= i; ++j)
            w->E[i * n + j] = zeno_interval_midpoint(A[i * n + j]);
    if (!zeno_cholesky_factor(n, w->E)) return false;
    memset(w->R, 0, (size_t)n * (size_t)n * sizeof(double));
    for (int j = 0; j < n; ++j) {
        w->R[j * n + j] = 1;
        zeno_cholesky_solve(n, w->E, w->R + j * n); // a column, which is a row too
    }
    return true;
}

// An upper bound of |e - row . a| for all a within radius of center. In plain arithmetic, as this is what takes the
// time: a sum of m terms, in whatever order and rounding mode, is off by at most 2 m eps times the sum of their
// absolute values [Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., section 3.1]; here m <= n + 2. The
// last line makes good for the rounding of the bound itself and for underflow.
static double defect_above(int n, double e, const double *row, const double *center, const double *radius) {
    double defect = e, size = e, spread = 0;
    for (int k = 0; k < n; ++k) {
        const double term = row[k] * center[k];
        defect -= term;
        size += fabs(term);
        spread += fabs(row[k]) * radius[k];
    }
    const double bound = fabs(defect) + spread + 2 * (n + 2) * DBL_EPSILON * size;
    return bound * (1 + 4 * (n + 4) * DBL_EPSILON) + DBL_MIN;
}

static void bound_defect(workspace *w, const zeno_interval *A) {
    const int n = w->n;
    for (int j = 0; j < n; ++j) {
        for (int k = 0; k < n; ++k) {
            const zeno_interval a = entry(n, A, k, j);
            w->center[k] = zeno_interval_midpoint(a);
            w->radius[k] = zeno_interval_magnitude(zeno_interval_sub(a, zeno_interval_point(w->center[k])));
        }
        for (int i = 0; i < n; ++i)
            w->E[i * n + j] = defect_above(n, i == j, w->R + i * n, w->center, w->radius);
    }
}

// |E|; coordinates may have units of very different size, which the diagonal of A tells.
static double norm_of_defect(workspace *w, const zeno_interval *A) {
    const int n = w->n;
    for (int i = 0; i < n; ++i)
        w->unit[i] = 1 / sqrt(zeno_interval_midpoint(A[i * n + i]));
    double norm = 0;
    for (int i = 0; i < n; ++i)
        norm = fmax(norm, quotient_above(dot_above(n, w->E + i * n, w->unit), w->unit[i]));
    return norm;
}

static void bound_residual(workspace *w, const zeno_interval *A, const zeno_interval *b) {
    const int n = w->n;
    for (int i = 0; i < n; ++i) {
        zeno_interval sum = b[i];
        for (int j = 0; j < n; ++j)
            sum = add_product(sum, -w->x[j], entry(n, A, i, j));
        w->residual_lo[i] = sum.lo;
        w->residual_hi[i] = sum.hi;
    }
}

// r = R (b - A x~) is left in r; returns |r|.
static double bound_correction(workspace *w, zeno_interval *r) {
    const int n = w->n;
    double norm = 0;
    for (int i = 0; i < n; ++i) {
        r[i] = zeno_interval_point(0);
        for (int j = 0; j < n; ++j)
            r[i] = add_product(r[i], w->R[i * n + j], (zeno_interval){w->residual_lo[j], w->residual_hi[j]});
        norm = fmax(norm, quotient_above(zeno_interval_magnitude(r[i]), w->unit[i]));
    }
    return norm;
}

// |y_i| <= error_i, first by the norms, then by |y_i| <= |r_i| + (|E| error)_i. Bounds already improved serve at once.
static void bound_error(workspace *w, const zeno_interval *r, double norm_r, double norm_E) {
    const int n = w->n;
    const zeno_interval rest = zeno_interval_sub(zeno_interval_point(1), zeno_interval_point(norm_E));
    const zeno_interval norm = zeno_interval_div(zeno_interval_point(norm_r), rest);
    for (int i = 0; i < n; ++i)
        w->error[i] = zeno_interval_mul(norm, zeno_interval_point(w->unit[i])).hi;
    for (int i = 0; i < n; ++i) {
        const zeno_interval by_others = zeno_interval_around(0, dot_above(n, w->E + i * n, w->error));
        w->error[i] = fmin(w->error[i], zeno_interval_magnitude(zeno_interval_add(zeno_interval_abs(r[i]), by_others)));
    }
}

// x = x~ + r + E y
static void enclose_solution(workspace *w, const zeno_interval *A, const zeno_interval *b, double norm_E,
                             zeno_interval *x) {
    const int n = w->n;
    for (int i = 0; i < n; ++i) {
        w->x[i] = 0;
        for (int j = 0; j < n; ++j)
            w->x[i] += w->R[i * n + j] * zeno_interval_midpoint(b[j]);
    }
    bound_residual(w, A, b);
    const double norm_r = bound_correction(w, x);
    bound_error(w, x, norm_r, norm_E);
    for (int i = 0; i < n; ++i) {
        const zeno_interval Ey = zeno_interval_around(0, dot_above(n, w->E + i * n, w->error));
        x[i] = zeno_interval_add(zeno_interval_point(w->x[i]), zeno_interval_add(x[i], Ey));
    }
}

bool zeno_interval_solve(int n, const zeno_interval *A, int count, const zeno_interval *B, zeno_interval *X,
                         double *scratch) {
    workspace w = lay_out(n, scratch);
    if (!invert_midpoint(&w, A)) return false;
    bound_defect(&w, A);
    const double norm_E = norm_of_defect(&w, A);
    if (!(norm_E < 1)) return false;
    for (int k = 0; k < count; ++k)
        enclose_solution(&w, A, B + k * n, norm_E, X + k * n);
    return true;
}
