// A life: instantiated, initialised, forty steps with saved and restored states on the way, terminated, reset, freed.

#include "life.h"

#include <fmi2Functions.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "allocations.h"
#include "instance.h"
#include "trial.h"

enum { STEPS = 40, SAVED_EVERY = 5, MOST_VARIABLES = 100, LONGEST_STATE = 20000, LONGEST_LOG = 1 << 20 };
#define STEP 0.25
// How far a motion may be off that goes on over a fault: the tolerance of the models is 1e-6. Where it slides between
// modes, each dwell of a millionth of the step size takes it some way off, and a fault may shift the dwells.
#define NEAR (1e-4 + 4e-6 * zeno_fmu_model.step_size)

// A saved state, how many steps were done, and whether the motion was off by then.
typedef struct moment {
    fmi2FMUstate state;
    int step;
    bool off;
} moment;

typedef struct life {
    const life_fault *fault; // NULL: undisturbed
    bool recording;
    fmi2Component component;
    int step;                   // steps done
    bool off;                   // the motion has gone on over a fault, and is no longer the same to the bit
    moment start, lately, copy; // the very start, a few steps ago, the same through bytes
    bool restoring;             // a state could not be restored: the time is that of one of the two
    long errors, errors_before; // messages that tell of an error: all, and before the present call
} life;

static double recorded[STEPS + 1][MOST_VARIABLES];
static char told[LONGEST_LOG]; // all messages of the recorded life
static size_t told_length;

// ---- The host's side

static void hear(fmi2ComponentEnvironment environment, fmi2String instance, fmi2Status status, fmi2String category,
                 fmi2String format, ...) {
    (void)instance, (void)category;
    life *l = environment;
    l->errors += status == fmi2Error;
    if (!l->recording) return;
    va_list arguments;
    va_start(arguments, format);
    const size_t room = sizeof told - told_length;
    const int length = vsnprintf(told + told_length, room, format, arguments);
    if (length > 0 && (size_t)length < room) told_length += (size_t)length;
    va_end(arguments);
}

static bool injected(const life *l) {
    return l->fault && l->fault->injected();
}

// What comes of a call: it is done; or it is not, because of the fault, and the log says so.
static bool done(life *l, bool ok, const char *complaint) {
    check(ok || injected(l), complaint);
    check(ok || l->errors > l->errors_before, "a call that fails says so");
    l->errors_before = l->errors;
    return ok;
}

#define CALL(l, name, ...) done(l, fmi2##name(__VA_ARGS__) == fmi2OK, #name " fails without a fault")

// ---- Values

static fmi2Status read_variable(fmi2Component component, int i, double *value) {
    const fmi2ValueReference reference = (fmi2ValueReference)i;
    fmi2Integer integer = 0;
    fmi2Status status;
    switch (zeno_fmu_model.variable[i].type) {
    case ZENO_REAL:
        return fmi2GetReal(component, &reference, 1, value);
    case ZENO_INTEGER:
        status = fmi2GetInteger(component, &reference, 1, &integer);
        break;
    default:
        status = fmi2GetBoolean(component, &reference, 1, &integer);
    }
    *value = integer;
    return status;
}

static bool is_motion(int i) {
    const zeno_quantity quantity = zeno_fmu_model.variable[i].quantity;
    return quantity == ZENO_COORDINATE || quantity == ZENO_RATE || quantity == ZENO_STATE;
}

static void compare(const life *l, int i, double value) {
    const double expected = recorded[l->step][i];
    if (!l->off)
        check(memcmp(&value, &expected, sizeof value) == 0, "the bits are those of the undisturbed life");
    else if (is_motion(i))
        check(fabs(value - expected) <= NEAR * (1 + fabs(expected)), "a motion that goes on stays near");
}

// All values after a step: recorded, or compared with the recorded ones.
static bool look(life *l) {
    l->off |= injected(l) && l->fault->changes_the_motion;
    for (int i = 0; i < zeno_fmu_model.variables; i++) {
        double value = 0;
        if (!done(l, read_variable(l->component, i, &value) == fmi2OK, "a value can't be read")) return false;
        if (l->recording)
            recorded[l->step][i] = value;
        else
            compare(l, i, value);
    }
    return true;
}

// The rate of the first variable that has one.
static bool derive(life *l) {
    fmi2ValueReference reference = 0;
    const fmi2Integer order = 1;
    double rate;
    while (!is_motion((int)reference))
        reference++;
    return CALL(l, GetRealOutputDerivatives, l->component, &reference, 1, &order, &rate);
}

static int find(const char *name) {
    for (int i = 0; i < zeno_fmu_model.variables; i++)
        if (strcmp(zeno_fmu_model.variable[i].name, name) == 0) return i;
    return -1;
}

static bool set(life *l, const char *name, double value) {
    const fmi2ValueReference reference = (fmi2ValueReference)find(name);
    return find(name) < 0 || CALL(l, SetReal, l->component, &reference, 1, &value);
}

// ---- The undisturbed course

static bool instantiate(life *l) {
    const fmi2CallbackFunctions callbacks = {hear, calloc, free, NULL, l};
    l->component = fmi2Instantiate("life", fmi2CoSimulation, zeno_fmu_model.guid, "", &callbacks, fmi2False, fmi2True);
    return done(l, l->component != NULL, "there is no instance");
}

static bool initialize(life *l) {
    l->step = 0;
    l->off = false;
    return CALL(l, SetupExperiment, l->component, fmi2False, 0, 0, fmi2False, 0) &&
           CALL(l, EnterInitializationMode, l->component) && CALL(l, ExitInitializationMode, l->component) && look(l);
}

// What the host does before a step.
static bool interfere(life *l) {
    switch (l->step) {
    case 20:
        return set(l, "push", 0.5);
    case 22:
        return set(l, "push", 2);
    case 24:
        return set(l, "push", 0);
    case 28:
        return set(l, "drag", 1e6);
    case 36:
        return set(l, "drag", 1);
    default:
        return true;
    }
}

static bool step(life *l) {
    if (!interfere(l) || !CALL(l, DoStep, l->component, l->step * STEP, STEP, fmi2True)) return false;
    l->step++;
    return look(l);
}

static bool steps_to(life *l, int end) {
    while (l->step < end)
        if (!step(l)) return false;
    return true;
}

static bool save(life *l, moment *now) {
    if (!CALL(l, GetFMUstate, l->component, &now->state)) return false;
    now->step = l->step;
    now->off = l->off;
    return true;
}

static bool copy_bytes(life *l, const moment *from, moment *to) {
    static fmi2Byte bytes[LONGEST_STATE];
    size_t size = 0;
    to->step = from->step;
    to->off = from->off;
    return CALL(l, SerializedFMUstateSize, l->component, from->state, &size) &&
           CALL(l, SerializeFMUstate, l->component, from->state, bytes, sizeof bytes) &&
           CALL(l, FreeFMUstate, l->component, &to->state) &&
           CALL(l, DeSerializeFMUstate, l->component, bytes, size, &to->state);
}

static bool restore(life *l, const moment *past) {
    l->restoring = !CALL(l, SetFMUstate, l->component, past->state);
    if (l->restoring) return false;
    l->step = past->step;
    l->off = past->off;
    return true;
}

// Back to the last state and on again, also by way of the very start.
static bool roll_back(life *l) {
    const int present = l->step;
    return restore(l, &l->copy) && steps_to(l, present) && restore(l, &l->start) && steps_to(l, 2) &&
           restore(l, &l->lately) && steps_to(l, present);
}

static bool run(life *l) {
    if (!initialize(l) || !save(l, &l->start)) return false;
    while (l->step < STEPS) {
        if (!save(l, &l->lately) || !copy_bytes(l, &l->lately, &l->copy)) return false;
        if (!steps_to(l, l->step + SAVED_EVERY - 1) || !roll_back(l) || !step(l) || !derive(l)) return false;
    }
    return CALL(l, Terminate, l->component) && CALL(l, Reset, l->component) && initialize(l) && steps_to(l, 4);
}

static void end(life *l) {
    if (!l->component) return;
    fmi2FreeFMUstate(l->component, &l->start.state);
    fmi2FreeFMUstate(l->component, &l->lately.state);
    fmi2FreeFMUstate(l->component, &l->copy.state);
    fmi2FreeInstance(l->component);
}

bool life_record(const char *const *words) {
    life l = {.recording = true};
    bool good = check(zeno_fmu_model.variables <= MOST_VARIABLES, "there is room for all values") &&
                check(instantiate(&l) && run(&l), "an undisturbed life comes to its end");
    end(&l);
    for (; *words; words++)
        good &= strstr(told, *words) || check(false, *words);
    return good;
}

// ---- After a fault

// The failed instance can be looked at; time is where it was.
static void look_at_failure(const life *l) {
    double value, time = -1;
    fmi2Status status;
    for (int i = 0; i < zeno_fmu_model.variables; i++)
        read_variable(l->component, i, &value);
    if (fmi2GetRealStatus(l->component, fmi2LastSuccessfulTime, &time) != fmi2OK) return; // not yet in a run
    check(l->restoring || time == l->step * STEP, "the last successful time is that of the last good step");
    check(fmi2GetStatus(l->component, fmi2DoStepStatus, &status) == fmi2OK, "the status of the step can be asked");
}

// What is tried while the fault lasts may fail or not; it must not harm.
static void try_during_fault(const life *l) {
    if (l->lately.state) fmi2SetFMUstate(l->component, l->lately.state);
    if (l->start.state) fmi2SetFMUstate(l->component, l->start.state);
    fmi2DoStep(l->component, 0, STEP, fmi2True);
    if (l->start.state) fmi2SetFMUstate(l->component, l->start.state);
}

static void go_on_from(life *l, const moment *past) {
    const int last = past->step + 4 < STEPS ? past->step + 4 : STEPS;
    if (past->state) check(restore(l, past) && steps_to(l, last), "a saved state can be restored");
}

static void recover(life *l) {
    look_at_failure(l);
    try_during_fault(l);
    l->fault->relent();
    l->fault = NULL;
    go_on_from(l, &l->start);
    go_on_from(l, &l->lately);
    check(fmi2Reset(l->component) == fmi2OK, "a reset is always possible");
    check(initialize(l) && steps_to(l, 4), "after a reset the run can be repeated");
}

// Another instance, with all that it needs.
static void live_again(void) {
    life l = {0};
    check(instantiate(&l) && initialize(&l) && steps_to(&l, 8), "another instance can run");
    end(&l);
}

void life_with(const life_fault *fault) {
    const long blocks = blocks_in_use();
    life l = {.fault = fault};
    const bool undisturbed = instantiate(&l) && run(&l);
    check(fault->injected(), "the fault comes");
    if (!undisturbed && l.component) recover(&l);
    fault->relent();
    end(&l);
    live_again();
    check(blocks_in_use() == blocks, "all memory is given back");
}
