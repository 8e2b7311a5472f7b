// The life of an instance: from fmi2Instantiate through initialization to fmi2Terminate, fmi2Reset and
// fmi2FreeInstance.

#include "instance.h"

#include <fmi2Functions.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

zeno_fmu_instance *zeno_fmu_enter(fmi2Component component, zeno_fmu_call call) {
    zeno_fmu_instance *instance = component;
    if (!instance) return NULL;
    const zeno_fmu_rule *rule = &zeno_fmu_call_rule[call];
    if (rule->allowed[instance->state]) return instance;

    char states[200];
    zeno_fmu_list_states(rule, states, sizeof states);
    zeno_fmu_refuse(&instance->log, call, "not allowed in the state '%s' (allowed in: %s)",
                    zeno_fmu_state_name[instance->state], states);
    return NULL;
}

fmi2Status zeno_fmu_answer(zeno_fmu_instance *instance, zeno_status status) {
    if (status == ZENO_FAILED) instance->state = ZENO_ERROR;
    return status == ZENO_OK ? fmi2OK : fmi2Error;
}

const char *fmi2GetTypesPlatform(void) {
    return fmi2TypesPlatform;
}

const char *fmi2GetVersion(void) {
    return fmi2Version;
}

// All but the memory is as fmi2Instantiate leaves it, the choice of log categories included.
static void start_over(zeno_fmu_instance *instance) {
    instance->state = ZENO_INSTANTIATED;
    instance->experiment = (zeno_fmu_experiment){.start = 0, .stop = INFINITY, .tolerance = 0};
    instance->step_status = fmi2OK;
    instance->log.categories = zeno_fmu_log_categories(instance->logging_on);
}

static void forward_message(void *instance, zeno_category category, const char *message) {
    zeno_fmu_log_message(&((zeno_fmu_instance *)instance)->log, category, message);
}

static bool is_heard(const void *instance, zeno_category category) {
    return zeno_fmu_log_listens(&((const zeno_fmu_instance *)instance)->log, category);
}

// Half a pair of callbacks is none: what one allocator gave can't be returned to another.
static zeno_host choose_host(const fmi2CallbackFunctions *functions) {
    const bool complete = functions->allocateMemory && functions->freeMemory;
    return (zeno_host){
        .allocate = complete ? functions->allocateMemory : calloc,
        .release = complete ? functions->freeMemory : free,
        .log = forward_message,
        .listens = is_heard,
    };
}

// NULL when memory is short.
static zeno_fmu_instance *create(const zeno_fmu_log *log, const zeno_host *host, bool logging_on) {
    const size_t name_size = strlen(log->instance_name) + 1;
    zeno_fmu_instance *instance = host->allocate(1, sizeof *instance + name_size);
    if (!instance) return NULL;
    instance->log = *log;
    instance->log.instance_name = memcpy(instance->name, log->instance_name, name_size);
    instance->logging_on = logging_on;
    instance->host = *host;
    instance->host.environment = instance;
    start_over(instance);
    instance->engine = zeno_create(&zeno_fmu_model, &instance->host);
    if (instance->engine) return instance;
    host->release(instance);
    return NULL;
}

static fmi2Status check_request(const zeno_fmu_log *log, fmi2Type type, fmi2String guid) {
    const zeno_fmu_call call = ZENO_CALL_INSTANTIATE;
    if (log->instance_name[0] == '\0') return zeno_fmu_refuse(log, call, "the instance has no name");
    if (type != fmi2CoSimulation) return zeno_fmu_refuse(log, call, "this FMU is for co-simulation only");
    if (!guid || strcmp(guid, zeno_fmu_model.guid) != 0)
        return zeno_fmu_refuse(log, call, "wrong GUID: this FMU (%s) has '%s', the host expects '%.200s'",
                               zeno_fmu_model.name, zeno_fmu_model.guid, guid ? guid : "NULL");
    return fmi2OK;
}

// Nothing is read from the resources, so their location may be anything, and nothing is ever shown.
fmi2Component fmi2Instantiate(fmi2String instanceName, fmi2Type fmuType, fmi2String fmuGUID,
                              fmi2String fmuResourceLocation, const fmi2CallbackFunctions *functions,
                              fmi2Boolean visible, fmi2Boolean loggingOn) {
    (void)fmuResourceLocation;
    (void)visible;
    if (!functions) return NULL; // there is nobody to tell why
    const zeno_fmu_log log = {
        .logger = functions->logger,
        .environment = functions->componentEnvironment,
        .instance_name = instanceName ? instanceName : "",
        .categories = zeno_fmu_log_categories(loggingOn),
    };
    if (check_request(&log, fmuType, fmuGUID) != fmi2OK) return NULL;

    const zeno_host host = choose_host(functions);
    zeno_fmu_instance *instance = create(&log, &host, loggingOn);
    if (!instance) zeno_fmu_refuse(&log, ZENO_CALL_INSTANTIATE, "not enough memory");
    return instance;
}

void fmi2FreeInstance(fmi2Component component) {
    zeno_fmu_instance *instance = component;
    if (!instance) return;
    zeno_destroy(instance->engine);
    instance->host.release(instance);
}

fmi2Status fmi2SetupExperiment(fmi2Component component, fmi2Boolean toleranceDefined, fmi2Real tolerance,
                               fmi2Real startTime, fmi2Boolean stopTimeDefined, fmi2Real stopTime) {
    const zeno_fmu_call call = ZENO_CALL_SETUP_EXPERIMENT;
    zeno_fmu_instance *instance = zeno_fmu_enter(component, call);
    if (!instance) return fmi2Error;
    if (!isfinite(startTime)) return zeno_fmu_refuse(&instance->log, call, "startTime %g is not finite", startTime);
    if (stopTimeDefined && !(stopTime >= startTime))
        return zeno_fmu_refuse(&instance->log, call, "stopTime %.17g is before startTime %.17g", stopTime, startTime);
    if (toleranceDefined && !(isfinite(tolerance) && tolerance > 0)) {
        zeno_fmu_warn(&instance->log, call, "tolerance %g is not a positive number; the default is used", tolerance);
        toleranceDefined = fmi2False;
    }
    instance->experiment = (zeno_fmu_experiment){
        .start = startTime,
        .stop = stopTimeDefined ? stopTime : INFINITY,
        .tolerance = toleranceDefined ? tolerance : 0,
    };
    zeno_set_start_time(instance->engine, startTime);
    return fmi2OK;
}

fmi2Status fmi2EnterInitializationMode(fmi2Component component) {
    zeno_fmu_instance *instance = zeno_fmu_enter(component, ZENO_CALL_ENTER_INITIALIZATION_MODE);
    if (!instance) return fmi2Error;
    instance->state = ZENO_INITIALIZATION_MODE;
    return fmi2OK;
}

// Values that can't be used are refused here; the host may correct them and try again.
fmi2Status fmi2ExitInitializationMode(fmi2Component component) {
    zeno_fmu_instance *instance = zeno_fmu_enter(component, ZENO_CALL_EXIT_INITIALIZATION_MODE);
    if (!instance) return fmi2Error;
    const zeno_fmu_experiment *experiment = &instance->experiment;
    const zeno_status status = zeno_initialize(instance->engine, experiment->start, experiment->tolerance);
    if (status == ZENO_OK) instance->state = ZENO_STEP_COMPLETE;
    return zeno_fmu_answer(instance, status);
}

static void log_work(const zeno_fmu_instance *instance) {
    char message[ZENO_MESSAGE_SIZE];
    const zeno_statistics work = zeno_work(instance->engine);
    snprintf(message, sizeof message, "solver: %ld steps, %ld evaluations, %ld starts", work.steps, work.evaluations,
             work.starts);
    zeno_fmu_log_message(&instance->log, ZENO_LOG_SOLVER, message);
}

fmi2Status fmi2Terminate(fmi2Component component) {
    zeno_fmu_instance *instance = zeno_fmu_enter(component, ZENO_CALL_TERMINATE);
    if (!instance) return fmi2Error;
    log_work(instance);
    instance->state = ZENO_TERMINATED;
    return fmi2OK;
}

fmi2Status fmi2Reset(fmi2Component component) {
    zeno_fmu_instance *instance = zeno_fmu_enter(component, ZENO_CALL_RESET);
    if (!instance) return fmi2Error;
    zeno_reset(instance->engine);
    start_over(instance);
    return fmi2OK;
}
