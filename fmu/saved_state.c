// Saving, restoring and serialising an instance: what the FMI layer knows, and the engine's saved state behind it. In
// memory and as bytes it is the same.

#include <fmi2Functions.h>
#include <math.h>
#include <string.h>

#include "hash.h"
#include "instance.h"

// What the FMI layer knows of an instance. Logging is the host's business and not part of it.
typedef struct life {
    zeno_fmu_experiment experiment;
    int32_t state;       // zeno_fmu_state
    int32_t step_status; // fmi2Status
} life;

typedef struct front {
    life life;
    uint64_t checksum; // of `life`
} front;

// What fmi2FMUstate points to.
typedef struct saved_state {
    size_t size; // of the bytes
    unsigned char bytes[];
} saved_state;

static size_t saved_size(const zeno_fmu_instance *instance) {
    return sizeof(front) + zeno_saved_size(instance->engine);
}

static saved_state *allocate(const zeno_fmu_instance *instance, zeno_fmu_call call) {
    const size_t size = saved_size(instance);
    saved_state *saved = instance->host.allocate(1, sizeof *saved + size);
    if (saved) saved->size = size;
    if (!saved) zeno_fmu_refuse(&instance->log, call, "not enough memory");
    return saved;
}

static void save(const zeno_fmu_instance *instance, unsigned char *bytes) {
    front f;
    memset(&f, 0, sizeof f); // no padding of unknown content
    f.life.experiment = instance->experiment;
    f.life.state = (int32_t)instance->state;
    f.life.step_status = (int32_t)instance->step_status;
    f.checksum = zeno_hash(&f.life, sizeof f.life);
    memcpy(bytes, &f, sizeof f);
    zeno_save(instance->engine, bytes + sizeof f);
}

static bool is_sound(const life *l) {
    const bool state = l->state >= 0 && l->state < ZENO_STATES;
    const bool status = l->step_status == fmi2OK || l->step_status == fmi2Error;
    return state && status && isfinite(l->experiment.start) && !isnan(l->experiment.stop) &&
           l->experiment.tolerance >= 0;
}

// The FMI layer's part; false, and logged, when the bytes are not a state of this FMU.
static bool inspect(const zeno_fmu_instance *instance, zeno_fmu_call call, const unsigned char *bytes, size_t size,
                    front *f) {
    if (size != saved_size(instance)) {
        zeno_fmu_refuse(&instance->log, call, "a state of %zu bytes, expected %zu", size, saved_size(instance));
        return false;
    }
    memcpy(f, bytes, sizeof *f);
    if (f->checksum != zeno_hash(&f->life, sizeof f->life) || !is_sound(&f->life)) {
        zeno_fmu_refuse(&instance->log, call, "the state is damaged");
        return false;
    }
    return zeno_check_saved(instance->engine, bytes + sizeof *f, size - sizeof *f) == ZENO_OK;
}

// The instance, or NULL when the call is not allowed or there is no state, which is an error.
static zeno_fmu_instance *begin(fmi2Component component, zeno_fmu_call call, const void *state) {
    zeno_fmu_instance *instance = zeno_fmu_enter(component, call);
    if (!instance || state) return instance;
    zeno_fmu_refuse(&instance->log, call, "there is no state: it is NULL");
    return NULL;
}

// A state that the host hands in again is written over.
fmi2Status fmi2GetFMUstate(fmi2Component component, fmi2FMUstate *FMUstate) {
    const zeno_fmu_call call = ZENO_CALL_GET_FMU_STATE;
    const zeno_fmu_instance *instance = begin(component, call, FMUstate);
    if (!instance) return fmi2Error;
    saved_state *saved = *FMUstate ? *FMUstate : allocate(instance, call);
    if (!saved) return fmi2Error;
    save(instance, saved->bytes);
    *FMUstate = saved;
    return fmi2OK;
}

fmi2Status fmi2SetFMUstate(fmi2Component component, fmi2FMUstate FMUstate) {
    const zeno_fmu_call call = ZENO_CALL_SET_FMU_STATE;
    zeno_fmu_instance *instance = begin(component, call, FMUstate);
    front f;
    if (!instance) return fmi2Error;
    const saved_state *saved = FMUstate;
    if (!inspect(instance, call, saved->bytes, saved->size, &f)) return fmi2Error;
    instance->state = (zeno_fmu_state)f.life.state;
    instance->experiment = f.life.experiment;
    instance->step_status = (fmi2Status)f.life.step_status;
    return zeno_fmu_answer(instance, zeno_restore(instance->engine, saved->bytes + sizeof f, saved->size - sizeof f));
}

// Freeing nothing is always possible.
fmi2Status fmi2FreeFMUstate(fmi2Component component, fmi2FMUstate *FMUstate) {
    const zeno_fmu_instance *instance = zeno_fmu_enter(component, ZENO_CALL_FREE_FMU_STATE);
    if (!instance) return fmi2Error;
    if (!FMUstate || !*FMUstate) return fmi2OK;
    instance->host.release(*FMUstate);
    *FMUstate = NULL;
    return fmi2OK;
}

fmi2Status fmi2SerializedFMUstateSize(fmi2Component component, fmi2FMUstate FMUstate, size_t *size) {
    const zeno_fmu_call call = ZENO_CALL_SERIALIZED_FMU_STATE_SIZE;
    const zeno_fmu_instance *instance = begin(component, call, FMUstate);
    if (!instance) return fmi2Error;
    if (!size) return zeno_fmu_refuse(&instance->log, call, "there is no place for the size: it is NULL");
    *size = ((const saved_state *)FMUstate)->size;
    return fmi2OK;
}

fmi2Status fmi2SerializeFMUstate(fmi2Component component, fmi2FMUstate FMUstate, fmi2Byte serializedState[],
                                 size_t size) {
    const zeno_fmu_call call = ZENO_CALL_SERIALIZE_FMU_STATE;
    const zeno_fmu_instance *instance = begin(component, call, FMUstate);
    if (!instance) return fmi2Error;
    const saved_state *saved = FMUstate;
    if (!serializedState || size < saved->size)
        return zeno_fmu_refuse(&instance->log, call, "room for %zu bytes, expected %zu", serializedState ? size : 0,
                               saved->size);
    memcpy(serializedState, saved->bytes, saved->size);
    return fmi2OK;
}

// What is not a state of this FMU is refused here already.
fmi2Status fmi2DeSerializeFMUstate(fmi2Component component, const fmi2Byte serializedState[], size_t size,
                                   fmi2FMUstate *FMUstate) {
    const zeno_fmu_call call = ZENO_CALL_DESERIALIZE_FMU_STATE;
    const zeno_fmu_instance *instance = begin(component, call, FMUstate);
    front f;
    if (!instance) return fmi2Error;
    if (!serializedState) return zeno_fmu_refuse(&instance->log, call, "there are no bytes: they are NULL");
    if (!inspect(instance, call, (const unsigned char *)serializedState, size, &f)) return fmi2Error;
    saved_state *saved = *FMUstate ? *FMUstate : allocate(instance, call);
    if (!saved) return fmi2Error;
    memcpy(saved->bytes, serializedState, size);
    *FMUstate = saved;
    return fmi2OK;
}
