// Inputs that jump at every step, far and near, and inputs that can't be used.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "soak.h"

static void set_input(subject *x, unsigned k, double value) {
    expect(x, x->fmu->call.SetReal(x->component, &x->fmu->input[k], 1, &value) == fmi2OK, "an input can be set");
}

// ---- The same forcing in other steps

enum { INTERVALS = 60, HOSTS = 3 };

// How a host gets through an interval in which the inputs are constant.
typedef enum host_kind { IN_ONE_STEP, IN_MANY_STEPS, WHO_REPEATS_ITSELF } host_kind;

// Intervals of a power of two of the experiment, and by how much the inputs jump at the end of each: the wilder, the
// shorter, lest all is flung far away.
typedef struct forcing {
    int length;
    double amplitude;
    uint64_t seed;
} forcing;
static const forcing forcings[] = {{-6, 1, 0}, {-8, 10, 0}, {-10, 100, 0}, {-14, 1e4, 0}, {-20, 1e6, 0}};
enum { FORCINGS = sizeof forcings / sizeof *forcings };

static void set_inputs(subject *x, const forcing *by, int interval) {
    uint64_t random = chance(by->seed + (uint64_t)interval);
    for (unsigned k = 0; k < x->fmu->inputs; k++) {
        const double start = x->fmu->variable[x->fmu->input[k]].start;
        set_input(x, k, start + by->amplitude * between(&random, -1, 1));
    }
}

static bool pass_interval(subject *x, host_kind kind, const forcing *by, int interval) {
    uint64_t random = chance(by->seed + (uint64_t)interval + 1000);
    const int length = ilogb(x->fmu->stop_time) + by->length;
    const double end = ldexp(interval + 1, length);
    set_inputs(x, by, interval);
    while (kind != IN_ONE_STEP && end - x->time > ldexp(0.01, length)) {
        if (!go_to(x, x->time + (end - x->time) * between(&random, 0.001, 0.5))) return false;
        if (kind == WHO_REPEATS_ITSELF) set_inputs(x, by, interval);
    }
    return go_to(x, end);
}

static void force_alike(const loaded_fmu *fmu, const forcing *by) {
    subject host[HOSTS];
    for (int i = 0; i < HOSTS; i++) {
        host[i] = summon(fmu);
        expect(&host[i], begin(&host[i]), "a run can start");
    }
    for (int interval = 0; interval < INTERVALS && failed_checks() == 0; interval++) {
        for (int i = 0; i < HOSTS; i++)
            pass_interval(&host[i], (host_kind)i, by, interval);
        const uint64_t seen = fingerprint(fmu, host[0].component);
        for (int i = 1; i < HOSTS; i++)
            expect(&host[i], fingerprint(fmu, host[i].component) == seen, "the same forcing gives the same bits");
        expect_sense(&host[0], 1e-6);
    }
    for (int i = 0; i < HOSTS; i++)
        dismiss(&host[i]);
}

// ---- Against the closed form

// A force along the floor that jumps at every step: the ball of 1 kg moves as its sum says, and bounces as ever.
static void push_along(const loaded_fmu *fmu, int steps) {
    subject x = summon(fmu);
    uint64_t random = chance(3);
    const double size = 0x1p-10, g = 9.81, e = 0.7, rest = sqrt(2 / g) * (1 + e) / (1 - e);
    double position = 0, speed = 1, largest = 1;
    expect(&x, begin(&x), "a run can start");
    for (int step = 0; step < steps && failed_checks() == 0; step++) {
        const double force = between(&random, -1e6, 1e6);
        put(&x, "Fx", force);
        go_to(&x, (step + 1) * size);
        position += speed * size + force * size * size / 2;
        speed += force * size;
        largest = fmax(largest, fabs(speed));
        expect_near(&x, "vx", get(&x, "vx"), speed, 1e-8 * largest);
        expect_near(&x, "x", get(&x, "x"), position, 1e-8 * largest * (step + 1) * size);
    }
    if (x.time > rest) expect_near(&x, "zeno.time", get(&x, "zeno.time"), rest, get(&x, "zeno.timeBound") + 1e-6);
    dismiss(&x);
}

// ---- What can't be used

static void refuse(subject *x, const char *named, double size) {
    const double time = time_reached(x->fmu, x->component);
    for (int i = 0; i < 2; i++) {
        x->ear.last_error[0] = '\0';
        expect(x, x->fmu->call.DoStep(x->component, x->time, size, fmi2True) == fmi2Error, "it is an error");
        expect(x, strstr(x->ear.last_error, named), "which names what can't be used");
        expect(x, time_reached(x->fmu, x->component) == time, "and the time stays");
    }
}

// Sets a variable to what it can't be, tries, and puts it back.
static void try_unusable(subject *x, fmi2ValueReference i, double unusable, double size) {
    const found_variable *variable = &x->fmu->variable[i];
    const double before = read_value(x->fmu, x->component, i);
    const uint64_t seen = fingerprint(x->fmu, x->component);
    const fmi2Status status = set_as(x->fmu, x->component, i, A_REAL, unusable);
    if (status == fmi2OK) refuse(x, variable->name, size);
    expect(x, set_as(x->fmu, x->component, i, A_REAL, before) == fmi2OK, "a good value can be set again");
    expect(x, fingerprint(x->fmu, x->component) == seen, "and the state is kept");
}

static void try_unusable_rate(subject *x, fmi2ValueReference input, double unusable, double size) {
    const fmi2Integer order = 1;
    const double none = 0, before = read_value(x->fmu, x->component, input);
    const uint64_t seen = fingerprint(x->fmu, x->component);
    if (x->fmu->call.SetRealInputDerivatives(x->component, &input, 1, &order, &unusable) == fmi2OK)
        refuse(x, x->fmu->variable[input].name, size);
    expect(x, set_as(x->fmu, x->component, input, A_REAL, before) == fmi2OK, "a good input can be set again");
    x->fmu->call.SetRealInputDerivatives(x->component, &input, 1, &order, &none);
    expect(x, fingerprint(x->fmu, x->component) == seen, "and the state is kept");
}

// One run sees what can't be used at every step, the other never: they have the same bits.
static void run_beside(const loaded_fmu *fmu, int steps) {
    static const double unusable[] = {NAN, INFINITY, -INFINITY};
    subject disturbed = summon(fmu), quiet = summon(fmu);
    const double size = fmu->stop_time / steps;
    expect(&disturbed, begin(&disturbed) && begin(&quiet), "a run can start");
    for (int step = 0; step < steps && failed_checks() == 0; step++) {
        for (fmi2ValueReference i = 0; i < fmu->variables; i++) {
            const found_variable *variable = &fmu->variable[i];
            const double value = unusable[(step + (int)i) % 3];
            if (!variable->settable[STEP_COMPLETE] || variable->type != A_REAL) continue;
            try_unusable(&disturbed, i, value, size);
            if (variable->is_input) try_unusable_rate(&disturbed, i, value, size);
        }
        expect(&disturbed, go_on(&disturbed, size) && go_on(&quiet, size), "the run goes on");
        expect(&disturbed, fingerprint(fmu, disturbed.component) == fingerprint(fmu, quiet.component),
               "with the bits of a run that never saw it");
    }
    dismiss(&disturbed);
    dismiss(&quiet);
}

void soak_inputs(const company *all, long changes) {
    const loaded_fmu *ball = fmu_named(all, "BouncingBall");
    if (ball) push_along(ball, (int)changes);
    for (int i = 0; i < all->fmus && failed_checks() == 0; i++) {
        const loaded_fmu *fmu = &all->fmu[i];
        const double began = seconds();
        run_beside(fmu, 50);
        for (long k = 0; k * INTERVALS < changes && fmu->inputs > 0 && failed_checks() == 0; k++) {
            forcing by = forcings[k % FORCINGS];
            by.seed = (uint64_t)k * 10000;
            force_alike(fmu, &by);
        }
        printf("%-22s %6.1f s\n", name_of(fmu), seconds() - began);
    }
}
