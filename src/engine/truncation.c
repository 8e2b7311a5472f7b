// Where a Zeno cascade is truncated: the reliable truncation conditions [TAC, Definition 6, Theorem 3].
//
// The maxima of the theorem are taken at the candidate (q*, v*) itself and not yet over its neighbourhood, so nothing
// that is reported here is certified.

#include <math.h>

#include "impact.h"
#include "linear.h"

// Impacts whose flights shrink without ever meeting the conditions (e near 1) before the cascade is cut all the same.
enum { MOST_SHRINKING = 1000000 };

// What the theorem needs of the neighbourhood of the candidate.
typedef struct neighbourhood {
    double a_min, a_max; // bounds of -ddh
    double beta;         // bound of |v|
    double eta;          // bound of |w|/W
    double zeta;         // bound of |a|
} neighbourhood;

static neighbourhood at_candidate(const zeno_engine *engine, const zeno_strike *strike) {
    const int n = engine->model->coordinates;
    return (neighbourhood){.a_min = -strike->gap_acceleration,
                           .a_max = -strike->gap_acceleration,
                           .beta = zeno_norm(n, strike->v_star) + engine->anchor.settings[ZENO_EPSILON_V],
                           .eta = zeno_norm(n, strike->w) / strike->W,
                           .zeta = zeno_norm(n, strike->free)};
}

// rho1 = |v+ - v*| / |dh-| with v+ the velocity after the truncating impact.
static double first_jump(const zeno_engine *engine, const zeno_strike *strike) {
    const int n = engine->model->coordinates;
    const double e = strike->restitution;
    double sum = 0;
    for (int i = 0; i < n; ++i) {
        const double after = strike->v[i] - (1 + e) * strike->approach / strike->W * strike->w[i];
        sum += (after - strike->v_star[i]) * (after - strike->v_star[i]);
    }
    return sqrt(sum) / -strike->approach;
}

// Fills in the bounds that hold when the cascade is truncated at this strike.
static void bound(const zeno_engine *engine, const zeno_strike *strike, const neighbourhood *V, zeno_verdict *verdict) {
    const double e = strike->restitution, speed = -strike->approach;
    const double ratio = e * sqrt(V->a_max / V->a_min); // e gamma
    const double damping = V->a_min * (1 - ratio);
    verdict->time_bound = 2 * e * speed / damping;
    verdict->position_bound = V->beta * verdict->time_bound;
    verdict->velocity_bound =
        speed * (first_jump(engine, strike) + (1 + e) * V->eta * ratio / (1 - ratio) + 2 * e * V->zeta / damping);
    verdict->zeno_time = engine->anchor.time + 2 * e * speed / (-strike->gap_acceleration * (1 - e));
}

// A cascade that can't be followed any further. NULL when it can.
static const char *exhaustion(const zeno_state *anchor) {
    if (anchor->bounces > 1 && anchor->last_flight < zeno_time_resolution(anchor))
        return "flights have become shorter than the resolution of time";
    if (anchor->shrinking >= MOST_SHRINKING) return "the budget of impacts is spent";
    return NULL;
}

zeno_verdict zeno_truncation(const zeno_engine *engine, const zeno_strike *strike) {
    zeno_verdict verdict = {.zeno_time = engine->anchor.time};
    const double *settings = engine->anchor.settings;
    if (strike->gap_acceleration < 0 && strike->restitution < 1) {
        const neighbourhood V = at_candidate(engine, strike);
        bound(engine, strike, &V, &verdict);
        verdict.reason = "the bounds hold at the point itself only";
        verdict.truncate = verdict.time_bound < settings[ZENO_EPSILON_T] &&
                           verdict.position_bound < settings[ZENO_EPSILON_Q] &&
                           verdict.velocity_bound < settings[ZENO_EPSILON_V];
    }
    const char *exhausted = verdict.truncate ? NULL : exhaustion(&engine->anchor);
    if (exhausted) {
        verdict.truncate = true;
        verdict.reason = exhausted;
    }
    return verdict;
}
