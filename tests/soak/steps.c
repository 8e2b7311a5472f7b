// Very many steps of all FMUs in one process, by a host that does at random what hosts do: resets, new instances,
// parameters and inputs that change, at every step too, saved states. Everything must go on, and memory stay flat.

#include <math.h>
#include <stdio.h>

#include "soak.h"

enum { POINTS_OF_THE_CURVE = 20 };

typedef struct soak {
    subject subject[MOST_FMUS];
    uint64_t random;
    long wanted, steps, starts, instances, changes, refusals, inputs, rollbacks;
    double began;
    long first_kilobytes, first_blocks; // once it is warm
} soak;

static bool happens(soak *s, unsigned one_in) {
    return choose(&s->random, one_in) == 0;
}

// ---- Starts

static void start(soak *s, subject *x) {
    expect(x, begin(x), "a run can start");
    s->starts++;
}

static void start_over(soak *s, subject *x) {
    if (happens(s, 10)) {
        dismiss(x);
        s->instances++;
    } else {
        expect(x, x->fmu->call.Reset(x->component) == fmi2OK, "a run can be reset");
    }
    start(s, x);
}

// ---- Steps

static bool do_step(soak *s, subject *x, double size) {
    s->steps++;
    return go_on(x, size);
}

// ---- What a host changes between steps

static double changed_value(soak *s, const found_variable *variable) {
    if (variable->type == AN_INTEGER) return 1 + choose(&s->random, 2);
    if (variable->type == A_BOOLEAN) return choose(&s->random, 2);
    return variable->start == 0 ? between(&s->random, 0, 0.01) : variable->start * between(&s->random, 0.5, 2);
}

static fmi2ValueReference choose_parameter(soak *s, const loaded_fmu *fmu) {
    for (;;) {
        const fmi2ValueReference i = choose(&s->random, fmu->variables);
        if (fmu->variable[i].settable[STEP_COMPLETE] && !fmu->variable[i].is_input) return i;
    }
}

// A value that can't be used (e > 1) is refused by the next step and changes nothing.
static void change_parameter(soak *s, subject *x, double size) {
    const loaded_fmu *fmu = x->fmu;
    const fmi2ValueReference i = choose_parameter(s, fmu);
    const found_variable *variable = &fmu->variable[i];
    check(set_as(fmu, x->component, i, variable->type, changed_value(s, variable)) == fmi2OK, "a parameter can be set");
    s->changes++;
    if (do_step(s, x, size)) return;
    s->refusals++;
    check(set_as(fmu, x->component, i, variable->type, variable->start) == fmi2OK, "a refused value can be put back");
    check(time_reached(fmu, x->component) == x->time, "a refused step stays where it was");
    check(do_step(s, x, size), "and can then be done");
}

// Small enough that no pendulum is spun up to thousands of turns, which would be work and nothing else.
static double input_value(soak *s, const found_variable *input) {
    return input->start + between(&s->random, -0.3, 0.3);
}

static void change_inputs(soak *s, subject *x, bool with_rates) {
    const loaded_fmu *fmu = x->fmu;
    for (unsigned k = 0; k < fmu->inputs; k++) {
        const double value = input_value(s, &fmu->variable[fmu->input[k]]),
                     rate = between(&s->random, -0.2, 0.2) / fmu->stop_time;
        fmu->call.SetReal(x->component, &fmu->input[k], 1, &value);
        if (with_rates) fmu->call.SetRealInputDerivatives(x->component, &fmu->input[k], 1, (fmi2Integer[]){1}, &rate);
        s->inputs++;
    }
}

// ---- Saved states

static void roll_back(soak *s, subject *x, double size) {
    enum { STEPS = 5 };
    const loaded_fmu *fmu = x->fmu;
    fmi2FMUstate saved = NULL, copy = NULL;
    fmi2Byte bytes[20000];
    size_t length = 0;
    const double time = x->time;
    check(fmu->call.GetFMUstate(x->component, &saved) == fmi2OK, "a state can be saved");
    check(fmu->call.SerializedFMUstateSize(x->component, saved, &length) == fmi2OK && length <= sizeof bytes,
          "it has a size");
    check(fmu->call.SerializeFMUstate(x->component, saved, bytes, length) == fmi2OK, "it can be serialised");
    check(fmu->call.DeSerializeFMUstate(x->component, bytes, length, &copy) == fmi2OK, "and read again");
    for (int i = 0; i < STEPS; i++)
        check(do_step(s, x, size), "a step can be done");
    const uint64_t seen = fingerprint(fmu, x->component);
    check(fmu->call.SetFMUstate(x->component, copy) == fmi2OK, "a state can be restored");
    x->time = time;
    for (int i = 0; i < STEPS; i++)
        check(do_step(s, x, size), "a step can be repeated");
    check(fingerprint(fmu, x->component) == seen, "with the same bits");
    fmu->call.FreeFMUstate(x->component, &saved);
    fmu->call.FreeFMUstate(x->component, &copy);
    s->rollbacks++;
}

// ---- The curve

static void draw_curve(soak *s) {
    const long kilobytes = resident(), blocks = blocks_in_use();
    printf("%12ld %10.1f %10ld %8ld %9ld %9ld %9ld %9ld %9ld %9ld\n", s->steps, seconds() - s->began, kilobytes, blocks,
           s->starts, s->instances, s->changes, s->refusals, s->inputs, s->rollbacks);
    fflush(stdout);
    if (s->steps < s->wanted / 10) return;
    if (s->first_blocks == 0) {
        s->first_kilobytes = kilobytes;
        s->first_blocks = blocks;
    }
    // What the C library keeps in reserve; one instance lost at each thousandth new one would be more.
    check(kilobytes - s->first_kilobytes <= 128, "memory stays flat");
    check(blocks == s->first_blocks, "no block is kept");
}

// ---- One spell of one FMU

static void spell(soak *s, subject *x) {
    static const double sizes[] = {2e-5, 2e-5, 2e-5, 2e-4, 2e-3}; // of the default experiment
    const double size = x->fmu->stop_time * sizes[choose(&s->random, sizeof sizes / sizeof *sizes)];
    const unsigned length = 1 + choose(&s->random, 2000);
    if (happens(s, 20) || x->time > 4 * x->fmu->stop_time) start_over(s, x);
    if (happens(s, 4)) change_parameter(s, x, size);
    if (happens(s, 4)) change_inputs(s, x, happens(s, 2));
    if (happens(s, 10)) roll_back(s, x, size);
    const bool restless = happens(s, 10);
    for (unsigned i = 0; i < length && x->time < 5 * x->fmu->stop_time; i++) {
        if (restless) change_inputs(s, x, false);
        if (!expect(x, do_step(s, x, size), "a step can be done")) start_over(s, x);
    }
    expect_sense(x, 1e-7); // a gap is integrated to the tolerance of its flight, which is at most 1e-8 of 1
}

void soak_steps(const company *all, long count) {
    static soak s;
    s = (soak){.random = chance(1), .wanted = count, .began = seconds()};
    printf("%12s %10s %10s %8s %9s %9s %9s %9s %9s %9s\n", "steps", "seconds", "kB", "blocks", "starts", "instances",
           "parameter", "refused", "inputs", "rollbacks");
    for (int i = 0; i < all->fmus; i++) {
        s.subject[i] = summon(&all->fmu[i]);
        start(&s, &s.subject[i]);
    }
    for (long next = 0; s.steps < count && failed_checks() < 10;) {
        if (s.steps >= next) {
            draw_curve(&s);
            next += count / POINTS_OF_THE_CURVE;
        }
        spell(&s, &s.subject[choose(&s.random, (unsigned)all->fmus)]);
    }
    draw_curve(&s);
    for (int i = 0; i < all->fmus; i++)
        dismiss(&s.subject[i]);
}
