// Small dense linear algebra: what the equations of motion need, for matrices stored row by row.

#ifndef ZENO_LINEAR_H
#define ZENO_LINEAR_H

#include <stdbool.h>

// Factors A = L L' in place; only the lower triangle is read and written. False when A is not positive definite
// to working accuracy (or not finite): a pivot has then lost all its digits.
bool zeno_cholesky_factor(int n, double *A);
// Solves L L' x = x in place.
void zeno_cholesky_solve(int n, const double *L, double *x);

double zeno_dot(int n, const double *x, const double *y);
double zeno_norm(int n, const double *x);
// y += factor * x
void zeno_add(int n, double factor, const double *x, double *y);

#endif
