// The solver's vectors: small ones, from one block of memory.

#ifndef ZENO_VECTOR_H
#define ZENO_VECTOR_H

#include <nvector/nvector_serial.h>

#include "engine.h"

typedef struct zeno_vector zeno_vector;

typedef struct zeno_vectors {
    struct _generic_N_Vector_Ops operations; // of all vectors
    zeno_vector *vector;
    double *components;
} zeno_vectors;

// All vectors that the solvers and their user need. False when memory is short; zeno_vectors_release then, too.
bool zeno_vectors_create(zeno_vectors *vectors, int dimension, SUNContext context, const zeno_host *host);
void zeno_vectors_release(zeno_vectors *vectors, const zeno_host *host);

// One of them that nobody has taken; N_VDestroy gives it back. NULL when there is none left.
N_Vector zeno_vectors_take(zeno_vectors *vectors);

#endif
