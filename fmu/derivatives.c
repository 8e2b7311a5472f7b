// Directional derivatives and the time derivatives of inputs and outputs: not offered yet, and modelDescription.xml
// says so.

#include <fmi2Functions.h>

#include "instance.h"

static fmi2Status not_offered(fmi2Component component, zeno_fmu_call call, const char *capability) {
    const zeno_fmu_instance *instance = zeno_fmu_enter(component, call);
    if (!instance) return fmi2Error;
    return zeno_fmu_refuse(&instance->log, call, "not offered: modelDescription.xml has %s", capability);
}

fmi2Status fmi2GetDirectionalDerivative(fmi2Component component, const fmi2ValueReference vUnknown_ref[],
                                        size_t nUnknown, const fmi2ValueReference vKnown_ref[], size_t nKnown,
                                        const fmi2Real dvKnown[], fmi2Real dvUnknown[]) {
    (void)vUnknown_ref, (void)nUnknown;
    (void)vKnown_ref, (void)nKnown;
    (void)dvKnown, (void)dvUnknown;
    return not_offered(component, ZENO_CALL_GET_DIRECTIONAL_DERIVATIVE, "providesDirectionalDerivative=\"false\"");
}

fmi2Status fmi2SetRealInputDerivatives(fmi2Component component, const fmi2ValueReference vr[], size_t nvr,
                                       const fmi2Integer order[], const fmi2Real value[]) {
    (void)vr, (void)nvr;
    (void)order, (void)value;
    return not_offered(component, ZENO_CALL_SET_REAL_INPUT_DERIVATIVES, "canInterpolateInputs=\"false\"");
}

fmi2Status fmi2GetRealOutputDerivatives(fmi2Component component, const fmi2ValueReference vr[], size_t nvr,
                                        const fmi2Integer order[], fmi2Real value[]) {
    (void)vr, (void)nvr;
    (void)order, (void)value;
    return not_offered(component, ZENO_CALL_GET_REAL_OUTPUT_DERIVATIVES, "maxOutputDerivativeOrder=\"0\"");
}
