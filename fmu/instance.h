// One instance of the FMU, and the door through which every FMI call reaches it.

#ifndef ZENO_FMU_INSTANCE_H
#define ZENO_FMU_INSTANCE_H

#include <fmi2FunctionTypes.h>
#include <stdbool.h>

#include "engine.h"
#include "life_cycle.h"
#include "log.h"

// The one model of this FMU; the model compiler writes it.
extern const zeno_model zeno_fmu_model;

// What fmi2SetupExperiment tells.
typedef struct zeno_fmu_experiment {
    double start;
    double stop;      // INFINITY: not defined
    double tolerance; // 0: not defined
} zeno_fmu_experiment;

typedef struct zeno_fmu_instance {
    zeno_fmu_state state;
    zeno_engine *engine;
    zeno_host host; // of the engine; also how the instance itself gets and returns memory
    zeno_fmu_log log;
    bool logging_on; // at instantiation
    zeno_fmu_experiment experiment;
    fmi2Status step_status; // of the last fmi2DoStep
    char name[];
} zeno_fmu_instance;

// The instance, or NULL when there is none or its state doesn't allow the call; the log then says so.
zeno_fmu_instance *zeno_fmu_enter(fmi2Component component, zeno_fmu_call call);

// The engine's answer in FMI's words; the engine has logged why. After a failure only a reset helps.
fmi2Status zeno_fmu_answer(zeno_fmu_instance *instance, zeno_status status);

#endif
