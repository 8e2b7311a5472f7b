// Derivatives of what the host sees: along the motion, and with respect to the inputs. All are exact, from the
// symbolic derivatives of the model.

#include <string.h>

#include "engine_impl.h"
#include "message.h"

// A contact that would pull but hasn't been opened by a step yet neither pulls nor changes: for the time of a
// derivative it is open. Returns whether it was so.
static bool open_for_now(zeno_engine *engine, int j) {
    zeno_contact *contact = &engine->anchor.contact[j];
    const bool pulling = contact->closed && !(engine->view.motion.force[j] > 0);
    if (pulling) contact->closed = false;
    return pulling;
}

static void differentiate(zeno_engine *engine, const zeno_direction *d) {
    const zeno_model *model = engine->model;
    const zeno_point x = zeno_view_point(engine);
    zeno_view *view = &engine->view;
    zeno_change *change = &view->change;
    const bool opened = open_for_now(engine, 0); // a model has one constraint
    zeno_motion_tangent(model, &x, engine->anchor.contact, &view->motion, d, change->acceleration, change->force,
                        change->gap_acceleration);
    if (opened) engine->anchor.contact[0].closed = true;
    model->lagrangian->energy_tangent(&x, d, &change->kinetic, &change->potential);
    if (model->outputs > 0)
        model->lagrangian->outputs_tangent(&x, view->motion.acceleration, view->motion.force, d, change->acceleration,
                                           change->force, change->outputs);
}

static zeno_status refuse(const zeno_engine *engine) {
    zeno_log(&engine->host, ZENO_LOG_ERROR, "derivatives can't be evaluated with the values that are set");
    return ZENO_REFUSED;
}

double *zeno_input_change(zeno_engine *engine) {
    double *change = engine->view.change.u;
    memset(change, 0, (size_t)engine->model->inputs * sizeof *change);
    return change;
}

zeno_status zeno_along_inputs(zeno_engine *engine) {
    const int n = engine->model->coordinates;
    zeno_change *change = &engine->view.change;
    if (!zeno_view_motion(engine)) return refuse(engine);
    change->along_motion = false;
    memset(change->q, 0, (size_t)n * sizeof *change->q);
    memset(change->v, 0, (size_t)n * sizeof *change->v);
    const zeno_direction d = {.t = 0, .u = change->u, .q = change->q, .v = change->v};
    differentiate(engine, &d);
    return ZENO_OK;
}

zeno_status zeno_along_motion(zeno_engine *engine) {
    const zeno_model *model = engine->model;
    const size_t size = (size_t)model->coordinates * sizeof(double);
    zeno_change *change = &engine->view.change;
    if (!zeno_view_motion(engine)) return refuse(engine);
    change->along_motion = true;
    memcpy(change->q, zeno_v(model, engine->view.y), size);
    memcpy(change->v, engine->view.motion.acceleration, size);
    for (int i = 0; i < model->inputs; ++i)
        change->u[i] = zeno_signal_at(&engine->inputs[i], 1, engine->time);
    const zeno_direction d = {.t = 1, .u = change->u, .q = change->q, .v = change->v};
    differentiate(engine, &d);
    return ZENO_OK;
}

static double gap_change(const zeno_engine *engine, int j) {
    return engine->view.change.along_motion ? zeno_gap_rate(engine->model, engine->view.y)[j] : 0;
}

static double gap_rate_change(const zeno_engine *engine, int j) {
    const bool moves = engine->view.change.along_motion && !engine->anchor.contact[j].closed;
    return moves ? engine->view.motion.gap_acceleration[j] : 0;
}

double zeno_change_of(const zeno_engine *engine, const zeno_variable *variable) {
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
