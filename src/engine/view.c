// What the host sees: all variables at the time reached, evaluated when one is asked for.

#include <math.h>
#include <string.h>

#include "engine_impl.h"
#include "message.h"

// The point at which the view is evaluated: the present state with the values that the host set last.
static zeno_point present(const zeno_engine *engine) {
    const double *y = engine->view.y;
    return (zeno_point){
        .t = engine->time, .p = engine->parameters, .u = engine->inputs, .q = y, .v = y + engine->model->coordinates};
}

bool zeno_view_refresh(zeno_engine *engine) {
    if (engine->view.fresh) return true;
    const zeno_model *model = engine->model;
    const int n = model->coordinates, m = model->constraints;
    zeno_view *view = &engine->view;
    int below = -1;
    if (!engine->initialized && !zeno_place_start(engine, engine->time, &below)) return false;
    const zeno_contact *contact = engine->anchor.contact;
    zeno_read_present(engine, view->y);
    const zeno_point x = present(engine);
    if (engine->initialized && !zeno_project(model, &x, contact, view->y, &view->motion)) return false;
    if (!zeno_motion_constrained(model, &x, contact, &view->motion)) return false;
    // A contact that would pull is about to open: until a step does so, it neither pulls nor opens.
    for (int j = 0; j < m; ++j) {
        if (!(view->motion.force[j] < 0)) continue;
        for (int i = 0; i < n; ++i)
            view->motion.acceleration[i] -= view->motion.force[j] * view->motion.w[j * n + i];
        view->motion.force[j] = 0;
    }
    model->lagrangian->energy(&x, &view->kinetic, &view->potential);
    if (model->outputs > 0)
        model->lagrangian->outputs(&x, view->motion.acceleration, view->motion.force, view->outputs);
    view->fresh = true;
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
    default:
        return NAN;
    }
}

static double view_value(const zeno_engine *engine, const zeno_variable *variable) {
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

// Where the host's own word for a variable is kept; NULL where the motion decides.
static double *set_value(const zeno_engine *engine, const zeno_variable *variable) {
    const int i = variable->index;
    switch (variable->quantity) {
    case ZENO_PARAMETER:
        return &engine->parameters[i];
    case ZENO_SETTING:
        return &engine->settings[i];
    case ZENO_INPUT:
        return &engine->inputs[i];
    case ZENO_COORDINATE:
        return engine->initialized ? NULL : &engine->start[i];
    case ZENO_RATE:
        return engine->initialized ? NULL : &engine->start[engine->model->coordinates + i];
    default:
        return NULL;
    }
}

void zeno_set(zeno_engine *engine, const zeno_variable *variable, double value) {
    double *place = set_value(engine, variable);
    if (!place) return;
    *place = value;
    engine->view.fresh = false;
}

zeno_status zeno_get(zeno_engine *engine, const zeno_variable *variable, double *value) {
    const double *place = set_value(engine, variable);
    if (!place && !zeno_view_refresh(engine)) {
        zeno_log(&engine->host, ZENO_LOG_ERROR, "'%s' can't be evaluated with the values that are set", variable->name);
        return ZENO_REFUSED;
    }
    *value = place ? *place : view_value(engine, variable);
    return ZENO_OK;
}
