// Instances as hosts of all kinds make and leave them: with any name, from any place, ended late, not at all or by an
// error.

#include <stdio.h>
#include <string.h>

#include "host.h"

// ---- What makes an instance

static void try_what_makes_none(const loaded_fmu *fmu) {
    listener ear = {.messages = 0};
    const fmi2CallbackFunctions callbacks = callbacks_for(&ear);
    check(!fmu->call.Instantiate("host", fmi2CoSimulation, "{wrong}", NULL, &callbacks, 0, 0), "a wrong GUID");
    check(!fmu->call.Instantiate("host", fmi2CoSimulation, NULL, NULL, &callbacks, 0, 0), "no GUID");
    check(!fmu->call.Instantiate("host", fmi2ModelExchange, fmu->guid, NULL, &callbacks, 0, 0), "model exchange");
    check(ear.messages == 3, "the log says why there is no instance");
    check(!fmu->call.Instantiate("host", fmi2CoSimulation, fmu->guid, NULL, NULL, 0, 0), "no callbacks");
    fmu->call.FreeInstance(NULL);
}

// An instance of this name, which is heard when something is wrong, runs like any other.
static void try_one(const loaded_fmu *fmu, const char *name, const char *place, bool visible, uint64_t expected) {
    listener ear = {.name = name};
    const fmi2CallbackFunctions callbacks = callbacks_for(&ear);
    fmi2Component component =
        fmu->call.Instantiate(name, fmi2CoSimulation, fmu->guid, place, &callbacks, visible, fmi2False);
    if (!check(component, "any name and any place will do")) return;
    check(run(fmu, component) == expected, "name and place change nothing");
    check(ear.messages == 0, "with logging off nothing is said");
    check(fmu->call.DoStep(component, 0, -1, fmi2True) == fmi2Error && ear.messages == 1, "but an error is");
    fmu->call.FreeInstance(component);
}

static void try_names_and_places(const loaded_fmu *fmu, uint64_t expected) {
    static char long_name[100001];
    memset(long_name, 'x', sizeof long_name - 1);
    const char *const names[] = {"\xff\xfe not UTF-8 \x80", "two\nlines\t\x01", "%s%n%d", "日本 é", " ", long_name};
    static const char *const places[] = {
        NULL,
        "",
        "file:/tmp/resources",
        "file:///tmp/resources",
        "file:////tmp/resources/",
        "file://localhost/tmp/resources",
        "file:///tmp/a%20b%2Bc%25/%C3%A9",
        "file:///tmp/a b+c/é",
        "file:///C:/Users/a%20b/resources",
        "file://server/share",
        "file:///%",
        "/tmp/resources",
        "C:\\Users\\a b\\resources",
        "nowhere",
        "http://nowhere/\xff",
    };
    enum { NAMES = sizeof names / sizeof *names, PLACES = sizeof places / sizeof *places };
    for (int i = 0; i < NAMES; i++)
        try_one(fmu, names[i], NULL, fmi2False, expected);
    for (int i = 0; i < PLACES; i++)
        try_one(fmu, "host", places[i], fmi2True, expected);
    try_one(fmu, "host", long_name, fmi2False, expected);
    printf("%d names, %d places\n", NAMES, PLACES + 1);
}

// ---- How it ends

// Terminated or not, after others have come and gone, in another order.
static void end_late(const loaded_fmu *fmu, uint64_t expected) {
    listener ear = {.messages = 0};
    fmi2Component first = instantiate(fmu, &ear), second = instantiate(fmu, &ear), third = instantiate(fmu, &ear);
    check(run(fmu, first) == expected, "the first runs");
    check(run(fmu, second) == expected, "the second runs");
    fmu->call.FreeInstance(second);
    check(run(fmu, third) == expected, "the third runs");
    const uint64_t before = fingerprint(fmu, first);
    check(fmu->call.Terminate(first) == fmi2OK, "a run can be terminated late");
    check(fmu->call.Terminate(first) == fmi2Error, "but only once");
    check(fingerprint(fmu, first) == before, "and is read after it");
    fmu->call.FreeInstance(first);
    check(fmu->call.Terminate(third) == fmi2OK, "the last is terminated");
    fmu->call.FreeInstance(third);
    fmi2Component unused = instantiate(fmu, &ear);
    fmu->call.FreeInstance(unused);
}

// ---- After an error

static void do_step(const loaded_fmu *fmu, fmi2Component component, double time) {
    check(fmu->call.DoStep(component, time, 0.25, fmi2True) == fmi2OK, "a step can be done");
}

// By forces that no solver can follow.
static void fail(const loaded_fmu *fmu, fmi2Component component, double time) {
    const double far_too_much = 1e300;
    double reached = -1;
    fmi2Boolean terminated = fmi2True;
    for (unsigned i = 0; i < fmu->inputs; i++)
        fmu->call.SetReal(component, &fmu->input[i], 1, &far_too_much);
    check(fmu->call.DoStep(component, time, 0.25, fmi2True) == fmi2Error, "a step with such forces fails");
    check(fmu->call.DoStep(component, time, 0.25, fmi2True) == fmi2Error, "there is none after it");
    check(fmu->call.SetReal(component, fmu->input, 1, &(fmi2Real){0}) == fmi2Error, "nothing is set after it");
    check(fmu->call.Terminate(component) == fmi2Error, "there is nothing to terminate");
    check(fmu->call.GetRealStatus(component, fmi2LastSuccessfulTime, &reached) == fmi2OK && reached == time,
          "the time reached is known");
    check(fmu->call.GetBooleanStatus(component, fmi2Terminated, &terminated) == fmi2OK && !terminated,
          "the FMU has not terminated");
    check(read_value(fmu, component, fmu->input[0]) == far_too_much, "values are read");
}

static void recover(const loaded_fmu *fmu, uint64_t expected) {
    listener ear = {.messages = 0};
    fmi2FMUstate saved = NULL;
    fmi2Component component = instantiate(fmu, &ear);
    check(initialize(fmu, component) == fmi2OK, "a run can start");
    do_step(fmu, component, 0);
    check(fmu->call.GetFMUstate(component, &saved) == fmi2OK, "a state can be saved");
    do_step(fmu, component, 0.25);
    const uint64_t undisturbed = fingerprint(fmu, component);
    fail(fmu, component, 0.5);
    check(fmu->call.SetFMUstate(component, saved) == fmi2OK, "a restore leaves the error");
    do_step(fmu, component, 0.25);
    check(fingerprint(fmu, component) == undisturbed, "after it the same step gives the same bits");
    fail(fmu, component, 0.5);
    check(fmu->call.Reset(component) == fmi2OK, "a reset leaves the error");
    check(run(fmu, component) == expected, "after it the bits are those of a fresh instance");
    check(fmu->call.SetFMUstate(component, saved) == fmi2OK, "a state outlives all that");
    fail(fmu, component, 0.25);
    fmu->call.FreeFMUstate(component, &saved);
    fmu->call.FreeInstance(component);
}

void play_instances(loaded_fmu *fmu, const char *nothing) {
    (void)nothing;
    const uint64_t expected = run_fresh(fmu);
    check(strcmp(fmu->call.GetVersion(), "2.0") == 0, "the version is 2.0");
    check(strcmp(fmu->call.GetTypesPlatform(), "default") == 0, "the platform is default");
    try_what_makes_none(fmu);
    try_names_and_places(fmu, expected);
    end_late(fmu, expected);
    if (fmu->inputs > 0) recover(fmu, expected);
}
