// What the host sees: all variables at the time reached, evaluated when one is asked for.

#include "engine_impl.h"
#include "message.h"

// The present state. It doesn't depend on what the host has set since the last step.
bool zeno_view_state(zeno_engine *engine) {
    zeno_view *view = &engine->view;
    if (view->state_is_fresh) return true;
    int below = -1;
    if (!engine->initialized) zeno_place_start(engine, engine->time, &below);
    if (!zeno_read_present(engine, view->y)) return false;
    view->state_is_fresh = !engine->initialized || engine->system->tidy(engine, view->y);
    return view->state_is_fresh;
}

zeno_point zeno_view_point(const zeno_engine *engine) {
    const zeno_view *view = &engine->view;
    return (zeno_point){.t = engine->time,
                        .p = engine->parameters,
                        .u = zeno_input_values(engine->model, engine->inputs, engine->time, view->inputs),
                        .q = view->y,
                        .v = zeno_beside(engine, view->y)};
}

// What follows from the present state and the values that the host set last.
bool zeno_view_motion(zeno_engine *engine) {
    zeno_view *view = &engine->view;
    if (view->motion_is_fresh) return true;
    if (!zeno_view_state(engine)) return false;
    const zeno_point x = zeno_view_point(engine);
    view->motion_is_fresh = engine->system->observe(engine, &x);
    return view->motion_is_fresh;
}

void zeno_view_spoil(zeno_engine *engine) {
    engine->view.state_is_fresh = engine->view.motion_is_fresh = engine->view.radii_are_fresh = false;
}

// Where the host's own word for a variable is kept; NULL where the motion decides, and for inputs.
static double *set_value(const zeno_engine *engine, const zeno_variable *variable) {
    const int i = variable->index;
    if (engine->initialized && variable->quantity > ZENO_INPUT) return NULL;
    switch (variable->quantity) {
    case ZENO_PARAMETER:
        return &engine->parameters[i];
    case ZENO_SETTING:
        return &engine->settings[i];
    case ZENO_COORDINATE:
        return &engine->start[i];
    case ZENO_RATE:
        return &engine->start[engine->model->coordinates + i];
    case ZENO_STATE:
        return &engine->start[i];
    case ZENO_HELD:
        return &engine->start[engine->model->states + i];
    default:
        return NULL;
    }
}

static void spoil_what_follows(zeno_engine *engine) {
    engine->touched = true;
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
    zeno_signal_measure(signal);
    spoil_what_follows(engine);
    return ZENO_OK;
}

// What must be evaluated before a quantity can be read.
static bool refresh(zeno_engine *engine, zeno_quantity quantity) {
    enum { STATE, MOTION, RADII };
    static const unsigned char need[] = {
        [ZENO_ACCELERATION] = MOTION,   [ZENO_OUTPUT] = MOTION,         [ZENO_GAP_ACCELERATION] = MOTION,
        [ZENO_FORCE] = MOTION,          [ZENO_KINETIC_ENERGY] = MOTION, [ZENO_POTENTIAL_ENERGY] = MOTION,
        [ZENO_STABLE_POSITION] = RADII, [ZENO_STABLE_VELOCITY] = RADII, [ZENO_LAST_TRANSITION_TIME] = STATE,
    };
    if (need[quantity] == STATE) return engine->view.state_is_fresh || zeno_view_state(engine);
    return need[quantity] == MOTION ? zeno_view_motion(engine) : engine->system->observe_radii(engine);
}

zeno_status zeno_get(zeno_engine *engine, const zeno_variable *variable, double *value) {
    const double *place = set_value(engine, variable);
    if (place) {
        *value = *place;
    } else if (variable->quantity == ZENO_INPUT) {
        *value = zeno_signal_at(&engine->inputs[variable->index], 0, engine->time);
    } else if (refresh(engine, variable->quantity)) {
        *value = engine->system->value(engine, variable);
    } else {
        zeno_log(&engine->host, ZENO_LOG_ERROR, "'%s' can't be evaluated with the values that are set", variable->name);
        return ZENO_REFUSED;
    }
    return ZENO_OK;
}
