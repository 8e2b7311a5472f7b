// What the host sees of a hybrid Lagrangian, and its derivatives, all exact from the symbolic derivatives of the model.

#include <float.h>
#include <math.h>
#include <string.h>

#include "engine_impl.h"
#include "linear.h"
#include "stability.h"

// Puts a state that is within the solver's tolerance of constraint j onto it, by the shortest way: what is only looked
// at needs no mass matrix.
static bool put_onto(const zeno_model *model, const zeno_point *x, int j, double *y, zeno_motion *motion) {
    enum { MOST_STEPS = 4 };
    const int n = model->coordinates, m = model->constraints;
    double *h = motion->scratch, *rounding = h + m, *drift = motion->force;
    const double *J = motion->J + j * n;
    for (int step = 0; step < MOST_STEPS; ++step) {
        model->lagrangian->constraints(x, h, rounding, motion->J, drift);
        if (fabs(h[j]) <= 4 * DBL_EPSILON * rounding[j]) break;
        zeno_add(n, -h[j] / zeno_dot(n, J, J), J, zeno_q(y));
    }
    const double rate = zeno_dot(n, J, x->v) + drift[j];
    zeno_add(n, -rate / zeno_dot(n, J, J), J, zeno_v(model, y));
    zeno_gap(model, y)[j] = zeno_gap_rate(model, y)[j] = 0;
    return isfinite(rate) && isfinite(h[j]);
}

bool zeno_lagrangian_tidy(zeno_engine *engine, double *y) {
    const zeno_model *model = engine->model;
    const zeno_point x = {.t = engine->time, .p = engine->anchor.parameters, .q = y, .v = zeno_v(model, y)};
    for (int j = 0; j < model->constraints; ++j)
        if (engine->anchor.contact[j].closed && !put_onto(model, &x, j, y, &engine->view.motion)) return false;
    return true;
}

// A contact that would pull is about to open: until a step does so, it neither pulls nor opens.
static void let_go(const zeno_model *model, zeno_motion *motion) {
    const int n = model->coordinates;
    for (int j = 0; j < model->constraints; ++j) {
        if (!(motion->force[j] < 0)) continue;
        zeno_add(n, -motion->force[j], motion->w + j * n, motion->acceleration);
        motion->force[j] = 0;
    }
}

bool zeno_lagrangian_observe(zeno_engine *engine, const zeno_point *x) {
    const zeno_model *model = engine->model;
    zeno_view *view = &engine->view;
    if (!zeno_motion_constrained(model, x, engine->anchor.contact, &view->motion)) return false;
    let_go(model, &view->motion);
    model->lagrangian->energy(x, &view->kinetic, &view->potential);
    if (model->outputs > 0) model->lagrangian->outputs(x, view->motion.acceleration, view->motion.force, view->outputs);
    return true;
}

// The radii cost several times what a step does, so they are computed only on demand.
bool zeno_lagrangian_observe_radii(zeno_engine *engine) {
    zeno_view *view = &engine->view;
    if (view->radii_are_fresh) return true;
    if (!zeno_view_motion(engine)) return false;
    const zeno_point x = zeno_view_point(engine);
    for (int j = 0; j < engine->model->constraints; ++j) {
        const bool wanted = engine->settings[ZENO_STABILITY] != 0 && engine->anchor.contact[j].closed;
        view->radii[j] = (zeno_radii){0, 0};
        if (wanted) view->radii[j] = zeno_stability_radii(engine, &x, engine->settings, j);
    }
    view->radii_are_fresh = true;
    return true;
}

static double contact_value(const zeno_engine *engine, zeno_quantity quantity, int j) {
    const zeno_model *model = engine->model;
    const zeno_contact *contact = &engine->anchor.contact[j];
    const zeno_view *view = &engine->view;
    switch (quantity) {
    case ZENO_GAP:
        return view->y[2 * model->coordinates + j];
    case ZENO_GAP_RATE:
        return view->y[2 * model->coordinates + model->constraints + j];
    case ZENO_GAP_ACCELERATION:
        return view->motion.gap_acceleration[j];
    case ZENO_FORCE:
        return view->motion.force[j];
    case ZENO_CLOSED:
        return contact->closed;
    case ZENO_IMPACTS:
        return (double)contact->impacts;
    case ZENO_RELEASES:
        return (double)contact->releases;
    case ZENO_LAST_IMPACT_TIME:
        return contact->last_impact_time;
    case ZENO_LAST_IMPACT_SPEED:
        return contact->last_impact_speed;
    case ZENO_LAST_IMPULSE:
        return contact->last_impulse;
    case ZENO_ZENO_COUNT:
        return (double)contact->zeno_count;
    case ZENO_ZENO_TIME:
        return contact->zeno_time;
    case ZENO_ZENO_TIME_BOUND:
        return contact->zeno_time_bound;
    case ZENO_ZENO_POSITION_BOUND:
        return contact->zeno_position_bound;
    case ZENO_ZENO_VELOCITY_BOUND:
        return contact->zeno_velocity_bound;
    case ZENO_ZENO_CERTIFIED:
        return contact->zeno_certified;
    case ZENO_STABLE_POSITION:
        return view->radii[j].position;
    case ZENO_STABLE_VELOCITY:
        return view->radii[j].velocity;
    default:
        return NAN;
    }
}

double zeno_lagrangian_value(const zeno_engine *engine, const zeno_variable *variable) {
    const zeno_view *view = &engine->view;
    const int i = variable->index;
    switch (variable->quantity) {
    case ZENO_COORDINATE:
        return view->y[i];
    case ZENO_RATE:
        return view->y[engine->model->coordinates + i];
    case ZENO_ACCELERATION:
        return view->motion.acceleration[i];
    case ZENO_OUTPUT:
        return view->outputs[i];
    case ZENO_KINETIC_ENERGY:
        return view->kinetic;
    case ZENO_POTENTIAL_ENERGY:
        return view->potential;
    case ZENO_DISSIPATED_ENERGY:
        return engine->anchor.dissipated;
    default:
        return contact_value(engine, variable->quantity, i);
    }
}

// ---- Derivatives

// A contact that would pull but hasn't been opened by a step yet neither pulls nor changes: for the time of a
// derivative it is open. Returns whether it was so.
static bool open_for_now(zeno_engine *engine, int j) {
    zeno_contact *contact = &engine->anchor.contact[j];
    const bool pulling = contact->closed && !(engine->view.motion.force[j] > 0);
    if (pulling) contact->closed = false;
    return pulling;
}

// The direction in q and v.
static void set_direction(zeno_engine *engine) {
    const zeno_model *model = engine->model;
    const size_t size = (size_t)model->coordinates * sizeof(double);
    zeno_change *change = &engine->view.change;
    if (change->along_motion) {
        memcpy(change->q, zeno_v(model, engine->view.y), size);
        memcpy(change->v, engine->view.motion.acceleration, size);
    } else {
        memset(change->q, 0, size);
        memset(change->v, 0, size);
    }
}

void zeno_lagrangian_differentiate(zeno_engine *engine, const zeno_point *x) {
    const zeno_model *model = engine->model;
    zeno_view *view = &engine->view;
    zeno_change *change = &view->change;
    set_direction(engine);
    const zeno_direction d = {.t = change->along_motion, .u = change->u, .q = change->q, .v = change->v};
    const bool opened = open_for_now(engine, 0); // a model has one constraint
    zeno_motion_tangent(model, x, engine->anchor.contact, &view->motion, &d, change->acceleration, change->force,
                        change->gap_acceleration);
    if (opened) engine->anchor.contact[0].closed = true;
    model->lagrangian->energy_tangent(x, &d, &change->kinetic, &change->potential);
    if (model->outputs > 0)
        model->lagrangian->outputs_tangent(x, view->motion.acceleration, view->motion.force, &d, change->acceleration,
                                           change->force, change->outputs);
}

static double gap_change(const zeno_engine *engine, int j) {
    return engine->view.change.along_motion ? zeno_gap_rate(engine->model, engine->view.y)[j] : 0;
}

static double gap_rate_change(const zeno_engine *engine, int j) {
    const bool moves = engine->view.change.along_motion && !engine->anchor.contact[j].closed;
    return moves ? engine->view.motion.gap_acceleration[j] : 0;
}

double zeno_lagrangian_change(const zeno_engine *engine, const zeno_variable *variable) {
    const zeno_change *change = &engine->view.change;
    const int i = variable->index;
    switch (variable->quantity) {
    case ZENO_COORDINATE:
        return change->q[i];
    case ZENO_RATE:
        return change->v[i];
    case ZENO_ACCELERATION:
        return change->acceleration[i];
    case ZENO_OUTPUT:
        return change->outputs[i];
    case ZENO_GAP:
        return gap_change(engine, i);
    case ZENO_GAP_RATE:
        return gap_rate_change(engine, i);
    case ZENO_GAP_ACCELERATION:
        return change->gap_acceleration[i];
    case ZENO_FORCE:
        return change->force[i];
    case ZENO_KINETIC_ENERGY:
        return change->kinetic;
    case ZENO_POTENTIAL_ENERGY:
        return change->potential;
    default:
        return 0; // what changes only at events
    }
}
