// Saving and restoring an instance, its bytes, and what is refused as no state of this FMU.

#include <fmi2Functions.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fake_engine.h"
#include "hash.h"
#include "instance.h"
#include "recording_host.h"

enum { ROOM = 1000 };

// Bytes of a saved state.
typedef struct serialized {
    fmi2Byte bytes[ROOM];
    size_t size;
} serialized;

static fmi2FMUstate save(fmi2Component component) {
    fmi2FMUstate saved = NULL;
    assert_int_equal(fmi2GetFMUstate(component, &saved), fmi2OK);
    assert_non_null(saved);
    return saved;
}

static void forget(fmi2Component component, fmi2FMUstate saved) {
    assert_int_equal(fmi2FreeFMUstate(component, &saved), fmi2OK);
    assert_null(saved);
}

static serialized serialize(fmi2Component component) {
    serialized s = {.size = 0};
    fmi2FMUstate saved = save(component);
    assert_int_equal(fmi2SerializedFMUstateSize(component, saved, &s.size), fmi2OK);
    assert_true(s.size > 0 && s.size <= ROOM);
    assert_int_equal(fmi2SerializeFMUstate(component, saved, s.bytes, s.size), fmi2OK);
    forget(component, saved);
    return s;
}

static double input(fmi2Component component) {
    fmi2Real value = NAN;
    assert_int_equal(fmi2GetReal(component, (fmi2ValueReference[]){INPUT_REAL}, 1, &value), fmi2OK);
    return value;
}

static void set_input(fmi2Component component, double value) {
    assert_int_equal(fmi2SetReal(component, (fmi2ValueReference[]){INPUT_REAL}, 1, &value), fmi2OK);
}

static double time_reached(fmi2Component component) {
    fmi2Real time = NAN;
    assert_int_equal(fmi2GetRealStatus(component, fmi2LastSuccessfulTime, &time), fmi2OK);
    return time;
}

static void a_restore_brings_back_values_and_time(void **state) {
    (void)state;
    fmi2Component component = instance_in(ZENO_STEP_COMPLETE);
    set_input(component, 3);
    assert_int_equal(fmi2DoStep(component, 0, 0.5, fmi2True), fmi2OK);
    fmi2FMUstate saved = save(component);
    set_input(component, 4);
    assert_int_equal(fmi2DoStep(component, 0.5, 0.5, fmi2True), fmi2OK);
    assert_int_equal(fmi2SetFMUstate(component, saved), fmi2OK);
    assert_same_real(input(component), 3);
    assert_same_real(time_reached(component), 0.5);
    assert_int_equal(fmi2DoStep(component, 0.5, 0.25, fmi2True), fmi2OK);
    forget(component, saved);
    fmi2FreeInstance(component);
}

static void a_restore_brings_back_the_life_of_the_instance(void **state) {
    (void)state;
    for (int s = 0; s < ZENO_STATES; s++) {
        fmi2Component component = instance_in((zeno_fmu_state)s);
        fmi2FMUstate saved = save(component);
        fmi2Reset(component);
        fmi2EnterInitializationMode(component);
        assert_int_equal(fmi2SetFMUstate(component, saved), fmi2OK);
        assert_int_equal(fmi2EnterInitializationMode(component), s == ZENO_INSTANTIATED ? fmi2OK : fmi2Error);
        assert_int_equal(fmi2Terminate(component), s == ZENO_STEP_COMPLETE ? fmi2OK : fmi2Error);
        forget(component, saved);
        fmi2FreeInstance(component);
    }
}

static void a_restore_leaves_the_error_state(void **state) {
    (void)state;
    fmi2Component component = instance_in(ZENO_STEP_COMPLETE);
    fmi2FMUstate saved = save(component);
    fake_engine.advance = ZENO_FAILED;
    assert_int_equal(fmi2DoStep(component, 0, 1, fmi2True), fmi2Error);
    fake_engine.advance = ZENO_OK;
    assert_int_equal(fmi2DoStep(component, 0, 1, fmi2True), fmi2Error);
    assert_int_equal(fmi2SetFMUstate(component, saved), fmi2OK);
    fmi2Status status = fmi2Pending;
    assert_int_equal(fmi2GetStatus(component, fmi2DoStepStatus, &status), fmi2OK);
    assert_int_equal(status, fmi2OK);
    assert_int_equal(fmi2DoStep(component, 0, 1, fmi2True), fmi2OK);
    forget(component, saved);
    fmi2FreeInstance(component);
}

static void a_restore_brings_back_experiment_and_step_status(void **state) {
    (void)state;
    fmi2Component component = instantiate();
    fmi2SetupExperiment(component, fmi2True, 1e-7, 1, fmi2True, 2);
    fmi2EnterInitializationMode(component);
    fmi2ExitInitializationMode(component);
    assert_int_equal(fmi2DoStep(component, 1, -1, fmi2True), fmi2Error);
    fmi2FMUstate saved = save(component);
    fmi2Reset(component);
    assert_int_equal(fmi2SetFMUstate(component, saved), fmi2OK);
    fmi2Status status = fmi2Pending;
    assert_int_equal(fmi2GetStatus(component, fmi2DoStepStatus, &status), fmi2OK);
    assert_int_equal(status, fmi2Error);
    assert_int_equal(fmi2DoStep(component, 1, 1.5, fmi2True), fmi2Error);
    assert_logged("logStatusError", "goes past stopTime 2");
    assert_int_equal(fmi2DoStep(component, 1, 1, fmi2True), fmi2OK);
    forget(component, saved);
    fmi2FreeInstance(component);
}

static void a_restore_leaves_the_log_alone(void **state) {
    (void)state;
    fmi2Component component = instance_in(ZENO_STEP_COMPLETE);
    fmi2FMUstate saved = save(component);
    fmi2SetDebugLogging(component, fmi2True, 0, NULL);
    assert_int_equal(fmi2SetFMUstate(component, saved), fmi2OK);
    fake_engine_say(ZENO_LOG_EVENTS, "impact");
    assert_logged("logEvents", "impact");
    forget(component, saved);
    fmi2FreeInstance(component);
}

static void a_restore_that_the_engine_fails_at_is_an_error_state(void **state) {
    (void)state;
    fmi2Component component = instance_in(ZENO_STEP_COMPLETE);
    fmi2FMUstate saved = save(component);
    fake_engine.restore = ZENO_FAILED;
    assert_int_equal(fmi2SetFMUstate(component, saved), fmi2Error);
    assert_int_equal(fmi2DoStep(component, 0, 1, fmi2True), fmi2Error);
    assert_logged("logStatusError", "fmi2DoStep: not allowed in the state 'error'");
    fake_engine.restore = ZENO_OK;
    assert_int_equal(fmi2SetFMUstate(component, saved), fmi2OK);
    assert_int_equal(fmi2DoStep(component, 0, 1, fmi2True), fmi2OK);
    forget(component, saved);
    fmi2FreeInstance(component);
}

static void a_state_that_is_there_is_written_over(void **state) {
    (void)state;
    fmi2Component component = instance_in(ZENO_STEP_COMPLETE);
    set_input(component, 1);
    fmi2FMUstate saved = save(component);
    const fmi2FMUstate first = saved;
    const int blocks = blocks_in_use();
    set_input(component, 2);
    assert_int_equal(fmi2GetFMUstate(component, &saved), fmi2OK);
    assert_ptr_equal(saved, first);
    assert_int_equal(blocks_in_use(), blocks);
    set_input(component, 3);
    assert_int_equal(fmi2SetFMUstate(component, saved), fmi2OK);
    assert_same_real(input(component), 2);
    forget(component, saved);
    fmi2FreeInstance(component);
}

static void a_state_outlives_resets_and_serves_another_instance(void **state) {
    (void)state;
    fmi2Component component = instance_in(ZENO_STEP_COMPLETE), other = instantiate();
    set_input(component, 5);
    fmi2FMUstate saved = save(component);
    fmi2Reset(component);
    assert_int_equal(fmi2SetFMUstate(other, saved), fmi2OK);
    assert_same_real(input(other), 5);
    assert_int_equal(fmi2DoStep(other, 0, 1, fmi2True), fmi2OK);
    forget(other, saved);
    fmi2FreeInstance(component);
    fmi2FreeInstance(other);
}

static void bytes_of_one_instance_are_a_state_of_another(void **state) {
    (void)state;
    fmi2Component component = instance_in(ZENO_STEP_COMPLETE), other = instantiate();
    set_input(component, 6);
    assert_int_equal(fmi2DoStep(component, 0, 2, fmi2True), fmi2OK);
    const serialized s = serialize(component);
    fmi2FreeInstance(component);
    fmi2FMUstate saved = NULL;
    assert_int_equal(fmi2DeSerializeFMUstate(other, s.bytes, s.size, &saved), fmi2OK);
    assert_int_equal(fmi2SetFMUstate(other, saved), fmi2OK);
    assert_same_real(input(other), 6);
    assert_same_real(time_reached(other), 2);
    const serialized again = serialize(other);
    assert_int_equal(again.size, s.size);
    assert_memory_equal(again.bytes, s.bytes, s.size);
    forget(other, saved);
    fmi2FreeInstance(other);
}

static void deserializing_into_a_state_that_is_there_writes_over_it(void **state) {
    (void)state;
    fmi2Component component = instance_in(ZENO_STEP_COMPLETE);
    set_input(component, 7);
    const serialized s = serialize(component);
    set_input(component, 8);
    fmi2FMUstate saved = save(component);
    const fmi2FMUstate first = saved;
    assert_int_equal(fmi2DeSerializeFMUstate(component, s.bytes, s.size, &saved), fmi2OK);
    assert_ptr_equal(saved, first);
    assert_int_equal(fmi2SetFMUstate(component, saved), fmi2OK);
    assert_same_real(input(component), 7);
    forget(component, saved);
    fmi2FreeInstance(component);
}

static void bytes_of_another_length_are_refused_with_both_lengths(void **state) {
    (void)state;
    fmi2Component component = instance_in(ZENO_STEP_COMPLETE);
    const serialized s = serialize(component);
    const size_t lengths[] = {0, 1, s.size - 1, s.size + 1};
    for (int i = 0; i < 4; i++) {
        fmi2FMUstate saved = NULL;
        assert_int_equal(fmi2DeSerializeFMUstate(component, s.bytes, lengths[i], &saved), fmi2Error);
        assert_null(saved);
    }
    char text[100];
    snprintf(text, sizeof text, "fmi2DeSerializeFMUstate: a state of %zu bytes, expected %zu", s.size - 1, s.size);
    assert_logged("logStatusError", text);
    fmi2FreeInstance(component);
}

// The engine's own part has its own checks: the fake one looks at its first 8 bytes.
static void damaged_bytes_are_refused_and_leave_everything_as_it_was(void **state) {
    (void)state;
    fmi2Component component = instance_in(ZENO_STEP_COMPLETE);
    set_input(component, 9);
    const serialized s = serialize(component);
    const size_t engine_part = s.size - zeno_saved_size(NULL);
    fmi2FMUstate saved = save(component);
    for (size_t i = 0; i < engine_part + 8; i++) {
        serialized damaged = s;
        damaged.bytes[i] = (fmi2Byte)(damaged.bytes[i] ^ 0x10);
        assert_int_equal(fmi2DeSerializeFMUstate(component, damaged.bytes, damaged.size, &saved), fmi2Error);
    }
    assert_int_equal(host.messages, (int)engine_part + 8);
    assert_logged("logStatusError", "fmi2DeSerializeFMUstate: the state is damaged");
    assert_same_real(input(component), 9);
    assert_int_equal(fmi2SetFMUstate(component, saved), fmi2OK);
    forget(component, saved);
    fmi2FreeInstance(component);
}

// What the FMI layer writes first: its checksum follows.
typedef struct made_up_life {
    zeno_fmu_experiment experiment;
    int32_t state, step_status;
} made_up_life;

static fmi2Status deserialize_with(fmi2Component component, const serialized *s, const made_up_life *life) {
    serialized made_up = *s;
    const uint64_t checksum = zeno_hash(life, sizeof *life);
    memcpy(made_up.bytes, life, sizeof *life);
    memcpy(made_up.bytes + sizeof *life, &checksum, sizeof checksum);
    fmi2FMUstate saved = NULL;
    const fmi2Status status = fmi2DeSerializeFMUstate(component, made_up.bytes, made_up.size, &saved);
    if (saved) forget(component, saved);
    return status;
}

// A checksum is soon made up too.
static void a_life_that_can_not_be_is_refused(void **state) {
    (void)state;
    fmi2Component component = instance_in(ZENO_STEP_COMPLETE);
    const serialized s = serialize(component);
    made_up_life life;
    memcpy(&life, s.bytes, sizeof life);
    assert_int_equal(deserialize_with(component, &s, &life), fmi2OK);
    life.step_status = fmi2Error;
    assert_int_equal(deserialize_with(component, &s, &life), fmi2OK);
    const made_up_life good = life;
    made_up_life bad[7];
    for (int i = 0; i < 7; i++)
        bad[i] = good;
    bad[0].state = -1;
    bad[1].state = ZENO_STATES;
    bad[2].step_status = fmi2Pending;
    bad[3].experiment.start = INFINITY;
    bad[4].experiment.stop = NAN;
    bad[5].experiment.tolerance = -1;
    bad[6].experiment.tolerance = NAN;
    for (int i = 0; i < 7; i++)
        assert_int_equal(deserialize_with(component, &s, &bad[i]), fmi2Error);
    assert_logged("logStatusError", "fmi2DeSerializeFMUstate: the state is damaged");
    fmi2FreeInstance(component);
}

// The host has written into the memory of a state.
static void a_state_that_was_written_to_is_refused(void **state) {
    (void)state;
    fmi2Component component = instance_in(ZENO_STEP_COMPLETE);
    set_input(component, 9);
    fmi2FMUstate saved = save(component);
    set_input(component, 10);
    unsigned char *first_byte = (unsigned char *)saved + sizeof(size_t);
    *first_byte ^= 1;
    assert_int_equal(fmi2SetFMUstate(component, saved), fmi2Error);
    assert_same_real(input(component), 10);
    *first_byte ^= 1;
    assert_int_equal(fmi2SetFMUstate(component, saved), fmi2OK);
    assert_same_real(input(component), 9);
    forget(component, saved);
    fmi2FreeInstance(component);
}

static void the_engines_refusal_is_the_layers(void **state) {
    (void)state;
    fmi2Component component = instance_in(ZENO_STEP_COMPLETE);
    serialized s = serialize(component);
    fmi2FMUstate saved = NULL;
    s.bytes[s.size - zeno_saved_size(NULL)] = '?';
    assert_int_equal(fmi2DeSerializeFMUstate(component, s.bytes, s.size, &saved), fmi2Error);
    assert_logged("logStatusError", "the fake engine won't");
    assert_null(saved);
    fmi2FreeInstance(component);
}

static void without_a_state_or_a_place_for_it_there_is_an_error(void **state) {
    (void)state;
    fmi2Component component = instance_in(ZENO_STEP_COMPLETE);
    const serialized s = serialize(component);
    fmi2FMUstate saved = save(component);
    fmi2Byte room[ROOM];
    size_t size;
    assert_int_equal(fmi2GetFMUstate(component, NULL), fmi2Error);
    assert_logged("logStatusError", "fmi2GetFMUstate: there is no state: it is NULL");
    assert_int_equal(fmi2SetFMUstate(component, NULL), fmi2Error);
    assert_int_equal(fmi2SerializedFMUstateSize(component, NULL, &size), fmi2Error);
    assert_int_equal(fmi2SerializedFMUstateSize(component, saved, NULL), fmi2Error);
    assert_logged("logStatusError", "fmi2SerializedFMUstateSize: there is no place for the size");
    assert_int_equal(fmi2SerializeFMUstate(component, NULL, room, ROOM), fmi2Error);
    assert_int_equal(fmi2DeSerializeFMUstate(component, s.bytes, s.size, NULL), fmi2Error);
    assert_int_equal(fmi2DeSerializeFMUstate(component, NULL, s.size, &saved), fmi2Error);
    assert_logged("logStatusError", "fmi2DeSerializeFMUstate: there are no bytes: they are NULL");
    assert_int_equal(host.messages, 7);
    forget(component, saved);
    fmi2FreeInstance(component);
}

static void too_little_room_for_the_bytes_is_refused_and_nothing_is_written(void **state) {
    (void)state;
    fmi2Component component = instance_in(ZENO_STEP_COMPLETE);
    fmi2FMUstate saved = save(component);
    fmi2Byte room[ROOM] = {0}, untouched[ROOM] = {0};
    size_t size;
    assert_int_equal(fmi2SerializedFMUstateSize(component, saved, &size), fmi2OK);
    assert_int_equal(fmi2SerializeFMUstate(component, saved, room, size - 1), fmi2Error);
    char text[100];
    snprintf(text, sizeof text, "fmi2SerializeFMUstate: room for %zu bytes, expected %zu", size - 1, size);
    assert_logged("logStatusError", text);
    assert_int_equal(fmi2SerializeFMUstate(component, saved, NULL, size), fmi2Error);
    assert_logged("logStatusError", "room for 0 bytes");
    assert_memory_equal(room, untouched, ROOM);
    assert_int_equal(fmi2SerializeFMUstate(component, saved, room, ROOM), fmi2OK);
    assert_memory_equal(room + size, untouched, ROOM - size);
    forget(component, saved);
    fmi2FreeInstance(component);
}

static void freeing_no_state_is_fine(void **state) {
    (void)state;
    fmi2Component component = instance_in(ZENO_STEP_COMPLETE);
    fmi2FMUstate none = NULL;
    assert_int_equal(fmi2FreeFMUstate(component, &none), fmi2OK);
    assert_int_equal(fmi2FreeFMUstate(component, NULL), fmi2OK);
    fmi2FreeInstance(component);
}

static void without_memory_there_is_no_state_and_the_run_goes_on(void **state) {
    (void)state;
    fmi2Component component = instance_in(ZENO_STEP_COMPLETE);
    const serialized s = serialize(component);
    fmi2FMUstate saved = NULL;
    limit_allocations(0);
    assert_int_equal(fmi2GetFMUstate(component, &saved), fmi2Error);
    assert_logged("logStatusError", "fmi2GetFMUstate: not enough memory");
    assert_int_equal(fmi2DeSerializeFMUstate(component, s.bytes, s.size, &saved), fmi2Error);
    assert_logged("logStatusError", "fmi2DeSerializeFMUstate: not enough memory");
    assert_null(saved);
    assert_int_equal(fmi2DoStep(component, 0, 1, fmi2True), fmi2OK);
    fmi2FreeInstance(component);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_restore_brings_back_values_and_time),
        TEST(a_restore_brings_back_the_life_of_the_instance),
        TEST(a_restore_leaves_the_error_state),
        TEST(a_restore_brings_back_experiment_and_step_status),
        TEST(a_restore_leaves_the_log_alone),
        TEST(a_restore_that_the_engine_fails_at_is_an_error_state),
        TEST(a_state_that_is_there_is_written_over),
        TEST(a_state_outlives_resets_and_serves_another_instance),
        TEST(bytes_of_one_instance_are_a_state_of_another),
        TEST(deserializing_into_a_state_that_is_there_writes_over_it),
        TEST(bytes_of_another_length_are_refused_with_both_lengths),
        TEST(damaged_bytes_are_refused_and_leave_everything_as_it_was),
        TEST(a_life_that_can_not_be_is_refused),
        TEST(a_state_that_was_written_to_is_refused),
        TEST(the_engines_refusal_is_the_layers),
        TEST(without_a_state_or_a_place_for_it_there_is_an_error),
        TEST(too_little_room_for_the_bytes_is_refused_and_nothing_is_written),
        TEST(freeing_no_state_is_fine),
        TEST(without_memory_there_is_no_state_and_the_run_goes_on),
    };
    return cmocka_run_group_tests_name("saved state", tests, NULL, NULL);
}
