// FMI call sequences: any calls with any values, in any order. The first byte of an input chooses the model; then each
// call takes a byte for which it is and more for its arguments.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "subject.h"

enum { SLOTS = 2, MOST_CALLS = 60 };

// A saved state, and what could be read when it was saved.
typedef struct slot {
    fmi2FMUstate state;
    bool in_error; // then
    uint64_t print;
} slot;

typedef struct session {
    const zeno_model *model;
    fmi2Component component;
    fuzz_input input;
    slot slot[SLOTS];
} session;

static fmi2ValueReference take_reference(session *s) {
    return take_choice(&s->input, (unsigned)s->model->variables + 1); // the last is none
}

// ---- Life

static void set_up_experiment(session *s) {
    const unsigned flags = take_byte(&s->input);
    const double start = flags & 1 ? take_double(&s->input) : 0;
    const double tolerance = flags & 2 ? take_double(&s->input) : 1e-6;
    const double stop = flags & 4 ? take_double(&s->input) : 1;
    fmi2SetupExperiment(s->component, (flags & 2) != 0, tolerance, start, (flags & 4) != 0, stop);
}

static void enter_initialization(session *s) {
    fmi2EnterInitializationMode(s->component);
}

static void exit_initialization(session *s) {
    fmi2ExitInitializationMode(s->component);
}

static void terminate(session *s) {
    fmi2Terminate(s->component);
}

static void reset(session *s) {
    fmi2Reset(s->component);
}

static void log_otherwise(session *s) {
    static const fmi2String names[] = {"logEvents", "logStatusError", "nonsense", NULL};
    fmi2SetDebugLogging(s->component, take_byte(&s->input) & 1, take_choice(&s->input, 4), names);
}

// ---- Steps

// A step that is refused changes nothing.
static fmi2Status step(session *s, double current, double size) {
    const double before = subject_time(s->component);
    const uint64_t print = subject_fingerprint(s->component);
    const fmi2Status status = fmi2DoStep(s->component, current, size, fmi2True);
    if (status == fmi2OK)
        promise(subject_time(s->component) == fmax(before, current + size), "a step ends where it was asked to");
    else if (!subject_is_in_error(s->component))
        promise(subject_fingerprint(s->component) == print, "a step that is refused changes nothing");
    return status;
}

static double take_step_size(session *s) {
    static const double sizes[] = {0.01, 0.1, 1, 1e-6, 0.3, 1e-12, 3, 10};
    return sizes[take_choice(&s->input, sizeof sizes / sizeof *sizes)];
}

static void do_step(session *s) {
    step(s, subject_time(s->component), take_step_size(s));
}

static void do_any_step(session *s) {
    const double current = take_byte(&s->input) & 1 ? take_double(&s->input) : subject_time(s->component);
    step(s, current, take_double(&s->input));
}

// A step that is taken back and done again gives the same bits. A state of an instance in error may be one from which
// no motion can start.
static void do_step_twice(session *s) {
    fmi2FMUstate before = NULL;
    const bool was_in_error = subject_is_in_error(s->component);
    const double time = subject_time(s->component), size = take_step_size(s);
    if (fmi2GetFMUstate(s->component, &before) != fmi2OK) return;
    const fmi2Status once = step(s, time, size);
    const uint64_t print = subject_fingerprint(s->component);
    const fmi2Status back = fmi2SetFMUstate(s->component, before);
    fmi2FreeFMUstate(s->component, &before);
    const fmi2Status twice = step(s, time, size);
    if (!subject_had_work_left() || was_in_error) return;
    promise(back == fmi2OK, "what was saved can be restored");
    promise(once == twice && subject_fingerprint(s->component) == print, "a step done again gives the same bits");
}

static void ask_status(session *s) {
    const fmi2StatusKind kind = (fmi2StatusKind)take_choice(&s->input, 5);
    fmi2Status status;
    fmi2Real real;
    fmi2Integer integer;
    fmi2Boolean boolean;
    fmi2String string;
    fmi2GetStatus(s->component, kind, &status);
    fmi2GetRealStatus(s->component, kind, &real);
    fmi2GetIntegerStatus(s->component, kind, &integer);
    fmi2GetBooleanStatus(s->component, kind, &boolean);
    fmi2GetStringStatus(s->component, kind, &string);
    fmi2CancelStep(s->component);
}

// ---- Variables

static fmi2Integer to_integer(double value) {
    return value > -2147483648.0 && value < 2147483648.0 ? (fmi2Integer)value : INT32_MAX;
}

static void set_variable(session *s) {
    const fmi2ValueReference reference = take_reference(s);
    const double value = take_double(&s->input);
    const fmi2Integer integer = to_integer(value);
    const zeno_type type =
        reference < (unsigned)s->model->variables ? s->model->variable[reference].type : (zeno_type)(integer & 1);
    if (type == ZENO_REAL) fmi2SetReal(s->component, &reference, 1, &value);
    if (type == ZENO_INTEGER) fmi2SetInteger(s->component, &reference, 1, &integer);
    if (type == ZENO_BOOLEAN) fmi2SetBoolean(s->component, &reference, 1, &integer);
}

static void get_all(session *s) {
    subject_fingerprint(s->component);
}

static void get_wrongly(session *s) {
    const fmi2ValueReference references[] = {take_reference(s), take_reference(s)};
    fmi2Real reals[2];
    fmi2Integer integers[2];
    fmi2Boolean booleans[2];
    fmi2String strings[2];
    fmi2GetReal(s->component, references, 2, reals);
    fmi2GetInteger(s->component, references, 2, integers);
    fmi2GetBoolean(s->component, references, 2, booleans);
    fmi2GetString(s->component, references, take_choice(&s->input, 3), strings);
    fmi2SetString(s->component, references, take_choice(&s->input, 3), strings);
}

// ---- Derivatives

static void set_input_derivative(session *s) {
    const fmi2ValueReference reference = take_reference(s);
    const fmi2Integer order = (fmi2Integer)take_choice(&s->input, 10) - 1;
    const double value = take_double(&s->input);
    fmi2SetRealInputDerivatives(s->component, &reference, 1, &order, &value);
}

static void get_output_derivatives(session *s) {
    const fmi2Integer order = 1;
    for (fmi2ValueReference i = 0; i < (unsigned)s->model->variables; i++) {
        double value;
        fmi2GetRealOutputDerivatives(s->component, &i, 1, &order, &value);
    }
}

static void get_directional_derivatives(session *s) {
    const fmi2ValueReference known = take_reference(s);
    const double change = take_double(&s->input);
    for (fmi2ValueReference i = 0; i < (unsigned)s->model->variables; i++) {
        double value;
        fmi2GetDirectionalDerivative(s->component, &i, 1, &known, 1, &change, &value);
    }
}

// ---- Saved states

static slot *take_slot(session *s) {
    return &s->slot[take_choice(&s->input, SLOTS)];
}

static void save(session *s) {
    slot *chosen = take_slot(s);
    chosen->print = subject_fingerprint(s->component);
    chosen->in_error = subject_is_in_error(s->component);
    promise(fmi2GetFMUstate(s->component, &chosen->state) == fmi2OK, "a state can always be saved");
}

static void restore(session *s) {
    const slot *chosen = take_slot(s);
    const fmi2Status status = fmi2SetFMUstate(s->component, chosen->state);
    if (!chosen->state || chosen->in_error || !subject_had_work_left()) return;
    promise(status == fmi2OK, "what was saved can be restored");
    promise(subject_fingerprint(s->component) == chosen->print, "after a restore the values are the same bits");
}

static void forget(session *s) {
    fmi2FreeFMUstate(s->component, &take_slot(s)->state);
}

static void pass_through_bytes(session *s) {
    const slot *from = take_slot(s);
    slot *to = take_slot(s);
    size_t size = 0;
    if (fmi2SerializedFMUstateSize(s->component, from->state, &size) != fmi2OK) return;
    fmi2Byte *bytes = malloc(size);
    promise(fmi2SerializeFMUstate(s->component, from->state, bytes, size) == fmi2OK, "a state can be serialised");
    promise(fmi2DeSerializeFMUstate(s->component, bytes, size, &to->state) == fmi2OK, "and made of the bytes again");
    to->print = from->print;
    to->in_error = from->in_error;
    free(bytes);
}

// ---- The target

static void (*const calls[])(session *) = {
    do_step,
    do_step,
    set_variable,
    set_variable,
    set_variable,
    set_input_derivative,
    do_step_twice,
    save,
    restore,
    get_all,
    do_any_step,
    get_output_derivatives,
    forget,
    get_directional_derivatives,
    get_wrongly,
    pass_through_bytes,
    ask_status,
    set_up_experiment,
    terminate,
    reset,
    log_otherwise,
    enter_initialization,
    exit_initialization,
};
enum { CALLS = sizeof calls / sizeof *calls };

// Most sequences begin by the book, or nearly every call would be refused: a few start values and parameters, then
// initialization mode.
static void begin(session *s) {
    const unsigned first = take_byte(&s->input);
    if (first & 0x80) return;
    for (unsigned i = 0; i < first % 8; i++)
        set_variable(s);
    if (first & 0x40) set_up_experiment(s);
    enter_initialization(s);
    exit_initialization(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    session s = {.input = {data, size}};
    s.model = subject_choose(take_choice(&s.input, subject_models()));
    subject_allow_usual_work((fuzz_input){data, size});
    s.component = subject_instantiate();
    begin(&s);
    for (int i = 0; i < MOST_CALLS && s.input.size > 0; i++)
        calls[take_choice(&s.input, CALLS)](&s);
    for (int i = 0; i < SLOTS; i++)
        fmi2FreeFMUstate(s.component, &s.slot[i].state);
    subject_promise_reset(s.component, (fuzz_input){data, size});
    fmi2FreeInstance(s.component);
    return 0;
}
