// Random runs, repeated from saved states: the same calls must give the same bits. Also the states that one process
// saves and another goes on from.

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"

typedef struct session {
    const loaded_fmu *fmu;
    fmi2Component component;
    listener ear;
    double time;
    fmi2ValueReference mode;       // whether a constraint is closed, or the mode of a hybrid system
    fmi2ValueReference events;     // how many impacts or transitions
    fmi2ValueReference last_speed; // of an impact
} session;

// Where states were saved.
static struct tally { long states, in_contact, in_cascades, approaches, elsewhere; } tally;

static fmi2ValueReference find_either(const loaded_fmu *fmu, const char *name, const char *other) {
    const fmi2ValueReference found = find_variable(fmu, name);
    return found != NO_VARIABLE ? found : find_variable(fmu, other);
}

static session begin(const loaded_fmu *fmu) {
    return (session){.fmu = fmu,
                     .mode = find_either(fmu, "closed", "mode"),
                     .events = find_either(fmu, "impacts", "transitions"),
                     .last_speed = find_variable(fmu, "lastImpactSpeed")};
}

// ---- Moves

static fmi2Status step(session *s, double size) {
    const fmi2Status status = s->fmu->call.DoStep(s->component, s->time, size, fmi2True);
    if (check(status == fmi2OK, "a step can be done"))
        s->time += size;
    else
        fprintf(stderr, "from %.17g by %.17g: %s\n", s->time, size, s->ear.last_error);
    return status;
}

// From far below the solver's steps to many of them.
static double any_step_size(uint64_t *random) {
    return exp(between(random, log(1e-9), log(0.3)));
}

static void set_input(session *s, uint64_t *random) {
    if (s->fmu->inputs == 0) return;
    const fmi2ValueReference input = s->fmu->input[choose(random, s->fmu->inputs)];
    const double value = between(random, -3, 3);
    check(s->fmu->call.SetReal(s->component, &input, 1, &value) == fmi2OK, "an input can be set");
}

static void set_input_derivative(session *s, uint64_t *random) {
    if (s->fmu->inputs == 0) return;
    const fmi2ValueReference input = s->fmu->input[choose(random, s->fmu->inputs)];
    const fmi2Integer order = 1 + (fmi2Integer)choose(random, 3);
    const double value = between(random, -3, 3);
    check(s->fmu->call.SetRealInputDerivatives(s->component, &input, 1, &order, &value) == fmi2OK,
          "a derivative can be set");
}

static void set_parameter(session *s, uint64_t *random) {
    const fmi2ValueReference chosen = choose(random, s->fmu->variables);
    const found_variable *variable = &s->fmu->variable[chosen];
    if (!variable->settable[STEP_COMPLETE] || variable->type != A_REAL) return;
    const double value = variable->start * between(random, 0.9, 1.1);
    check(s->fmu->call.SetReal(s->component, &chosen, 1, &value) == fmi2OK, "a tunable parameter can be set");
}

static void make_a_move(session *s, uint64_t *random) {
    switch (choose(random, 10)) {
    case 0:
    case 1:
        set_input(s, random);
        break;
    case 2:
        set_input_derivative(s, random);
        break;
    case 3:
        set_parameter(s, random);
        break;
    default:
        step(s, any_step_size(random));
    }
}

// Moves that depend on `random` only; what is seen after each, folded into one number.
static uint64_t make_moves(session *s, uint64_t random, int count) {
    uint64_t seen = 0;
    for (int i = 0; i < count && failed_checks() == 0; i++) {
        make_a_move(s, &random);
        seen = fold(seen, fingerprint(s->fmu, s->component));
    }
    return seen;
}

// ---- Where to save

static fmi2FMUstate save(const session *s) {
    fmi2FMUstate saved = NULL;
    check(s->fmu->call.GetFMUstate(s->component, &saved) == fmi2OK, "a state can be saved");
    return saved;
}

static void restore(session *s, fmi2FMUstate saved, double time) {
    check(s->fmu->call.SetFMUstate(s->component, saved) == fmi2OK, "a state can be restored");
    s->time = time;
}

// Steps to just before a variable changes, or to just after: before an impact, which the solver has then seen already;
// deep in a cascade, before the contact closes; into the time for which the truncation of a cascade holds. Rolls back a
// step that went too far and tries a shorter one.
static void approach_change(session *s, fmi2ValueReference variable, uint64_t *random) {
    const double value = read_value(s->fmu, s->component, variable);
    const double least = exp(between(random, log(1e-9), log(1e-3)));
    fmi2FMUstate before = save(s);
    for (double size = 1; size > least && failed_checks() == 0; size /= 2) {
        const double time = s->time;
        step(s, size);
        if (read_value(s->fmu, s->component, variable) != value)
            restore(s, before, time);
        else
            s->fmu->call.GetFMUstate(s->component, &before);
    }
    s->fmu->call.FreeFMUstate(s->component, &before);
    if (choose(random, 2) == 0) step(s, 2 * least);
    tally.approaches++;
}

static void count_place(const session *s) {
    const bool changed = read_value(s->fmu, s->component, s->mode) != 0;
    const double speed = read_value(s->fmu, s->component, s->last_speed);
    tally.states++;
    if (changed) tally.in_contact++;
    if (!changed && speed > 0 && speed < 0.1) tally.in_cascades++;
}

static void set_one_in(unsigned times, const session *s, uint64_t *random, const char *name, double value) {
    const fmi2ValueReference variable = find_variable(s->fmu, name);
    if (choose(random, times) != 0 || variable == NO_VARIABLE) return;
    set_as(s->fmu, s->component, variable, s->fmu->variable[variable].type, value);
}

// Start values and parameters near the usual ones; then other ways to truncate, cascades that go on until time has no
// digits left, relaxed impacts, and damping that makes a motion stiff.
static void choose_start(const session *s, uint64_t *random) {
    for (int i = 0; i < 3; i++) {
        const fmi2ValueReference chosen = choose(random, s->fmu->variables);
        const found_variable *variable = &s->fmu->variable[chosen];
        if (!variable->settable[INSTANTIATED] || variable->type != A_REAL) continue;
        set_as(s->fmu, s->component, chosen, A_REAL, variable->start * between(random, 0.7, 1.2));
    }
    set_one_in(4, s, random, "truncation.reinitialization", 2);
    set_one_in(8, s, random, "truncation.epsilon_t", 1e-15);
    set_one_in(8, s, random, "relaxation.epsilon", 1e-3);
    set_one_in(4, s, random, "a", 1e4);
}

// A run up to some moment.
static void warm_up(session *s, uint64_t *random) {
    s->component = instantiate(s->fmu, &s->ear);
    s->time = 0;
    choose_start(s, random);
    if (initialize(s->fmu, s->component) != fmi2OK) {
        s->fmu->call.Reset(s->component);
        check(initialize(s->fmu, s->component) == fmi2OK, "the usual start is possible");
    }
    if (choose(random, 8) != 0) step(s, between(random, 0, s->fmu->stop_time));
    make_moves(s, chance(choose(random, 1u << 30)), (int)choose(random, 6));
    for (unsigned i = choose(random, 4); i > 0; i--)
        approach_change(s, choose(random, 2) == 0 ? s->mode : s->events, random);
}

// ---- Plays

enum { MOVES = 8 };

// The same state through its bytes, in an instance that has its own past.
static void repeat_elsewhere(const session *s, fmi2FMUstate saved, double time, uint64_t random, uint64_t expected) {
    session other = begin(s->fmu);
    fmi2FMUstate copy = NULL;
    size_t size = 0;
    uint64_t past = random + 1;
    warm_up(&other, &past);
    check(s->fmu->call.SerializedFMUstateSize(s->component, saved, &size) == fmi2OK, "a state has a size");
    fmi2Byte *bytes = calloc(size, 1);
    check(s->fmu->call.SerializeFMUstate(s->component, saved, bytes, size) == fmi2OK, "a state can be serialised");
    check(s->fmu->call.DeSerializeFMUstate(other.component, bytes, size, &copy) == fmi2OK, "and deserialised");
    restore(&other, copy, time);
    check(make_moves(&other, random, MOVES) == expected, "another instance goes on with the same bits");
    s->fmu->call.FreeFMUstate(other.component, &copy);
    s->fmu->call.FreeInstance(other.component);
    free(bytes);
    tally.elsewhere++;
}

static void play(const loaded_fmu *fmu, uint64_t seed) {
    session s = begin(fmu);
    uint64_t random = chance(seed);
    warm_up(&s, &random);
    fmi2FMUstate saved = NULL;
    for (int i = 0; i < 3 && failed_checks() == 0; i++) {
        const double time = s.time;
        const uint64_t script = chance(random + 1);
        check(fmu->call.GetFMUstate(s.component, &saved) == fmi2OK, "a state can be saved");
        count_place(&s);
        const uint64_t expected = make_moves(&s, script, MOVES);
        const double reached = s.time;
        restore(&s, saved, time);
        check(make_moves(&s, script, MOVES) == expected, "after a restore the same calls give the same bits");
        check(s.time == reached, "and reach the same time");
        if (choose(&random, 2) == 0) repeat_elsewhere(&s, saved, time, script, expected);
        make_a_move(&s, &random);
    }
    fmu->call.FreeFMUstate(s.component, &saved);
    fmu->call.FreeInstance(s.component);
}

void play_rollback(loaded_fmu *fmu, const char *plays) {
    const uint64_t count = strtoull(plays, NULL, 10);
    uint64_t seed = 0;
    while (seed < count && failed_checks() == 0)
        play(fmu, seed++);
    if (failed_checks() > 0) fprintf(stderr, "in play %" PRIu64 "\n", seed - 1);
    printf("%" PRIu64 " plays, %ld states: %ld in contact or another mode, %ld in cascades, %ld restored elsewhere; "
           "%ld approaches\n",
           seed, tally.states, tally.in_contact, tally.in_cascades, tally.elsewhere, tally.approaches);
}

// ---- From process to process

enum { RECORDS = 20 };

typedef struct record {
    uint64_t script, expected, size; // `size` bytes of a state follow
    double time;
} record;

void play_save(loaded_fmu *fmu, const char *path) {
    FILE *file = fopen(path, "wb");
    if (!check(file, "the file can be written")) return;
    for (uint64_t seed = 0; seed < RECORDS; seed++) {
        session s = begin(fmu);
        uint64_t random = chance(seed);
        size_t size = 0;
        warm_up(&s, &random);
        fmi2FMUstate saved = save(&s);
        fmu->call.SerializedFMUstateSize(s.component, saved, &size);
        fmi2Byte *bytes = calloc(size, 1);
        check(fmu->call.SerializeFMUstate(s.component, saved, bytes, size) == fmi2OK, "a state can be serialised");
        record r = {.script = random, .size = size, .time = s.time};
        r.expected = make_moves(&s, r.script, MOVES);
        check(fwrite(&r, sizeof r, 1, file) == 1 && fwrite(bytes, 1, size, file) == size, "a record can be written");
        free(bytes);
        fmu->call.FreeFMUstate(s.component, &saved);
        fmu->call.FreeInstance(s.component);
    }
    check(fclose(file) == 0, "the file is written");
}

static void resume(const loaded_fmu *fmu, const record *r, const fmi2Byte *bytes) {
    session s = begin(fmu);
    fmi2FMUstate saved = NULL;
    s.component = instantiate(fmu, &s.ear);
    check(fmu->call.DeSerializeFMUstate(s.component, bytes, r->size, &saved) == fmi2OK, "bytes can be read");
    restore(&s, saved, r->time);
    check(make_moves(&s, r->script, MOVES) == r->expected, "another process goes on with the same bits");
    fmu->call.FreeFMUstate(s.component, &saved);
    fmu->call.FreeInstance(s.component);
}

void play_resume(loaded_fmu *fmu, const char *path) {
    FILE *file = fopen(path, "rb");
    if (!check(file, "the file can be read")) return;
    record r;
    int records = 0;
    while (fread(&r, sizeof r, 1, file) == 1) {
        fmi2Byte *bytes = calloc(r.size, 1);
        check(fread(bytes, 1, r.size, file) == r.size, "a record is whole");
        resume(fmu, &r, bytes);
        free(bytes);
        records++;
    }
    check(records == RECORDS, "all records are there");
    fclose(file);
    printf("%d states resumed\n", records);
}
