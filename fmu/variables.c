// fmi2GetXXX and fmi2SetXXX. A value reference is the variable's position in the model's table.
//
// All value references of a call are checked before the first is used: a call with a wrong one changes nothing.

#include <fmi2Functions.h>
#include <limits.h>
#include <math.h>

#include "variables.h"

static const char *const type_name[] = {[ZENO_REAL] = "Real", [ZENO_INTEGER] = "Integer", [ZENO_BOOLEAN] = "Boolean"};

static fmi2Status check_reference(const zeno_fmu_instance *instance, zeno_fmu_call call, zeno_type type,
                                  fmi2ValueReference reference) {
    if (reference >= (unsigned)zeno_fmu_model.variables)
        return zeno_fmu_refuse(&instance->log, call, "unknown value reference %u; there are 0 to %d", reference,
                               zeno_fmu_model.variables - 1);
    const zeno_variable *variable = &zeno_fmu_model.variable[reference];
    if (variable->type != type)
        return zeno_fmu_refuse(&instance->log, call, "'%s' (value reference %u) is of type %s, not %s", variable->name,
                               reference, type_name[variable->type], type_name[type]);
    return fmi2OK;
}

static fmi2Status check_settable(const zeno_fmu_instance *instance, zeno_fmu_call call, fmi2ValueReference reference) {
    const zeno_variable *variable = &zeno_fmu_model.variable[reference];
    const zeno_fmu_rule *rule = &zeno_fmu_set_rule[variable->access];
    if (rule->allowed[instance->state]) return fmi2OK;

    char states[200];
    zeno_fmu_list_states(rule, states, sizeof states);
    return zeno_fmu_refuse(&instance->log, call,
                           "'%s' (value reference %u) %s and can't be set in the state '%s' (allowed in: %s)",
                           variable->name, reference, rule->subject, zeno_fmu_state_name[instance->state], states);
}

zeno_fmu_instance *zeno_fmu_begin_get(fmi2Component component, zeno_fmu_call call, zeno_type type,
                                      const fmi2ValueReference reference[], size_t count, const void *value) {
    zeno_fmu_instance *instance = zeno_fmu_enter(component, call);
    if (!instance) return NULL;
    if (count > 0 && (!reference || !value)) {
        zeno_fmu_refuse(&instance->log, call, "%zu variables, but an array is NULL", count);
        return NULL;
    }
    for (size_t i = 0; i < count; i++)
        if (check_reference(instance, call, type, reference[i]) != fmi2OK) return NULL;
    return instance;
}

zeno_fmu_instance *zeno_fmu_begin_set(fmi2Component component, zeno_fmu_call call, zeno_type type,
                                      const fmi2ValueReference reference[], size_t count, const void *value) {
    zeno_fmu_instance *instance = zeno_fmu_begin_get(component, call, type, reference, count, value);
    for (size_t i = 0; instance && i < count; i++)
        if (check_settable(instance, call, reference[i]) != fmi2OK) return NULL;
    return instance;
}

static fmi2Status get(zeno_fmu_instance *instance, fmi2ValueReference reference, double *value) {
    return zeno_fmu_answer(instance, zeno_get(instance->engine, &zeno_fmu_model.variable[reference], value));
}

static void set(zeno_fmu_instance *instance, fmi2ValueReference reference, double value) {
    zeno_set(instance->engine, &zeno_fmu_model.variable[reference], value);
}

fmi2Status fmi2GetReal(fmi2Component component, const fmi2ValueReference vr[], size_t nvr, fmi2Real value[]) {
    zeno_fmu_instance *instance = zeno_fmu_begin_get(component, ZENO_CALL_GET_REAL, ZENO_REAL, vr, nvr, value);
    if (!instance) return fmi2Error;
    for (size_t i = 0; i < nvr; i++)
        if (get(instance, vr[i], &value[i]) != fmi2OK) return fmi2Error;
    return fmi2OK;
}

// A counter beyond the largest Integer stays there; a state that somebody made up may hold any number.
fmi2Status fmi2GetInteger(fmi2Component component, const fmi2ValueReference vr[], size_t nvr, fmi2Integer value[]) {
    zeno_fmu_instance *instance = zeno_fmu_begin_get(component, ZENO_CALL_GET_INTEGER, ZENO_INTEGER, vr, nvr, value);
    if (!instance) return fmi2Error;
    for (size_t i = 0; i < nvr; i++) {
        double number = 0;
        if (get(instance, vr[i], &number) != fmi2OK) return fmi2Error;
        value[i] = number < INT_MAX ? (fmi2Integer)fmax(number, INT_MIN) : INT_MAX;
    }
    return fmi2OK;
}

fmi2Status fmi2GetBoolean(fmi2Component component, const fmi2ValueReference vr[], size_t nvr, fmi2Boolean value[]) {
    zeno_fmu_instance *instance = zeno_fmu_begin_get(component, ZENO_CALL_GET_BOOLEAN, ZENO_BOOLEAN, vr, nvr, value);
    if (!instance) return fmi2Error;
    for (size_t i = 0; i < nvr; i++) {
        double number = 0;
        if (get(instance, vr[i], &number) != fmi2OK) return fmi2Error;
        value[i] = number != 0 ? fmi2True : fmi2False;
    }
    return fmi2OK;
}

fmi2Status fmi2SetReal(fmi2Component component, const fmi2ValueReference vr[], size_t nvr, const fmi2Real value[]) {
    zeno_fmu_instance *instance = zeno_fmu_begin_set(component, ZENO_CALL_SET_REAL, ZENO_REAL, vr, nvr, value);
    if (!instance) return fmi2Error;
    for (size_t i = 0; i < nvr; i++)
        set(instance, vr[i], value[i]);
    return fmi2OK;
}

fmi2Status fmi2SetInteger(fmi2Component component, const fmi2ValueReference vr[], size_t nvr,
                          const fmi2Integer value[]) {
    zeno_fmu_instance *instance = zeno_fmu_begin_set(component, ZENO_CALL_SET_INTEGER, ZENO_INTEGER, vr, nvr, value);
    if (!instance) return fmi2Error;
    for (size_t i = 0; i < nvr; i++)
        set(instance, vr[i], value[i]);
    return fmi2OK;
}

fmi2Status fmi2SetBoolean(fmi2Component component, const fmi2ValueReference vr[], size_t nvr,
                          const fmi2Boolean value[]) {
    zeno_fmu_instance *instance = zeno_fmu_begin_set(component, ZENO_CALL_SET_BOOLEAN, ZENO_BOOLEAN, vr, nvr, value);
    if (!instance) return fmi2Error;
    for (size_t i = 0; i < nvr; i++)
        set(instance, vr[i], value[i] != fmi2False);
    return fmi2OK;
}

// No model has variables of type String; hosts may still ask for none of them.
static fmi2Status access_strings(fmi2Component component, zeno_fmu_call call, size_t count) {
    const zeno_fmu_instance *instance = zeno_fmu_enter(component, call);
    if (!instance) return fmi2Error;
    return count == 0 ? fmi2OK : zeno_fmu_refuse(&instance->log, call, "there are no variables of type String");
}

fmi2Status fmi2GetString(fmi2Component component, const fmi2ValueReference vr[], size_t nvr, fmi2String value[]) {
    (void)vr;
    (void)value;
    return access_strings(component, ZENO_CALL_GET_STRING, nvr);
}

fmi2Status fmi2SetString(fmi2Component component, const fmi2ValueReference vr[], size_t nvr, const fmi2String value[]) {
    (void)vr;
    (void)value;
    return access_strings(component, ZENO_CALL_SET_STRING, nvr);
}
