// Contact: onto the constraint, along it, and off it again [TAC, IV].

#include <math.h>

#include "engine_impl.h"
#include "linear.h"
#include "message.h"

// Newton's method along w = M^-1 J': q <- q - h/W w. From within the solver's tolerance two or three steps end at the
// rounding error of h; the count is bounded for the sake of h whose error bound is too small.
bool zeno_project_coordinates(const zeno_model *model, const zeno_point *x, int j, double *q, zeno_motion *motion) {
    enum { MOST_STEPS = 8 };
    const int n = model->coordinates, m = model->constraints;
    double *h = motion->scratch, *rounding = h + m; // m x m + 2 m doubles: enough for h, its rounding and the drift
    double *drift = motion->force, *J = motion->w;
    double last = HUGE_VAL;
    for (int step = 0; step < MOST_STEPS; ++step) {
        model->lagrangian->constraints(x, h, rounding, J, drift);
        const double gap = h[j];
        if (gap == 0 || !(fabs(gap) < 0.5 * last)) return true;
        last = fabs(gap);
        if (!zeno_motion_effect(model, x, motion)) return false;
        zeno_add(n, -gap / motion->W[j * m + j], motion->w + j * n, q);
    }
    return true;
}

// dh_j/dt = J v + dh/dt at fixed q
static double gap_rate(const zeno_model *model, const zeno_point *x, int j, zeno_motion *motion) {
    const int n = model->coordinates, m = model->constraints;
    double *h = motion->scratch, *rounding = h + m;
    model->lagrangian->constraints(x, h, rounding, motion->J, motion->force);
    return zeno_dot(n, motion->J + j * n, x->v) + motion->force[j];
}

bool zeno_project(const zeno_model *model, const zeno_point *x, const zeno_contact *contact, double *y,
                  zeno_motion *motion) {
    const int n = model->coordinates, m = model->constraints;
    for (int j = 0; j < m; ++j) {
        if (!contact[j].closed) continue;
        if (!zeno_project_coordinates(model, x, j, zeno_q(y), motion)) return false;
        if (!zeno_motion_effect(model, x, motion)) return false;
        const double rate = gap_rate(model, x, j, motion);
        zeno_add(n, -rate / motion->W[j * m + j], motion->w + j * n, zeno_v(model, y));
        zeno_gap(model, y)[j] = zeno_gap_rate(model, y)[j] = 0;
    }
    return true;
}

// Neither contact nor rest remembers the flights before it.
static void end_cascade(zeno_state *anchor) {
    anchor->flight_age = anchor->last_flight = 0;
    anchor->bounces = anchor->shrinking = 0;
}

zeno_status zeno_close(zeno_engine *engine, int j) {
    const zeno_model *model = engine->model;
    zeno_state *anchor = &engine->anchor;
    zeno_contact *contact = &anchor->contact[j];
    contact->closed = true;
    contact->hanging = false;
    ++anchor->flips;
    contact->gap_scale = contact->rate_scale = 1;
    end_cascade(anchor);
    zeno_log(&engine->host, ZENO_LOG_EVENTS, "t = %.17g: sliding on %s begins", anchor->time,
             model->constraint_name[j]);
    const zeno_point x = zeno_point_at(engine, 0, anchor->y);
    return zeno_project(model, &x, anchor->contact, anchor->y, &engine->motion) ? ZENO_OK : zeno_singular(engine);
}

zeno_status zeno_release(zeno_engine *engine, int j) {
    const zeno_model *model = engine->model;
    zeno_state *anchor = &engine->anchor;
    zeno_contact *contact = &anchor->contact[j];
    contact->closed = false;
    contact->hanging = true;
    ++anchor->flips;
    ++contact->releases;
    end_cascade(anchor);
    zeno_begin_flight(engine, j, 0);
    zeno_log(&engine->host, ZENO_LOG_EVENTS, "t = %.17g: release from %s, sliding ends", anchor->time,
             model->constraint_name[j]);
    return ZENO_OK;
}
