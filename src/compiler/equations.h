// The equations of motion of a model, derived symbolically: of a hybrid Lagrangian from T, V, F and h, of a hybrid
// system those of its modes.
//
// b is one reverse sweep over T and V and one directional derivative; Jacobians are directional derivatives.
// Christoffel symbols are never expanded.

#ifndef ZENOFMU_EQUATIONS_H
#define ZENOFMU_EQUATIONS_H

#include "model_file.h"

// What the engine needs of a mode beside what the model file says of it.
typedef struct mode_equations {
    expr *guards;              // [transitions] 1 where the transition isn't enabled
    expr *rounding;            // [transitions] rounding errors of the guards in units of the rounding unit
    expr *guard_rates;         // [transitions] d/dt along the motion, with the inputs' rates
    expr *rate_tangent;        // [states] of the derivatives along the seeds
    expr *guard_rates_tangent; // [transitions] of the guards' rates with inputs that stay, along the seeds
    expr *output_tangent;      // [outputs] along the seeds
} mode_equations;

typedef struct model_equations {
    mode_equations *modes;   // of a hybrid system; else NULL, and what follows is that of a hybrid Lagrangian
    memory of_modes;         // holds the former
    int n, m;                // coordinates, constraints
    expr *M;                 // n x n, symmetric: Hessian of T in the rates
    expr *b;                 // n: C v + N - F, so that M a + b = 0 in free motion  [TAC, Eq. (2)]
    expr *h;                 // m
    expr *rounding;          // m: rounding error of h in units of the rounding unit
    expr *J;                 // m x n: dh/dq
    expr *drift;             // m: dh/dt at fixed q
    expr *curvature;         // m: v'Hv  [TAC, Eq. (5)]
    expr *residual_tangent;  // n: d(M a + b - J' lambda) along the seeds
    expr *curvature_tangent; // m: d(J a + v'Hv) along the seeds
    expr energy_tangent[2];  // of T and V along the seeds
    expr *output_tangent;    // of the model's outputs along the seeds, those of accelerations and forces too
} model_equations;

// NULL on error (T not a quadratic form in the rates, V dependent on a rate, ...), reported with the line.
model_equations *equations_derive(const model_file *model, diagnostics *d);
void equations_free(model_equations *equations); // takes NULL

// (mode_equations.c) NULL when memory is short.
mode_equations *mode_equations_derive(const model_file *model, memory *m);

#endif
