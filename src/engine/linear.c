// Cholesky factorisation and a few vector operations. n is small, so plain loops are the fastest there is.

#include "linear.h"

#include <float.h>
#include <math.h>

// Two coordinates are so common that the loops are written out.
static bool factor_two(double *A) {
    const double first = A[0], second = A[3], least = 8 * DBL_EPSILON;
    if (!(first > 0) || !isfinite(first)) return false;
    A[0] = sqrt(first);
    A[2] *= 1.0 / A[0];
    const double pivot = second - A[2] * A[2];
    if (!(pivot > least * second)) return false;
    A[3] = sqrt(pivot);
    return true;
}

static void solve_two(const double *L, double *x) {
    const double first = x[0] / L[0], second = (x[1] - L[2] * first) / L[3];
    x[1] = second / L[3];
    x[0] = (first - L[2] * x[1]) / L[0];
}

bool zeno_cholesky_factor(int n, double *A) {
    if (n == 2) return factor_two(A);
    for (int j = 0; j < n; ++j) {
        double *row = A + j * n;
        const double diagonal = row[j];
        double pivot = diagonal;
        for (int k = 0; k < j; ++k)
            pivot -= row[k] * row[k];
        // Less than a few rounding errors of the diagonal is nothing: the matrix is singular in double. What is not
        // finite fails too: an infinite pivot has an infinite diagonal.
        if (!(pivot > 4.0 * n * DBL_EPSILON * diagonal)) return false;
        row[j] = sqrt(pivot);
        const double inverse = 1.0 / row[j];
        for (int i = j + 1; i < n; ++i) {
            double *below = A + i * n;
            double sum = below[j];
            for (int k = 0; k < j; ++k)
                sum -= below[k] * row[k];
            below[j] = sum * inverse;
        }
    }
    return true;
}

void zeno_cholesky_solve(int n, const double *L, double *x) {
    if (n == 2) {
        solve_two(L, x);
        return;
    }
    for (int i = 0; i < n; ++i) {
        const double *row = L + i * n;
        double sum = x[i];
        for (int k = 0; k < i; ++k)
            sum -= row[k] * x[k];
        x[i] = sum / row[i];
    }
    for (int i = n - 1; i >= 0; --i) {
        x[i] /= L[i * n + i];
        for (int k = 0; k < i; ++k)
            x[k] -= L[i * n + k] * x[i];
    }
}

double zeno_dot(int n, const double *x, const double *y) {
    double sum = 0;
    for (int i = 0; i < n; ++i)
        sum += x[i] * y[i];
    return sum;
}

double zeno_norm(int n, const double *x) {
    return sqrt(zeno_dot(n, x, x));
}

void zeno_add(int n, double factor, const double *x, double *y) {
    for (int i = 0; i < n; ++i)
        y[i] += factor * x[i];
}
