// Saving, restoring and serialising the state of an instance: not offered yet, and modelDescription.xml says so.

#include <fmi2Functions.h>

#include "instance.h"

static fmi2Status not_offered(fmi2Component component, zeno_fmu_call call, const char *capability) {
    const zeno_fmu_instance *instance = zeno_fmu_enter(component, call);
    if (!instance) return fmi2Error;
    return zeno_fmu_refuse(&instance->log, call, "not offered: modelDescription.xml has %s=\"false\"", capability);
}

fmi2Status fmi2GetFMUstate(fmi2Component component, fmi2FMUstate *FMUstate) {
    (void)FMUstate;
    return not_offered(component, ZENO_CALL_GET_FMU_STATE, "canGetAndSetFMUstate");
}

fmi2Status fmi2SetFMUstate(fmi2Component component, fmi2FMUstate FMUstate) {
    (void)FMUstate;
    return not_offered(component, ZENO_CALL_SET_FMU_STATE, "canGetAndSetFMUstate");
}

// Freeing nothing is always possible.
fmi2Status fmi2FreeFMUstate(fmi2Component component, fmi2FMUstate *FMUstate) {
    if (component && (!FMUstate || !*FMUstate)) return fmi2OK;
    return not_offered(component, ZENO_CALL_FREE_FMU_STATE, "canGetAndSetFMUstate");
}

fmi2Status fmi2SerializedFMUstateSize(fmi2Component component, fmi2FMUstate FMUstate, size_t *size) {
    (void)FMUstate, (void)size;
    return not_offered(component, ZENO_CALL_SERIALIZED_FMU_STATE_SIZE, "canSerializeFMUstate");
}

fmi2Status fmi2SerializeFMUstate(fmi2Component component, fmi2FMUstate FMUstate, fmi2Byte serializedState[],
                                 size_t size) {
    (void)FMUstate;
    (void)serializedState, (void)size;
    return not_offered(component, ZENO_CALL_SERIALIZE_FMU_STATE, "canSerializeFMUstate");
}

fmi2Status fmi2DeSerializeFMUstate(fmi2Component component, const fmi2Byte serializedState[], size_t size,
                                   fmi2FMUstate *FMUstate) {
    (void)serializedState, (void)size;
    (void)FMUstate;
    return not_offered(component, ZENO_CALL_DESERIALIZE_FMU_STATE, "canSerializeFMUstate");
}
