// Random calls, legal and illegal, against a second copy of the table of what is allowed when. Whatever has happened,
// a reset makes an instance like a fresh one.

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "host.h"

enum { SLOTS = 3 };

// Where an instance should be.
typedef struct expectation {
    life_state state;
    double start, time; // of the run
    bool odd;           // values were set that may be impossible
} expectation;

typedef struct slot {
    fmi2FMUstate saved; // NULL: none
    expectation then;
    uint64_t print; // what could be read
} slot;

typedef struct session {
    const loaded_fmu *fmu;
    fmi2Component component;
    listener ear;
    uint64_t random;
    expectation now;
    slot slot[SLOTS];
    fmi2Byte *bytes; // of a saved state; NULL: none
    size_t size;
    slot content; // what the bytes say
} session;

// ---- Life

static fmi2Status setup_experiment(session *s) {
    static const double starts[] = {0, -1.5, 1000};
    const double start = starts[choose(&s->random, 3)];
    const fmi2Status status =
        s->fmu->call.SetupExperiment(s->component, choose(&s->random, 2) != 0, 1e-6, start, fmi2False, 0);
    if (status == fmi2OK) s->now.start = start;
    return status;
}

static fmi2Status setup_impossible_experiment(session *s) {
    check(s->fmu->call.SetupExperiment(s->component, fmi2False, 0, 1, fmi2True, 0) == fmi2Error, "stop before start");
    check(s->fmu->call.SetupExperiment(s->component, fmi2False, 0, NAN, fmi2False, 0) == fmi2Error, "start at nan");
    return fmi2OK;
}

static fmi2Status enter_initialization(session *s) {
    const fmi2Status status = s->fmu->call.EnterInitializationMode(s->component);
    if (status == fmi2OK) s->now.state = INITIALIZATION;
    return status;
}

// Values that were set may be impossible: the instance then stays, or is in error when the solver gave up.
static fmi2Status exit_initialization(session *s) {
    double time;
    const fmi2Status status = s->fmu->call.ExitInitializationMode(s->component);
    if (s->now.state != INITIALIZATION) return status;
    check(status == fmi2OK || s->now.odd, "the default start is possible");
    s->now.time = s->now.start;
    if (status == fmi2OK)
        s->now.state = STEP_COMPLETE;
    else if (s->fmu->call.GetRealStatus(s->component, fmi2LastSuccessfulTime, &time) == fmi2OK)
        s->now.state = ERROR_STATE;
    return fmi2OK;
}

static fmi2Status terminate(session *s) {
    const fmi2Status status = s->fmu->call.Terminate(s->component);
    if (status == fmi2OK) s->now.state = TERMINATED;
    return status;
}

static fmi2Status reset(session *s) {
    const fmi2Status status = s->fmu->call.Reset(s->component);
    if (status == fmi2OK) s->now = (expectation){.state = INSTANTIATED};
    return status;
}

static fmi2Status set_logging(session *s) {
    return s->fmu->call.SetDebugLogging(s->component, choose(&s->random, 2) != 0, 0, NULL);
}

// ---- Steps

static fmi2Status do_step(session *s) {
    static const double sizes[] = {1e-9, 0.001, 0.05, 0.3};
    const double size = sizes[choose(&s->random, 4)];
    const fmi2Status status = s->fmu->call.DoStep(s->component, s->now.time, size, fmi2True);
    if (s->now.state != STEP_COMPLETE) return status;
    check(status == fmi2OK || s->now.odd, "a step can be done");
    if (status == fmi2OK)
        s->now.time += size;
    else if (s->fmu->call.SetReal(s->component, NULL, 0, NULL) != fmi2OK)
        s->now.state = ERROR_STATE;
    return fmi2OK;
}

static fmi2Status do_impossible_step(session *s) {
    static const double sizes[] = {0, -1, NAN, INFINITY, 1};
    const unsigned chosen = choose(&s->random, 5);
    const double point = chosen == 4 ? s->now.time + 2 : s->now.time;
    check(s->fmu->call.DoStep(s->component, point, sizes[chosen], fmi2True) == fmi2Error, "a step is impossible");
    return fmi2OK;
}

static fmi2Status cancel_step(session *s) {
    return s->fmu->call.CancelStep(s->component);
}

static fmi2Status get_real_status(session *s) {
    double time = NAN;
    const fmi2Status status = s->fmu->call.GetRealStatus(s->component, fmi2LastSuccessfulTime, &time);
    check(s->now.state != STEP_COMPLETE || time == s->now.time, "the time reached is the one that was asked for");
    return status;
}

// The FMU never ends a run by itself, and nothing is ever pending.
static fmi2Status get_boolean_status(session *s) {
    fmi2Boolean terminated = fmi2True;
    const fmi2Status status = s->fmu->call.GetBooleanStatus(s->component, fmi2Terminated, &terminated);
    check(status != fmi2OK || !terminated, "the FMU has not terminated");
    return status;
}

static fmi2Status get_string_status(session *s) {
    fmi2String pending = NULL;
    const fmi2Status status = s->fmu->call.GetStringStatus(s->component, fmi2PendingStatus, &pending);
    check(status != fmi2OK || (pending && pending[0] == '\0'), "nothing is pending");
    return status;
}

static fmi2Status get_step_status(session *s) {
    fmi2Status found = fmi2Fatal;
    const fmi2Status status = s->fmu->call.GetStatus(s->component, fmi2DoStepStatus, &found);
    check(status != fmi2OK || found == fmi2OK || found == fmi2Error, "a step went well or did not");
    return status;
}

// ---- Variables

// What can't be computed from the values that were set is an error, with everything else as it was.
static fmi2Status get_something(session *s) {
    const unsigned i = choose(&s->random, s->fmu->variables);
    double value;
    const fmi2Status status = read_as(s->fmu, s->component, i, s->fmu->variable[i].type, &value);
    check(status == fmi2OK || s->now.odd, "a variable can be read");
    return fmi2OK;
}

static fmi2Status get_wrong_type(session *s) {
    const unsigned i = choose(&s->random, s->fmu->variables + 1);
    const value_type right = i < s->fmu->variables ? s->fmu->variable[i].type : A_REAL;
    double value;
    check(read_as(s->fmu, s->component, i, (value_type)((right + 1) % NO_TYPE), &value) == fmi2Error,
          "a wrong type is an error");
    return fmi2OK;
}

static fmi2Status set_something(session *s) {
    static const double values[] = {0, 1, -1, 0.25, 2, 1e-3, NAN, INFINITY};
    const unsigned i = choose(&s->random, s->fmu->variables);
    const found_variable *variable = &s->fmu->variable[i];
    const fmi2Status status = set_as(s->fmu, s->component, i, variable->type, values[choose(&s->random, 8)]);
    check((status == fmi2OK) == variable->settable[s->now.state], "a variable is set where it can be and else not");
    if (status == fmi2OK) s->now.odd = true;
    return fmi2OK;
}

// ---- Derivatives

static fmi2Status set_input_derivative(session *s) {
    static const double values[] = {0, 1, -1, 0.25, NAN};
    const fmi2ValueReference input = s->fmu->input[choose(&s->random, s->fmu->inputs)];
    const fmi2Integer order = 1 + (fmi2Integer)choose(&s->random, 7);
    const double value = values[choose(&s->random, 5)];
    const fmi2Status status =
        s->fmu->call.SetRealInputDerivatives(s->component, &input, s->fmu->inputs > 0, &order, &value);
    if (status == fmi2OK) s->now.odd = true;
    return status;
}

static fmi2Status set_wrong_derivative(session *s) {
    static const fmi2Integer orders[] = {0, -1, 8, 1 << 30};
    const fmi2ValueReference input = s->fmu->input[0];
    const fmi2ValueReference other = choose(&s->random, s->fmu->variables);
    const fmi2Integer *order = &orders[choose(&s->random, 4)];
    check(s->fmu->call.SetRealInputDerivatives(s->component, &input, 1, order, (fmi2Real[]){1}) == fmi2Error,
          "an order out of range is an error");
    check(s->fmu->variable[other].is_input ||
              s->fmu->call.SetRealInputDerivatives(s->component, &other, 1, (fmi2Integer[]){1}, (fmi2Real[]){1}) ==
                  fmi2Error,
          "only inputs have derivatives that can be set");
    return fmi2OK;
}

// Derivatives may be impossible where values are.
static fmi2Status judge_derivative(const session *s, fmi2Status status, bool allowed) {
    if (!allowed) return status;
    check(status == fmi2OK || s->now.odd, "a derivative can be read");
    return fmi2OK;
}

static fmi2ValueReference choose_differentiable(session *s) {
    fmi2ValueReference chosen;
    do
        chosen = choose(&s->random, s->fmu->variables);
    while (!s->fmu->variable[chosen].differentiable);
    return chosen;
}

static fmi2Status get_output_derivative(session *s) {
    const fmi2ValueReference output = choose_differentiable(s);
    double rate;
    const fmi2Status status =
        s->fmu->call.GetRealOutputDerivatives(s->component, &output, 1, (fmi2Integer[]){1}, &rate);
    return judge_derivative(s, status, s->now.state >= STEP_COMPLETE);
}

static fmi2Status get_directional_derivative(session *s) {
    const fmi2ValueReference output = choose_differentiable(s), *input = s->fmu->input;
    double changes[MOST_VARIABLES] = {1, 2, 3}, change;
    const fmi2Status status =
        s->fmu->call.GetDirectionalDerivative(s->component, &output, 1, input, s->fmu->inputs, changes, &change);
    return judge_derivative(s, status, s->now.state >= INITIALIZATION);
}

// ---- Saved states

static slot *choose_slot(session *s) {
    return &s->slot[choose(&s->random, SLOTS)];
}

static fmi2Status save(session *s) {
    slot *chosen = choose_slot(s);
    chosen->then = s->now;
    chosen->print = fingerprint(s->fmu, s->component);
    return s->fmu->call.GetFMUstate(s->component, &chosen->saved);
}

static fmi2Status restore(session *s) {
    const slot *chosen = choose_slot(s);
    const fmi2Status status = s->fmu->call.SetFMUstate(s->component, chosen->saved);
    check((status == fmi2OK) == (chosen->saved != NULL), "a state that is there can be restored");
    if (status != fmi2OK) return fmi2OK;
    s->now = chosen->then;
    check(fingerprint(s->fmu, s->component) == chosen->print, "after a restore the values are the same bits");
    return fmi2OK;
}

static fmi2Status forget(session *s) {
    slot *chosen = choose_slot(s);
    const fmi2Status status = s->fmu->call.FreeFMUstate(s->component, &chosen->saved);
    check(!chosen->saved, "a freed state is NULL");
    return status;
}

static fmi2Status serialize(session *s) {
    const slot *chosen = choose_slot(s);
    size_t size = 0;
    const fmi2Status status = s->fmu->call.SerializedFMUstateSize(s->component, chosen->saved, &size);
    check((status == fmi2OK) == (chosen->saved != NULL), "a state that is there has a size");
    if (status != fmi2OK) return fmi2OK;
    free(s->bytes);
    s->bytes = calloc(size, 1);
    s->size = size;
    s->content = *chosen;
    check(s->fmu->call.SerializeFMUstate(s->component, chosen->saved, s->bytes, size - 1) == fmi2Error, "too small");
    return s->fmu->call.SerializeFMUstate(s->component, chosen->saved, s->bytes, size);
}

static fmi2Status deserialize(session *s) {
    slot *chosen = choose_slot(s);
    if (!s->bytes) return fmi2OK;
    const fmi2Status status = s->fmu->call.DeSerializeFMUstate(s->component, s->bytes, s->size, &chosen->saved);
    chosen->then = s->content.then;
    chosen->print = s->content.print;
    return status;
}

static fmi2Status deserialize_damaged(session *s) {
    fmi2FMUstate none = NULL;
    if (!s->bytes) return fmi2OK;
    fmi2Byte *byte = &s->bytes[choose(&s->random, (unsigned)s->size)];
    const fmi2Byte flip = (fmi2Byte)(1 + choose(&s->random, 127));
    *byte = (fmi2Byte)(*byte ^ flip);
    check(s->fmu->call.DeSerializeFMUstate(s->component, s->bytes, s->size, &none) == fmi2Error, "damage is found");
    *byte = (fmi2Byte)(*byte ^ flip);
    check(s->fmu->call.DeSerializeFMUstate(s->component, s->bytes, s->size - 1, &none) == fmi2Error,
          "a byte is missed");
    check(!none, "what is refused is not there");
    return fmi2OK;
}

// ---- The play

// In the states instantiated, initialization mode, step complete, terminated, error.
static const struct {
    const char *name;
    fmi2Status (*act)(session *);
    char allowed[STATES + 1];
} actions[] = {
    {"fmi2SetupExperiment", setup_experiment, "+----"},
    {"fmi2SetupExperiment, impossible", setup_impossible_experiment, "+++++"},
    {"fmi2EnterInitializationMode", enter_initialization, "+----"},
    {"fmi2ExitInitializationMode", exit_initialization, "-+---"},
    {"fmi2Terminate", terminate, "--+--"},
    {"fmi2Reset", reset, "+++++"},
    {"fmi2SetDebugLogging", set_logging, "+++++"},
    {"fmi2DoStep", do_step, "--+--"},
    {"fmi2DoStep, impossible", do_impossible_step, "+++++"},
    {"fmi2CancelStep", cancel_step, "-----"},
    {"fmi2GetStatus", get_step_status, "--+++"},
    {"fmi2GetRealStatus", get_real_status, "--+++"},
    {"fmi2GetBooleanStatus", get_boolean_status, "--+++"},
    {"fmi2GetStringStatus", get_string_status, "--+++"},
    {"fmi2GetXXX", get_something, "+++++"},
    {"fmi2GetXXX, wrong type", get_wrong_type, "+++++"},
    {"fmi2SetXXX", set_something, "+++++"},
    {"fmi2SetRealInputDerivatives", set_input_derivative, "+++--"},
    {"fmi2SetRealInputDerivatives, wrong", set_wrong_derivative, "+++++"},
    {"fmi2GetRealOutputDerivatives", get_output_derivative, "--+++"},
    {"fmi2GetDirectionalDerivative", get_directional_derivative, "-++++"},
    {"fmi2GetFMUstate", save, "+++++"},
    {"fmi2SetFMUstate", restore, "+++++"},
    {"fmi2FreeFMUstate", forget, "+++++"},
    {"fmi2SerializeFMUstate", serialize, "+++++"},
    {"fmi2DeSerializeFMUstate", deserialize, "+++++"},
    {"fmi2DeSerializeFMUstate, damaged", deserialize_damaged, "+++++"},
};
enum { ACTIONS = sizeof actions / sizeof *actions, CALLS = 40 };

static void act(session *s) {
    const unsigned chosen = choose(&s->random, ACTIONS);
    const bool allowed = actions[chosen].allowed[s->now.state] == '+';
    const fmi2Status status = actions[chosen].act(s);
    check(status == (allowed ? fmi2OK : fmi2Error), actions[chosen].name);
}

// A freshly instantiated component soon runs: else most calls would be refused for its state.
static void hurry(session *s) {
    if (choose(&s->random, 3) == 0) return;
    enter_initialization(s);
    exit_initialization(s);
}

static void play(const loaded_fmu *fmu, uint64_t seed, uint64_t expected) {
    session s = {.fmu = fmu, .random = chance(seed)};
    s.component = instantiate(fmu, &s.ear);
    hurry(&s);
    for (int i = 0; i < CALLS && failed_checks() == 0; i++)
        act(&s);
    check(fmu->call.Reset(s.component) == fmi2OK, "a reset is always possible");
    check(run(fmu, s.component) == expected, "after a reset the bits are those of a fresh instance");
    for (int i = 0; i < SLOTS; i++)
        fmu->call.FreeFMUstate(s.component, &s.slot[i].saved);
    free(s.bytes);
    fmu->call.FreeInstance(s.component);
    check(blocks_in_use() == 0, "all memory is given back");
}

void play_calls(loaded_fmu *fmu, const char *sequences) {
    const uint64_t count = strtoull(sequences, NULL, 10);
    uint64_t seed = 0;
    const uint64_t expected = run_fresh(fmu);
    check(run_fresh(fmu) == expected, "two runs give the same bits");
    while (seed < count && failed_checks() == 0)
        play(fmu, seed++, expected);
    if (failed_checks() > 0) fprintf(stderr, "in sequence %" PRIu64 "\n", seed - 1);
    printf("%u variables, %" PRIu64 " sequences of %d calls\n", fmu->variables, seed, CALLS);
}
