// Steps: impossible ones, which change nothing, and very many, by hosts that reckon their times in several ways.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"

static fmi2Component begin(const loaded_fmu *fmu, listener *ear) {
    fmi2Component component = instantiate(fmu, ear);
    check(initialize(fmu, component) == fmi2OK, "a run can start");
    return component;
}

static void try_impossible_steps(const loaded_fmu *fmu) {
    static const struct {
        double off, size; // off: how far the communication point is from the time reached
        const char *named;
    } impossible[] = {
        {0, 0, "communicationStepSize"},
        {0, -0.1, "communicationStepSize"},
        {0, NAN, "communicationStepSize"},
        {0, INFINITY, "communicationStepSize"},
        {0, -INFINITY, "communicationStepSize"},
        {1e-6, 0.1, "currentCommunicationPoint"},
        {-1e-6, 0.1, "currentCommunicationPoint"},
        {NAN, 0.1, "currentCommunicationPoint"},
        {INFINITY, 0.1, "currentCommunicationPoint"},
    };
    listener ear = {.messages = 0}, quiet = {.messages = 0};
    fmi2Component component = begin(fmu, &ear), undisturbed = begin(fmu, &quiet);
    for (int i = 0; i < 40; i++) {
        const double time = time_reached(fmu, component);
        const uint64_t before = fingerprint(fmu, component);
        for (size_t k = 0; k < sizeof impossible / sizeof *impossible; k++) {
            ear.last_error[0] = '\0';
            check(fmu->call.DoStep(component, time + impossible[k].off, impossible[k].size, fmi2True) == fmi2Error,
                  "an impossible step is an error");
            check(strstr(ear.last_error, "fmi2DoStep") && strstr(ear.last_error, impossible[k].named),
                  "the log names what is impossible");
        }
        check(fingerprint(fmu, component) == before && time_reached(fmu, component) == time, "nothing has changed");
        check(fmu->call.DoStep(component, time, 0.1, fmi2True) == fmi2OK, "the run goes on");
        check(fmu->call.DoStep(undisturbed, time, 0.1, fmi2True) == fmi2OK, "the other run goes on");
        check(fingerprint(fmu, component) == fingerprint(fmu, undisturbed), "with the same bits");
    }
    fmu->call.FreeInstance(component);
    fmu->call.FreeInstance(undisturbed);
}

// The host's next time: added up, or multiplied.
static double added(double time, double size, long steps) {
    (void)steps;
    return time + size;
}

static double multiplied(double time, double size, long steps) {
    (void)time;
    return (double)steps * size;
}

// What a run shows at a time that it reaches in one step.
static uint64_t seen_in_one_step(const loaded_fmu *fmu, double time) {
    listener ear = {.messages = 0};
    fmi2Component component = begin(fmu, &ear);
    check(fmu->call.DoStep(component, 0, time, fmi2True) == fmi2OK, "one large step can be done");
    const uint64_t seen = fingerprint(fmu, component);
    fmu->call.FreeInstance(component);
    return seen;
}

static void take_many_steps(const loaded_fmu *fmu, long steps, double size, double (*next)(double, double, long)) {
    listener ear = {.messages = 0};
    fmi2Component component = begin(fmu, &ear);
    double time = 0;
    for (long i = 1; i <= steps; i++) {
        if (!check(fmu->call.DoStep(component, time, size, fmi2True) == fmi2OK, "one of many steps can be done")) break;
        const double reached = time + size;
        if (!check(time_reached(fmu, component) == reached, "and ends where it should")) break;
        time = next(time, size, i);
    }
    const double reached = time_reached(fmu, component);
    check(fingerprint(fmu, component) == seen_in_one_step(fmu, reached), "many steps give the bits of a single one");
    fmu->call.FreeInstance(component);
    printf("%ld steps to %.17g\n", steps, reached);
}

void play_steps(loaded_fmu *fmu, const char *steps) {
    const long count = strtol(steps, NULL, 10);
    try_impossible_steps(fmu);
    take_many_steps(fmu, count, 1e-3, added);
    take_many_steps(fmu, count, 1e-3, multiplied);
}

// A table: time and all values at each step.
void play_run(loaded_fmu *fmu, const char *step_size) {
    const double size = strtod(step_size, NULL);
    listener ear = {.messages = 0};
    fmi2Component component = begin(fmu, &ear);
    printf("time");
    for (fmi2ValueReference i = 0; i < fmu->variables; i++)
        printf("\t%s", fmu->variable[i].name);
    for (int step = 0; step * size < fmu->stop_time; step++) {
        printf("\n%.17g", step * size);
        for (fmi2ValueReference i = 0; i < fmu->variables; i++)
            printf("\t%.17g", read_value(fmu, component, i));
        check(fmu->call.DoStep(component, step * size, size, fmi2True) == fmi2OK, "a step can be done");
    }
    printf("\n");
    fmu->call.FreeInstance(component);
}
