// The mass matrix of a kinetic energy, and the checks that it is one.

#ifndef ZENOFMU_MASS_MATRIX_H
#define ZENOFMU_MASS_MATRIX_H

#include "model_file.h"

// M = dp/dv (n x n), the Hessian of T in the rates, from the momenta p = dT/dv (n). False, and reported, unless T is a
// quadratic form in the rates and M is positive definite at the start values.
bool mass_matrix_derive(const model_file *model, const expr *momentum, expr *M, diagnostics *d);

#endif
