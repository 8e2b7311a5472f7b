// fmi2DoStep, and what can be asked about the last step. A step is done when fmi2DoStep returns.

#include <fmi2Functions.h>
#include <math.h>

#include "instance.h"

// Hosts add up their times in floating point: theirs may differ from ours by this times |time| + step.
static const double CLOCK_TOLERANCE = 1e-9;

static fmi2Status check_step(const zeno_fmu_instance *instance, double current, double step) {
    const zeno_fmu_call call = ZENO_CALL_DO_STEP;
    const double time = zeno_time(instance->engine);
    const double end = current + step;
    const double allowance = CLOCK_TOLERANCE * (fabs(time) + step);
    if (!(isfinite(step) && step > 0))
        return zeno_fmu_refuse(&instance->log, call, "communicationStepSize %.17g is not a positive, finite number",
                               step);
    if (!(fabs(current - time) <= allowance))
        return zeno_fmu_refuse(&instance->log, call, "currentCommunicationPoint %.17g is not the time reached, %.17g",
                               current, time);
    if (!isfinite(end) || end > instance->experiment.stop + allowance)
        return zeno_fmu_refuse(&instance->log, call, "the step from %.17g to %.17g goes past stopTime %.17g", current,
                               end, instance->experiment.stop);
    return fmi2OK;
}

// The step ends at the double current + step. A host whose clock is behind ours, within the allowance, can ask for
// less than we have already: then the motion stays where it is.
static fmi2Status take_step(zeno_fmu_instance *instance, double current, double step) {
    const double end = fmax(current + step, zeno_time(instance->engine));
    return zeno_fmu_answer(instance, zeno_advance(instance->engine, end));
}

// A refused step leaves the instance as it was and the run may go on, which is more than FMI asks.
fmi2Status fmi2DoStep(fmi2Component component, fmi2Real currentCommunicationPoint, fmi2Real communicationStepSize,
                      fmi2Boolean noSetFMUStatePriorToCurrentPoint) {
    (void)noSetFMUStatePriorToCurrentPoint; // not all hosts that say so keep to it
    zeno_fmu_instance *instance = zeno_fmu_enter(component, ZENO_CALL_DO_STEP);
    if (!instance) return fmi2Error;
    fmi2Status status = check_step(instance, currentCommunicationPoint, communicationStepSize);
    if (status == fmi2OK) status = take_step(instance, currentCommunicationPoint, communicationStepSize);
    instance->step_status = status;
    return status;
}

// There is no state in which it is allowed.
fmi2Status fmi2CancelStep(fmi2Component component) {
    zeno_fmu_enter(component, ZENO_CALL_CANCEL_STEP);
    return fmi2Error;
}

static zeno_fmu_instance *begin_status(fmi2Component component, zeno_fmu_call call, const void *value) {
    zeno_fmu_instance *instance = zeno_fmu_enter(component, call);
    if (!instance || value) return instance;
    zeno_fmu_refuse(&instance->log, call, "there is no place for the answer: it is NULL");
    return NULL;
}

// A status that can't be had is discarded [FMI 2.0.4, 4.2.3].
static fmi2Status discard_status(const zeno_fmu_instance *instance, zeno_fmu_call call, fmi2StatusKind kind) {
    zeno_fmu_warn(&instance->log, call, "has no answer for the status kind %d", (int)kind);
    return fmi2Discard;
}

fmi2Status fmi2GetStatus(fmi2Component component, const fmi2StatusKind kind, fmi2Status *value) {
    zeno_fmu_instance *instance = begin_status(component, ZENO_CALL_GET_STATUS, value);
    if (!instance) return fmi2Error;
    if (kind != fmi2DoStepStatus) return discard_status(instance, ZENO_CALL_GET_STATUS, kind);
    *value = instance->step_status;
    return fmi2OK;
}

fmi2Status fmi2GetRealStatus(fmi2Component component, const fmi2StatusKind kind, fmi2Real *value) {
    zeno_fmu_instance *instance = begin_status(component, ZENO_CALL_GET_REAL_STATUS, value);
    if (!instance) return fmi2Error;
    if (kind != fmi2LastSuccessfulTime) return discard_status(instance, ZENO_CALL_GET_REAL_STATUS, kind);
    *value = zeno_time(instance->engine);
    return fmi2OK;
}

// FMI 2.0 defines no status of type Integer.
fmi2Status fmi2GetIntegerStatus(fmi2Component component, const fmi2StatusKind kind, fmi2Integer *value) {
    zeno_fmu_instance *instance = begin_status(component, ZENO_CALL_GET_INTEGER_STATUS, value);
    if (!instance) return fmi2Error;
    return discard_status(instance, ZENO_CALL_GET_INTEGER_STATUS, kind);
}

// The FMU never wants to end the run.
fmi2Status fmi2GetBooleanStatus(fmi2Component component, const fmi2StatusKind kind, fmi2Boolean *value) {
    zeno_fmu_instance *instance = begin_status(component, ZENO_CALL_GET_BOOLEAN_STATUS, value);
    if (!instance) return fmi2Error;
    if (kind != fmi2Terminated) return discard_status(instance, ZENO_CALL_GET_BOOLEAN_STATUS, kind);
    *value = fmi2False;
    return fmi2OK;
}

// Nothing is pending, so there is nothing to say about it.
fmi2Status fmi2GetStringStatus(fmi2Component component, const fmi2StatusKind kind, fmi2String *value) {
    zeno_fmu_instance *instance = begin_status(component, ZENO_CALL_GET_STRING_STATUS, value);
    if (!instance) return fmi2Error;
    if (kind != fmi2PendingStatus) return discard_status(instance, ZENO_CALL_GET_STRING_STATUS, kind);
    *value = "";
    return fmi2OK;
}
