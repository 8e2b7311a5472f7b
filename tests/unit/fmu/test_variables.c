// Reading and setting variables: types, value references, access, all or nothing.

#include <fmi2Functions.h>
#include <limits.h>
#include <math.h>

#include "fake_engine.h"
#include "recording_host.h"

static void what_was_set_is_read(void **state) {
    (void)state;
    fmi2Component component = instantiate();
    const fmi2ValueReference reals[] = {INPUT_REAL, START_REAL}, integer = TUNABLE_INTEGER, boolean = FIXED_BOOLEAN;
    fmi2Real read[2];
    fmi2Integer number;
    fmi2Boolean truth;
    assert_int_equal(fmi2SetReal(component, reals, 2, (fmi2Real[]){0.1, -INFINITY}), fmi2OK);
    assert_int_equal(fmi2GetReal(component, reals, 2, read), fmi2OK);
    assert_same_real(read[0], 0.1);
    assert_same_real(read[1], -INFINITY);
    assert_int_equal(fmi2SetInteger(component, &integer, 1, (fmi2Integer[]){INT_MIN}), fmi2OK);
    assert_int_equal(fmi2GetInteger(component, &integer, 1, &number), fmi2OK);
    assert_int_equal(number, INT_MIN);
    assert_int_equal(fmi2SetBoolean(component, &boolean, 1, (fmi2Boolean[]){-7}), fmi2OK);
    assert_int_equal(fmi2GetBoolean(component, &boolean, 1, &truth), fmi2OK);
    assert_int_equal(truth, fmi2True);
    fmi2FreeInstance(component);
}

static void an_unknown_value_reference_is_named(void **state) {
    (void)state;
    fmi2Component component = instantiate();
    const fmi2ValueReference unknown[] = {FAKE_VARIABLES, UINT_MAX};
    fmi2Real value = 42;
    assert_int_equal(fmi2GetReal(component, &unknown[0], 1, &value), fmi2Error);
    assert_string_equal(host.message[0].text, "fmi2GetReal: unknown value reference 11; there are 0 to 10");
    assert_int_equal(fmi2SetReal(component, &unknown[1], 1, &value), fmi2Error);
    assert_logged("logStatusError", "fmi2SetReal: unknown value reference 4294967295");
    assert_same_real(value, 42);
    fmi2FreeInstance(component);
}

static void a_wrong_type_names_variable_reference_and_both_types(void **state) {
    (void)state;
    fmi2Component component = instantiate();
    const fmi2ValueReference closed = OUTPUT_BOOLEAN, impacts = OUTPUT_INTEGER, mass = TUNABLE_REAL;
    fmi2Real real;
    fmi2Boolean boolean;
    assert_int_equal(fmi2GetReal(component, &closed, 1, &real), fmi2Error);
    assert_string_equal(host.message[0].text,
                        "fmi2GetReal: 'c.closed' (value reference 7) is of type Boolean, not Real");
    assert_int_equal(fmi2GetBoolean(component, &impacts, 1, &boolean), fmi2Error);
    assert_logged("logStatusError", "'c.impacts' (value reference 5) is of type Integer, not Boolean");
    assert_int_equal(fmi2SetInteger(component, &mass, 1, (fmi2Integer[]){1}), fmi2Error);
    assert_logged("logStatusError", "fmi2SetInteger: 'm' (value reference 2) is of type Real, not Integer");
    fmi2FreeInstance(component);
}

static void a_refused_set_names_the_variable_and_why(void **state) {
    (void)state;
    fmi2Component component = instance_in(ZENO_STEP_COMPLETE);
    const fmi2ValueReference gap = OUTPUT_REAL, x = START_REAL, length = FIXED_REAL;
    fmi2SetReal(component, &gap, 1, (fmi2Real[]){1});
    assert_logged("logStatusError", "'c.gap' (value reference 4) is computed by the FMU and can't be set");
    fmi2SetReal(component, &x, 1, (fmi2Real[]){1});
    assert_logged("logStatusError", "'x' (value reference 0) is a start value and can't be set in the state 'step "
                                    "complete' (allowed in: instantiated, initialization mode)");
    fmi2SetReal(component, &length, 1, (fmi2Real[]){1});
    assert_logged("logStatusError", "'length' (value reference 1) is a fixed parameter and can't be set");
    fmi2FreeInstance(component);
}

static void one_wrong_reference_and_nothing_is_set_or_read(void **state) {
    (void)state;
    fmi2Component component = instantiate();
    const fmi2ValueReference unknown[] = {INPUT_REAL, 99}, computed[] = {INPUT_REAL, OUTPUT_REAL};
    fmi2Real read[] = {1, 2};
    assert_int_equal(fmi2SetReal(component, unknown, 2, (fmi2Real[]){5, 5}), fmi2Error);
    assert_int_equal(fmi2SetReal(component, computed, 2, (fmi2Real[]){5, 5}), fmi2Error);
    assert_int_equal(fmi2GetReal(component, unknown, 2, read), fmi2Error);
    assert_same_real(read[0], 1);
    assert_int_equal(fmi2GetReal(component, unknown, 1, read), fmi2OK);
    assert_same_real(read[0], 0);
    fmi2FreeInstance(component);
}

static void nothing_can_be_asked_for_without_arrays(void **state) {
    (void)state;
    fmi2Component component = instantiate();
    assert_int_equal(fmi2GetReal(component, NULL, 0, NULL), fmi2OK);
    assert_int_equal(fmi2SetBoolean(component, NULL, 0, NULL), fmi2OK);
    assert_int_equal(fmi2GetInteger(component, NULL, 2, (fmi2Integer[]){0, 0}), fmi2Error);
    assert_logged("logStatusError", "fmi2GetInteger: 2 variables, but an array is NULL");
    assert_int_equal(fmi2SetReal(component, (fmi2ValueReference[]){INPUT_REAL}, 1, NULL), fmi2Error);
    fmi2FreeInstance(component);
}

static void there_are_no_strings(void **state) {
    (void)state;
    fmi2Component component = instantiate();
    const fmi2ValueReference reference = START_REAL;
    fmi2String text = "kept";
    assert_int_equal(fmi2GetString(component, &reference, 0, &text), fmi2OK);
    assert_int_equal(fmi2SetString(component, &reference, 0, &text), fmi2OK);
    assert_int_equal(fmi2GetString(component, &reference, 1, &text), fmi2Error);
    assert_int_equal(fmi2SetString(component, &reference, 1, &text), fmi2Error);
    assert_logged("logStatusError", "no variables of type String");
    assert_string_equal(text, "kept");
    fmi2FreeInstance(component);
}

static void a_number_beyond_the_integers_is_the_last_of_them(void **state) {
    (void)state;
    fmi2Component component = instantiate();
    const fmi2ValueReference impacts = OUTPUT_INTEGER;
    fmi2Integer number;
    fake_engine.output = 1e12;
    assert_int_equal(fmi2GetInteger(component, &impacts, 1, &number), fmi2OK);
    assert_int_equal(number, INT_MAX);
    fake_engine.output = 45;
    assert_int_equal(fmi2GetInteger(component, &impacts, 1, &number), fmi2OK);
    assert_int_equal(number, 45);
    fake_engine.output = -1e300; // from a state that somebody made up
    assert_int_equal(fmi2GetInteger(component, &impacts, 1, &number), fmi2OK);
    assert_int_equal(number, INT_MIN);
    fmi2FreeInstance(component);
}

static fmi2Status read_everything(fmi2Component component) {
    const fmi2ValueReference real = OUTPUT_REAL, integer = OUTPUT_INTEGER, boolean = OUTPUT_BOOLEAN;
    const fmi2Status statuses[] = {
        fmi2GetReal(component, &real, 1, (fmi2Real[]){0}),
        fmi2GetInteger(component, &integer, 1, (fmi2Integer[]){0}),
        fmi2GetBoolean(component, &boolean, 1, (fmi2Boolean[]){0}),
    };
    assert_int_equal(statuses[0], statuses[1]);
    assert_int_equal(statuses[0], statuses[2]);
    return statuses[0];
}

static void a_value_that_cannot_be_had_is_an_error_and_the_run_goes_on(void **state) {
    (void)state;
    fmi2Component component = instance_in(ZENO_STEP_COMPLETE);
    fake_engine.get = ZENO_REFUSED;
    assert_int_equal(read_everything(component), fmi2Error);
    fake_engine.get = ZENO_OK;
    assert_int_equal(read_everything(component), fmi2OK);
    assert_int_equal(fmi2DoStep(component, 0, 1, fmi2True), fmi2OK);
    fmi2FreeInstance(component);
}

static void an_engine_that_fails_to_answer_stops_the_run(void **state) {
    (void)state;
    fmi2Component component = instance_in(ZENO_STEP_COMPLETE);
    fake_engine.get = ZENO_FAILED;
    assert_int_equal(read_everything(component), fmi2Error);
    fake_engine.get = ZENO_OK;
    assert_int_equal(fmi2DoStep(component, 0, 1, fmi2True), fmi2Error);
    assert_logged("logStatusError", "fmi2DoStep: not allowed in the state 'error'");
    fmi2FreeInstance(component);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(what_was_set_is_read),
        TEST(an_unknown_value_reference_is_named),
        TEST(a_wrong_type_names_variable_reference_and_both_types),
        TEST(a_refused_set_names_the_variable_and_why),
        TEST(one_wrong_reference_and_nothing_is_set_or_read),
        TEST(nothing_can_be_asked_for_without_arrays),
        TEST(there_are_no_strings),
        TEST(a_number_beyond_the_integers_is_the_last_of_them),
        TEST(a_value_that_cannot_be_had_is_an_error_and_the_run_goes_on),
        TEST(an_engine_that_fails_to_answer_stops_the_run),
    };
    return cmocka_run_group_tests_name("variables", tests, NULL, NULL);
}
