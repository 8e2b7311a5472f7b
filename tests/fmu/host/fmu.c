// The library of an FMU, what its FMU has, and its instances.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"

#ifdef _WIN32
#include <windows.h>
#else
#include <dlfcn.h>
#endif

// ---- The library

#define FMI_NAME(name) "fmi2" #name,
static const char *const function_names[] = {FMI_FUNCTIONS(FMI_NAME)};
enum { FUNCTIONS = sizeof function_names / sizeof *function_names };
_Static_assert(sizeof(library) == FUNCTIONS * sizeof(void *), "the library is an array of function pointers");

static void *find_symbol(void *handle, const char *name) {
#ifdef _WIN32
    return (void *)GetProcAddress((HMODULE)handle, name);
#else
    return dlsym(handle, name);
#endif
}

bool open_library(loaded_fmu *fmu) {
#ifdef _WIN32
    fmu->handle = (void *)LoadLibraryA(fmu->path);
#else
    fmu->handle = dlopen(fmu->path, RTLD_NOW | RTLD_LOCAL);
#endif
    if (!check(fmu->handle, "the library can be loaded")) return false;
    for (int i = 0; i < FUNCTIONS; i++) {
        void *symbol = find_symbol(fmu->handle, function_names[i]);
        if (!check(symbol, function_names[i])) return false;
        memcpy((char *)&fmu->call + (size_t)i * sizeof symbol, &symbol, sizeof symbol);
    }
    return true;
}

void close_library(loaded_fmu *fmu) {
#ifdef _WIN32
    FreeLibrary((HMODULE)fmu->handle);
#else
    dlclose(fmu->handle);
#endif
}

// ---- The description

char *read_text(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    fseek(file, 0, SEEK_END);
    const size_t size = (size_t)ftell(file);
    rewind(file);
    char *text = calloc(size + 1, 1);
    if (text && fread(text, 1, size, file) != size) text[0] = '\0';
    fclose(file);
    return text;
}

void copy_attribute(const char *text, const char *attribute, char *value, size_t size) {
    const char *from = strstr(text, attribute);
    value[0] = '\0';
    if (from) snprintf(value, size, "%.*s", (int)strcspn(from + strlen(attribute), "\""), from + strlen(attribute));
}

// Value references count from 0 in the order of the variables.
static bool read_description(loaded_fmu *fmu, const char *path) {
    static const char *const variable_start = "<ScalarVariable name=\"";
    char number[32];
    char *text = read_text(path);
    if (!check(text, "the description can be read")) return false;
    copy_attribute(text, " guid=\"", fmu->guid, sizeof fmu->guid);
    copy_attribute(text, " stopTime=\"", number, sizeof number);
    fmu->stop_time = strtod(number, NULL);
    for (const char *at = strstr(text, variable_start); at; at = strstr(at + 1, variable_start)) {
        if (!check(fmu->variables < MOST_VARIABLES, "the variables can be counted")) break;
        copy_attribute(at, variable_start, fmu->variable[fmu->variables].name, sizeof fmu->variable->name);
        copy_attribute(at, " valueReference=\"", number, sizeof number);
        check(strtoul(number, NULL, 10) == fmu->variables, "value references count from 0");
        fmu->variables++;
    }
    free(text);
    return true;
}

static bool is_named(const found_variable *variable, const char *name) {
    const size_t length = strlen(variable->name), end = strlen(name);
    if (length < end || strcmp(variable->name + length - end, name) != 0) return false;
    return length == end || variable->name[length - end - 1] == '.';
}

fmi2ValueReference find_variable(const loaded_fmu *fmu, const char *name) {
    for (fmi2ValueReference i = 0; i < fmu->variables; i++)
        if (is_named(&fmu->variable[i], name)) return i;
    return NO_VARIABLE;
}

// ---- Instances

fmi2Component instantiate(const loaded_fmu *fmu, listener *ear) {
    const fmi2CallbackFunctions callbacks = callbacks_for(ear);
    return fmu->call.Instantiate("host", fmi2CoSimulation, fmu->guid, NULL, &callbacks, fmi2False, fmi2True);
}

fmi2Status initialize(const loaded_fmu *fmu, fmi2Component component) {
    if (fmu->call.EnterInitializationMode(component) != fmi2OK) return fmi2Error;
    return fmu->call.ExitInitializationMode(component);
}

fmi2Status read_as(const loaded_fmu *fmu, fmi2Component component, fmi2ValueReference reference, value_type type,
                   double *value) {
    fmi2Integer integer = 0;
    fmi2Boolean boolean = fmi2False;
    fmi2Status status;
    if (type == A_REAL) return fmu->call.GetReal(component, &reference, 1, value);
    if (type == AN_INTEGER) {
        status = fmu->call.GetInteger(component, &reference, 1, &integer);
        *value = integer;
    } else {
        status = fmu->call.GetBoolean(component, &reference, 1, &boolean);
        *value = boolean;
    }
    return status;
}

fmi2Status set_as(const loaded_fmu *fmu, fmi2Component component, fmi2ValueReference reference, value_type type,
                  double value) {
    const fmi2Integer integer = fabs(value) < 1e9 ? (fmi2Integer)value : 7;
    const fmi2Boolean boolean = value != 0;
    if (type == A_REAL) return fmu->call.SetReal(component, &reference, 1, &value);
    if (type == AN_INTEGER) return fmu->call.SetInteger(component, &reference, 1, &integer);
    return fmu->call.SetBoolean(component, &reference, 1, &boolean);
}

double read_value(const loaded_fmu *fmu, fmi2Component component, fmi2ValueReference reference) {
    double value = 0;
    if (reference < fmu->variables) read_as(fmu, component, reference, fmu->variable[reference].type, &value);
    return value;
}

double time_reached(const loaded_fmu *fmu, fmi2Component component) {
    double time = NAN;
    fmu->call.GetRealStatus(component, fmi2LastSuccessfulTime, &time);
    return time;
}

// FNV-1a, a word at a time.
uint64_t fold(uint64_t folded, uint64_t number) {
    return (folded ^ number) * 1099511628211u;
}

uint64_t fingerprint(const loaded_fmu *fmu, fmi2Component component) {
    uint64_t folded = 14695981039346656037u;
    for (fmi2ValueReference i = 0; i < fmu->variables; i++) {
        double value = 0;
        uint64_t bits = 0;
        const fmi2Status status = read_as(fmu, component, i, fmu->variable[i].type, &value);
        if (status == fmi2OK) memcpy(&bits, &value, sizeof bits);
        folded = fold(fold(folded, (uint64_t)status), bits);
    }
    return folded;
}

uint64_t run(const loaded_fmu *fmu, fmi2Component component) {
    uint64_t folded = 0;
    check(initialize(fmu, component) == fmi2OK, "a run can start");
    for (int step = 0; step < 20; step++) {
        check(fmu->call.DoStep(component, step * 0.0625, 0.0625, fmi2True) == fmi2OK, "a step can be done");
        folded = fold(folded, fingerprint(fmu, component));
    }
    return folded;
}

uint64_t run_fresh(const loaded_fmu *fmu) {
    listener ear = {.messages = 0};
    fmi2Component component = instantiate(fmu, &ear);
    const uint64_t result = run(fmu, component);
    check(fmu->call.Terminate(component) == fmi2OK, "a run can be terminated");
    fmu->call.FreeInstance(component);
    return result;
}

// ---- What the FMU has, found by trying

static value_type find_type(const loaded_fmu *fmu, fmi2Component component, fmi2ValueReference reference) {
    double value;
    for (value_type type = A_REAL; type < NO_TYPE; type++)
        if (read_as(fmu, component, reference, type, &value) == fmi2OK) return type;
    return NO_TYPE;
}

static bool can_be_set(const loaded_fmu *fmu, fmi2Component component, fmi2ValueReference reference) {
    return set_as(fmu, component, reference, fmu->variable[reference].type, fmu->variable[reference].start) == fmi2OK;
}

static void explore_instantiated(loaded_fmu *fmu, fmi2Component component) {
    for (fmi2ValueReference i = 0; i < fmu->variables; i++) {
        found_variable *variable = &fmu->variable[i];
        variable->type = find_type(fmu, component, i);
        check(variable->type != NO_TYPE, "a variable can be read");
        variable->start = read_value(fmu, component, i);
        variable->settable[INSTANTIATED] = variable->settable[INITIALIZATION] = can_be_set(fmu, component, i);
        variable->is_input =
            fmu->call.SetRealInputDerivatives(component, &i, 1, (fmi2Integer[]){1}, (fmi2Real[]){0}) == fmi2OK;
        if (variable->is_input) fmu->input[fmu->inputs++] = i;
    }
}

static void explore_running(loaded_fmu *fmu, fmi2Component component) {
    for (fmi2ValueReference i = 0; i < fmu->variables; i++) {
        double rate;
        found_variable *variable = &fmu->variable[i];
        variable->settable[STEP_COMPLETE] = can_be_set(fmu, component, i);
        variable->differentiable =
            fmu->call.GetRealOutputDerivatives(component, &i, 1, (fmi2Integer[]){1}, &rate) == fmi2OK;
    }
}

bool load(loaded_fmu *fmu, const char *library_path, const char *description_path) {
    listener ear = {.messages = 0};
    fmu->path = library_path;
    if (!open_library(fmu) || !read_description(fmu, description_path)) return false;
    fmi2Component component = instantiate(fmu, &ear);
    if (!check(component, "an instance can be made")) return false;
    explore_instantiated(fmu, component);
    check(initialize(fmu, component) == fmi2OK, "the default start is possible");
    explore_running(fmu, component);
    fmu->call.FreeInstance(component);
    return failed_checks() == 0;
}
