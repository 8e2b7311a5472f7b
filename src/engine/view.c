// What the host sees: all variables at the time reached, evaluated when one is asked for.

#include <math.h>

#include "engine_impl.h"
#include "linear.h"
#include "message.h"
#include "stability.h"

// The present state, put onto the closed constraints. It doesn't depend on what the host has set since the last step.
static bool refresh_state(zeno_engine *engine) {
    zeno_view *view = &engine->view;
    if (view->state_is_fresh) return true;
    int below = -1;
    if (!engine->initialized) zeno_place_start(engine, engine->time, &below);
    zeno_read_present(engine, view->y);
    const zeno_point x = zeno_point_at(engine, zeno_state_local(&engine->anchor, engine->time), view->y);
    view->state_is_fresh =
        !engine->initialized || zeno_project(engine->model, &x, engine->anchor.contact, view->y, &view->motion);
    return view->state_is_fresh;
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

// The present state with the values that the host set last.
zeno_point zeno_view_point(const zeno_engine *engine) {
    const zeno_view *view = &engine->view;
    return (zeno_point){.t = engine->time,
                        .p = engine->parameters,
                        .u = zeno_input_values(engine->model, engine->inputs, engine->time, view->inputs),
                        .q = view->y,
                        .v = view->y + engine->model->coordinates};
}

// What follows from the present state and the values that the host set last.
bool zeno_view_motion(zeno_engine *engine) {
    zeno_view *view = &engine->view;
    if (view->motion_is_fresh) return true;
    if (!refresh_state(engine)) return false;
    const zeno_model *model = engine->model;
    const zeno_point x = zeno_view_point(engine);
    if (!zeno_motion_constrained(model, &x, engine->anchor.contact, &view->motion)) return false;
    let_go(model, &view->motion);
    model->lagrangian->energy(&x, &view->kinetic, &view->potential);
    if (model->outputs > 0)
        model->lagrangian->outputs(&x, view->motion.acceleration, view->motion.force, view->outputs);
    view->motion_is_fresh = true;
    return true;
}

// The radii cost several times what a step does, so they are computed only on demand.
static bool refresh_radii(zeno_engine *engine) {
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

void zeno_view_spoil(zeno_engine *engine) {
    engine->view.state_is_fresh = engine->view.motion_is_fresh = engine->view.radii_are_fresh = false;
}

static bool refresh(zeno_engine *engine, zeno_quantity quantity) {
    switch (quantity) {
    case ZENO_ACCELERATION:
    case ZENO_OUTPUT:
    case ZENO_GAP_ACCELERATION:
    case ZENO_FORCE:
    case ZENO_KINETIC_ENERGY:
    case ZENO_POTENTIAL_ENERGY:
        return zeno_view_motion(engine);
    case ZENO_STABLE_POSITION:
    case ZENO_STABLE_VELOCITY:
        return refresh_radii(engine);
    default:
        return refresh_state(engine);
    }
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

// Where the host's own word for a variable is kept; NULL where the motion decides, and for inputs.
static double *set_value(const zeno_engine *engine, const zeno_variable *variable) {
    const int i = variable->index;
    switch (variable->quantity) {
    case ZENO_PARAMETER:
        return &engine->parameters[i];
    case ZENO_SETTING:
        return &engine->settings[i];
    case ZENO_COORDINATE:
        return engine->initialized ? NULL : &engine->start[i];
    case ZENO_RATE:
        return engine->initialized ? NULL : &engine->start[engine->model->coordinates + i];
    default:
        return NULL;
    }
}

static void spoil_what_follows(zeno_engine *engine) {
    engine->view.motion_is_fresh = engine->view.radii_are_fresh = false;
    if (!engine->initialized) engine->view.state_is_fresh = false;
}

void zeno_set(zeno_engine *engine, const zeno_variable *variable, double value) {
    double *place = set_value(engine, variable);
    if (place) *place = value;
    if (variable->quantity == ZENO_INPUT) engine->inputs[variable->index] = zeno_signal_constant(engine->time, value);
    spoil_what_follows(engine);
}

zeno_status zeno_set_input_derivative(zeno_engine *engine, int input, int order, double value) {
    if (order < 1 || order >= ZENO_INPUT_ORDERS) {
        zeno_log(&engine->host, ZENO_LOG_ERROR,
                 "derivative %d of input '%s' can't be set, expected an order from 1 to %d", order,
                 engine->model->input_name[input], ZENO_INPUT_ORDERS - 1);
        return ZENO_REFUSED;
    }
    zeno_signal *signal = &engine->inputs[input];
    if (signal->origin != engine->time)
        *signal = zeno_signal_constant(engine->time, zeno_signal_at(signal, 0, engine->time));
    signal->derivative[order] = value;
    spoil_what_follows(engine);
    return ZENO_OK;
}

zeno_status zeno_get(zeno_engine *engine, const zeno_variable *variable, double *value) {
    const double *place = set_value(engine, variable);
    if (place) {
        *value = *place;
    } else if (variable->quantity == ZENO_INPUT) {
        *value = zeno_signal_at(&engine->inputs[variable->index], 0, engine->time);
    } else if (refresh(engine, variable->quantity)) {
        *value = view_value(engine, variable);
    } else {
        zeno_log(&engine->host, ZENO_LOG_ERROR, "'%s' can't be evaluated with the values that are set", variable->name);
        return ZENO_REFUSED;
    }
    return ZENO_OK;
}
