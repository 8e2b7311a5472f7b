// Where a Zeno cascade is truncated: at the first impact for which that is proven to be reliable, and where no proof
// can be had, when the cascade can't be followed any further.

#include <math.h>
#include <string.h>

#include "certificate.h"
#include "impact.h"
#include "linear.h"

// Impacts whose flights shrink without ever meeting the conditions (e near 1) before a cascade is cut whose flights
// have become too small to matter. With e = 1 flights shrink too, by rounding: such a motion bounces on.
enum { MOST_SHRINKING = 1000000 };

// The bounds of certificate.c with all maxima taken at the candidate itself: necessary for a proof, and cheap.
static zeno_bounds estimate(const zeno_engine *engine, const zeno_strike *strike) {
    const int n = engine->model->coordinates;
    const double e = strike->restitution, speed = -strike->approach, pull = -strike->gap_acceleration;
    const double time = 2 * e * speed / (pull * (1 - e));
    const double eta = zeno_norm(n, strike->w) / strike->W;
    return (zeno_bounds){.time = time,
                         .position = zeno_norm(n, strike->v_star) * time,
                         .velocity = speed * eta * e * (1 + (1 + e) / (1 - e)) + zeno_norm(n, strike->free) * time};
}

static bool can_succeed(const zeno_engine *engine, const zeno_bounds *bounds) {
    const double *asked = engine->anchor.settings;
    return bounds->time < asked[ZENO_EPSILON_T] && bounds->position < asked[ZENO_EPSILON_Q] &&
           bounds->velocity < asked[ZENO_EPSILON_V];
}

static void record_proof(zeno_engine *engine, const zeno_strike *strike) {
    const zeno_model *model = engine->model;
    const zeno_state *anchor = &engine->anchor;
    zeno_proof *proof = &anchor->contact[strike->j].proof;
    const size_t n = (size_t)model->coordinates;
    proof->time = anchor->time;
    proof->approach = strike->approach;
    proof->restitution = strike->restitution;
    proof->orthogonal = strike->orthogonal;
    memcpy(proof->q, zeno_q(anchor->y), n * sizeof(double));
    memcpy(proof->v, strike->v_star, n * sizeof(double));
    for (int i = 0; i < model->inputs; ++i)
        proof->inputs[i] = zeno_interval_point(zeno_signal_at(&anchor->inputs[i], 0, anchor->time));
    memcpy(proof->parameters, anchor->parameters, (size_t)model->parameters * sizeof(double));
}

// A model by hand need not bring bounds of its equations: then the estimate decides, uncertified.
static void try_to_prove(zeno_engine *engine, const zeno_strike *strike, zeno_verdict *verdict) {
    record_proof(engine, strike);
    verdict->certified = zeno_certify(engine, strike->j, &verdict->bounds);
    verdict->truncate = verdict->certified || !engine->model->lagrangian->enclosure;
    verdict->reason = "the model gives no bounds of its equations";
}

// The next flight rises by less than epsilon_q, and its impact changes the velocity by less than epsilon_v.
static bool hardly_rises(const zeno_engine *engine, const zeno_strike *strike) {
    const double speed = -strike->approach, pull = -strike->gap_acceleration;
    const double eta = zeno_norm(engine->model->coordinates, strike->w) / strike->W;
    const double *asked = engine->anchor.settings;
    return pull > 0 && eta * speed * speed / (2 * pull) < asked[ZENO_EPSILON_Q] &&
           2 * eta * speed < asked[ZENO_EPSILON_V];
}

// A cascade that can't be followed any further. NULL when it can.
static const char *exhaustion(const zeno_engine *engine, const zeno_strike *strike) {
    const zeno_state *anchor = &engine->anchor;
    if (anchor->bounces > 1 && anchor->last_flight < zeno_time_resolution(anchor))
        return "flights have become shorter than the resolution of time";
    if (anchor->shrinking >= MOST_SHRINKING && hardly_rises(engine, strike)) return "the budget of impacts is spent";
    return NULL;
}

zeno_verdict zeno_truncation(zeno_engine *engine, const zeno_strike *strike) {
    zeno_verdict verdict = {.zeno_time = engine->anchor.time};
    if (strike->gap_acceleration < 0 && strike->restitution < 1) {
        verdict.bounds = estimate(engine, strike);
        verdict.zeno_time += verdict.bounds.time; // in error by the square of the impact speed
        if (can_succeed(engine, &verdict.bounds)) try_to_prove(engine, strike, &verdict);
    }
    const char *exhausted = verdict.truncate ? NULL : exhaustion(engine, strike);
    if (exhausted) {
        verdict.truncate = true;
        verdict.reason = exhausted;
    }
    return verdict;
}
