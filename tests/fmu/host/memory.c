// Memory: callbacks that fail at any call, libraries that come and go, resets without end.

#include <stdio.h>
#include <stdlib.h>

#include "host.h"

#ifndef _WIN32
#include <dlfcn.h>
#endif

// ---- Allocations that fail

// Through the whole life of an instance, as far as memory allows.
static void live(const loaded_fmu *fmu) {
    listener ear = {.messages = 0};
    fmi2Component component = instantiate(fmu, &ear);
    fmi2FMUstate saved = NULL, copy = NULL;
    fmi2Byte bytes[20000];
    size_t size = 0;
    if (!component) {
        check(ear.messages > 0, "without memory there is no instance, and the log says why");
        return;
    }
    check(initialize(fmu, component) == fmi2OK, "a run needs no more memory");
    for (int i = 0; i < 40; i++) {
        check(fmu->call.DoStep(component, i * 0.125, 0.125, fmi2True) == fmi2OK, "a step needs no more memory");
        fingerprint(fmu, component);
        const fmi2Status status = fmu->call.GetFMUstate(component, &saved);
        check((status == fmi2OK) == (saved != NULL), "a state is there when it could be saved");
        if (!saved || fmu->call.SerializedFMUstateSize(component, saved, &size) != fmi2OK) continue;
        check(fmu->call.SerializeFMUstate(component, saved, bytes, sizeof bytes) == fmi2OK, "bytes need no memory");
        fmu->call.DeSerializeFMUstate(component, bytes, size, &copy);
        check(fmu->call.SetFMUstate(component, saved) == fmi2OK, "a restore needs no memory");
        fmu->call.FreeFMUstate(component, i % 2 == 0 ? &saved : &copy);
    }
    check(fmu->call.Reset(component) == fmi2OK, "a reset needs no memory");
    fmu->call.FreeFMUstate(component, &saved);
    fmu->call.FreeFMUstate(component, &copy);
    fmu->call.FreeInstance(component);
}

static void fail_everywhere(const loaded_fmu *fmu) {
    long count = 0;
    do {
        limit_allocations(count++);
        live(fmu);
        check(blocks_in_use() == 0, "all memory is given back");
    } while (no_allocations_left() && failed_checks() == 0);
    limit_allocations(-1);
    printf("%ld allocations\n", count - 2);
}

// ---- Flat memory

// The allowance is for what the C library keeps in reserve; one instance lost in each cycle would be a hundred times
// it.
static void expect_flat(long before, const char *sentence) {
    const long growth = resident() - before;
    if (growth > 0) printf("%ld kB more: %s\n", growth, sentence);
    check(growth <= 128, sentence);
}

static void run_once(const loaded_fmu *fmu) {
    listener ear = {.messages = 0};
    fmi2Component component = instantiate(fmu, &ear);
    run(fmu, component);
    fmu->call.FreeInstance(component);
}

static bool is_still_loaded(const loaded_fmu *fmu) {
#ifdef _WIN32
    (void)fmu;
    return false;
#else
    void *handle = dlopen(fmu->path, RTLD_NOW | RTLD_NOLOAD);
    const bool loaded = handle != NULL;
    if (loaded) dlclose(handle);
    return loaded;
#endif
}

static void load_again_and_again(loaded_fmu *fmu, long cycles) {
    long before = 0;
    for (long i = 0; i < cycles; i++) {
        if (i == cycles / 10) before = resident();
        run_once(fmu);
        close_library(fmu);
        check(!is_still_loaded(fmu), "an unloaded library is gone");
        if (!open_library(fmu)) return;
    }
    expect_flat(before, "memory stays flat when the library is loaded again and again");
}

static void reset_again_and_again(const loaded_fmu *fmu, long cycles) {
    listener ear = {.messages = 0};
    fmi2Component component = instantiate(fmu, &ear);
    const uint64_t expected = run(fmu, component);
    const long before = resident();
    for (long i = 0; i < cycles && failed_checks() == 0; i++) {
        fmu->call.Reset(component);
        check(run(fmu, component) == expected, "after a reset the bits are the same");
    }
    expect_flat(before, "memory stays flat through resets");
    fmu->call.FreeInstance(component);
}

void play_memory(loaded_fmu *fmu, const char *resets) {
    const long count = strtol(resets, NULL, 10);
    fail_everywhere(fmu);
    load_again_and_again(fmu, count / 10);
    reset_again_and_again(fmu, count);
}
