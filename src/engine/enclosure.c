// ddh, |w|/W and |a| over a box: the model's interval code, and a verified solution of M x = b, M w = J'.

#include "enclosure.h"

#include <math.h>
#include <string.h>

#include "interval_linear.h"

static size_t interval_count(const zeno_model *model) {
    const size_t n = (size_t)model->coordinates, m = (size_t)model->constraints;
    return (size_t)(model->parameters + model->inputs) + 2 * n + n * n + m * n + m + 4 * n;
}

size_t zeno_enclosure_memory(const zeno_model *model) {
    return interval_count(model) * sizeof(zeno_interval) +
           (size_t)zeno_interval_solve_scratch(model->coordinates) * sizeof(double);
}

void zeno_enclosure_place(zeno_enclosure *e, const zeno_model *model, void *memory) {
    const int n = model->coordinates, m = model->constraints;
    e->p = memory;
    e->u = e->p + model->parameters;
    e->q = e->u + model->inputs;
    e->v = e->q + n;
    e->M = e->v + n;
    e->J = e->M + n * n;
    e->curvature = e->J + m * n;
    e->right = e->curvature + m;
    e->solution = e->right + 2 * n;
    e->scratch = (double *)(e->solution + 2 * n);
}

zeno_interval zeno_interval_dot(int n, const zeno_interval *x, const zeno_interval *y) {
    zeno_interval sum = zeno_interval_point(0);
    for (int i = 0; i < n; ++i)
        sum = zeno_interval_add(sum, zeno_interval_mul(x[i], y[i]));
    return sum;
}

double zeno_interval_norm(int n, const zeno_interval *x) {
    zeno_interval sum = zeno_interval_point(0);
    for (int i = 0; i < n; ++i)
        sum = zeno_interval_add(sum, zeno_interval_power(x[i], 2));
    return zeno_interval_sqrt(sum).hi;
}

bool zeno_enclose(const zeno_model *model, zeno_enclosure *box, int j, zeno_neighbourhood *bounds) {
    const int n = model->coordinates;
    const zeno_box x = {.t = box->t, .p = box->p, .u = box->u, .q = box->q, .v = box->v};
    const zeno_interval *J = box->J + j * n, *x_b = box->solution, *w = box->solution + n;
    model->lagrangian->enclosure(&x, box->M, box->right, box->J, box->curvature);
    memcpy(box->right + n, J, (size_t)n * sizeof *J);
    if (!zeno_interval_solve(n, box->M, 2, box->right, box->solution, box->scratch)) return false;
    // ddh = J a + v'Hv with a = -M^-1 b
    const zeno_interval ddh = zeno_interval_sub(box->curvature[j], zeno_interval_dot(n, J, x_b));
    const zeno_interval W = zeno_interval_dot(n, J, w);
    if (!zeno_interval_is_finite(ddh) || !(W.lo > 0)) return false;
    const zeno_interval w_norm = zeno_interval_point(zeno_interval_norm(n, w));
    *bounds = (zeno_neighbourhood){
        .a_min = -ddh.hi, .a_max = -ddh.lo, .eta = zeno_interval_div(w_norm, W).hi, .zeta = zeno_interval_norm(n, x_b)};
    return bounds->eta < HUGE_VAL && bounds->zeta < HUGE_VAL;
}
