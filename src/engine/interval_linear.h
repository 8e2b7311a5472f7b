// Verified solution of linear systems: bounds that hold for every matrix and right-hand side within given intervals.

#ifndef ZENO_INTERVAL_LINEAR_H
#define ZENO_INTERVAL_LINEAR_H

#include "interval.h"

// Encloses the solutions of A x = b, for `count` right-hand sides at once: X (count x n) from A (n x n) and B (count x
// n), all row by row. Of A only the lower triangle is read; every symmetric matrix within it is meant. The widths are
// of first order in those of A and B, plus a few rounding errors times the condition number.
//
// False, with X untouched, when it can't be shown that every such matrix is regular: A is too wide, nearly singular,
// or its midpoint isn't positive definite. `scratch` has zeno_interval_solve_scratch(n) elements.
bool zeno_interval_solve(int n, const zeno_interval *A, int count, const zeno_interval *B, zeno_interval *X,
                         double *scratch);
int zeno_interval_solve_scratch(int n);

#endif
