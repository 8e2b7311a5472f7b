// A host that does one thing with the library of an FMU, for measurement:
//
//     host LIBRARY GUID PLAY [NAME=VALUE ...]
//
// The plays are at the end of this file. Names:
//
//     tolerance, stop, step     of the run; a play that measures a call runs to `stop` first
//     instances                 that are stepped in turn
//     calls                     of what is measured, in plays that measure a call
//     repetitions               of the play
//     start=REFERENCE:VALUE     a start value or parameter; may be repeated
//     input=REFERENCE:VALUE     an input that changes between -VALUE and VALUE at every step; may be repeated
//     real=REFERENCE            is read at every step; may be repeated
//     counter=REFERENCE         an Integer that is read in the end; may be repeated
//
// Prints the last values of reals and counters, a line each, the bytes of a serialised state, and the nanoseconds of
// processor time that `measured` took in each repetition.

#include <dlfcn.h>
#include <fmi2FunctionTypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stopwatch.h"

// ---- The library

// clang-format off
#define FMI_FUNCTIONS(F) \
    F(Instantiate) F(FreeInstance) F(SetupExperiment) F(EnterInitializationMode) F(ExitInitializationMode) F(Terminate) \
    F(GetReal) F(GetInteger) F(SetReal) F(DoStep) F(GetFMUstate) F(SetFMUstate) F(FreeFMUstate)                         \
    F(SerializedFMUstateSize) F(SerializeFMUstate) F(DeSerializeFMUstate)
// clang-format on
#define FMI_POINTER(name) fmi2##name##TYPE *name;
#define FMI_LOAD(name) *(void **)&fmi->name = dlsym(library, "fmi2" #name);

typedef struct functions {
    FMI_FUNCTIONS(FMI_POINTER)
} functions;

static void fail(const char *what) {
    fprintf(stderr, "host: %s failed\n", what);
    exit(EXIT_FAILURE);
}

static void require(fmi2Status status) {
    if (status != fmi2OK) fail("an FMI call");
}

static void load(functions *fmi, const char *path) {
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) fail(path);
    FMI_FUNCTIONS(FMI_LOAD)
}

static void log_message(fmi2ComponentEnvironment environment, fmi2String instance, fmi2Status status,
                        fmi2String category, fmi2String message, ...) {
    (void)environment;
    if (status != fmi2OK) fprintf(stderr, "%s %s: %s\n", instance, category, message);
}

// ---- What is asked for

enum { MOST_VALUES = 16, MOST_INSTANCES = 1024 };

typedef struct list {
    size_t count;
    fmi2ValueReference reference[MOST_VALUES];
    double value[MOST_VALUES];
} list;

typedef struct host {
    functions fmi;
    const char *guid;
    double tolerance, stop, step;
    long instances, calls, repetitions;
    list start, inputs, reals, counters;
    int counter[MOST_VALUES];
    fmi2Component instance[MOST_INSTANCES];
    fmi2FMUstate saved;
    size_t size;
    fmi2Byte *bytes;
} host;

static void append(list *values, const char *text) {
    char *rest = NULL;
    if (values->count == MOST_VALUES) fail("a list that long");
    values->reference[values->count] = (fmi2ValueReference)strtoul(text, &rest, 10);
    values->value[values->count++] = *rest == ':' ? strtod(rest + 1, NULL) : 0;
}

static bool give_number(host *h, const char *name, const char *value) {
    const struct {
        const char *name;
        double *place;
    } numbers[] = {{"tolerance", &h->tolerance}, {"stop", &h->stop}, {"step", &h->step}};
    const struct {
        const char *name;
        long *place;
    } counts[] = {{"instances", &h->instances}, {"calls", &h->calls}, {"repetitions", &h->repetitions}};
    for (int i = 0; i < 3; ++i) {
        if (strcmp(name, numbers[i].name) == 0) return *numbers[i].place = strtod(value, NULL), true;
        if (strcmp(name, counts[i].name) == 0) return *counts[i].place = strtol(value, NULL, 10), true;
    }
    return false;
}

static void give(host *h, char *word) {
    const struct {
        const char *name;
        list *values;
    } lists[] = {{"start", &h->start}, {"input", &h->inputs}, {"real", &h->reals}, {"counter", &h->counters}};
    char *value = strchr(word, '=');
    if (!value) fail(word);
    *value++ = '\0';
    if (give_number(h, word, value)) return;
    for (int i = 0; i < 4; ++i)
        if (strcmp(word, lists[i].name) == 0) {
            append(lists[i].values, value);
            return;
        }
    fail(word);
}

// ---- Instances

static fmi2Component begin(const host *h) {
    const fmi2CallbackFunctions callbacks = {.logger = log_message, .allocateMemory = calloc, .freeMemory = free};
    const list *start = &h->start;
    fmi2Component it = h->fmi.Instantiate("bench", fmi2CoSimulation, h->guid, "", &callbacks, fmi2False, fmi2False);
    if (!it) fail("fmi2Instantiate");
    require(h->fmi.SetupExperiment(it, fmi2True, h->tolerance, 0, fmi2False, 0));
    require(h->fmi.SetReal(it, start->reference, start->count, start->value));
    require(h->fmi.EnterInitializationMode(it));
    require(h->fmi.ExitInitializationMode(it));
    return it;
}

static void read_values(host *h, fmi2Component it) {
    require(h->fmi.GetReal(it, h->reals.reference, h->reals.count, h->reals.value));
}

static void end(host *h, fmi2Component it) {
    require(h->fmi.GetInteger(it, h->counters.reference, h->counters.count, h->counter));
    require(h->fmi.Terminate(it));
    h->fmi.FreeInstance(it);
}

static void turn_inputs(host *h, fmi2Component it) {
    list *inputs = &h->inputs;
    for (size_t i = 0; i < inputs->count; ++i)
        inputs->value[i] = -inputs->value[i];
    require(h->fmi.SetReal(it, inputs->reference, inputs->count, inputs->value));
}

// ---- Plays

static void print_values(const list *values) {
    for (size_t i = 0; i < values->count; ++i)
        printf("%.17g ", values->value[i]);
    printf("\n");
}

// The whole life of the instances.
static void run(host *h) {
    for (long k = 0; k < h->instances; ++k)
        h->instance[k] = begin(h);
    const long steps = lround(h->stop / h->step);
    for (long i = 0; i < steps; ++i)
        for (long k = 0; k < h->instances; ++k) {
            const double from = (double)i * h->step, to = (double)(i + 1) * h->step;
            if (h->inputs.count > 0) turn_inputs(h, h->instance[k]);
            require(h->fmi.DoStep(h->instance[k], from, to - from, fmi2True));
            if (h->reals.count > 0) read_values(h, h->instance[k]);
        }
    for (long k = 0; k < h->instances; ++k)
        end(h, h->instance[k]);
}

// The values at the start and after every step.
static void show(host *h) {
    fmi2Component it = begin(h);
    const long steps = lround(h->stop / h->step);
    for (long i = 0;; ++i) {
        read_values(h, it);
        print_values(&h->reals);
        if (i == steps) break;
        require(h->fmi.DoStep(it, (double)i * h->step, h->step, fmi2True));
    }
    end(h, it);
}

static void reach_stop(host *h) {
    h->instance[0] = begin(h);
    require(h->fmi.DoStep(h->instance[0], 0, h->stop, fmi2False));
}

static void leave(host *h) {
    if (h->saved) require(h->fmi.FreeFMUstate(h->instance[0], &h->saved));
    free(h->bytes);
    h->bytes = NULL;
    end(h, h->instance[0]);
}

// Steps so short that none of the solver's is due.
static void step_idly(host *h) {
    for (long i = 0; i < h->calls; ++i)
        require(h->fmi.DoStep(h->instance[0], h->stop + (double)i * h->step, h->step, fmi2False));
}

static void save_at_stop(host *h) {
    reach_stop(h);
    require(h->fmi.GetFMUstate(h->instance[0], &h->saved));
}

static void save(host *h) {
    for (long i = 0; i < h->calls; ++i)
        require(h->fmi.GetFMUstate(h->instance[0], &h->saved));
}

// Saved at `stop`, restored `step` later.
static void save_and_go_on(host *h) {
    save_at_stop(h);
    if (h->step > 0) require(h->fmi.DoStep(h->instance[0], h->stop, h->step, fmi2False));
}

static void restore(host *h) {
    require(h->fmi.SetFMUstate(h->instance[0], h->saved));
}

static void serialize_at_stop(host *h) {
    save_at_stop(h);
    require(h->fmi.SerializedFMUstateSize(h->instance[0], h->saved, &h->size));
    h->bytes = malloc(h->size);
    if (!h->bytes) fail("malloc");
    require(h->fmi.SerializeFMUstate(h->instance[0], h->saved, h->bytes, h->size));
}

static void serialize(host *h) {
    for (long i = 0; i < h->calls; ++i)
        require(h->fmi.SerializeFMUstate(h->instance[0], h->saved, h->bytes, h->size));
}

static void deserialize(host *h) {
    for (long i = 0; i < h->calls; ++i)
        require(h->fmi.DeSerializeFMUstate(h->instance[0], h->bytes, h->size, &h->saved));
}

static void nothing(host *h) {
    (void)h;
}

typedef struct play {
    const char *name;
    void (*before)(host *h);
    void (*act)(host *h);
    void (*after)(host *h);
} play;

static const play plays[] = {
    {"run", nothing, run, nothing},
    {"show", nothing, show, nothing},
    {"idle", reach_stop, step_idly, leave},
    {"save", save_at_stop, save, leave},
    {"restore", save_and_go_on, restore, leave},
    {"serialize", serialize_at_stop, serialize, leave},
    {"deserialize", serialize_at_stop, deserialize, leave},
};

static const play *find_play(const char *name) {
    for (size_t i = 0; i < sizeof plays / sizeof *plays; ++i)
        if (strcmp(plays[i].name, name) == 0) return &plays[i];
    fail(name);
    return NULL;
}

// Not inlined: callgrind counts inside this function only.
__attribute__((noinline)) void measured(host *h, const play *p) {
    p->act(h);
}

static void repeat(host *h, const play *p, double *nanoseconds) {
    for (long i = 0; i < h->repetitions; ++i) {
        p->before(h);
        const double start = seconds();
        measured(h, p);
        nanoseconds[i] = 1e9 * (seconds() - start);
        p->after(h);
    }
}

int main(int argc, char **argv) {
    if (argc < 4) fail("a call without LIBRARY GUID PLAY");
    host h = {
        .guid = argv[2], .tolerance = 1e-9, .stop = 1, .step = 0.01, .instances = 1, .calls = 1, .repetitions = 1};
    load(&h.fmi, argv[1]);
    for (int i = 4; i < argc; ++i)
        give(&h, argv[i]);
    double *nanoseconds = calloc((size_t)h.repetitions, sizeof *nanoseconds);
    if (!nanoseconds || h.instances > MOST_INSTANCES) fail("so much");
    repeat(&h, find_play(argv[3]), nanoseconds);
    print_values(&h.reals);
    for (size_t i = 0; i < h.counters.count; ++i)
        printf("%d ", h.counter[i]);
    printf("\n%zu\n", h.size);
    for (long i = 0; i < h.repetitions; ++i)
        printf("%.0f ", nanoseconds[i]);
    printf("\n");
    free(nanoseconds);
    return EXIT_SUCCESS;
}
