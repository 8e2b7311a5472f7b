// The start of a motion: where it stands towards the constraint, and with which tolerance it is integrated.

#include <float.h>
#include <math.h>
#include <string.h>

#include "engine_impl.h"
#include "linear.h"
#include "message.h"

// How many of its rounding errors a start value may miss the constraint by and still be on it.
enum { ALLOWANCE = 256 };
// The solver's relative tolerance per unit of the one asked for: local errors add up over flights and impacts. With
// this factor the results stay within 100 tolerances of the reference even where a motion multiplies errors by 50.
#define SAFETY 0.01
#define LEAST_TOLERANCE 1e-12
#define LARGEST_TOLERANCE 1e-3

// Gap and gap rate of constraint j at the start; what is within its rounding error of zero is zero.
static void place_gap(zeno_engine *engine, const zeno_point *x, int j) {
    const zeno_model *model = engine->model;
    const int n = model->coordinates, m = model->constraints;
    zeno_motion *motion = &engine->motion;
    double *h = motion->scratch, *rounding = h + m, *drift = motion->force;
    model->lagrangian->constraints(x, h, rounding, motion->J, drift);
    const double *J = motion->J + j * n;
    double rate = zeno_dot(n, J, x->v) + drift[j], size = fabs(drift[j]);
    for (int i = 0; i < n; ++i)
        size += fabs(J[i] * x->v[i]);
    const double gap = fabs(h[j]) <= ALLOWANCE * DBL_EPSILON / 2 * rounding[j] ? 0 : h[j];
    if (fabs(rate) <= ALLOWANCE * DBL_EPSILON / 2 * size) rate = 0;
    zeno_gap(model, engine->anchor.y)[j] = gap;
    zeno_gap_rate(model, engine->anchor.y)[j] = rate;
}

bool zeno_place_start(zeno_engine *engine, double time, int *below) {
    const zeno_model *model = engine->model;
    zeno_state *anchor = &engine->anchor;
    const zeno_state fresh = {.contact = anchor->contact};
    *anchor = fresh;
    memset(anchor->contact, 0, zeno_state_memory(model));
    zeno_state_place(anchor, model, anchor->contact);
    zeno_adopt_values(engine);
    anchor->time = time;
    *below = -1;
    return engine->system->place(engine, below);
}

bool zeno_place_contacts(zeno_engine *engine, int *below) {
    const zeno_model *model = engine->model;
    zeno_state *anchor = &engine->anchor;
    memcpy(anchor->y, engine->start, 2 * (size_t)model->coordinates * sizeof(double));
    const zeno_point x = zeno_point_at(engine, 0, anchor->y);
    for (int j = 0; j < model->constraints; ++j) {
        place_gap(engine, &x, j);
        if (!(zeno_gap(model, anchor->y)[j] >= 0)) *below = j;
    }
    if (!zeno_motion_effect(model, &x, &engine->motion)) return false;
    for (int j = 0; j < model->constraints; ++j) {
        zeno_contact *contact = &anchor->contact[j];
        const bool resting = zeno_gap(model, anchor->y)[j] == 0 && zeno_gap_rate(model, anchor->y)[j] == 0;
        contact->closed = resting && engine->motion.gap_acceleration[j] < 0;
        contact->hanging = resting && !contact->closed;
        zeno_begin_flight(engine, j, engine->motion.gap_acceleration[j]);
    }
    return true;
}

static double choose_tolerance(const zeno_engine *engine, double host_tolerance) {
    const double own = engine->settings[ZENO_TOLERANCE];
    const double asked = own > 0 ? own : host_tolerance > 0 ? host_tolerance : engine->model->tolerance;
    const double used = fmin(fmax(asked, LEAST_TOLERANCE), LARGEST_TOLERANCE);
    if (used != asked)
        zeno_log(&engine->host, ZENO_LOG_WARNING, "tolerance %g is outside [%g, %g]: %g is used", asked,
                 LEAST_TOLERANCE, LARGEST_TOLERANCE, used);
    return used;
}

static const char *start_name(const zeno_model *model, int i) {
    const int first = model->hybrid ? model->states : model->coordinates;
    if (i < first) return model->hybrid ? model->state_name[i] : model->coordinate_name[i];
    return model->hybrid ? model->held_name[i - first] : model->rate_name[i - first];
}

static zeno_status check_start(const zeno_engine *engine, double start_time) {
    const zeno_model *model = engine->model;
    for (int i = 0; i < zeno_start_values(model); ++i) {
        if (isfinite(engine->start[i])) continue;
        zeno_log(&engine->host, ZENO_LOG_ERROR, "the start value of '%s' is %g, expected a finite value",
                 start_name(model, i), engine->start[i]);
        return ZENO_REFUSED;
    }
    if (isfinite(start_time)) return ZENO_OK;
    zeno_log(&engine->host, ZENO_LOG_ERROR, "the start time is %g, expected a finite value", start_time);
    return ZENO_REFUSED;
}

static zeno_status refuse_start(const zeno_engine *engine, int below) {
    if (below < 0) {
        zeno_singular(engine);
        return ZENO_REFUSED;
    }
    zeno_log(&engine->host, ZENO_LOG_ERROR,
             "the start lies below the constraint '%s': its gap is %.17g, expected a gap >= 0",
             engine->model->constraint_name[below], zeno_gap(engine->model, engine->anchor.y)[below]);
    return ZENO_REFUSED;
}

zeno_status zeno_initialize(zeno_engine *engine, double start_time, double tolerance) {
    zeno_status status = check_start(engine, start_time);
    if (status == ZENO_OK) status = zeno_check_values(engine);
    if (status != ZENO_OK) return status;
    int below = -1;
    zeno_view_spoil(engine);
    if (!zeno_place_start(engine, start_time, &below) || below >= 0) return refuse_start(engine, below);
    engine->tolerance = SAFETY * choose_tolerance(engine, tolerance);
    engine->time = start_time;
    zeno_integrator_forget_work(engine->integrator);
    status = engine->system->settle(engine);
    if (status == ZENO_OK) status = zeno_restart(engine);
    engine->initialized = status == ZENO_OK;
    return status;
}
