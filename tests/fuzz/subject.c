#include "subject.h"

#include <cvode/cvode.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine.h"
#include "fuzz_models.h" // by cmake/Fuzz.cmake: FUZZ_MODELS(MODEL) lists the models

// ---- Models

// The FMI layer takes it for the constant that the model compiler writes; here it changes with the model.
zeno_model zeno_fmu_model;

#define DECLARE(name) extern const zeno_model fuzz_##name;
FUZZ_MODELS(DECLARE)
#define ADDRESS(name) &fuzz_##name,
static const zeno_model *const models[] = {FUZZ_MODELS(ADDRESS)};
enum { MODELS = sizeof models / sizeof *models };

static unsigned chosen;

unsigned subject_models(void) {
    return MODELS;
}

const zeno_model *subject_choose(unsigned model) {
    chosen = model;
    zeno_fmu_model = *models[model];
    return &zeno_fmu_model;
}

// ---- Chance that always falls alike for an input

static uint64_t fold(uint64_t print, const void *bytes, size_t size) {
    for (size_t i = 0; i < size; i++)
        print = (print ^ ((const unsigned char *)bytes)[i]) * 1099511628211u;
    return print;
}

// `what` tells apart what is decided by it.
static bool is_one_in_eight(fuzz_input input, unsigned what) {
    return (fold(14695981039346656037u + what, input.data, input.size) >> 40) % 8 == 0;
}

// ---- Work: the linker leads the engine's calls of these functions here

static long work_left;

void subject_allow_work(long steps) {
    const char *factor = getenv("FUZZ_WORK");
    work_left = factor ? steps * atol(factor) : steps;
}

void subject_allow_usual_work(fuzz_input input) {
    subject_allow_work(is_one_in_eight(input, 0) ? 800 : 150);
}

bool subject_had_work_left(void) {
    return work_left > 0;
}

static bool work(void) {
    if (work_left > 0) work_left--;
    return work_left > 0;
}

int __real_CVode(void *solver, realtype end, N_Vector y, realtype *reached, int task);
int __wrap_CVode(void *solver, realtype end, N_Vector y, realtype *reached, int task);
zeno_status __real_zeno_end_glide(zeno_engine *engine);
zeno_status __wrap_zeno_end_glide(zeno_engine *engine);
zeno_status __real_zeno_end_strip(zeno_engine *engine);
zeno_status __wrap_zeno_end_strip(zeno_engine *engine);
zeno_status __real_zeno_rebound(zeno_engine *engine, int j);
zeno_status __wrap_zeno_rebound(zeno_engine *engine, int j);

int __wrap_CVode(void *solver, realtype end, N_Vector y, realtype *reached, int task) {
    return work() ? __real_CVode(solver, end, y, reached, task) : CV_TOO_MUCH_WORK;
}

zeno_status __wrap_zeno_end_glide(zeno_engine *engine) {
    return work() ? __real_zeno_end_glide(engine) : ZENO_FAILED;
}

zeno_status __wrap_zeno_end_strip(zeno_engine *engine) {
    return work() ? __real_zeno_end_strip(engine) : ZENO_FAILED;
}

zeno_status __wrap_zeno_rebound(zeno_engine *engine, int j) {
    return work() ? __real_zeno_rebound(engine, j) : ZENO_FAILED;
}

// ---- Instances

static void hear(fmi2ComponentEnvironment environment, fmi2String instance_name, fmi2Status status, fmi2String category,
                 fmi2String message, ...) {
    char text[2 * ZENO_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, message);
    const int length = vsnprintf(text, sizeof text, message, arguments);
    va_end(arguments);
    if (getenv("FUZZ_LOG")) fprintf(stderr, "%s: %s\n", category, text);
    promise(environment == &work_left && strcmp(instance_name, "100%s") == 0, "the log knows whose it is");
    promise(status <= fmi2Error && category[0] != '\0', "a message has a status and a category");
    promise(length > 0 && length < ZENO_MESSAGE_SIZE && !strchr(text, '\n'), "a message is a line of bounded length");
}

fmi2Component subject_instantiate(void) {
    static const fmi2CallbackFunctions callbacks = {hear, calloc, free, NULL, &work_left};
    fmi2Component component =
        fmi2Instantiate("100%s", fmi2CoSimulation, zeno_fmu_model.guid, NULL, &callbacks, fmi2False, fmi2True);
    promise(component != NULL, "there is an instance");
    return component;
}

fmi2Status subject_initialize(fmi2Component component) {
    fmi2Status status = fmi2SetupExperiment(component, fmi2False, 0, 0, fmi2False, 0);
    if (status == fmi2OK) status = fmi2EnterInitializationMode(component);
    return status == fmi2OK ? fmi2ExitInitializationMode(component) : status;
}

bool subject_is_in_error(fmi2Component component) {
    fmi2Status status;
    const bool asked = fmi2GetStatus(component, fmi2DoStepStatus, &status) == fmi2OK;
    return asked && fmi2SetReal(component, NULL, 0, NULL) != fmi2OK;
}

double subject_time(fmi2Component component) {
    double time = 0;
    fmi2GetRealStatus(component, fmi2LastSuccessfulTime, &time);
    return time;
}

// ---- Values

static fmi2Status read(fmi2Component component, fmi2ValueReference reference, double *value) {
    fmi2Integer number = 0;
    fmi2Boolean truth = fmi2False;
    fmi2Status status;
    switch (zeno_fmu_model.variable[reference].type) {
    case ZENO_REAL:
        return fmi2GetReal(component, &reference, 1, value);
    case ZENO_INTEGER:
        status = fmi2GetInteger(component, &reference, 1, &number);
        *value = number;
        return status;
    default:
        status = fmi2GetBoolean(component, &reference, 1, &truth);
        *value = truth;
        return status;
    }
}

uint64_t subject_fingerprint(fmi2Component component) {
    uint64_t print = 14695981039346656037u;
    for (fmi2ValueReference i = 0; i < (unsigned)zeno_fmu_model.variables; i++) {
        double value = 0;
        const fmi2Status status = read(component, i, &value);
        if (status != fmi2OK) value = 0;
        if (isnan(value)) value = NAN; // the same bits for all
        print = fold(print, &status, sizeof status);
        print = fold(print, &value, sizeof value);
    }
    const double time = subject_time(component);
    return fold(print, &time, sizeof time);
}

// ---- Reset

static uint64_t short_run(fmi2Component component) {
    subject_allow_work(1000);
    promise(subject_initialize(component) == fmi2OK, "the default start is possible");
    promise(fmi2DoStep(component, 0, 0.1, fmi2True) == fmi2OK, "a step can be done");
    return subject_fingerprint(component);
}

// The fingerprint of a fresh instance's run, made once for each model.
static uint64_t expected_run(void) {
    static uint64_t prints[MODELS];
    static bool known[MODELS];
    if (!known[chosen]) {
        fmi2Component fresh = subject_instantiate();
        prints[chosen] = short_run(fresh);
        known[chosen] = true;
        fmi2FreeInstance(fresh);
    }
    return prints[chosen];
}

void subject_promise_reset(fmi2Component component, fuzz_input input) {
    promise(fmi2Reset(component) == fmi2OK, "a reset is always possible");
    if (is_one_in_eight(input, 1))
        promise(short_run(component) == expected_run(), "after a reset the bits are those of a fresh instance");
}
