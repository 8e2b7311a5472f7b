// The fake engine and its model. Memory comes from the host in two pieces, as a real engine's might.

#include "fake_engine.h"

#include <math.h>
#include <string.h>

static const zeno_variable variables[FAKE_VARIABLES] = {
    [START_REAL] = {"x", ZENO_COORDINATE, 0, ZENO_REAL, ZENO_START},
    [FIXED_REAL] = {"length", ZENO_PARAMETER, 0, ZENO_REAL, ZENO_FIXED},
    [TUNABLE_REAL] = {"m", ZENO_PARAMETER, 1, ZENO_REAL, ZENO_TUNABLE},
    [INPUT_REAL] = {"F", ZENO_INPUT, 0, ZENO_REAL, ZENO_LIVE},
    [OUTPUT_REAL] = {"c.gap", ZENO_GAP, 0, ZENO_REAL, ZENO_READ_ONLY},
    [OUTPUT_INTEGER] = {"c.impacts", ZENO_IMPACTS, 0, ZENO_INTEGER, ZENO_READ_ONLY},
    [TUNABLE_INTEGER] = {"mode", ZENO_SETTING, ZENO_REINITIALIZATION, ZENO_INTEGER, ZENO_TUNABLE},
    [OUTPUT_BOOLEAN] = {"c.closed", ZENO_CLOSED, 0, ZENO_BOOLEAN, ZENO_READ_ONLY},
    [FIXED_BOOLEAN] = {"switch", ZENO_PARAMETER, 2, ZENO_BOOLEAN, ZENO_FIXED},
    [OTHER_INPUT_REAL] = {"G", ZENO_INPUT, 1, ZENO_REAL, ZENO_LIVE},
    [RADIUS_REAL] = {"c.stability.positionRadius", ZENO_STABLE_POSITION, 0, ZENO_REAL, ZENO_READ_ONLY},
};

// Extern first: the layer under test declares it so, in its own header.
extern const zeno_model zeno_fmu_model;
const zeno_model zeno_fmu_model = {
    .name = "Fake",
    .guid = "{fake-guid}",
    .inputs = FAKE_INPUTS,
    .variables = FAKE_VARIABLES,
    .variable = variables,
};

struct zeno_engine {
    const zeno_host *host;
    double time;
    double *values; // [FAKE_VARIABLES]
    double input_change[FAKE_INPUTS];
    bool along_motion;
};

typedef struct fake_saved_state {
    char magic[8];
    double time;
    double values[FAKE_VARIABLES];
} fake_saved_state;

static const char MAGIC[8] = "fake";

fake_engine_orders fake_engine;
static zeno_engine *last_engine;

void fake_engine_restore(void) {
    fake_engine = (fake_engine_orders){.initialize = ZENO_OK};
}

void fake_engine_say(zeno_category category, const char *message) {
    last_engine->host->log(last_engine->host->environment, category, message);
}

zeno_engine *zeno_create(const zeno_model *model, const zeno_host *host) {
    zeno_engine *engine = host->allocate(1, sizeof *engine);
    if (!engine) return NULL;
    engine->host = host;
    engine->time = 0;
    engine->values = host->allocate((size_t)model->variables, sizeof *engine->values);
    if (!engine->values) {
        zeno_destroy(engine);
        return NULL;
    }
    last_engine = engine;
    return engine;
}

void zeno_destroy(zeno_engine *engine) {
    if (!engine) return;
    if (engine->values) engine->host->release(engine->values);
    engine->host->release(engine);
}

void zeno_reset(zeno_engine *engine) {
    engine->time = 0;
    memset(engine->values, 0, FAKE_VARIABLES * sizeof *engine->values);
    fake_engine.resets++;
}

static zeno_status answer(const zeno_engine *engine, zeno_status status) {
    if (status != ZENO_OK) engine->host->log(engine->host->environment, ZENO_LOG_ERROR, "the fake engine won't");
    return status;
}

void zeno_set_start_time(zeno_engine *engine, double start_time) {
    engine->time = start_time;
}

zeno_status zeno_initialize(zeno_engine *engine, double start_time, double tolerance) {
    fake_engine.start_time = start_time;
    fake_engine.tolerance = tolerance;
    if (fake_engine.initialize == ZENO_OK) engine->time = start_time;
    return answer(engine, fake_engine.initialize);
}

zeno_status zeno_advance(zeno_engine *engine, double time) {
    if (fake_engine.advance == ZENO_OK) engine->time = time;
    return answer(engine, fake_engine.advance);
}

double zeno_time(const zeno_engine *engine) {
    return engine->time;
}

zeno_status zeno_get(zeno_engine *engine, const zeno_variable *variable, double *value) {
    const bool computed = variable->access == ZENO_READ_ONLY;
    if (fake_engine.get == ZENO_OK) *value = computed ? fake_engine.output : engine->values[variable - variables];
    return answer(engine, fake_engine.get);
}

void zeno_set(zeno_engine *engine, const zeno_variable *variable, double value) {
    engine->values[variable - variables] = value;
}

zeno_status zeno_set_input_derivative(zeno_engine *engine, int input, int order, double value) {
    (void)engine;
    fake_engine.input_derivative[input][order] = value;
    return ZENO_OK;
}

double fake_rate(int reference) {
    return reference + 0.5;
}

double fake_change(int reference, const double du[FAKE_INPUTS]) {
    return (reference + 1) * du[0] + 100 * (reference + 1) * du[1];
}

zeno_status zeno_along_motion(zeno_engine *engine) {
    engine->along_motion = true;
    return answer(engine, fake_engine.along);
}

double *zeno_input_change(zeno_engine *engine) {
    memset(engine->input_change, 0, sizeof engine->input_change);
    return engine->input_change;
}

zeno_status zeno_along_inputs(zeno_engine *engine) {
    engine->along_motion = false;
    return answer(engine, fake_engine.along);
}

double zeno_change_of(const zeno_engine *engine, const zeno_variable *variable) {
    const int reference = (int)(variable - variables);
    return engine->along_motion ? fake_rate(reference) : fake_change(reference, engine->input_change);
}

size_t zeno_saved_size(const zeno_engine *engine) {
    (void)engine;
    return sizeof(fake_saved_state);
}

void zeno_save(const zeno_engine *engine, void *bytes) {
    fake_saved_state saved = {.time = engine->time};
    memcpy(saved.magic, MAGIC, sizeof MAGIC);
    memcpy(saved.values, engine->values, sizeof saved.values);
    memcpy(bytes, &saved, sizeof saved);
}

// Of a whole saved state the fake engine checks the first bytes only.
zeno_status zeno_check_saved(const zeno_engine *engine, const void *bytes, size_t size) {
    const bool sound = size == sizeof(fake_saved_state) && memcmp(bytes, MAGIC, sizeof MAGIC) == 0;
    return answer(engine, sound ? ZENO_OK : ZENO_REFUSED);
}

zeno_status zeno_restore(zeno_engine *engine, const void *bytes, size_t size) {
    fake_saved_state saved;
    if (zeno_check_saved(engine, bytes, size) != ZENO_OK) return ZENO_REFUSED;
    memcpy(&saved, bytes, sizeof saved);
    engine->time = saved.time;
    memcpy(engine->values, saved.values, sizeof saved.values);
    return answer(engine, fake_engine.restore);
}

zeno_statistics zeno_work(const zeno_engine *engine) {
    (void)engine;
    return (zeno_statistics){.steps = 1200, .evaluations = 2500, .starts = 45};
}
