// A host in C: loads the library of an FMU, runs it, and plays random call sequences against the FMI life cycle.
// Usage: host LIBRARY GUID [SEQUENCES]. Built with sanitizers it finds what crashes, leaks or is undefined.

#include <fmi2FunctionTypes.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#include <windows.h>
#else
#include <dlfcn.h>
#endif

// ---- Checks ----

static int failures;

static void check(bool passed, const char *sentence) {
    if (passed) return;
    failures++;
    fprintf(stderr, "FAILED: %s\n", sentence);
}

// ---- The library ----

// Every function that a co-simulation FMU exports.
// clang-format off
#define FMI_FUNCTIONS(F) \
    F(GetTypesPlatform) F(GetVersion) F(SetDebugLogging) F(Instantiate) F(FreeInstance) F(SetupExperiment)        \
    F(EnterInitializationMode) F(ExitInitializationMode) F(Terminate) F(Reset) F(GetReal) F(GetInteger)           \
    F(GetBoolean) F(GetString) F(SetReal) F(SetInteger) F(SetBoolean) F(SetString) F(GetFMUstate) F(SetFMUstate)  \
    F(FreeFMUstate) F(SerializedFMUstateSize) F(SerializeFMUstate) F(DeSerializeFMUstate)                         \
    F(GetDirectionalDerivative) F(SetRealInputDerivatives) F(GetRealOutputDerivatives) F(DoStep) F(CancelStep)    \
    F(GetStatus) F(GetRealStatus) F(GetIntegerStatus) F(GetBooleanStatus) F(GetStringStatus)
// clang-format on
#define POINTER(name) fmi2##name##TYPE *name;
#define NAME(name) "fmi2" #name,

typedef struct library {
    FMI_FUNCTIONS(POINTER)
} library;

static const char *const function_names[] = {FMI_FUNCTIONS(NAME)};
enum { FUNCTIONS = sizeof function_names / sizeof *function_names };
_Static_assert(sizeof(library) == FUNCTIONS * sizeof(void *), "the library is an array of function pointers");

static void *open_library(const char *path) {
#ifdef _WIN32
    return (void *)LoadLibraryA(path);
#else
    return dlopen(path, RTLD_NOW | RTLD_LOCAL);
#endif
}

static void *find_symbol(void *handle, const char *name) {
#ifdef _WIN32
    return (void *)GetProcAddress((HMODULE)handle, name);
#else
    return dlsym(handle, name);
#endif
}

static bool load(library *fmu, const char *path) {
    void *handle = open_library(path);
    check(handle, "the library can be loaded");
    for (int i = 0; handle && i < FUNCTIONS; i++) {
        void *symbol = find_symbol(handle, function_names[i]);
        check(symbol, function_names[i]);
        memcpy((char *)fmu + (size_t)i * sizeof symbol, &symbol, sizeof symbol);
    }
    return failures == 0;
}

// ---- The host's side ----

static long blocks_in_use;

static void *allocate(size_t count, size_t size) {
    blocks_in_use++;
    return calloc(count, size);
}

static void release(void *memory) {
    if (memory) blocks_in_use--;
    free(memory);
}

static void judge_message(fmi2ComponentEnvironment environment, fmi2String instance, fmi2Status status,
                          fmi2String category, fmi2String format, ...) {
    (void)instance, (void)status;
    check(environment == &blocks_in_use, "the environment is forwarded to the logger");
    check(strncmp(category, "log", 3) == 0, "a message has a category");
    check(strcmp(format, "%s") == 0, "a message comes through the format \"%s\"");
    va_list arguments;
    va_start(arguments, format);
    check(strlen(va_arg(arguments, const char *)) < 1000, "a message has less than 1000 characters");
    va_end(arguments);
}

static const fmi2CallbackFunctions callbacks = {judge_message, allocate, release, NULL, &blocks_in_use};

// ---- What the FMU has ----

typedef enum life_state { INSTANTIATED, INITIALIZATION, STEP_COMPLETE, TERMINATED, ERROR_STATE, STATES } life_state;
typedef enum value_type { A_REAL, AN_INTEGER, A_BOOLEAN, NO_TYPE } value_type;

enum { MOST_VARIABLES = 1000 };

typedef struct found_variable {
    value_type type;
    bool settable[STATES];
} found_variable;

typedef struct loaded_fmu {
    library call;
    const char *guid;
    unsigned variables;
    found_variable variable[MOST_VARIABLES];
} loaded_fmu;

static fmi2Component instantiate(const loaded_fmu *fmu) {
    return fmu->call.Instantiate("host", fmi2CoSimulation, fmu->guid, NULL, &callbacks, fmi2False, fmi2True);
}

static fmi2Status initialize(const loaded_fmu *fmu, fmi2Component component) {
    if (fmu->call.EnterInitializationMode(component) != fmi2OK) return fmi2Error;
    return fmu->call.ExitInitializationMode(component);
}

static fmi2Status read_as(const loaded_fmu *fmu, fmi2Component component, fmi2ValueReference reference, value_type type,
                          double *value) {
    fmi2Integer integer = 0;
    fmi2Boolean boolean = fmi2False;
    fmi2Status status;
    if (type == A_REAL) return fmu->call.GetReal(component, &reference, 1, value);
    if (type == AN_INTEGER) {
        status = fmu->call.GetInteger(component, &reference, 1, &integer);
        *value = integer;
    } else {
        status = fmu->call.GetBoolean(component, &reference, 1, &boolean);
        *value = boolean;
    }
    return status;
}

static fmi2Status set_as(const loaded_fmu *fmu, fmi2Component component, fmi2ValueReference reference, value_type type,
                         double value) {
    const fmi2Integer integer = fabs(value) < 1e9 ? (fmi2Integer)value : 7;
    const fmi2Boolean boolean = value != 0;
    if (type == A_REAL) return fmu->call.SetReal(component, &reference, 1, &value);
    if (type == AN_INTEGER) return fmu->call.SetInteger(component, &reference, 1, &integer);
    return fmu->call.SetBoolean(component, &reference, 1, &boolean);
}

static value_type find_type(const loaded_fmu *fmu, fmi2Component component, fmi2ValueReference reference) {
    double value;
    for (value_type type = A_REAL; type < NO_TYPE; type++)
        if (read_as(fmu, component, reference, type, &value) == fmi2OK) return type;
    return NO_TYPE;
}

static bool can_be_set(const loaded_fmu *fmu, fmi2Component component, fmi2ValueReference reference) {
    const value_type type = fmu->variable[reference].type;
    double value = 0;
    return read_as(fmu, component, reference, type, &value) == fmi2OK &&
           set_as(fmu, component, reference, type, value) == fmi2OK;
}

// Finds number, types and access of the variables by trying.
static void explore(loaded_fmu *fmu) {
    fmi2Component component = instantiate(fmu);
    while (fmu->variables < MOST_VARIABLES) {
        const value_type type = find_type(fmu, component, fmu->variables);
        if (type == NO_TYPE) break;
        fmu->variable[fmu->variables++].type = type;
    }
    for (unsigned i = 0; i < fmu->variables; i++)
        fmu->variable[i].settable[INSTANTIATED] = fmu->variable[i].settable[INITIALIZATION] =
            can_be_set(fmu, component, i);
    check(initialize(fmu, component) == fmi2OK, "the default start is possible");
    for (unsigned i = 0; i < fmu->variables; i++)
        fmu->variable[i].settable[STEP_COMPLETE] = can_be_set(fmu, component, i);
    fmu->call.FreeInstance(component);
    check(fmu->variables > 0, "there are variables");
}

// ---- Plain runs ----

// The values of all variables after each of some steps, folded into one number: equal runs give equal numbers.
static uint64_t run(const loaded_fmu *fmu, fmi2Component component) {
    uint64_t hash = 14695981039346656037u;
    check(initialize(fmu, component) == fmi2OK, "a run can start");
    for (int step = 0; step < 20; step++) {
        check(fmu->call.DoStep(component, step * 0.0625, 0.0625, fmi2True) == fmi2OK, "a step can be done");
        for (unsigned i = 0; i < fmu->variables; i++) {
            double value = 0;
            uint64_t bits;
            check(read_as(fmu, component, i, fmu->variable[i].type, &value) == fmi2OK, "a value can be read");
            memcpy(&bits, &value, sizeof bits);
            hash = (hash ^ bits) * 1099511628211u;
        }
    }
    return hash;
}

static uint64_t fresh_run(const loaded_fmu *fmu) {
    fmi2Component component = instantiate(fmu);
    const uint64_t result = run(fmu, component);
    check(fmu->call.Terminate(component) == fmi2OK, "a run can be terminated");
    fmu->call.FreeInstance(component);
    return result;
}

static void try_plain_things(const loaded_fmu *fmu) {
    check(strcmp(fmu->call.GetVersion(), "2.0") == 0, "the version is 2.0");
    check(strcmp(fmu->call.GetTypesPlatform(), "default") == 0, "the platform is default");
    check(!fmu->call.Instantiate("host", fmi2CoSimulation, "{wrong}", NULL, &callbacks, 0, 0), "a wrong GUID");
    check(!fmu->call.Instantiate("host", fmi2ModelExchange, fmu->guid, NULL, &callbacks, 0, 0), "model exchange");
    check(!fmu->call.Instantiate("host", fmi2CoSimulation, fmu->guid, NULL, NULL, 0, 0), "no callbacks");
    fmu->call.FreeInstance(NULL);
    const uint64_t first = fresh_run(fmu);
    check(fresh_run(fmu) == first, "two runs give the same bits");
}

// ---- Random calls ----

typedef struct session {
    const loaded_fmu *fmu;
    fmi2Component component;
    life_state state; // where the instance should be
    double time;      // that it should have reached
    uint64_t random;
} session;

static unsigned choose(session *s, unsigned count) {
    s->random ^= s->random << 13;
    s->random ^= s->random >> 7;
    s->random ^= s->random << 17;
    return (unsigned)((s->random >> 33) % count);
}

static fmi2Status setup_experiment(session *s) {
    return s->fmu->call.SetupExperiment(s->component, choose(s, 2) != 0, 1e-6, 0, fmi2False, 0);
}

static fmi2Status enter_initialization(session *s) {
    const fmi2Status status = s->fmu->call.EnterInitializationMode(s->component);
    if (status == fmi2OK) s->state = INITIALIZATION;
    return status;
}

// Values that were set may be impossible: the instance then stays, or is in error when the solver gave up.
static fmi2Status exit_initialization(session *s) {
    double time;
    const fmi2Status status = s->fmu->call.ExitInitializationMode(s->component);
    if (s->state != INITIALIZATION) return status;
    s->time = 0;
    if (status == fmi2OK)
        s->state = STEP_COMPLETE;
    else if (s->fmu->call.GetRealStatus(s->component, fmi2LastSuccessfulTime, &time) == fmi2OK)
        s->state = ERROR_STATE;
    return fmi2OK;
}

static fmi2Status do_step(session *s) {
    static const double sizes[] = {1e-9, 0.001, 0.05, 0.3};
    const double size = sizes[choose(s, 4)];
    const fmi2Status status = s->fmu->call.DoStep(s->component, s->time, size, fmi2True);
    if (s->state != STEP_COMPLETE) return status;
    if (status == fmi2OK)
        s->time += size;
    else if (s->fmu->call.SetReal(s->component, NULL, 0, NULL) != fmi2OK)
        s->state = ERROR_STATE;
    return fmi2OK;
}

static fmi2Status do_impossible_step(session *s) {
    static const double sizes[] = {0, -1, NAN, INFINITY, 1};
    const unsigned chosen = choose(s, 5);
    const double point = chosen == 4 ? s->time + 2 : s->time;
    check(s->fmu->call.DoStep(s->component, point, sizes[chosen], fmi2True) == fmi2Error, "a step is impossible");
    return fmi2OK;
}

static fmi2Status terminate(session *s) {
    const fmi2Status status = s->fmu->call.Terminate(s->component);
    if (status == fmi2OK) s->state = TERMINATED;
    return status;
}

static fmi2Status reset(session *s) {
    const fmi2Status status = s->fmu->call.Reset(s->component);
    if (status == fmi2OK) s->state = INSTANTIATED;
    return status;
}

// What can't be computed from the values that were set is an error, with everything else as it was.
static fmi2Status get_something(session *s) {
    const unsigned i = choose(s, s->fmu->variables);
    double value;
    read_as(s->fmu, s->component, i, s->fmu->variable[i].type, &value);
    return fmi2OK;
}

static fmi2Status get_wrong_type(session *s) {
    const unsigned i = choose(s, s->fmu->variables + 1);
    const value_type wrong = (value_type)((s->fmu->variable[i].type + 1) % NO_TYPE);
    double value;
    check(read_as(s->fmu, s->component, i, wrong, &value) == fmi2Error, "a wrong type is an error");
    return fmi2OK;
}

static fmi2Status set_something(session *s) {
    static const double values[] = {0, 1, -1, 0.25, 2, 1e-3, NAN, INFINITY};
    const unsigned i = choose(s, s->fmu->variables);
    const found_variable *variable = &s->fmu->variable[i];
    const fmi2Status status = set_as(s->fmu, s->component, i, variable->type, values[choose(s, 8)]);
    check((status == fmi2OK) == variable->settable[s->state], "a variable is set where it can be and else not");
    return fmi2OK;
}

static fmi2Status get_status(session *s) {
    double time = NAN;
    const fmi2Status status = s->fmu->call.GetRealStatus(s->component, fmi2LastSuccessfulTime, &time);
    check(s->state != STEP_COMPLETE || time == s->time, "the time reached is the one that was asked for");
    return status;
}

static fmi2Status cancel_step(session *s) {
    return s->fmu->call.CancelStep(s->component);
}

static fmi2Status set_logging(session *s) {
    return s->fmu->call.SetDebugLogging(s->component, choose(s, 2) != 0, 0, NULL);
}

static fmi2Status free_no_state(session *s) {
    fmi2FMUstate none = NULL;
    return s->fmu->call.FreeFMUstate(s->component, &none);
}

// A second copy of the table of allowed states: instantiated, initialization mode, step complete, terminated, error.
static const struct {
    const char *name;
    fmi2Status (*act)(session *);
    char allowed[STATES + 1];
} actions[] = {
    {"fmi2SetupExperiment", setup_experiment, "+----"},
    {"fmi2EnterInitializationMode", enter_initialization, "+----"},
    {"fmi2ExitInitializationMode", exit_initialization, "-+---"},
    {"fmi2DoStep", do_step, "--+--"},
    {"fmi2DoStep, impossible", do_impossible_step, "+++++"},
    {"fmi2Terminate", terminate, "--+--"},
    {"fmi2Reset", reset, "+++++"},
    {"fmi2GetXXX", get_something, "+++++"},
    {"fmi2GetXXX, wrong type", get_wrong_type, "+++++"},
    {"fmi2SetXXX", set_something, "+++++"},
    {"fmi2GetRealStatus", get_status, "--+++"},
    {"fmi2CancelStep", cancel_step, "-----"},
    {"fmi2SetDebugLogging", set_logging, "+++++"},
    {"fmi2FreeFMUstate", free_no_state, "+++++"},
};
enum { ACTIONS = sizeof actions / sizeof *actions };

// Some random calls, then a reset: whatever has happened, the instance must run like a fresh one.
static void play(const loaded_fmu *fmu, uint64_t seed, uint64_t expected) {
    session s = {.fmu = fmu, .component = instantiate(fmu), .random = seed * 0x9E3779B97F4A7C15u + 1};
    const int before = failures;
    for (int i = 0; i < 30; i++) {
        const unsigned chosen = choose(&s, ACTIONS);
        const bool allowed = actions[chosen].allowed[s.state] == '+';
        const fmi2Status status = actions[chosen].act(&s);
        check(status == (allowed ? fmi2OK : fmi2Error), actions[chosen].name);
    }
    check(fmu->call.Reset(s.component) == fmi2OK, "a reset is always possible");
    check(run(fmu, s.component) == expected, "after a reset the bits are those of a fresh instance");
    fmu->call.FreeInstance(s.component);
    check(blocks_in_use == 0, "all memory is given back");
    if (failures > before) fprintf(stderr, "in sequence %" PRIu64 "\n", seed);
}

int main(int count, char **arguments) {
    static loaded_fmu fmu;
    if (count < 3 || count > 4) {
        fprintf(stderr, "usage: host LIBRARY GUID [SEQUENCES]\n");
        return 2;
    }
    const uint64_t sequences = count == 4 ? strtoull(arguments[3], NULL, 10) : 100;
    fmu.guid = arguments[2];
    if (!load(&fmu.call, arguments[1])) return 1;
    explore(&fmu);
    try_plain_things(&fmu);
    const uint64_t expected = failures == 0 ? fresh_run(&fmu) : 0;
    for (uint64_t seed = 0; seed < sequences && failures == 0; seed++)
        play(&fmu, seed, expected);
    check(blocks_in_use == 0, "all memory is given back");
    printf("%u variables, %" PRIu64 " sequences, %d failures\n", fmu.variables, sequences, failures);
    return failures > 0;
}
