// fmi2DoStep and what it refuses, and the status functions.

#include <float.h>
#include <fmi2Functions.h>
#include <math.h>

#include "fake_engine.h"
#include "recording_host.h"

static double time_reached(fmi2Component component) {
    fmi2Real time = NAN;
    assert_int_equal(fmi2GetRealStatus(component, fmi2LastSuccessfulTime, &time), fmi2OK);
    return time;
}

static fmi2Status step_status(fmi2Component component) {
    fmi2Status status = fmi2Pending;
    assert_int_equal(fmi2GetStatus(component, fmi2DoStepStatus, &status), fmi2OK);
    return status;
}

static void a_step_ends_at_the_sum_of_point_and_size(void **state) {
    (void)state;
    fmi2Component component = instance_in(ZENO_STEP_COMPLETE);
    double time = 0;
    for (int i = 0; i < 1000; i++) {
        assert_int_equal(fmi2DoStep(component, time, 0.1, fmi2False), fmi2OK);
        time += 0.1;
        assert_same_real(time_reached(component), time);
    }
    fmi2FreeInstance(component);
}

static void a_step_size_that_is_none_is_refused_and_the_run_goes_on(void **state) {
    (void)state;
    fmi2Component component = instance_in(ZENO_STEP_COMPLETE);
    const double sizes[] = {0, -0.1, NAN, INFINITY, -INFINITY};
    assert_int_equal(fmi2DoStep(component, 0, 1, fmi2True), fmi2OK);
    for (int i = 0; i < 5; i++) {
        forget_messages();
        assert_int_equal(fmi2DoStep(component, 1, sizes[i], fmi2True), fmi2Error);
        assert_logged("logStatusError", "fmi2DoStep: communicationStepSize");
        assert_same_real(time_reached(component), 1);
        assert_int_equal(step_status(component), fmi2Error);
    }
    assert_int_equal(fmi2DoStep(component, 1, 0.5, fmi2True), fmi2OK);
    assert_int_equal(step_status(component), fmi2OK);
    fmi2FreeInstance(component);
}

static void the_host_clock_may_be_off_by_a_billionth(void **state) {
    (void)state;
    fmi2Component component = instance_in(ZENO_STEP_COMPLETE);
    assert_int_equal(fmi2DoStep(component, 0, 100, fmi2True), fmi2OK);
    assert_int_equal(fmi2DoStep(component, 100 + 0.9e-7, 1, fmi2True), fmi2OK);
    assert_same_real(time_reached(component), 100 + 0.9e-7 + 1);
    assert_int_equal(fmi2DoStep(component, 101 - 0.9e-9, 1, fmi2True), fmi2OK);
    assert_same_real(time_reached(component), 101 - 0.9e-9 + 1);
    fmi2FreeInstance(component);
}

static void a_point_too_far_off_is_refused_with_both_times(void **state) {
    (void)state;
    fmi2Component component = instance_in(ZENO_STEP_COMPLETE);
    const double points[] = {100 + 1.1e-7, 100 - 1.1e-7, 0, NAN, INFINITY};
    assert_int_equal(fmi2DoStep(component, 0, 100, fmi2True), fmi2OK);
    for (int i = 0; i < 5; i++)
        assert_int_equal(fmi2DoStep(component, points[i], 1e-3, fmi2True), fmi2Error);
    assert_logged("logStatusError", "currentCommunicationPoint 0 is not the time reached, 100");
    assert_same_real(time_reached(component), 100);
    fmi2FreeInstance(component);
}

static void a_tiny_step_of_a_late_host_stands_still(void **state) {
    (void)state;
    fmi2Component component = instance_in(ZENO_STEP_COMPLETE);
    assert_int_equal(fmi2DoStep(component, 0, 100, fmi2True), fmi2OK);
    assert_int_equal(fmi2DoStep(component, 100 - 5e-8, 1e-8, fmi2True), fmi2OK);
    assert_same_real(time_reached(component), 100);
    assert_int_equal(fmi2DoStep(component, 100, 1e-20, fmi2True), fmi2OK);
    assert_same_real(time_reached(component), 100);
    fmi2FreeInstance(component);
}

static void a_step_past_the_stop_time_is_refused(void **state) {
    (void)state;
    fmi2Component component = instantiate();
    fmi2SetupExperiment(component, fmi2False, 0, 0, fmi2True, 1);
    fmi2EnterInitializationMode(component);
    fmi2ExitInitializationMode(component);
    assert_int_equal(fmi2DoStep(component, 0, 1.001, fmi2True), fmi2Error);
    assert_logged("logStatusError", "goes past stopTime 1");
    assert_same_real(time_reached(component), 0);
    assert_int_equal(fmi2DoStep(component, 0, 1 + 0.9e-9, fmi2True), fmi2OK);
    fmi2FreeInstance(component);
}

static void a_step_past_the_largest_number_is_refused(void **state) {
    (void)state;
    fmi2Component component = instance_in(ZENO_STEP_COMPLETE);
    assert_int_equal(fmi2DoStep(component, 0, DBL_MAX, fmi2True), fmi2OK);
    assert_int_equal(fmi2DoStep(component, DBL_MAX, DBL_MAX, fmi2True), fmi2Error);
    assert_same_real(time_reached(component), DBL_MAX);
    fmi2FreeInstance(component);
}

static void a_step_that_the_engine_refuses_can_be_tried_again(void **state) {
    (void)state;
    fmi2Component component = instance_in(ZENO_STEP_COMPLETE);
    fake_engine.advance = ZENO_REFUSED;
    assert_int_equal(fmi2DoStep(component, 0, 1, fmi2True), fmi2Error);
    assert_logged("logStatusError", "the fake engine won't");
    assert_int_equal(step_status(component), fmi2Error);
    fake_engine.advance = ZENO_OK;
    assert_int_equal(fmi2DoStep(component, 0, 1, fmi2True), fmi2OK);
    fmi2FreeInstance(component);
}

static void after_a_failed_step_values_and_status_are_still_read(void **state) {
    (void)state;
    fmi2Component component = instance_in(ZENO_STEP_COMPLETE);
    assert_int_equal(fmi2DoStep(component, 0, 0.25, fmi2True), fmi2OK);
    fake_engine.advance = ZENO_FAILED;
    assert_int_equal(fmi2DoStep(component, 0.25, 1, fmi2True), fmi2Error);
    fake_engine.advance = ZENO_OK;
    assert_int_equal(fmi2DoStep(component, 0.25, 1, fmi2True), fmi2Error);
    assert_logged("logStatusError", "fmi2DoStep: not allowed in the state 'error'");
    assert_same_real(time_reached(component), 0.25);
    assert_int_equal(step_status(component), fmi2Error);
    assert_int_equal(fmi2GetReal(component, (fmi2ValueReference[]){OUTPUT_REAL}, 1, (fmi2Real[]){0}), fmi2OK);
    fmi2FreeInstance(component);
}

static void nothing_is_pending_and_the_fmu_never_terminates(void **state) {
    (void)state;
    fmi2Component component = instance_in(ZENO_STEP_COMPLETE);
    fmi2Boolean terminated = fmi2True;
    fmi2String pending = NULL;
    assert_int_equal(fmi2GetBooleanStatus(component, fmi2Terminated, &terminated), fmi2OK);
    assert_int_equal(terminated, fmi2False);
    assert_int_equal(fmi2GetStringStatus(component, fmi2PendingStatus, &pending), fmi2OK);
    assert_string_equal(pending, "");
    fmi2FreeInstance(component);
}

static void a_status_of_another_kind_is_discarded(void **state) {
    (void)state;
    fmi2Component component = instance_in(ZENO_STEP_COMPLETE);
    fmi2SetDebugLogging(component, fmi2True, 0, NULL);
    assert_int_equal(fmi2GetStatus(component, fmi2PendingStatus, (fmi2Status[]){fmi2OK}), fmi2Discard);
    assert_logged("logStatusWarning", "fmi2GetStatus: has no answer for the status kind 1");
    assert_int_equal(fmi2GetRealStatus(component, fmi2DoStepStatus, (fmi2Real[]){0}), fmi2Discard);
    assert_int_equal(fmi2GetIntegerStatus(component, fmi2DoStepStatus, (fmi2Integer[]){0}), fmi2Discard);
    assert_int_equal(fmi2GetBooleanStatus(component, fmi2DoStepStatus, (fmi2Boolean[]){0}), fmi2Discard);
    assert_int_equal(fmi2GetStringStatus(component, fmi2Terminated, (fmi2String[]){NULL}), fmi2Discard);
    fmi2FreeInstance(component);
}

static void a_status_needs_a_place(void **state) {
    (void)state;
    fmi2Component component = instance_in(ZENO_STEP_COMPLETE);
    assert_int_equal(fmi2GetStatus(component, fmi2DoStepStatus, NULL), fmi2Error);
    assert_int_equal(fmi2GetRealStatus(component, fmi2LastSuccessfulTime, NULL), fmi2Error);
    assert_int_equal(fmi2GetIntegerStatus(component, fmi2DoStepStatus, NULL), fmi2Error);
    assert_int_equal(fmi2GetBooleanStatus(component, fmi2Terminated, NULL), fmi2Error);
    assert_int_equal(fmi2GetStringStatus(component, fmi2PendingStatus, NULL), fmi2Error);
    assert_int_equal(host.messages, 5);
    fmi2FreeInstance(component);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_step_ends_at_the_sum_of_point_and_size),
        TEST(a_step_size_that_is_none_is_refused_and_the_run_goes_on),
        TEST(the_host_clock_may_be_off_by_a_billionth),
        TEST(a_point_too_far_off_is_refused_with_both_times),
        TEST(a_tiny_step_of_a_late_host_stands_still),
        TEST(a_step_past_the_stop_time_is_refused),
        TEST(a_step_past_the_largest_number_is_refused),
        TEST(a_step_that_the_engine_refuses_can_be_tried_again),
        TEST(after_a_failed_step_values_and_status_are_still_read),
        TEST(nothing_is_pending_and_the_fmu_never_terminates),
        TEST(a_status_of_another_kind_is_discarded),
        TEST(a_status_needs_a_place),
    };
    return cmocka_run_group_tests_name("step", tests, NULL, NULL);
}
