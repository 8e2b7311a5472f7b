// Reliable truncation [TAC, Definition 6, Theorem 3], with its maxima over V bounded by interval arithmetic.
//
// V = {|q - q*| <= r_q, |v - v*| <= r_v, t in [t_k, t_k + r_t]}. From the truncating impact on, with its speed s =
// |dh-|, e gamma = e sqrt(a_max/a_min) < 1 and the bounds of V:
//     time      T = 2 e s / (a_min (1 - e gamma))                                     [TAC, Eq. (13)]
//     position  P = (|v*| + r_v) T
//     velocity  S = s (rho + (1 + e) eta e gamma / (1 - e gamma)) + zeta T            [TAC, Eq. (15), from v+ on]
// where rho s = |v+ - v*|. If T < r_t, P < r_q and S < r_v, the cascade can't leave V, and T, P, S bound it.
// docs/mathematics.md has the proof.

#include "certificate.h"

#include <math.h>
#include <string.h>

#include "enclosure.h"
#include "message.h"

static zeno_interval point(double x) {
    return zeno_interval_point(x);
}

static void fill_box(zeno_engine *engine, const zeno_proof *proof, const zeno_bounds *radius) {
    const zeno_model *model = engine->model;
    zeno_enclosure *box = &engine->enclosure;
    const zeno_interval later = zeno_interval_add(point(proof->time), point(radius->time));
    box->t = zeno_interval_between(proof->time, later.hi);
    for (int i = 0; i < model->parameters; ++i)
        box->p[i] = point(engine->anchor.parameters[i]);
    for (int i = 0; i < model->inputs; ++i)
        box->u[i] = zeno_interval_hull(proof->inputs[i], zeno_signal_range(&engine->anchor.inputs[i], box->t));
    for (int i = 0; i < model->coordinates; ++i) {
        box->q[i] = zeno_interval_around(proof->q[i], radius->position);
        box->v[i] = zeno_interval_around(proof->v[i], radius->velocity);
    }
}

// rho = |v+ - v*| / s at the candidate, from the box that is this point: e |w|/W for the kinetic map, and
// |(1 + e) w/W - J'/|J|^2| for the orthogonal one.
static double first_jump(const zeno_engine *engine, int j, const zeno_proof *proof, double w_over_W) {
    const int n = engine->model->coordinates;
    const zeno_interval e = point(proof->restitution);
    if (!proof->orthogonal) return zeno_interval_mul(e, point(w_over_W)).hi;
    const zeno_enclosure *at = &engine->enclosure;
    const zeno_interval *J = at->J + j * n, *w = at->solution + n;
    const zeno_interval W = zeno_interval_dot(n, J, w), square = zeno_interval_dot(n, J, J);
    zeno_interval sum = point(0);
    for (int i = 0; i < n; ++i) {
        const zeno_interval impulse = zeno_interval_div(zeno_interval_mul(zeno_interval_add(point(1), e), w[i]), W);
        const zeno_interval jump = zeno_interval_sub(impulse, zeno_interval_div(J[i], square));
        sum = zeno_interval_add(sum, zeno_interval_power(jump, 2));
    }
    return zeno_interval_sqrt(sum).hi;
}

// T, P, S of the theorem, rounded up. False when e gamma < 1 or a_min > 0 doesn't hold.
static bool cascade_bounds(const zeno_proof *proof, const zeno_neighbourhood *V, double beta, zeno_bounds *bounds) {
    if (!(V->a_min > 0)) return false;
    const zeno_interval e = point(proof->restitution), speed = point(-proof->approach), one = point(1);
    const zeno_interval gamma = zeno_interval_sqrt(zeno_interval_div(point(V->a_max), point(V->a_min)));
    const zeno_interval ratio = zeno_interval_mul(e, gamma), rest = zeno_interval_sub(one, ratio);
    if (!(rest.lo > 0)) return false;
    const zeno_interval fall = zeno_interval_mul(point(V->a_min), rest);
    const zeno_interval T = zeno_interval_div(zeno_interval_mul(zeno_interval_mul(point(2), e), speed), fall);
    const zeno_interval impulses =
        zeno_interval_mul(zeno_interval_mul(zeno_interval_add(one, e), point(V->eta)), zeno_interval_div(ratio, rest));
    const zeno_interval jumps = zeno_interval_mul(speed, zeno_interval_add(point(proof->first_jump), impulses));
    bounds->time = T.hi;
    bounds->position = zeno_interval_mul(point(beta), T).hi;
    bounds->velocity = zeno_interval_add(jumps, zeno_interval_mul(point(V->zeta), T)).hi;
    return isfinite(bounds->time) && isfinite(bounds->position) && isfinite(bounds->velocity);
}

// The bounds that follow if the cascade stays within `radius`.
static bool bounds_within(zeno_engine *engine, int j, const zeno_proof *proof, const zeno_bounds *radius,
                          zeno_neighbourhood *V, zeno_bounds *bounds) {
    fill_box(engine, proof, radius);
    if (!zeno_enclose(engine->model, &engine->enclosure, j, V)) return false;
    const double beta = zeno_interval_norm(engine->model->coordinates, engine->enclosure.v);
    return cascade_bounds(proof, V, beta, bounds);
}

// With e = 0 there is no cascade: the bounds 0 of a plastic impact need no room.
static bool less(double bound, double radius) {
    return bound < radius || (bound == 0 && radius == 0);
}

static bool all_less(const zeno_bounds *bounds, const zeno_bounds *radius) {
    return less(bounds->time, radius->time) && less(bounds->position, radius->position) &&
           less(bounds->velocity, radius->velocity);
}

// Radii a little wider than the bounds at the point itself, but no wider than asked for. The position's follows from
// the other two: a body that comes to rest has no velocity of its own.
static zeno_bounds widened(const zeno_bounds *least, double speed, double factor, const zeno_bounds *most) {
    const double time = factor * least->time, velocity = factor * least->velocity;
    return (zeno_bounds){.time = fmin(time, most->time),
                         .position = fmin(factor * (speed + velocity) * time, most->position),
                         .velocity = fmin(velocity, most->velocity)};
}

// The radii are free as long as they stay within what is asked for. At the point itself the bounds are at their least;
// a box a little wider than those proves almost the same, and wider ones are tried until all that is allowed is used.
bool zeno_certify(zeno_engine *engine, int j, zeno_bounds *bounds) {
    static const double factors[] = {1.25, 2, 8, 64, 1e4};
    zeno_proof *proof = &engine->anchor.contact[j].proof;
    const double *settings = engine->anchor.settings;
    const zeno_bounds asked = {settings[ZENO_EPSILON_T], settings[ZENO_EPSILON_Q], settings[ZENO_EPSILON_V]};
    const zeno_bounds none = {0, 0, 0};
    zeno_neighbourhood V;
    zeno_bounds least;
    proof->first_jump = 0;
    if (!engine->model->lagrangian->enclosure || !bounds_within(engine, j, proof, &none, &V, &least)) return false;
    proof->first_jump = first_jump(engine, j, proof, V.eta);
    const double speed = zeno_interval_norm(engine->model->coordinates, engine->enclosure.v);
    if (!cascade_bounds(proof, &V, speed, &least) || !all_less(&least, &asked)) return false;
    for (size_t i = 0; i < sizeof factors / sizeof *factors; ++i) {
        const zeno_bounds radius = widened(&least, speed, factors[i], &asked);
        if (bounds_within(engine, j, proof, &radius, &V, bounds) && all_less(bounds, &radius)) return true;
    }
    return false;
}

void zeno_remember_inputs(zeno_engine *engine) {
    const zeno_state *anchor = &engine->anchor;
    for (int j = 0; j < engine->model->constraints; ++j) {
        const zeno_proof *proof = &anchor->contact[j].proof;
        const zeno_interval since = zeno_interval_between(proof->time, fmax(proof->time, anchor->time));
        for (int i = 0; i < engine->model->inputs; ++i)
            proof->inputs[i] = zeno_interval_hull(proof->inputs[i], zeno_signal_range(&anchor->inputs[i], since));
    }
}

static void check_certificate(zeno_engine *engine, int j) {
    const zeno_model *model = engine->model;
    zeno_contact *contact = &engine->anchor.contact[j];
    zeno_proof *proof = &contact->proof;
    const size_t size = (size_t)model->parameters * sizeof(double);
    const bool same = memcmp(proof->parameters, engine->anchor.parameters, size) == 0;
    zeno_bounds bounds;
    contact->zeno_certified = same && zeno_certify(engine, j, &bounds);
    if (!contact->zeno_certified) {
        zeno_log(
            &engine->host, ZENO_LOG_EVENTS,
            "t = %.17g: the Zeno point of %s is no longer certified: %s changed inside its interval, which began at "
            "%.17g",
            engine->anchor.time, model->constraint_name[j], same ? "an input" : "a parameter", proof->time);
        return;
    }
    contact->zeno_time_bound = bounds.time;
    contact->zeno_position_bound = bounds.position;
    contact->zeno_velocity_bound = bounds.velocity;
    zeno_log(&engine->host, ZENO_LOG_EVENTS,
             "t = %.17g: the Zeno point of %s stays certified with the changed inputs: time bound %.6g, position bound "
             "%.6g, velocity bound %.6g",
             engine->anchor.time, model->constraint_name[j], bounds.time, bounds.position, bounds.velocity);
}

void zeno_check_certificates(zeno_engine *engine) {
    for (int j = 0; j < engine->model->constraints; ++j) {
        const zeno_contact *contact = &engine->anchor.contact[j];
        const bool running = engine->anchor.time < contact->proof.time + contact->zeno_time_bound;
        if (contact->zeno_certified && running) check_certificate(engine, j);
    }
}
