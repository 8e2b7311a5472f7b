// a, w, W, lambda by one Cholesky factorisation of M, for a set of closed constraints.

#include "motion.h"

#include <math.h>
#include <string.h>

#include "linear.h"

size_t zeno_motion_memory(const zeno_model *model) {
    const size_t n = (size_t)model->coordinates, m = (size_t)model->constraints;
    return sizeof(double) * (n * n + 2 * m * n + 2 * n + 2 * m + 2 * m * m + 2 * m);
}

void zeno_motion_place(zeno_motion *motion, const zeno_model *model, void *memory) {
    const int n = model->coordinates, m = model->constraints;
    motion->M = memory;
    motion->J = motion->M + n * n;
    motion->w = motion->J + m * n;
    motion->free = motion->w + m * n;
    motion->acceleration = motion->free + n;
    motion->gap_acceleration = motion->acceleration + n;
    motion->force = motion->gap_acceleration + m;
    motion->W = motion->force + m;
    motion->scratch = motion->W + m * m;
}

bool zeno_motion_free(const zeno_model *model, const zeno_point *x, zeno_motion *motion) {
    const int n = model->coordinates, m = model->constraints;
    model->lagrangian->dynamics(x, motion->M, motion->free, motion->J, motion->gap_acceleration);
    if (!zeno_cholesky_factor(n, motion->M)) return false;
    for (int i = 0; i < n; ++i)
        motion->free[i] = -motion->free[i];
    zeno_cholesky_solve(n, motion->M, motion->free);
    for (int j = 0; j < m; ++j)
        motion->gap_acceleration[j] += zeno_dot(n, motion->J + j * n, motion->free);
    for (int i = 0; i < n; ++i)
        if (!isfinite(motion->free[i])) return false;
    for (int j = 0; j < m; ++j)
        if (!isfinite(motion->gap_acceleration[j])) return false;
    return true;
}

bool zeno_motion_effect(const zeno_model *model, const zeno_point *x, zeno_motion *motion) {
    const int n = model->coordinates, m = model->constraints;
    if (!zeno_motion_free(model, x, motion)) return false;
    memcpy(motion->w, motion->J, sizeof(double) * (size_t)(m * n));
    for (int j = 0; j < m; ++j)
        zeno_cholesky_solve(n, motion->M, motion->w + j * n);
    for (int i = 0; i < m; ++i)
        for (int j = 0; j < m; ++j)
            motion->W[i * m + j] = zeno_dot(n, motion->J + i * n, motion->w + j * n);
    for (int j = 0; j < m; ++j)
        if (!(motion->W[j * m + j] > 0)) return false; // dh = 0: the constraint has no normal here
    return true;
}

// W_cc lambda_c = -ddh_c over the closed constraints c; 0 for the others. False when they are dependent.
static bool solve_forces(int m, const zeno_contact *contact, const double *W, const double *gap_acceleration,
                         double *scratch, double *force) {
    if (m == 1) {
        force[0] = contact[0].closed ? -gap_acceleration[0] / W[0] : 0;
        return true;
    }
    double *A = scratch, *x = scratch + m * m;
    int closed = 0;
    for (int j = 0; j < m; ++j)
        closed += contact[j].closed;
    int row = 0;
    for (int i = 0; i < m; ++i) {
        if (!contact[i].closed) continue;
        int column = 0;
        for (int j = 0; j < m; ++j)
            if (contact[j].closed) A[row * closed + column++] = W[i * m + j];
        x[row++] = -gap_acceleration[i];
    }
    if (!zeno_cholesky_factor(closed, A)) return false;
    zeno_cholesky_solve(closed, A, x);
    row = 0;
    for (int j = 0; j < m; ++j)
        force[j] = contact[j].closed ? x[row++] : 0;
    return true;
}

bool zeno_motion_constrained(const zeno_model *model, const zeno_point *x, const zeno_contact *contact,
                             zeno_motion *motion) {
    const int n = model->coordinates, m = model->constraints;
    if (!zeno_motion_effect(model, x, motion) ||
        !solve_forces(m, contact, motion->W, motion->gap_acceleration, motion->scratch, motion->force))
        return false;
    memcpy(motion->acceleration, motion->free, sizeof(double) * (size_t)n);
    for (int j = 0; j < m; ++j)
        zeno_add(n, motion->force[j], motion->w + j * n, motion->acceleration);
    return true;
}

// With r = M a + b - J' lambda = 0 and s = J a + v'Hv (0 where closed), and dr, ds at held a and lambda:
// M da - J' dlambda = -dr, J da = -ds where closed.
void zeno_motion_tangent(const zeno_model *model, const zeno_point *x, const zeno_contact *contact,
                         const zeno_motion *motion, const zeno_direction *d, double *acceleration, double *force,
                         double *gap_acceleration) {
    const int n = model->coordinates, m = model->constraints;
    // The free motion, whose force is 0: its gap acceleration is an output of its own.
    for (int j = 0; j < m; ++j)
        force[j] = 0;
    model->lagrangian->tangent(x, motion->free, force, d, acceleration, gap_acceleration);
    zeno_cholesky_solve(n, motion->M, acceleration);
    for (int i = 0; i < n; ++i)
        acceleration[i] = -acceleration[i];
    for (int j = 0; j < m; ++j)
        gap_acceleration[j] += zeno_dot(n, motion->J + j * n, acceleration);
    bool any_closed = false;
    for (int j = 0; j < m; ++j)
        any_closed |= contact[j].closed;
    if (!any_closed) return;
    double *turning = motion->scratch + m * m + m;
    model->lagrangian->tangent(x, motion->acceleration, motion->force, d, acceleration, turning);
    zeno_cholesky_solve(n, motion->M, acceleration);
    for (int i = 0; i < n; ++i)
        acceleration[i] = -acceleration[i];
    for (int j = 0; j < m; ++j)
        turning[j] += zeno_dot(n, motion->J + j * n, acceleration);
    solve_forces(m, contact, motion->W, turning, motion->scratch, force);
    for (int j = 0; j < m; ++j)
        zeno_add(n, force[j], motion->w + j * n, acceleration);
}
