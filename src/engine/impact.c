// What happens at an impact: the state is put onto the constraint, the cascade is truncated where that is reliable,
// and otherwise the velocity is reflected [TAC, Eq. (4)], [Notes, Eq. (5.17)].

#include "impact.h"

#include <math.h>
#include <string.h>

#include "linear.h"
#include "message.h"

// v <- v - (J v - rate)/W w: the impulse along w that leaves the gap rate `rate`.
static void set_gap_rate(const zeno_engine *engine, int j, double rate, double *v) {
    const int n = engine->model->coordinates, m = engine->model->constraints;
    const zeno_motion *motion = &engine->motion;
    const double present = zeno_dot(n, motion->J + j * n, v);
    zeno_add(n, (rate - present) / motion->W[j * m + j], motion->w + j * n, v);
}

// Puts q onto h = 0 and makes J v the carried gap rate: impact law and certificate then use one value. (Left alone,
// J v has lost its digits, and even its sign, at speeds near 1e-9.)
static bool align(zeno_engine *engine, int j) {
    const zeno_model *model = engine->model;
    double *y = engine->anchor.y;
    const zeno_point x = zeno_point_at(engine, 0, y);
    if (!zeno_project_coordinates(model, &x, j, zeno_q(y), &engine->motion)) return false;
    if (!zeno_motion_effect(model, &x, &engine->motion)) return false;
    zeno_gap(model, y)[j] = 0;
    set_gap_rate(engine, j, zeno_gap_rate(model, y)[j], zeno_v(model, y));
    return true;
}

static double restitution(const zeno_engine *engine, int j) {
    const zeno_point x = zeno_point_at(engine, 0, engine->anchor.y);
    double *e = engine->motion.scratch;
    engine->model->lagrangian->restitution(&x, e);
    return e[j];
}

// v*: kinetic, v - (J v)/W w, is where the infinitely many impulses left, all along w, leave the velocity; orthogonal,
// v - (J v)/|J|^2 J', is TAC's map [TAC, V-B].
static void reinitialize(const zeno_engine *engine, const zeno_strike *strike, double *v_star) {
    const int n = engine->model->coordinates;
    const double *J = engine->motion.J + strike->j * n;
    memcpy(v_star, strike->v, (size_t)n * sizeof *v_star);
    if (strike->orthogonal)
        zeno_add(n, -strike->approach / zeno_dot(n, J, J), J, v_star);
    else
        set_gap_rate(engine, strike->j, 0, v_star);
}

// Energy lost when the velocity before the impact becomes v*: (v - v*)' M (v + v*) / 2, which keeps its digits at
// small speeds. M stands as its Cholesky factor: x' M y = (L'x)'(L'y).
static double energy_lost(const zeno_engine *engine, const double *v, const double *v_star) {
    const int n = engine->model->coordinates;
    const double *L = engine->motion.M;
    double sum = 0;
    for (int k = 0; k < n; ++k) {
        double difference = 0, total = 0;
        for (int i = k; i < n; ++i) {
            difference += L[i * n + k] * (v[i] - v_star[i]);
            total += L[i * n + k] * (v[i] + v_star[i]);
        }
        sum += difference * total;
    }
    return sum / 2;
}

static void count_impact(zeno_state *anchor, int j, double speed, double impulse) {
    zeno_contact *contact = &anchor->contact[j];
    ++contact->impacts;
    contact->hanging = false;
    contact->last_impact_time = anchor->time;
    contact->last_impact_speed = speed;
    contact->last_impulse = impulse;
    const bool shrinks = anchor->bounces > 0 && anchor->flight_age < anchor->last_flight;
    anchor->shrinking = shrinks ? anchor->shrinking + 1 : 0;
    anchor->last_flight = anchor->bounces > 0 ? anchor->flight_age : HUGE_VAL;
    ++anchor->bounces;
}

static void log_truncation(const zeno_engine *engine, const zeno_strike *strike, const zeno_verdict *verdict) {
    const char *name = engine->model->constraint_name[strike->j];
    const zeno_bounds *bounds = &verdict->bounds;
    zeno_log(&engine->host, ZENO_LOG_EVENTS,
             "t = %.17g: Zeno truncation on %s at impact speed %.6g, gap acceleration %.6g: Zeno point at %.17g, time "
             "bound %.6g, position bound %.6g, velocity bound %.6g, %s%s",
             engine->anchor.time, name, -strike->approach, strike->gap_acceleration, verdict->zeno_time, bounds->time,
             bounds->position, bounds->velocity,
             verdict->certified ? "certified" : "not certified: ", verdict->certified ? "" : verdict->reason);
}

static zeno_status truncate_cascade(zeno_engine *engine, const zeno_strike *strike, const zeno_verdict *verdict) {
    const zeno_model *model = engine->model;
    const int n = model->coordinates, j = strike->j;
    zeno_state *anchor = &engine->anchor;
    zeno_contact *contact = &anchor->contact[j];
    anchor->dissipated += energy_lost(engine, strike->v, strike->v_star);
    memcpy(zeno_v(model, anchor->y), strike->v_star, (size_t)n * sizeof(double));
    zeno_gap_rate(model, anchor->y)[j] = 0;
    contact->last_impulse = -strike->approach / strike->W;
    ++contact->zeno_count;
    contact->zeno_time = verdict->zeno_time;
    contact->zeno_time_bound = verdict->bounds.time;
    contact->zeno_position_bound = verdict->bounds.position;
    contact->zeno_velocity_bound = verdict->bounds.velocity;
    contact->zeno_certified = verdict->certified;
    log_truncation(engine, strike, verdict);
    return zeno_close(engine, j);
}

zeno_status zeno_rebound(zeno_engine *engine, int j) {
    const zeno_model *model = engine->model;
    zeno_state *anchor = &engine->anchor;
    const zeno_point x = zeno_point_at(engine, 0, anchor->y);
    if (!zeno_motion_effect(model, &x, &engine->motion)) return zeno_singular(engine);
    const double e = restitution(engine, j), W = engine->motion.W[j * model->constraints + j];
    double *rate = &zeno_gap_rate(model, anchor->y)[j];
    const double approach = *rate;
    *rate = -e * approach;
    set_gap_rate(engine, j, *rate, zeno_v(model, anchor->y));
    anchor->dissipated += (1 - e) * (1 + e) * approach * approach / (2 * W);
    anchor->strip = 0;
    anchor->contact[j].hanging = *rate == 0;
    if (!zeno_motion_free(model, &x, &engine->motion)) return zeno_singular(engine);
    const double pull = engine->motion.gap_acceleration[j];
    zeno_begin_flight(engine, j, pull);
    anchor->first_step = pull < 0 ? 0.02 * 2 * *rate / -pull : 0; // 2 % of the flight to come
    return ZENO_OK;
}

// The strike at the anchor. The velocity after it is looked at in the point that a truncation would leave.
static bool examine(zeno_engine *engine, int j, zeno_strike *strike) {
    const zeno_model *model = engine->model;
    zeno_state *anchor = &engine->anchor;
    zeno_motion *motion = &engine->motion;
    if (!align(engine, j)) return false;
    const double e = restitution(engine, j);
    *strike = (zeno_strike){.j = j,
                            .approach = zeno_gap_rate(model, anchor->y)[j],
                            .restitution = e,
                            .v = zeno_v(model, anchor->y),
                            .v_star = engine->candidate,
                            // A plastic impact is no cascade: it leaves the velocity where the kinetic map does.
                            .orthogonal = e > 0 && anchor->settings[ZENO_REINITIALIZATION] == ZENO_ORTHOGONAL};
    reinitialize(engine, strike, engine->candidate);
    zeno_point x = zeno_point_at(engine, 0, anchor->y);
    x.v = engine->candidate;
    if (!zeno_motion_effect(model, &x, motion)) return false;
    strike->w = motion->w + j * model->coordinates;
    strike->W = motion->W[j * model->constraints + j];
    strike->free = motion->free;
    strike->gap_acceleration = motion->gap_acceleration[j];
    return true;
}

zeno_status zeno_impact(zeno_engine *engine, int j) {
    zeno_state *anchor = &engine->anchor;
    zeno_strike strike;
    if (!examine(engine, j, &strike)) return zeno_singular(engine);
    count_impact(anchor, j, -strike.approach, -(1 + strike.restitution) * strike.approach / strike.W);
    zeno_log(&engine->host, ZENO_LOG_EVENTS, "t = %.17g: impact on %s, speed %.17g", anchor->time,
             engine->model->constraint_name[j], -strike.approach);
    const zeno_verdict verdict = zeno_truncation(engine, &strike);
    if (verdict.truncate) return truncate_cascade(engine, &strike, &verdict);
    anchor->strip = anchor->settings[ZENO_RELAXATION];
    return anchor->strip > 0 ? ZENO_OK : zeno_rebound(engine, j);
}
