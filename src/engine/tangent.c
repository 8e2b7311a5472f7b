// Derivatives of what the host sees: along the motion, and with respect to the inputs.

#include <string.h>

#include "engine_impl.h"
#include "message.h"

double *zeno_input_change(zeno_engine *engine) {
    double *change = engine->view.change.u;
    memset(change, 0, (size_t)engine->model->inputs * sizeof *change);
    return change;
}

static zeno_status differentiate(zeno_engine *engine, bool along_motion) {
    engine->view.change.along_motion = along_motion;
    if (zeno_view_motion(engine)) {
        const zeno_point x = zeno_view_point(engine);
        engine->system->differentiate(engine, &x);
        return ZENO_OK;
    }
    zeno_log(&engine->host, ZENO_LOG_ERROR, "derivatives can't be evaluated with the values that are set");
    return ZENO_REFUSED;
}

zeno_status zeno_along_inputs(zeno_engine *engine) {
    return differentiate(engine, false);
}

zeno_status zeno_along_motion(zeno_engine *engine) {
    for (int i = 0; i < engine->model->inputs; ++i)
        engine->view.change.u[i] = zeno_signal_at(&engine->inputs[i], 1, engine->time);
    return differentiate(engine, true);
}

double zeno_change_of(const zeno_engine *engine, const zeno_variable *variable) {
    return engine->system->change(engine, variable);
}
