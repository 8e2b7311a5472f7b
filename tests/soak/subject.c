// One run of one FMU, and what must hold of it.

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "soak.h"

double seconds(void) {
    return (double)clock() / CLOCKS_PER_SEC;
}

const char *name_of(const loaded_fmu *fmu) {
    const char *slash = strrchr(fmu->path, '/');
    return slash ? slash + 1 : fmu->path;
}

bool is_called(const loaded_fmu *fmu, const char *name) {
    const char *file = name_of(fmu);
    const size_t length = strlen(name);
    return strncmp(file, name, length) == 0 && file[length] == '.';
}

const loaded_fmu *fmu_named(const company *all, const char *name) {
    for (int i = 0; i < all->fmus; i++)
        if (is_called(&all->fmu[i], name)) return &all->fmu[i];
    check(false, "the FMU is in the company");
    return NULL;
}

// ---- A run

subject summon(const loaded_fmu *fmu) {
    return (subject){.fmu = fmu};
}

// The instance hears its subject, which must not be moved from then on.
static void enter(subject *x) {
    if (!x->component) x->component = instantiate(x->fmu, &x->ear);
}

void put(subject *x, const char *name, double value) {
    enter(x);
    const fmi2ValueReference i = find_variable(x->fmu, name);
    if (!expect(x, i != NO_VARIABLE, name)) return;
    expect(x, set_as(x->fmu, x->component, i, x->fmu->variable[i].type, value) == fmi2OK, "a value can be set");
}

bool begin(subject *x) {
    enter(x);
    x->time = 0;
    return initialize(x->fmu, x->component) == fmi2OK;
}

bool go_on(subject *x, double size) {
    if (x->fmu->call.DoStep(x->component, x->time, size, fmi2True) != fmi2OK) return false;
    x->time += size;
    return true;
}

bool go_to(subject *x, double time) {
    if (!(time > x->time)) return true;
    if (!go_on(x, time - x->time)) return expect(x, false, "a step can be done");
    x->time = time;
    return true;
}

double get(const subject *x, const char *name) {
    return read_value(x->fmu, x->component, find_variable(x->fmu, name));
}

bool has(const subject *x, const char *name) {
    return find_variable(x->fmu, name) != NO_VARIABLE;
}

void dismiss(subject *x) {
    if (x->component) x->fmu->call.FreeInstance(x->component);
    x->component = NULL;
}

// ---- What must hold

bool expect(const subject *x, bool passed, const char *sentence) {
    if (!passed) fprintf(stderr, "%s at %.17g: %s\n", name_of(x->fmu), x->time, x->ear.last_error);
    return check(passed, sentence);
}

bool expect_near(const subject *x, const char *what, double value, double expected, double allowed) {
    if (fabs(value - expected) <= allowed) return true;
    fprintf(stderr, "%s at %.17g: %s is %.17g, expected %.17g +- %g\n", name_of(x->fmu), x->time, what, value, expected,
            allowed);
    return check(false, "the closed form is met");
}

bool expect_sense(const subject *x, double depth) {
    enum { MOST_MODES = 4 }; // of Pronker
    bool passed = true;
    for (fmi2ValueReference i = 0; i < x->fmu->variables; i++) {
        double value = NAN;
        const found_variable *variable = &x->fmu->variable[i];
        passed &= expect(x, read_as(x->fmu, x->component, i, variable->type, &value) == fmi2OK, "all can be read");
        if (!isfinite(value)) passed = expect(x, false, variable->name);
    }
    if (has(x, "gap")) passed &= expect(x, get(x, "gap") >= -depth, "nothing falls through its constraint");
    if (has(x, "mode")) {
        const double mode = get(x, "mode");
        passed &= expect(x, mode >= 0 && mode < MOST_MODES, "the mode is one of the model's");
        passed &= expect(x, get(x, "lastTransitionTime") <= x->time, "no transition is ahead of time");
    }
    return passed;
}
