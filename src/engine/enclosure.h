// Proven bounds of the equations of motion over a box of states.

#ifndef ZENO_ENCLOSURE_H
#define ZENO_ENCLOSURE_H

#include <stddef.h>

#include "model.h"

// The box, to be filled by the caller, and room for what is computed over it.
typedef struct zeno_enclosure {
    zeno_interval t, *p, *u, *q, *v;
    zeno_interval *M, *J, *curvature;
    zeno_interval *right;    // 2 x n: b and J_j
    zeno_interval *solution; // 2 x n: M^-1 b and w = M^-1 J_j'
    double *scratch;
} zeno_enclosure;

// What TAC's theorem asks of a neighbourhood V [TAC, Eq. (6), (10)]; each bound holds for every state in the box.
typedef struct zeno_neighbourhood {
    double a_min, a_max; // a_min <= -ddh <= a_max, ddh of the free motion
    double eta;          // |w|/W <= eta
    double zeta;         // |a| <= zeta
} zeno_neighbourhood;

size_t zeno_enclosure_memory(const zeno_model *model);
void zeno_enclosure_place(zeno_enclosure *enclosure, const zeno_model *model, void *memory);

// Bounds for constraint j. False where nothing can be proven.
bool zeno_enclose(const zeno_model *model, zeno_enclosure *box, int j, zeno_neighbourhood *bounds);

// Upper bound of the Euclidean norm.
double zeno_interval_norm(int n, const zeno_interval *x);
// Sum of products.
zeno_interval zeno_interval_dot(int n, const zeno_interval *x, const zeno_interval *y);

#endif
