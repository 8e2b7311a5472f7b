// Constraint stability [TAC, VII] made quantitative: Lemma 2 gives the impact speed from which a cascade stays in V,
// Lemma 3 the starts whose first impact is no faster than that.

#include "stability.h"

#include <math.h>

#include "enclosure.h"

// Shares of epsilon for V and of V for the state at the first impact; the pair that gives the larger speed is taken.
static const double V_SHARES[] = {1, 0.5, 0.25, 0.125, 1e-2, 1e-3};
static const double IMPACT_SHARES[] = {0.5, 0.25};

// Lemma 2 and 3 need strict inequalities, and a few operations below are rounded to nearest.
static const double STRICTLY = 1 - 1e-12;

// V = N(q, v) over t in [t*, t* + t], and what is known over it.
typedef struct surroundings {
    double q, v, t;
    zeno_neighbourhood bounds;
    double beta;   // |v| <= beta
    double normal; // |J| <= normal
    double e;
} surroundings;

static bool survey(zeno_engine *engine, const zeno_point *x, int j, surroundings *V) {
    const zeno_model *model = engine->model;
    const int n = model->coordinates;
    zeno_enclosure *box = &engine->enclosure;
    box->t = zeno_interval_add(zeno_interval_point(x->t), zeno_interval_between(0, V->t));
    for (int i = 0; i < model->parameters; ++i)
        box->p[i] = zeno_interval_point(x->p[i]);
    for (int i = 0; i < model->inputs; ++i)
        box->u[i] = zeno_interval_point(x->u[i]);
    for (int i = 0; i < n; ++i) {
        box->q[i] = zeno_interval_around(x->q[i], V->q);
        box->v[i] = zeno_interval_around(x->v[i], V->v);
    }
    if (!zeno_enclose(model, box, j, &V->bounds) || !(V->bounds.a_min > 0)) return false;
    V->beta = zeno_interval_norm(n, box->v);
    V->normal = zeno_interval_norm(n, box->J + j * n);
    return V->e * sqrt(V->bounds.a_max / V->bounds.a_min) < 1;
}

// v_1max of [TAC, Eq. (12)] with delta' = share * V.
static double largest_impact_speed(const surroundings *V, double share) {
    const double e = V->e, rest = 1 - e * sqrt(V->bounds.a_max / V->bounds.a_min), fall = V->bounds.a_min * rest;
    const double in_velocity = (1 - share) * V->v / ((1 + e) * V->bounds.eta / rest + 2 * e * V->bounds.zeta / fall);
    if (e == 0) return in_velocity;
    const double in_time = fall * (1 - share) * V->t / (2 * e);
    const double in_position = fall * (1 - share) * V->q / (2 * e * V->beta);
    return fmin(in_velocity, fmin(in_time, in_position));
}

// |J(q) v*| <= this for all |q - q*| <= radius: what a change of place alone does to the gap rate.
static double turning(zeno_engine *engine, const zeno_point *x, int j, double radius) {
    const int n = engine->model->coordinates;
    zeno_enclosure *box = &engine->enclosure;
    for (int i = 0; i < n; ++i) {
        box->q[i] = zeno_interval_around(x->q[i], radius);
        box->v[i] = zeno_interval_point(x->v[i]);
    }
    const zeno_box at = {.t = box->t, .p = box->p, .u = box->u, .q = box->q, .v = box->v};
    engine->model->lagrangian->enclosure(&at, box->M, box->right, box->J, box->curvature);
    return zeno_interval_magnitude(zeno_interval_dot(n, box->J + j * n, box->v));
}

// [TAC, Eq. (16)] with half of v_1max^2 given to 2 h a_max and half to dh^2 a_max/a_min. h <= |J| |q - q*|, and
// |dh| <= |J(q) v*| + |J| |v - v*|.
static zeno_radii solve_radii(zeno_engine *engine, const zeno_point *x, int j, const surroundings *V, double share,
                              double speed) {
    const zeno_neighbourhood *b = &V->bounds;
    const double h = speed * speed / (4 * b->a_max), rate = speed * sqrt(b->a_min / (2 * b->a_max));
    const double fall_time = (rate + sqrt(rate * rate + 2 * b->a_min * h)) / b->a_min;
    const double position = fmin(h / V->normal, share * V->q - V->beta * fall_time);
    const double turn = position > 0 ? turning(engine, x, j, position) : HUGE_VAL;
    const double velocity = fmin((rate - turn) / V->normal, share * V->v - b->zeta * fall_time);
    const bool holds = position > 0 && velocity > 0 && fall_time < share * V->t;
    return holds ? (zeno_radii){STRICTLY * position, STRICTLY * velocity} : (zeno_radii){0, 0};
}

// A speed that is too large for [TAC, Eq. (16)(i)] is lowered until the first flight fits.
static zeno_radii fit_radii(zeno_engine *engine, const zeno_point *x, int j, const surroundings *V, double share) {
    enum { TRIES = 12 };
    double speed = STRICTLY * largest_impact_speed(V, share);
    for (int i = 0; i < TRIES; ++i, speed /= 2) {
        const zeno_radii radii = solve_radii(engine, x, j, V, share, speed);
        if (radii.position > 0) return radii;
    }
    return (zeno_radii){0, 0};
}

zeno_radii zeno_stability_radii(zeno_engine *engine, const zeno_point *x, const double *settings, int j) {
    zeno_radii best = {0, 0};
    if (!engine->model->lagrangian->enclosure) return best;
    double *e = engine->motion.scratch;
    engine->model->lagrangian->restitution(x, e);
    for (size_t i = 0; i < sizeof V_SHARES / sizeof *V_SHARES; ++i) {
        surroundings V = {.q = V_SHARES[i] * settings[ZENO_EPSILON_Q],
                          .v = V_SHARES[i] * settings[ZENO_EPSILON_V],
                          .t = settings[ZENO_EPSILON_T],
                          .e = e[j]};
        for (size_t k = 0; k < sizeof IMPACT_SHARES / sizeof *IMPACT_SHARES; ++k) {
            if (!survey(engine, x, j, &V)) break;
            const zeno_radii radii = fit_radii(engine, x, j, &V, IMPACT_SHARES[k]);
            if (radii.velocity > best.velocity) best = radii;
        }
    }
    return best;
}
