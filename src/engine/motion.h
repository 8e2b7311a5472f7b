// The equations of motion at one point: free acceleration, contact force, constrained acceleration.

#ifndef ZENO_MOTION_H
#define ZENO_MOTION_H

#include "state.h"

// Results; matrices row by row.
typedef struct zeno_motion {
    double *M;                // n x n: Cholesky factor of the mass matrix
    double *J;                // m x n: dh/dq
    double *free;             // n: a = -M^-1 b                 [TAC, Eq. (3)]
    double *gap_acceleration; // m: J a + v'Hv of the free motion  [TAC, Eq. (5)]
    double *w;                // m x n: rows w_j = M^-1 J_j'
    double *W;                // m x m: J w
    double *force;            // m: lambda, 0 where open         [TAC, Eq. (21)]
    double *acceleration;     // n: a + w lambda                 [TAC, Eq. (20)]
    double *scratch;          // m x m + 2 m
} zeno_motion;

size_t zeno_motion_memory(const zeno_model *model);
void zeno_motion_place(zeno_motion *motion, const zeno_model *model, void *memory);

// Each returns false where the mass matrix is not positive definite or a value is not finite.

// M, J, free, gap_acceleration.
bool zeno_motion_free(const zeno_model *model, const zeno_point *x, zeno_motion *motion);
// What zeno_motion_free gives, and w, W.
bool zeno_motion_effect(const zeno_model *model, const zeno_point *x, zeno_motion *motion);
// What zeno_motion_effect gives, and force, acceleration with the constraints closed whose contact says so.
bool zeno_motion_constrained(const zeno_model *model, const zeno_point *x, const zeno_contact *contact,
                             zeno_motion *motion);

// How acceleration, force and the free motion's gap acceleration change along `d`, at a point where
// zeno_motion_constrained (or, with all constraints open, zeno_motion_effect) was evaluated.
void zeno_motion_tangent(const zeno_model *model, const zeno_point *x, const zeno_contact *contact,
                         const zeno_motion *motion, const zeno_direction *d, double *acceleration, double *force,
                         double *gap_acceleration);

#endif
