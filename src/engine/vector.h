// Vector operations for CVODE that are made for small vectors.

#ifndef ZENO_VECTOR_H
#define ZENO_VECTOR_H

#include <sundials/sundials_nvector.h>

// Puts these operations in place of the serial ones.
void zeno_use_small_vectors(N_Vector_Ops operations);

#endif
