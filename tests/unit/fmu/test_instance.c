// Instantiation, memory, the experiment, initialization, termination and reset.

#include <fmi2Functions.h>
#include <math.h>
#include <string.h>

#include "fake_engine.h"
#include "recording_host.h"

static fmi2Component instantiate_as(fmi2String name, fmi2Type type, fmi2String guid) {
    return fmi2Instantiate(name, type, guid, "file:///nowhere", &host.callbacks, fmi2False, fmi2False);
}

static void the_platform_and_the_version_are_those_of_fmi_2(void **state) {
    (void)state;
    assert_string_equal(fmi2GetTypesPlatform(), "default");
    assert_string_equal(fmi2GetVersion(), "2.0");
}

static void a_wrong_guid_is_refused_and_both_are_shown(void **state) {
    (void)state;
    assert_null(instantiate_as("i", fmi2CoSimulation, "{other}"));
    assert_logged("logStatusError", "fmi2Instantiate: wrong GUID: this FMU (Fake) has '{fake-guid}'");
    assert_logged("logStatusError", "'{other}'");
    assert_null(instantiate_as("i", fmi2CoSimulation, NULL));
}

static void a_guid_of_any_length_is_refused_in_a_short_message(void **state) {
    (void)state;
    char guid[5000];
    memset(guid, 'g', sizeof guid - 1);
    guid[sizeof guid - 1] = '\0';
    assert_null(instantiate_as("i", fmi2CoSimulation, guid));
    assert_true(strlen(host.message[0].text) < ZENO_MESSAGE_SIZE);
}

static void model_exchange_is_refused(void **state) {
    (void)state;
    assert_null(instantiate_as("i", fmi2ModelExchange, "{fake-guid}"));
    assert_logged("logStatusError", "co-simulation only");
}

static void an_instance_without_a_name_is_refused(void **state) {
    (void)state;
    assert_null(instantiate_as(NULL, fmi2CoSimulation, "{fake-guid}"));
    assert_null(instantiate_as("", fmi2CoSimulation, "{fake-guid}"));
    assert_int_equal(host.messages, 2);
    assert_logged("logStatusError", "no name");
}

static void without_callbacks_there_is_no_instance_and_nobody_to_tell(void **state) {
    (void)state;
    assert_null(fmi2Instantiate("i", fmi2CoSimulation, "{fake-guid}", NULL, NULL, fmi2False, fmi2True));
}

static void the_name_is_copied_and_may_hold_any_bytes(void **state) {
    (void)state;
    char name[] = "\xff %s%n \x01\xc3\xa4";
    fmi2Component component = instantiate_as(name, fmi2CoSimulation, "{fake-guid}");
    memset(name, 'x', sizeof name - 1);
    fmi2ExitInitializationMode(component);
    assert_string_equal(host.message[0].instance, "\xff %s%n \x01\xc3\xa4");
    fmi2FreeInstance(component);
}

static void every_allocation_may_fail_and_nothing_is_lost(void **state) {
    (void)state;
    for (int count = 0; count < 3; count++) {
        forget_messages();
        limit_allocations(count);
        assert_null(instantiate_as("i", fmi2CoSimulation, "{fake-guid}"));
        assert_logged("logStatusError", "not enough memory");
        assert_int_equal(blocks_in_use(), 0);
    }
    limit_allocations(3);
    fmi2Component component = instantiate_as("i", fmi2CoSimulation, "{fake-guid}");
    assert_non_null(component);
    assert_int_equal(blocks_in_use(), 3);
    fmi2FreeInstance(component);
    assert_int_equal(blocks_in_use(), 0);
}

static void without_both_memory_callbacks_the_c_library_serves(void **state) {
    (void)state;
    limit_allocations(0);
    host.callbacks.freeMemory = NULL;
    fmi2FreeInstance(instantiate());
    host.callbacks.allocateMemory = NULL;
    fmi2FreeInstance(instantiate());
}

static void the_callbacks_may_be_gone_after_instantiation(void **state) {
    (void)state;
    fmi2Component component = instantiate();
    memset(&host.callbacks, 0, sizeof host.callbacks);
    fmi2ExitInitializationMode(component);
    assert_int_equal(host.messages, 1);
    fmi2FreeInstance(component);
}

static void an_instance_is_freed_in_any_state(void **state) {
    (void)state;
    for (int s = 0; s < ZENO_STATES; s++)
        fmi2FreeInstance(instance_in((zeno_fmu_state)s));
    fmi2FreeInstance(NULL);
    assert_int_equal(blocks_in_use(), 0);
}

static void the_experiment_reaches_the_engine(void **state) {
    (void)state;
    fmi2Component component = instantiate();
    assert_int_equal(fmi2SetupExperiment(component, fmi2True, 1e-7, -2.5, fmi2True, 3), fmi2OK);
    fmi2EnterInitializationMode(component);
    assert_int_equal(fmi2ExitInitializationMode(component), fmi2OK);
    assert_same_real(fake_engine.start_time, -2.5);
    assert_same_real(fake_engine.tolerance, 1e-7);
    fmi2FreeInstance(component);
}

static void without_an_experiment_time_starts_at_0_with_no_tolerance(void **state) {
    (void)state;
    fake_engine.start_time = fake_engine.tolerance = NAN;
    fmi2Component component = instance_in(ZENO_STEP_COMPLETE);
    assert_same_real(fake_engine.start_time, 0);
    assert_same_real(fake_engine.tolerance, 0);
    assert_int_equal(fmi2DoStep(component, 0, 1e300, fmi2True), fmi2OK);
    fmi2FreeInstance(component);
}

static void an_impossible_experiment_is_refused_and_changes_nothing(void **state) {
    (void)state;
    fmi2Component component = instantiate();
    assert_int_equal(fmi2SetupExperiment(component, fmi2True, 1e-7, 1, fmi2True, 2), fmi2OK);
    assert_int_equal(fmi2SetupExperiment(component, fmi2False, 0, NAN, fmi2False, 0), fmi2Error);
    assert_logged("logStatusError", "startTime nan is not finite");
    assert_int_equal(fmi2SetupExperiment(component, fmi2False, 0, 0, fmi2True, NAN), fmi2Error);
    assert_int_equal(fmi2SetupExperiment(component, fmi2False, 0, 3, fmi2True, 2), fmi2Error);
    assert_logged("logStatusError", "stopTime 2 is before startTime 3");
    fmi2EnterInitializationMode(component);
    fmi2ExitInitializationMode(component);
    assert_same_real(fake_engine.start_time, 1);
    assert_same_real(fake_engine.tolerance, 1e-7);
    fmi2FreeInstance(component);
}

static void an_experiment_may_last_no_time_or_for_ever(void **state) {
    (void)state;
    fmi2Component component = instantiate();
    assert_int_equal(fmi2SetupExperiment(component, fmi2False, 0, 3, fmi2True, 3), fmi2OK);
    assert_int_equal(fmi2SetupExperiment(component, fmi2False, 0, 3, fmi2True, INFINITY), fmi2OK);
    fmi2FreeInstance(component);
}

static void an_unusable_tolerance_is_a_warning_and_means_none(void **state) {
    (void)state;
    const double unusable[] = {NAN, INFINITY, 0, -1e-6};
    for (int i = 0; i < 4; i++) {
        fmi2Component component = instantiate();
        forget_messages();
        fmi2SetDebugLogging(component, fmi2True, 0, NULL);
        assert_int_equal(fmi2SetupExperiment(component, fmi2True, unusable[i], 0, fmi2False, 0), fmi2OK);
        assert_logged("logStatusWarning", "fmi2SetupExperiment: tolerance");
        assert_int_equal(host.message[0].status, fmi2Warning);
        fmi2EnterInitializationMode(component);
        fmi2ExitInitializationMode(component);
        assert_same_real(fake_engine.tolerance, 0);
        fmi2FreeInstance(component);
    }
}

static void a_refused_initialization_can_be_corrected(void **state) {
    (void)state;
    fmi2Component component = instance_in(ZENO_INITIALIZATION_MODE);
    fake_engine.initialize = ZENO_REFUSED;
    assert_int_equal(fmi2ExitInitializationMode(component), fmi2Error);
    assert_logged("logStatusError", "the fake engine won't");
    fake_engine.initialize = ZENO_OK;
    assert_int_equal(fmi2SetReal(component, (fmi2ValueReference[]){START_REAL}, 1, (double[]){1}), fmi2OK);
    assert_int_equal(fmi2ExitInitializationMode(component), fmi2OK);
    fmi2FreeInstance(component);
}

static void a_failed_initialization_needs_a_reset(void **state) {
    (void)state;
    fmi2Component component = instance_in(ZENO_INITIALIZATION_MODE);
    fake_engine.initialize = ZENO_FAILED;
    assert_int_equal(fmi2ExitInitializationMode(component), fmi2Error);
    assert_int_equal(fmi2ExitInitializationMode(component), fmi2Error);
    assert_logged("logStatusError", "not allowed in the state 'error'");
    assert_int_equal(fmi2Reset(component), fmi2OK);
    assert_int_equal(fmi2EnterInitializationMode(component), fmi2OK);
    fmi2FreeInstance(component);
}

static void terminate_logs_the_work_of_the_solver(void **state) {
    (void)state;
    fmi2Component component = instance_in(ZENO_STEP_COMPLETE);
    fmi2SetDebugLogging(component, fmi2True, 0, NULL);
    assert_int_equal(fmi2Terminate(component), fmi2OK);
    assert_string_equal(host.message[0].category, "logSolver");
    assert_string_equal(host.message[0].text, "solver: 1200 steps, 2500 evaluations, 45 starts");
    fmi2FreeInstance(component);
}

static void reset_forgets_values_experiment_and_logging(void **state) {
    (void)state;
    for (int s = 0; s < ZENO_STATES; s++) {
        fmi2Component component = instance_in((zeno_fmu_state)s);
        fmi2SetDebugLogging(component, fmi2True, 0, NULL);
        if (s == ZENO_INSTANTIATED) fmi2SetupExperiment(component, fmi2True, 1e-5, 4, fmi2True, 5);
        forget_messages();
        assert_int_equal(fmi2Reset(component), fmi2OK);
        assert_int_equal(fake_engine.resets, s + 1);
        fmi2EnterInitializationMode(component);
        fmi2ExitInitializationMode(component);
        assert_same_real(fake_engine.start_time, 0);
        assert_same_real(fake_engine.tolerance, 0);
        assert_int_equal(fmi2DoStep(component, 0, 100, fmi2True), fmi2OK);
        fmi2Terminate(component);
        assert_int_equal(host.messages, 0);
        fmi2FreeInstance(component);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(the_platform_and_the_version_are_those_of_fmi_2),
        TEST(a_wrong_guid_is_refused_and_both_are_shown),
        TEST(a_guid_of_any_length_is_refused_in_a_short_message),
        TEST(model_exchange_is_refused),
        TEST(an_instance_without_a_name_is_refused),
        TEST(without_callbacks_there_is_no_instance_and_nobody_to_tell),
        TEST(the_name_is_copied_and_may_hold_any_bytes),
        TEST(every_allocation_may_fail_and_nothing_is_lost),
        TEST(without_both_memory_callbacks_the_c_library_serves),
        TEST(the_callbacks_may_be_gone_after_instantiation),
        TEST(an_instance_is_freed_in_any_state),
        TEST(the_experiment_reaches_the_engine),
        TEST(without_an_experiment_time_starts_at_0_with_no_tolerance),
        TEST(an_impossible_experiment_is_refused_and_changes_nothing),
        TEST(an_experiment_may_last_no_time_or_for_ever),
        TEST(an_unusable_tolerance_is_a_warning_and_means_none),
        TEST(a_refused_initialization_can_be_corrected),
        TEST(a_failed_initialization_needs_a_reset),
        TEST(terminate_logs_the_work_of_the_solver),
        TEST(reset_forgets_values_experiment_and_logging),
    };
    return cmocka_run_group_tests_name("instance", tests, NULL, NULL);
}
