// Directional derivatives, and the time derivatives of inputs and outputs.

#include <fmi2Functions.h>

#include "variables.h"

static const zeno_variable *variable_at(fmi2ValueReference reference) {
    return &zeno_fmu_model.variable[reference];
}

// The radii of stability come from a search: they have no derivative that could be told.
static bool is_differentiable(fmi2ValueReference reference) {
    const zeno_variable *variable = variable_at(reference);
    const bool is_output = variable->access == ZENO_READ_ONLY || variable->access == ZENO_START;
    return is_output && variable->quantity != ZENO_STABLE_POSITION && variable->quantity != ZENO_STABLE_VELOCITY;
}

static bool is_input(fmi2ValueReference reference) {
    return variable_at(reference)->quantity == ZENO_INPUT;
}

// Whether all variables are of a kind; the log names the first that isn't.
static bool check(const zeno_fmu_instance *instance, zeno_fmu_call call, const fmi2ValueReference reference[],
                  size_t count, bool (*fits)(fmi2ValueReference), const char *kind) {
    for (size_t i = 0; i < count; i++) {
        if (fits(reference[i])) continue;
        zeno_fmu_refuse(&instance->log, call, "'%s' (value reference %u) is not %s", variable_at(reference[i])->name,
                        reference[i], kind);
        return false;
    }
    return true;
}

static bool check_outputs(const zeno_fmu_instance *instance, zeno_fmu_call call, const fmi2ValueReference reference[],
                          size_t count) {
    return check(instance, call, reference, count, is_differentiable, "an output that has derivatives");
}

static bool check_inputs(const zeno_fmu_instance *instance, zeno_fmu_call call, const fmi2ValueReference reference[],
                         size_t count) {
    return check(instance, call, reference, count, is_input, "an input");
}

static bool check_orders(const zeno_fmu_instance *instance, zeno_fmu_call call, const fmi2ValueReference reference[],
                         size_t count, const fmi2Integer order[], int highest) {
    if (count > 0 && !order) {
        zeno_fmu_refuse(&instance->log, call, "the array of orders is NULL");
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (order[i] >= 1 && order[i] <= highest) continue;
        zeno_fmu_refuse(&instance->log, call, "order %d for '%s', expected 1 to %d", order[i],
                        variable_at(reference[i])->name, highest);
        return false;
    }
    return true;
}

fmi2Status fmi2GetDirectionalDerivative(fmi2Component component, const fmi2ValueReference vUnknown_ref[],
                                        size_t nUnknown, const fmi2ValueReference vKnown_ref[], size_t nKnown,
                                        const fmi2Real dvKnown[], fmi2Real dvUnknown[]) {
    const zeno_fmu_call call = ZENO_CALL_GET_DIRECTIONAL_DERIVATIVE;
    zeno_fmu_instance *instance = zeno_fmu_begin_get(component, call, ZENO_REAL, vUnknown_ref, nUnknown, dvUnknown);
    if (!instance || !zeno_fmu_begin_get(component, call, ZENO_REAL, vKnown_ref, nKnown, dvKnown)) return fmi2Error;
    if (!check_outputs(instance, call, vUnknown_ref, nUnknown) || !check_inputs(instance, call, vKnown_ref, nKnown))
        return fmi2Error;
    double *change = zeno_input_change(instance->engine);
    for (size_t i = 0; i < nKnown; i++)
        change[variable_at(vKnown_ref[i])->index] += dvKnown[i];
    const zeno_status status = zeno_along_inputs(instance->engine);
    for (size_t i = 0; i < nUnknown && status == ZENO_OK; i++)
        dvUnknown[i] = zeno_change_of(instance->engine, variable_at(vUnknown_ref[i]));
    return zeno_fmu_answer(instance, status);
}

fmi2Status fmi2SetRealInputDerivatives(fmi2Component component, const fmi2ValueReference vr[], size_t nvr,
                                       const fmi2Integer order[], const fmi2Real value[]) {
    const zeno_fmu_call call = ZENO_CALL_SET_REAL_INPUT_DERIVATIVES;
    zeno_fmu_instance *instance = zeno_fmu_begin_set(component, call, ZENO_REAL, vr, nvr, value);
    if (!instance || !check_inputs(instance, call, vr, nvr)) return fmi2Error;
    if (!check_orders(instance, call, vr, nvr, order, ZENO_INPUT_ORDERS - 1)) return fmi2Error;
    for (size_t i = 0; i < nvr; i++)
        zeno_set_input_derivative(instance->engine, variable_at(vr[i])->index, order[i], value[i]);
    return fmi2OK;
}

fmi2Status fmi2GetRealOutputDerivatives(fmi2Component component, const fmi2ValueReference vr[], size_t nvr,
                                        const fmi2Integer order[], fmi2Real value[]) {
    const zeno_fmu_call call = ZENO_CALL_GET_REAL_OUTPUT_DERIVATIVES;
    zeno_fmu_instance *instance = zeno_fmu_begin_get(component, call, ZENO_REAL, vr, nvr, value);
    if (!instance || !check_outputs(instance, call, vr, nvr)) return fmi2Error;
    if (!check_orders(instance, call, vr, nvr, order, 1)) return fmi2Error;
    const zeno_status status = zeno_along_motion(instance->engine);
    for (size_t i = 0; i < nvr && status == ZENO_OK; i++)
        value[i] = zeno_change_of(instance->engine, variable_at(vr[i]));
    return zeno_fmu_answer(instance, status);
}
