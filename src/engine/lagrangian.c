// The hybrid Lagrangian (Q, L, h) as a system of the event loop: free motion, constrained motion, and what ends them.
//
// Gap and gap rate are carried as states beside q and v: y - sin x has no digits left at an impact speed of 1e-8, the
// carried gap keeps its relative accuracy. In contact the gap's place carries the impulse of the contact force: so the
// solver's step size follows the force, whose zero ends the contact, even where a body at rest gives it no other reason
// to. Guard j is the carried gap of an open constraint and the force of a closed one; guard m + j is the gap's
// acceleration while the body hangs at h = dh/dt = 0.

#include <math.h>
#include <string.h>

#include "certificate.h"
#include "engine_impl.h"
#include "linear.h"
#include "message.h"

static bool any_closed(const zeno_model *model, const zeno_contact *contact) {
    for (int j = 0; j < model->constraints; ++j)
        if (contact[j].closed) return true;
    return false;
}

static int guards(const zeno_model *model) {
    return 2 * model->constraints;
}

static int derivative(void *context, double s, const double *y, double *dy) {
    zeno_engine *engine = context;
    const zeno_model *model = engine->model;
    const int n = model->coordinates, m = model->constraints;
    const zeno_contact *contact = engine->anchor.contact;
    zeno_motion *motion = &engine->motion;
    const zeno_point x = zeno_running_point(engine, s, y);
    const bool closed = any_closed(model, contact);
    if (!(closed ? zeno_motion_constrained(model, &x, contact, motion) : zeno_motion_free(model, &x, motion))) return 1;
    const double *a = closed ? motion->acceleration : motion->free;
    for (int i = 0; i < n; ++i)
        dy[i] = x.v[i];
    for (int i = 0; i < n; ++i)
        dy[n + i] = a[i];
    for (int j = 0; j < m; ++j) {
        dy[2 * n + j] = contact[j].closed ? motion->force[j] : y[2 * n + m + j];
        dy[2 * n + m + j] = contact[j].closed ? 0 : motion->gap_acceleration[j];
    }
    return 0;
}

static int guard(void *context, double s, const double *y, double *g) {
    zeno_engine *engine = context;
    const zeno_model *model = engine->model;
    const int n = model->coordinates, m = model->constraints;
    const zeno_contact *contact = engine->anchor.contact;
    bool evaluate = false;
    for (int j = 0; j < m; ++j) {
        g[j] = y[2 * n + j];
        g[m + j] = 1;
        evaluate |= contact[j].closed || contact[j].hanging;
    }
    if (!evaluate) return 0;
    zeno_motion *motion = &engine->motion;
    const zeno_point x = zeno_running_point(engine, s, y);
    if (!zeno_motion_constrained(model, &x, contact, motion)) return 1;
    for (int j = 0; j < m; ++j) {
        if (contact[j].closed) g[j] = motion->force[j];
        if (contact[j].hanging) g[m + j] = motion->gap_acceleration[j];
    }
    return 0;
}

// Column k of the Jacobian: how y' changes with y_k, k a coordinate or a rate.
static void jacobian_column(zeno_engine *engine, const zeno_point *x, int k, double *column) {
    const zeno_model *model = engine->model;
    const int n = model->coordinates, m = model->constraints;
    const zeno_contact *contact = engine->anchor.contact;
    double *unit = engine->tangent, *acceleration = unit + 2 * n, *force = acceleration + n, *turning = force + m;
    memset(unit, 0, 2 * (size_t)n * sizeof *unit);
    unit[k] = 1;
    const zeno_direction d = {.t = 0, .u = engine->no_input, .q = unit, .v = unit + n};
    zeno_motion_tangent(model, x, contact, &engine->motion, &d, acceleration, force, turning);
    for (int i = 0; i < n; ++i)
        column[i] = unit[n + i];
    for (int i = 0; i < n; ++i)
        column[n + i] = acceleration[i];
    for (int j = 0; j < m; ++j) {
        column[2 * n + j] = force[j];
        column[2 * n + m + j] = contact[j].closed ? 0 : turning[j];
    }
}

static int jacobian(void *context, double s, const double *y, double *const *column) {
    zeno_engine *engine = context;
    const zeno_model *model = engine->model;
    const int n = model->coordinates, m = model->constraints, size = zeno_dimension(model);
    const zeno_contact *contact = engine->anchor.contact;
    const zeno_point x = zeno_point_at(engine, s, y);
    if (!zeno_motion_constrained(model, &x, contact, &engine->motion)) return 1;
    for (int k = 0; k < 2 * n; ++k)
        jacobian_column(engine, &x, k, column[k]);
    for (int k = 2 * n; k < size; ++k)
        memset(column[k], 0, (size_t)size * sizeof(double));
    for (int j = 0; j < m; ++j)
        if (!contact[j].closed) column[2 * n + m + j][2 * n + j] = 1;
    return 0;
}

static void tolerances(const zeno_engine *engine, double *absolute_tolerance) {
    const zeno_model *model = engine->model;
    const int n = model->coordinates, m = model->constraints;
    for (int i = 0; i < n; ++i)
        absolute_tolerance[i] = absolute_tolerance[n + i] = engine->tolerance * model->nominal[i];
    for (int j = 0; j < m; ++j) {
        absolute_tolerance[2 * n + j] = engine->tolerance * engine->anchor.contact[j].gap_scale;
        absolute_tolerance[2 * n + m + j] = engine->tolerance * engine->anchor.contact[j].rate_scale;
    }
}

// Height h_s = max(h, dh^2 / 2|ddh|) and speed v_s = max(|dh|, sqrt(2 |ddh| h_s)) of the flight, at most 1, and 1 for a
// flight from rest: short flights are integrated as accurately, relative to their size, as long ones.
void zeno_begin_flight(zeno_engine *engine, int j, double gap_acceleration) {
    const zeno_model *model = engine->model;
    zeno_contact *contact = &engine->anchor.contact[j];
    const double gap = zeno_gap(model, engine->anchor.y)[j], rate = zeno_gap_rate(model, engine->anchor.y)[j];
    const double pull = fabs(gap_acceleration);
    const double height = fmax(fabs(gap), pull > 0 ? rate * rate / (2 * pull) : fabs(rate));
    const double speed = fmax(fabs(rate), sqrt(2 * pull * height));
    contact->gap_scale = height > 0 ? fmin(height, 1) : 1;
    contact->rate_scale = speed > 0 ? fmin(speed, 1) : 1;
    engine->anchor.flight_age = 0;
}

static bool at_rest_within_tolerance(const zeno_engine *engine, int j, const double *y) {
    const int n = engine->model->coordinates, m = engine->model->constraints;
    const zeno_contact *contact = &engine->anchor.contact[j];
    const double small = 1e-3 * engine->tolerance; // well below what the solver resolves
    return contact->hanging && fabs(y[2 * n + j]) <= small * contact->gap_scale &&
           fabs(y[2 * n + m + j]) <= small * contact->rate_scale;
}

// Whether a body that hangs would leave a contact as soon as it is made. A strong damper holds its acceleration near
// zero, and with the solver's noise on either side of it, while it is pulled away: what counts is its acceleration
// without the rest of its rate.
static bool would_leave(zeno_engine *engine, int j) {
    const zeno_model *model = engine->model;
    const int n = model->coordinates, m = model->constraints;
    const double *y = engine->solver_y;
    double *v = engine->candidate;
    zeno_motion *motion = &engine->motion;
    zeno_point x = zeno_point_at(engine, engine->s, y);
    if (!zeno_motion_effect(model, &x, motion)) return false;
    memcpy(v, x.v, (size_t)n * sizeof *v);
    zeno_add(n, -y[2 * n + m + j] / motion->W[j * m + j], motion->w + j * n, v);
    x.v = v;
    return zeno_motion_free(model, &x, motion) && motion->gap_acceleration[j] > engine->tolerance;
}

static bool counts(zeno_engine *engine, const bool *fell) {
    const double *y = engine->solver_y;
    const int n = engine->model->coordinates, m = engine->model->constraints;
    for (int j = 0; j < m; ++j) {
        const bool closed = engine->anchor.contact[j].closed;
        const double gap_rate = y[2 * n + m + j];
        if (fell[j] && (closed || gap_rate < 0)) return true; // a gap that falls but separates is no impact
        if (fell[m + j] && at_rest_within_tolerance(engine, j, y) && !would_leave(engine, j)) return true;
    }
    return false;
}

// A gap within the solver's error of zero can seem to fall while it separates: that is no impact.
static bool approaches(zeno_engine *engine, int j, double s) {
    double *y = engine->glide; // free: a Lagrangian never glides
    return zeno_integrator_read(engine->integrator, s, y) && zeno_gap_rate(engine->model, y)[j] < 0;
}

// The gap is carried in y, and so is the impulse of the force, whose derivative it is.
static bool dipped(zeno_engine *engine, double *s) {
    const zeno_integrator *integrator = engine->integrator;
    const int n = engine->model->coordinates, m = engine->model->constraints;
    for (int j = 0; j < m; ++j) {
        const bool closed = engine->anchor.contact[j].closed;
        const int carried = 2 * n + j, order = closed ? 1 : 0;
        if (engine->asleep[j] || !zeno_integrator_may_fall(integrator, carried, order, engine->last_s)) continue;
        zeno_fall fall;
        if (!zeno_integrator_falls(integrator, carried, order, engine->last_s, engine->s, &fall)) continue;
        if (!closed && !approaches(engine, j, fall.s)) continue;
        *s = fall.s;
        for (int i = 0; i < 2 * m; ++i)
            engine->fell[i] = i == j;
        return true;
    }
    return false;
}

// A body that hangs is pressed onto the constraint when its gap is not above zero and accelerates downwards. At a
// release the force, and with it this acceleration, is zero but for rounding: a gap that is below zero by less than the
// solver resolves while it accelerates upwards is on its way up.
static bool is_pressed(const zeno_engine *engine, const double *guard, int j) {
    const double gap = guard[j], acceleration = guard[engine->model->constraints + j];
    const double resolved = engine->tolerance * engine->anchor.contact[j].gap_scale;
    return gap <= 0 && (acceleration < 0 || gap < -resolved);
}

static bool woke(zeno_engine *engine, const double *guard, const bool *fell) {
    for (int j = 0; j < engine->model->constraints; ++j) {
        const bool hanging = engine->anchor.contact[j].hanging;
        if (hanging ? is_pressed(engine, guard, j) : fell[j]) return true;
    }
    return false;
}

static zeno_status anchored(zeno_engine *engine) {
    const zeno_model *model = engine->model;
    zeno_state *anchor = &engine->anchor;
    for (int j = 0; j < model->constraints; ++j) {
        zeno_contact *contact = &anchor->contact[j];
        contact->hanging = at_rest_within_tolerance(engine, j, anchor->y);
        if (contact->closed || contact->hanging) zeno_gap(model, anchor->y)[j] = zeno_gap_rate(model, anchor->y)[j] = 0;
    }
    const zeno_point x = zeno_point_at(engine, 0, anchor->y);
    if (!any_closed(model, anchor->contact)) return ZENO_OK;
    return zeno_project(model, &x, anchor->contact, anchor->y, &engine->motion) ? ZENO_OK : zeno_singular(engine);
}

static zeno_status settle_one(zeno_engine *engine, int j) {
    const zeno_model *model = engine->model;
    zeno_state *anchor = &engine->anchor;
    double *gap = &zeno_gap(model, anchor->y)[j];
    const double rate = zeno_gap_rate(model, anchor->y)[j];
    if (anchor->strip > 0) return ZENO_OK;
    if (*gap <= 0 && rate < 0) return zeno_impact(engine, j);
    if (*gap < 0) *gap = 0;
    const zeno_contact *contact = &anchor->contact[j];
    if (!contact->closed && !contact->hanging) return ZENO_OK;
    const zeno_point x = zeno_point_at(engine, 0, anchor->y);
    if (!zeno_motion_constrained(model, &x, anchor->contact, &engine->motion)) return zeno_singular(engine);
    if (contact->closed && engine->motion.force[j] < 0) return zeno_release(engine, j);
    if (contact->hanging && engine->motion.gap_acceleration[j] < 0) return zeno_close(engine, j);
    return ZENO_OK;
}

static zeno_status settle(zeno_engine *engine) {
    zeno_status status = ZENO_OK;
    zeno_check_certificates(engine);
    for (int j = 0; j < engine->model->constraints && status == ZENO_OK; ++j)
        status = settle_one(engine, j);
    return status;
}

// A guard that was zero at the anchor turned out to be below zero soon after: what it guards against happened at the
// anchor. It is tried again with a shorter step, since the one that showed it may have been too long.
static zeno_status handle_woken(zeno_engine *engine, int j) {
    zeno_state *anchor = &engine->anchor;
    const zeno_contact *contact = &anchor->contact[j];
    const double shorter = engine->event.tried / 10, least = zeno_time_resolution(anchor);
    anchor->first_step = fmax(shorter, least);
    if (contact->closed) return zeno_release(engine, j);
    if (contact->hanging) return zeno_close(engine, j);
    return shorter > least ? ZENO_OK : zeno_close(engine, j); // a rebound too short to be seen
}

static zeno_status handle_one(zeno_engine *engine, int j) {
    const int m = engine->model->constraints;
    const zeno_contact *contact = &engine->anchor.contact[j];
    if (engine->event.kind == ZENO_HOLD_PASSED) return zeno_rebound(engine, j);
    if (!engine->fell[j] && !engine->fell[m + j]) return ZENO_OK;
    if (engine->event.kind == ZENO_GUARD_WOKE) return handle_woken(engine, j);
    if (contact->closed) return zeno_release(engine, j);
    return contact->hanging ? zeno_close(engine, j) : zeno_impact(engine, j);
}

static zeno_status handle(zeno_engine *engine) {
    zeno_status status = ZENO_OK;
    for (int j = 0; j < engine->model->constraints && status == ZENO_OK; ++j)
        status = handle_one(engine, j);
    return status;
}

// Contacts end cascades by truncation: there is no least dwell.
static double dwell(const zeno_engine *engine) {
    (void)engine;
    return 0;
}

const zeno_system zeno_lagrangian_system = {
    .guards = guards,
    .place = zeno_place_contacts,
    .check = zeno_check_restitution,
    .derivative = derivative,
    .guard = guard,
    .jacobian = jacobian,
    .tolerances = tolerances,
    .counts = counts,
    .dipped = dipped,
    .woke = woke,
    .dwell = dwell,
    .anchored = anchored,
    .replacing = zeno_remember_inputs,
    .settle = settle,
    .handle = handle,
    .tidy = zeno_lagrangian_tidy,
    .observe = zeno_lagrangian_observe,
    .observe_radii = zeno_lagrangian_observe_radii,
    .value = zeno_lagrangian_value,
    .differentiate = zeno_lagrangian_differentiate,
    .change = zeno_lagrangian_change,
};
