// The deserialiser: states with any values in them, whose lengths and checksums are right. They are refused, or the
// instance goes on from them. An input chooses a model, a genuine state of it and changes of its fields.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hash.h"
#include "instance.h"
#include "subject.h"

enum { MOST_MODELS = 16, MOMENTS = 8, MOST_CHANGES = 12 };

// What stands in front of the engine's fields (fmu/saved_state.c, src/engine/snapshot.c): the FMI layer's part and its
// checksum, then the engine's header, whose last word is the checksum of the fields.
enum { LIFE_SIZE = sizeof(zeno_fmu_experiment) + 2 * sizeof(int32_t), HEADER_SIZE = 40 };
enum { FIELDS = LIFE_SIZE + sizeof(uint64_t) + HEADER_SIZE };

typedef struct bytes {
    fmi2Byte *data;
    size_t size;
} bytes;

// ---- Genuine states of all models

static bytes genuine[MOST_MODELS][MOMENTS];

static bytes serialize(fmi2Component component) {
    fmi2FMUstate state = NULL;
    bytes b = {NULL, 0};
    promise(fmi2GetFMUstate(component, &state) == fmi2OK, "a state can be saved");
    promise(fmi2SerializedFMUstateSize(component, state, &b.size) == fmi2OK, "it has a size");
    b.data = malloc(b.size);
    promise(fmi2SerializeFMUstate(component, state, b.data, b.size) == fmi2OK, "it can be serialised");
    fmi2FreeFMUstate(component, &state);
    return b;
}

static void set_real(fmi2Component component, const char *name, double value) {
    for (fmi2ValueReference i = 0; i < (unsigned)zeno_fmu_model.variables; i++)
        if (strcmp(zeno_fmu_model.variable[i].name, name) == 0) fmi2SetReal(component, &i, 1, &value);
}

// The first moment is before the start, the others are in a run; half of these are relaxed.
static bytes make_state(int moment) {
    static const double times[MOMENTS] = {0, 0.001, 0.4, 0.9, 1.5, 0.7, 1.2, 3};
    fmi2Component component = subject_instantiate();
    if (moment >= MOMENTS / 2) set_real(component, "relaxation.epsilon", 0.02);
    subject_allow_work(100000);
    if (moment > 0) {
        promise(subject_initialize(component) == fmi2OK, "the default start is possible");
        promise(fmi2DoStep(component, 0, times[moment], fmi2True) == fmi2OK, "a step can be done");
    }
    const bytes b = serialize(component);
    fmi2FreeInstance(component);
    return b;
}

int LLVMFuzzerInitialize(int *count, char ***arguments) {
    (void)count, (void)arguments;
    promise(subject_models() <= MOST_MODELS, "there is room for all models");
    for (unsigned model = 0; model < subject_models(); model++) {
        subject_choose(model);
        for (int moment = 0; moment < MOMENTS; moment++)
            genuine[model][moment] = make_state(moment);
    }
    return 0;
}

// ---- Changes

// The field, an eighth of the time another one's value, or a value near to its own.
static double take_change(fuzz_input *input, const double *fields, unsigned count, unsigned field) {
    const unsigned kind = take_byte(input);
    switch (kind & 7) {
    case 0:
        return fields[take_choice(input, count)];
    case 1:
        return nextafter(fields[field], kind & 8 ? INFINITY : -INFINITY);
    case 2:
        return -fields[field];
    case 3:
        return ldexp(fields[field], (int)take_byte(input) - 128);
    default:
        return take_double(input);
    }
}

static void change_fields(fuzz_input *input, const bytes *state) {
    double fields[4096];
    const size_t size = state->size - FIELDS;
    const unsigned count = (unsigned)(size / sizeof *fields);
    promise(size <= sizeof fields, "there is room for all fields");
    memcpy(fields, state->data + FIELDS, size);
    for (unsigned i = take_choice(input, MOST_CHANGES); i > 0; i--) {
        const unsigned field = take_choice(input, count);
        const double before = fields[field];
        fields[field] = take_change(input, fields, count, field);
        if (getenv("FUZZ_LOG")) fprintf(stderr, "field %u: %.17g becomes %.17g\n", field, before, fields[field]);
    }
    memcpy(state->data + FIELDS, fields, size);
}

static void change_life(fuzz_input *input, const bytes *state) {
    zeno_fmu_experiment experiment;
    int32_t states[2];
    memcpy(&experiment, state->data, sizeof experiment);
    memcpy(states, state->data + sizeof experiment, sizeof states);
    const unsigned which = take_byte(input);
    if (which & 1) experiment.start = take_double(input);
    if (which & 2) experiment.stop = take_double(input);
    if (which & 4) experiment.tolerance = take_double(input);
    if (which & 8) states[0] = (int32_t)take_choice(input, ZENO_STATES + 2) - 1;
    if (which & 16) states[1] = (int32_t)take_choice(input, 8) - 1;
    memcpy(state->data, &experiment, sizeof experiment);
    memcpy(state->data + sizeof experiment, states, sizeof states);
}

static void seal(const bytes *state) {
    const uint64_t life = zeno_hash(state->data, LIFE_SIZE);
    const uint64_t fields = zeno_hash(state->data + FIELDS, state->size - FIELDS);
    memcpy(state->data + LIFE_SIZE, &life, sizeof life);
    memcpy(state->data + FIELDS - sizeof fields, &fields, sizeof fields);
}

// ---- What an instance does with it

static void get_derivatives(fmi2Component component) {
    const fmi2Integer order = 1;
    for (fmi2ValueReference i = 0; i < (unsigned)zeno_fmu_model.variables; i++) {
        double value;
        fmi2GetRealOutputDerivatives(component, &i, 1, &order, &value);
    }
}

static void set_inputs(fmi2Component component, double value) {
    for (fmi2ValueReference i = 0; i < (unsigned)zeno_fmu_model.variables; i++)
        if (zeno_fmu_model.variable[i].quantity == ZENO_INPUT) fmi2SetReal(component, &i, 1, &value);
}

// Whether the last of its steps was done.
static bool go_on(fmi2Component component, fuzz_input *input) {
    static const double sizes[] = {0.01, 1, 1e-9, 0.2};
    fmi2Status status = fmi2OK;
    subject_fingerprint(component);
    get_derivatives(component);
    fmi2EnterInitializationMode(component);
    fmi2ExitInitializationMode(component);
    for (unsigned i = 0; i < 3; i++) {
        const unsigned how = take_byte(input);
        if (how & 4) set_inputs(component, how & 8 ? 1 : -1);
        status = fmi2DoStep(component, subject_time(component), sizes[how % 4], fmi2True);
        subject_fingerprint(component);
    }
    get_derivatives(component);
    return status == fmi2OK;
}

// Where an instance has gone on from what was made up, its states are as good as any.
static void save_and_restore(fmi2Component component) {
    const uint64_t print = subject_fingerprint(component);
    fmi2FMUstate state = NULL;
    promise(fmi2GetFMUstate(component, &state) == fmi2OK, "a state can always be saved");
    fmi2SetFMUstate(component, state);
    if (subject_had_work_left())
        promise(subject_fingerprint(component) == print, "after a restore the values are the same bits");
    fmi2FreeFMUstate(component, &state);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input input = {data, size};
    const unsigned model = take_choice(&input, subject_models());
    const bytes *original = &genuine[model][take_choice(&input, MOMENTS)];
    const bytes state = {malloc(original->size), original->size};
    memcpy(state.data, original->data, original->size);
    change_life(&input, &state);
    change_fields(&input, &state);
    seal(&state);

    subject_choose(model);
    subject_allow_usual_work((fuzz_input){data, size});
    fmi2Component component = subject_instantiate();
    if (take_byte(&input) & 1) subject_initialize(component);
    fmi2FMUstate made_up = NULL;
    if (fmi2DeSerializeFMUstate(component, state.data, state.size, &made_up) == fmi2OK) {
        fmi2SetFMUstate(component, made_up);
        if (go_on(component, &input)) save_and_restore(component);
    }
    fmi2FreeFMUstate(component, &made_up);
    free(state.data);
    subject_promise_reset(component, (fuzz_input){data, size});
    fmi2FreeInstance(component);
    return 0;
}
