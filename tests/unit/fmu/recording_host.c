// The recording host: logger, allocator, and the ways into each state.

#include "recording_host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake_engine.h"
#include "instance.h"

recording_host host;

// The memory callbacks have no argument through which the host could be reached.
static int allocations_left, in_use;

static void *allocate(size_t count, size_t size) {
    if (allocations_left == 0) return NULL;
    if (allocations_left > 0) allocations_left--;
    void *memory = calloc(count, size);
    if (memory) in_use++;
    return memory;
}

static void release(void *memory) {
    if (memory) in_use--;
    free(memory);
}

static void record(fmi2ComponentEnvironment environment, fmi2String instance, fmi2Status status, fmi2String category,
                   fmi2String format, ...) {
    if (host.messages++ >= MESSAGES_KEPT) return;
    recorded_message *message = &host.message[host.messages - 1];
    message->environment = environment;
    message->status = status;
    snprintf(message->instance, sizeof message->instance, "%s", instance);
    snprintf(message->category, sizeof message->category, "%s", category);
    snprintf(message->format, sizeof message->format, "%s", format);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message->text, sizeof message->text, format, arguments);
    va_end(arguments);
}

void limit_allocations(int count) {
    allocations_left = count;
}

int blocks_in_use(void) {
    return in_use;
}

void forget_messages(void) {
    host.messages = 0;
}

int begin_test(void **state) {
    (void)state;
    fake_engine_restore();
    limit_allocations(-1);
    in_use = 0;
    host = (recording_host){.callbacks = {record, allocate, release, NULL, &host}};
    return 0;
}

int end_test(void **state) {
    (void)state;
    return in_use;
}

void assert_logged(const char *category, const char *text) {
    for (int i = 0; i < host.messages && i < MESSAGES_KEPT; i++)
        if (strcmp(host.message[i].category, category) == 0 && strstr(host.message[i].text, text)) return;
    for (int i = 0; i < host.messages && i < MESSAGES_KEPT; i++)
        print_error("logged: [%s] %s\n", host.message[i].category, host.message[i].text);
    fail_msg("not logged: [%s] %s", category, text);
}

void assert_same_real(double actual, double expected) {
    if (memcmp(&actual, &expected, sizeof actual) != 0) fail_msg("%.17g is not %.17g", actual, expected);
}

fmi2Component instantiate(void) {
    fmi2Component component =
        fmi2Instantiate("instance", fmi2CoSimulation, "{fake-guid}", NULL, &host.callbacks, fmi2False, fmi2False);
    assert_non_null(component);
    return component;
}

fmi2Component instance_in(zeno_fmu_state state) {
    fmi2Component component = instantiate();
    if (state == ZENO_INSTANTIATED) return component;
    assert_int_equal(fmi2EnterInitializationMode(component), fmi2OK);
    if (state == ZENO_INITIALIZATION_MODE) return component;
    assert_int_equal(fmi2ExitInitializationMode(component), fmi2OK);
    if (state == ZENO_STEP_COMPLETE) return component;
    if (state == ZENO_TERMINATED) {
        assert_int_equal(fmi2Terminate(component), fmi2OK);
        return component;
    }
    fake_engine.advance = ZENO_FAILED;
    assert_int_equal(fmi2DoStep(component, 0, 1, fmi2True), fmi2Error);
    fake_engine.advance = ZENO_OK;
    forget_messages();
    return component;
}
