// Life of an engine: one block of memory for all its arrays, and the integrator.

#include <string.h>

#include "engine_impl.h"

// Hands out parts of a block of doubles; with a NULL block it only counts them.
typedef struct allotment {
    double *block;
    size_t used;
} allotment;

static void *take(allotment *from, size_t count) {
    double *part = from->block ? from->block + from->used : NULL;
    from->used += count;
    return part;
}

static size_t doubles_for(size_t bytes) {
    return (bytes + sizeof(double) - 1) / sizeof(double);
}

// Called twice: once to count, once to place.
static void place_arrays(zeno_engine *engine, allotment *from) {
    const zeno_model *model = engine->model;
    const size_t n = (size_t)model->coordinates, m = (size_t)model->constraints, y = (size_t)zeno_dimension(model);
    const size_t guards = (size_t)engine->system->guards(model);
    const size_t states = (size_t)model->states, held = (size_t)model->held;
    engine->parameters = take(from, (size_t)model->parameters);
    engine->settings = take(from, ZENO_SETTINGS);
    engine->inputs = take(from, doubles_for((size_t)model->inputs * sizeof(zeno_signal)));
    engine->no_input = take(from, (size_t)model->inputs);
    engine->running_inputs = take(from, (size_t)model->inputs);
    engine->view.inputs = take(from, (size_t)model->inputs);
    engine->input_rates = take(from, (size_t)model->inputs);
    engine->start = take(from, (size_t)zeno_start_values(model));
    engine->solver_y = take(from, y);
    engine->absolute_tolerance = take(from, y);
    engine->candidate = take(from, n);
    engine->tangent = take(from, 3 * n + 2 * m + states + held);
    engine->rounding = take(from, guards);
    engine->nearby = take(from, states + held + 2 * guards);
    engine->glide = take(from, 2 * y);
    engine->guard = take(from, guards);
    engine->fell = take(from, doubles_for(guards * sizeof(bool)));
    engine->asleep = take(from, doubles_for(guards * sizeof(bool)));
    engine->view.y = take(from, y);
    engine->view.outputs = take(from, (size_t)model->outputs);
    zeno_change *change = &engine->view.change;
    change->q = take(from, n + states);
    change->v = take(from, n + held);
    change->u = take(from, (size_t)model->inputs);
    change->acceleration = take(from, n);
    change->force = take(from, m);
    change->gap_acceleration = take(from, m);
    change->outputs = take(from, (size_t)model->outputs);
    engine->view.radii = take(from, doubles_for(m * sizeof(zeno_radii)));
    double *motion = take(from, doubles_for(zeno_motion_memory(model)));
    double *view_motion = take(from, doubles_for(zeno_motion_memory(model)));
    double *enclosure = take(from, doubles_for(zeno_enclosure_memory(model)));
    double *anchor = take(from, doubles_for(zeno_state_memory(model)));
    if (!from->block) return;
    zeno_motion_place(&engine->motion, model, motion);
    zeno_motion_place(&engine->view.motion, model, view_motion);
    zeno_enclosure_place(&engine->enclosure, model, enclosure);
    zeno_state_place(&engine->anchor, model, anchor);
}

zeno_engine *zeno_create(const zeno_model *model, const zeno_host *host) {
    zeno_engine plan = {.model = model, .host = *host};
    plan.system = model->hybrid ? &zeno_hybrid_system : &zeno_lagrangian_system;
    allotment count = {0};
    place_arrays(&plan, &count);
    const size_t head = doubles_for(sizeof plan);
    double *block = host->allocate(head + count.used, sizeof *block);
    if (!block) return NULL;
    zeno_engine *engine = (zeno_engine *)block;
    *engine = plan;
    allotment parts = {.block = block + head};
    place_arrays(engine, &parts);
    const zeno_field field = {.dimension = zeno_dimension(model),
                              .roots = engine->system->guards(model),
                              .derivative = engine->system->derivative,
                              .guard = engine->system->guard,
                              .jacobian = engine->system->jacobian,
                              .context = engine};
    engine->integrator = zeno_integrator_create(&field, host);
    if (!engine->integrator) {
        zeno_destroy(engine);
        return NULL;
    }
    zeno_reset(engine);
    return engine;
}

void zeno_destroy(zeno_engine *engine) {
    if (!engine) return;
    zeno_integrator_destroy(engine->integrator);
    engine->host.release(engine);
}

static void copy(double *to, const double *from, int count) {
    if (count > 0) memcpy(to, from, (size_t)count * sizeof *to);
}

void zeno_reset(zeno_engine *engine) {
    const zeno_model *model = engine->model;
    copy(engine->parameters, model->parameter_start, model->parameters);
    copy(engine->settings, model->setting_start, ZENO_SETTINGS);
    for (int i = 0; i < model->inputs; ++i)
        engine->inputs[i] = zeno_signal_constant(0, model->input_start[i]);
    copy(engine->start, model->coordinate_start, model->coordinates);
    copy(engine->start + model->coordinates, model->rate_start, model->coordinates);
    copy(engine->start + 2 * model->coordinates, model->state_start, model->states);
    copy(engine->start + 2 * model->coordinates + model->states, model->held_start, model->held);
    engine->initialized = false;
    zeno_view_spoil(engine);
    engine->time = 0;
    zeno_integrator_forget_work(engine->integrator);
}

void zeno_set_start_time(zeno_engine *engine, double start_time) {
    if (engine->initialized) return;
    engine->time = start_time;
    for (int i = 0; i < engine->model->inputs; ++i)
        engine->inputs[i].origin = start_time;
    zeno_view_spoil(engine);
}

double zeno_time(const zeno_engine *engine) {
    return engine->time;
}

zeno_statistics zeno_work(const zeno_engine *engine) {
    return zeno_integrator_work(engine->integrator);
}
