// The values that a host sets: what may be used, and whether anything has changed.

#include <math.h>
#include <string.h>

#include "engine_impl.h"
#include "message.h"

static const zeno_range setting_range[ZENO_SETTINGS] = {
    [ZENO_EPSILON_Q] = {0, HUGE_VAL, true, false},
    [ZENO_EPSILON_V] = {0, HUGE_VAL, true, false},
    [ZENO_EPSILON_T] = {0, HUGE_VAL, true, false},
    [ZENO_REINITIALIZATION] = {ZENO_KINETIC, ZENO_ORTHOGONAL, false, false},
    [ZENO_RELAXATION] = {0, HUGE_VAL, false, false},
    [ZENO_STABILITY] = {0, 1, false, false},
    [ZENO_TOLERANCE] = {0, HUGE_VAL, false, false},
};

static const char *setting_name(const zeno_model *model, int setting) {
    for (int i = 0; i < model->variables; ++i)
        if (model->variable[i].quantity == ZENO_SETTING && model->variable[i].index == setting)
            return model->variable[i].name;
    return "a setting";
}

static bool within(const zeno_range *range, double value) {
    return isfinite(value) && (range->min_excluded ? value > range->min : value >= range->min) &&
           (range->max_excluded ? value < range->max : value <= range->max);
}

static zeno_status refuse(const zeno_engine *engine, const char *kind, const char *name, double value,
                          const zeno_range *range) {
    zeno_log(&engine->host, ZENO_LOG_ERROR, "%s '%s' is %g, expected a finite value in %c%g, %g%c", kind, name, value,
             range->min_excluded || isinf(range->min) ? '(' : '[', range->min, range->max,
             range->max_excluded || isinf(range->max) ? ')' : ']');
    return ZENO_REFUSED;
}

static zeno_status check_settings(const zeno_engine *engine) {
    for (int i = 0; i < ZENO_SETTINGS; ++i)
        if (!within(&setting_range[i], engine->settings[i]))
            return refuse(engine, "parameter", setting_name(engine->model, i), engine->settings[i], &setting_range[i]);
    return ZENO_OK;
}

zeno_status zeno_check_restitution(const zeno_engine *engine) {
    const zeno_model *model = engine->model;
    const zeno_range range = {0, 1, false, false};
    const zeno_point x = {.p = engine->parameters};
    double *e = engine->motion.scratch;
    model->lagrangian->restitution(&x, e);
    for (int j = 0; j < model->constraints; ++j)
        if (!within(&range, e[j]))
            return refuse(engine, "the coefficient of restitution of", model->constraint_name[j], e[j], &range);
    return ZENO_OK;
}

zeno_status zeno_check_values(const zeno_engine *engine) {
    const zeno_model *model = engine->model;
    const zeno_range finite = {-HUGE_VAL, HUGE_VAL, false, false};
    for (int i = 0; i < model->parameters; ++i) {
        const double value = engine->parameters[i];
        if (!within(&model->parameter_range[i], value))
            return refuse(engine, "parameter", model->parameter_name[i], value, &model->parameter_range[i]);
    }
    for (int i = 0; i < model->inputs; ++i)
        if (!zeno_signal_is_finite(&engine->inputs[i]))
            return refuse(engine, "input", model->input_name[i], engine->inputs[i].derivative[0], &finite);
    const zeno_status status = check_settings(engine);
    return status == ZENO_OK ? engine->system->check(engine) : status;
}

bool zeno_values_changed(const zeno_engine *engine) {
    const zeno_model *model = engine->model;
    const zeno_state *anchor = &engine->anchor;
    for (int i = 0; i < model->parameters; ++i)
        if (engine->parameters[i] != anchor->parameters[i]) return true;
    for (int i = 0; i < ZENO_SETTINGS; ++i)
        if (engine->settings[i] != anchor->settings[i]) return true;
    for (int i = 0; i < model->inputs; ++i)
        if (!zeno_signal_same(&engine->inputs[i], &anchor->inputs[i], engine->time)) return true;
    return false;
}

void zeno_adopt_values(zeno_engine *engine) {
    const zeno_model *model = engine->model;
    zeno_state *anchor = &engine->anchor;
    memcpy(anchor->parameters, engine->parameters, (size_t)model->parameters * sizeof(double));
    memcpy(anchor->settings, engine->settings, ZENO_SETTINGS * sizeof(double));
    memcpy(anchor->inputs, engine->inputs, (size_t)model->inputs * sizeof(zeno_signal));
}

const double *zeno_input_values(const zeno_model *model, const zeno_signal *inputs, double t, double *values) {
    for (int i = 0; i < model->inputs; ++i)
        values[i] = zeno_signal_at(&inputs[i], 0, t);
    return values;
}

const double *zeno_beside(const zeno_engine *engine, const double *y) {
    return engine->model->hybrid ? engine->anchor.mode.held : y + engine->model->coordinates;
}

zeno_point zeno_point_at(const zeno_engine *engine, double s, const double *y) {
    const zeno_state *anchor = &engine->anchor;
    return (zeno_point){.t = anchor->time + s,
                        .p = anchor->parameters,
                        .u = zeno_input_values(engine->model, anchor->inputs, anchor->time + s, engine->running_inputs),
                        .q = y,
                        .v = zeno_beside(engine, y)};
}

bool zeno_inputs_are_constant(const zeno_engine *engine) {
    const zeno_state *anchor = &engine->anchor;
    for (int i = 0; i < engine->model->inputs; ++i)
        if (!zeno_signal_is_constant(&anchor->inputs[i])) return false;
    zeno_input_values(engine->model, anchor->inputs, anchor->time, engine->running_inputs);
    return true;
}

zeno_point zeno_running_point(const zeno_engine *engine, double s, const double *y) {
    const zeno_state *anchor = &engine->anchor;
    if (!engine->steady) return zeno_point_at(engine, s, y);
    return (zeno_point){.t = anchor->time + s,
                        .p = anchor->parameters,
                        .u = engine->running_inputs,
                        .q = y,
                        .v = zeno_beside(engine, y)};
}
