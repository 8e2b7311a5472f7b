// What the plays of the host in C share: the library of an FMU and what it has, the host's log and memory, chance.

#ifndef HOST_H
#define HOST_H

#include <fmi2FunctionTypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// ---- Checks

// Says what should be so and is not, and counts it.
bool check(bool passed, const char *sentence);
int failed_checks(void);
// What the process is to return: whether a check has failed, or memory was kept.
int verdict(void);

// ---- The FMU (fmu.c)

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
#define FMI_POINTER(name) fmi2##name##TYPE *name;

typedef struct library {
    FMI_FUNCTIONS(FMI_POINTER)
} library;

typedef enum life_state { INSTANTIATED, INITIALIZATION, STEP_COMPLETE, TERMINATED, ERROR_STATE, STATES } life_state;
typedef enum value_type { A_REAL, AN_INTEGER, A_BOOLEAN, NO_TYPE } value_type;

enum { MOST_VARIABLES = 200, NO_VARIABLE = MOST_VARIABLES };

typedef struct found_variable {
    char name[64];
    value_type type;
    double start;
    bool settable[STATES];
    bool is_input;       // its derivatives can be set
    bool differentiable; // its derivative can be read
} found_variable;

typedef struct loaded_fmu {
    library call;
    void *handle;
    const char *path;
    char guid[64];
    double stop_time; // of the default experiment
    unsigned variables;
    found_variable variable[MOST_VARIABLES]; // by value reference
    unsigned inputs;
    fmi2ValueReference input[MOST_VARIABLES];
} loaded_fmu;

// Loads a library and finds out what its FMU has; names and GUID are in the modelDescription.xml.
bool load(loaded_fmu *fmu, const char *library_path, const char *description_path);

// A whole file, to be freed; NULL where there is none.
char *read_text(const char *path);
// The value of the first attribute of this name in a text, cut to `size`, or nothing; `attribute` ends with =".
void copy_attribute(const char *text, const char *attribute, char *value, size_t size);

// The library alone.
bool open_library(loaded_fmu *fmu);
void close_library(loaded_fmu *fmu);

// The first variable of this name, whatever it belongs to: `closed` finds floor.closed.
fmi2ValueReference find_variable(const loaded_fmu *fmu, const char *name);

// ---- The host's side (host.c)

// Who hears what an instance says.
typedef struct listener {
    const char *name; // of the instance; NULL: "host"
    long messages;
    char last_error[1000];
} listener;

fmi2CallbackFunctions callbacks_for(listener *ear);

// How many allocations succeed before all fail; negative: all succeed.
void limit_allocations(long count);
bool no_allocations_left(void);
long blocks_in_use(void);
// Resident memory of this process in kB; 0 where it can't be told, or tells of the sanitizer.
long resident(void);

// ---- Instances (fmu.c)

fmi2Component instantiate(const loaded_fmu *fmu, listener *ear);
// Through initialization mode.
fmi2Status initialize(const loaded_fmu *fmu, fmi2Component component);

fmi2Status read_as(const loaded_fmu *fmu, fmi2Component component, fmi2ValueReference reference, value_type type,
                   double *value);
fmi2Status set_as(const loaded_fmu *fmu, fmi2Component component, fmi2ValueReference reference, value_type type,
                  double value);
// The time that an instance has reached.
double time_reached(const loaded_fmu *fmu, fmi2Component component);
// The value of a variable; 0 of none.
double read_value(const loaded_fmu *fmu, fmi2Component component, fmi2ValueReference reference);

// Folds numbers into one: equal bits give equal folds.
uint64_t fold(uint64_t folded, uint64_t number);
// All values of an instance, and whether they can be read.
uint64_t fingerprint(const loaded_fmu *fmu, fmi2Component component);
// All values in a plain run of an instance that was just instantiated or reset.
uint64_t run(const loaded_fmu *fmu, fmi2Component component);
// The same of an instance of its own.
uint64_t run_fresh(const loaded_fmu *fmu);

// ---- Chance (host.c)

uint64_t chance(uint64_t seed);
// A number below `count`; 0 where there is none.
unsigned choose(uint64_t *random, unsigned count);
double between(uint64_t *random, double least, double most);

// ---- Plays

void play_instances(loaded_fmu *fmu, const char *nothing);
void play_calls(loaded_fmu *fmu, const char *sequences);
void play_rollback(loaded_fmu *fmu, const char *plays);
void play_save(loaded_fmu *fmu, const char *file);
void play_resume(loaded_fmu *fmu, const char *file);
void play_damage(loaded_fmu *fmu, const char *nothing);
void play_memory(loaded_fmu *fmu, const char *resets);
void play_steps(loaded_fmu *fmu, const char *steps);
void play_run(loaded_fmu *fmu, const char *step_size);
void play_threads(const loaded_fmu *fmu, int fmus);

#endif
