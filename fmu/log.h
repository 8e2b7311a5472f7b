// The log of an instance: ready-made messages of less than ZENO_MESSAGE_SIZE characters for the host's logger.
//
// Errors are delivered whenever the host has a logger: `loggingOn` and fmi2SetDebugLogging choose among the others.

#ifndef ZENO_FMU_LOG_H
#define ZENO_FMU_LOG_H

#include <fmi2FunctionTypes.h>
#include <stdbool.h>

#include "engine.h"
#include "life_cycle.h"

typedef struct zeno_fmu_log {
    fmi2CallbackLogger logger; // NULL: nobody listens
    fmi2ComponentEnvironment environment;
    fmi2String instance_name; // any bytes
    unsigned categories;      // delivered ones: a bit 1 << zeno_category each
} zeno_fmu_log;

// The categories that are delivered when logging is on or off and none are chosen.
unsigned zeno_fmu_log_categories(bool on);

bool zeno_fmu_log_listens(const zeno_fmu_log *log, zeno_category category);
void zeno_fmu_log_message(const zeno_fmu_log *log, zeno_category category, const char *message);

// Logs the warning "<C function>: <message>", with printf's format.
__attribute__((format(printf, 3, 4))) void zeno_fmu_warn(const zeno_fmu_log *log, zeno_fmu_call call,
                                                         const char *format, ...);

// Logs the error "<C function>: <message>" and returns fmi2Error.
__attribute__((format(printf, 3, 4))) fmi2Status zeno_fmu_refuse(const zeno_fmu_log *log, zeno_fmu_call call,
                                                                 const char *format, ...);

#endif
