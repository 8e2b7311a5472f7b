// How messages reach the host's logger, and which do: log categories and fmi2SetDebugLogging.

#include "log.h"

#include <fmi2Functions.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "instance.h"

enum { CATEGORIES = 4 };

static const struct {
    const char *name; // as in modelDescription.xml
    fmi2Status status;
} category_table[CATEGORIES] = {
    [ZENO_LOG_EVENTS] = {"logEvents", fmi2OK},
    [ZENO_LOG_SOLVER] = {"logSolver", fmi2OK},
    [ZENO_LOG_WARNING] = {"logStatusWarning", fmi2Warning},
    [ZENO_LOG_ERROR] = {"logStatusError", fmi2Error},
};

unsigned zeno_fmu_log_categories(bool on) {
    return on ? (1u << CATEGORIES) - 1 : 1u << ZENO_LOG_ERROR;
}

bool zeno_fmu_log_listens(const zeno_fmu_log *log, zeno_category category) {
    return log->logger && (log->categories & 1u << category);
}

void zeno_fmu_log_message(const zeno_fmu_log *log, zeno_category category, const char *message) {
    if (!zeno_fmu_log_listens(log, category)) return;
    log->logger(log->environment, log->instance_name, category_table[category].status, category_table[category].name,
                "%s", message);
}

// "<C function>: <message>", cut where it gets too long.
static void log_call(const zeno_fmu_log *log, zeno_category category, zeno_fmu_call call, const char *format,
                     va_list arguments) {
    char message[ZENO_MESSAGE_SIZE];
    const int length = snprintf(message, sizeof message, "%s: ", zeno_fmu_call_rule[call].subject);
    vsnprintf(message + length, sizeof message - (size_t)length, format, arguments);
    zeno_fmu_log_message(log, category, message);
}

void zeno_fmu_warn(const zeno_fmu_log *log, zeno_fmu_call call, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    log_call(log, ZENO_LOG_WARNING, call, format, arguments);
    va_end(arguments);
}

fmi2Status zeno_fmu_refuse(const zeno_fmu_log *log, zeno_fmu_call call, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    log_call(log, ZENO_LOG_ERROR, call, format, arguments);
    va_end(arguments);
    return fmi2Error;
}

// The bit of a category, 0 when there is none of this name.
static unsigned find_category(fmi2String name) {
    for (unsigned i = 0; name && i < CATEGORIES; i++)
        if (strcmp(name, category_table[i].name) == 0) return 1u << i;
    return 0;
}

static fmi2Status choose_categories(const zeno_fmu_log *log, size_t count, const fmi2String names[],
                                    unsigned *categories) {
    const zeno_fmu_call call = ZENO_CALL_SET_DEBUG_LOGGING;
    unsigned chosen = zeno_fmu_log_categories(count == 0);
    if (count > 0 && !names) return zeno_fmu_refuse(log, call, "%zu categories, but their array is NULL", count);
    for (size_t i = 0; i < count; i++) {
        const unsigned category = find_category(names[i]);
        if (!category)
            return zeno_fmu_refuse(log, call, "unknown category '%.200s'; known are %s, %s, %s, %s",
                                   names[i] ? names[i] : "NULL", category_table[0].name, category_table[1].name,
                                   category_table[2].name, category_table[3].name);
        chosen |= category;
    }
    *categories = chosen;
    return fmi2OK;
}

// Off is off, whatever categories are named; on without categories means all.
fmi2Status fmi2SetDebugLogging(fmi2Component component, fmi2Boolean loggingOn, size_t nCategories,
                               const fmi2String categories[]) {
    zeno_fmu_instance *instance = zeno_fmu_enter(component, ZENO_CALL_SET_DEBUG_LOGGING);
    if (!instance) return fmi2Error;
    if (loggingOn) return choose_categories(&instance->log, nCategories, categories, &instance->log.categories);
    instance->log.categories = zeno_fmu_log_categories(false);
    return fmi2OK;
}
