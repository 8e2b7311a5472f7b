// Cholesky factorisation and a few vector operations. n is small, so plain loops are the fastest there is.

#include "linear.h"

#include <float.h>
#include <math.h>

bool zeno_cholesky_factor(int n, double *A) {
    for (int j = 0; j < n; ++j) {
        double *row = A + j * n;
        const double diagonal = row[j];
        double pivot = diagonal;
        for (int k = 0; k < j; ++k)
            pivot -= row[k] * row[k];
        // Less than a few rounding errors of the diagonal is nothing: the matrix is singular in double. NaN fails too.
        if (!(pivot > 4.0 * n * DBL_EPSILON * diagonal) || !isfinite(pivot)) return false;
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
