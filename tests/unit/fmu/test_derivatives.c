// Directional derivatives, and time derivatives of inputs and outputs: what reaches the engine, and what is refused.

#include <fmi2Functions.h>
#include <math.h>

#include "fake_engine.h"
#include "recording_host.h"

static const fmi2ValueReference OUTPUTS[] = {OUTPUT_REAL, START_REAL};
static const fmi2ValueReference INPUTS[] = {OTHER_INPUT_REAL, INPUT_REAL};

static void a_directional_derivative_is_along_all_the_changes(void **state) {
    (void)state;
    fmi2Component component = instance_in(ZENO_STEP_COMPLETE);
    fmi2Real change[2] = {NAN, NAN};
    assert_int_equal(fmi2GetDirectionalDerivative(component, OUTPUTS, 2, INPUTS, 2, (fmi2Real[]){3, 5}, change),
                     fmi2OK);
    assert_same_real(change[0], fake_change(OUTPUT_REAL, (double[]){5, 3}));
    assert_same_real(change[1], fake_change(START_REAL, (double[]){5, 3}));
    assert_int_equal(fmi2GetDirectionalDerivative(component, OUTPUTS, 1, INPUTS, 1, (fmi2Real[]){2}, change), fmi2OK);
    assert_same_real(change[0], fake_change(OUTPUT_REAL, (double[]){0, 2}));
    fmi2FreeInstance(component);
}

static void an_input_that_is_named_twice_changes_by_the_sum(void **state) {
    (void)state;
    fmi2Component component = instance_in(ZENO_STEP_COMPLETE);
    const fmi2ValueReference twice[] = {INPUT_REAL, INPUT_REAL};
    fmi2Real change = NAN;
    assert_int_equal(fmi2GetDirectionalDerivative(component, OUTPUTS, 1, twice, 2, (fmi2Real[]){3, 5}, &change),
                     fmi2OK);
    assert_same_real(change, fake_change(OUTPUT_REAL, (double[]){8, 0}));
    fmi2FreeInstance(component);
}

static void nothing_known_changes_nothing_and_nothing_unknown_needs_no_place(void **state) {
    (void)state;
    fmi2Component component = instance_in(ZENO_STEP_COMPLETE);
    fmi2Real change = NAN;
    assert_int_equal(fmi2GetDirectionalDerivative(component, OUTPUTS, 1, NULL, 0, NULL, &change), fmi2OK);
    assert_same_real(change, 0);
    assert_int_equal(fmi2GetDirectionalDerivative(component, NULL, 0, INPUTS, 2, (fmi2Real[]){1, 1}, NULL), fmi2OK);
    fmi2FreeInstance(component);
}

static fmi2Status directional(fmi2Component component, fmi2ValueReference unknown, fmi2ValueReference known) {
    fmi2Real change = 42;
    const fmi2Status status = fmi2GetDirectionalDerivative(component, &unknown, 1, &known, 1, (fmi2Real[]){1}, &change);
    if (status != fmi2OK) assert_same_real(change, 42);
    return status;
}

static void a_directional_derivative_is_of_outputs_along_inputs(void **state) {
    (void)state;
    fmi2Component component = instance_in(ZENO_STEP_COMPLETE);
    assert_int_equal(directional(component, OUTPUT_REAL, TUNABLE_REAL), fmi2Error);
    assert_logged("logStatusError", "fmi2GetDirectionalDerivative: 'm' (value reference 2) is not an input");
    assert_int_equal(directional(component, TUNABLE_REAL, INPUT_REAL), fmi2Error);
    assert_logged("logStatusError", "'m' (value reference 2) is not an output that has derivatives");
    assert_int_equal(directional(component, INPUT_REAL, INPUT_REAL), fmi2Error);
    assert_int_equal(directional(component, RADIUS_REAL, INPUT_REAL), fmi2Error);
    assert_logged("logStatusError", "'c.stability.positionRadius' (value reference 10) is not an output");
    assert_int_equal(directional(component, OUTPUT_INTEGER, INPUT_REAL), fmi2Error);
    assert_logged("logStatusError", "'c.impacts' (value reference 5) is of type Integer, not Real");
    assert_int_equal(directional(component, OUTPUT_REAL, OUTPUT_BOOLEAN), fmi2Error);
    assert_int_equal(directional(component, FAKE_VARIABLES, INPUT_REAL), fmi2Error);
    assert_int_equal(directional(component, OUTPUT_REAL, FAKE_VARIABLES), fmi2Error);
    assert_int_equal(host.messages, 8);
    assert_int_equal(directional(component, OUTPUT_REAL, INPUT_REAL), fmi2OK);
    fmi2FreeInstance(component);
}

static void a_directional_derivative_needs_its_arrays(void **state) {
    (void)state;
    fmi2Component component = instance_in(ZENO_STEP_COMPLETE);
    fmi2Real one = 1, change;
    assert_int_equal(fmi2GetDirectionalDerivative(component, NULL, 1, INPUTS, 1, &one, &change), fmi2Error);
    assert_int_equal(fmi2GetDirectionalDerivative(component, OUTPUTS, 1, INPUTS, 1, &one, NULL), fmi2Error);
    assert_int_equal(fmi2GetDirectionalDerivative(component, OUTPUTS, 1, NULL, 1, &one, &change), fmi2Error);
    assert_int_equal(fmi2GetDirectionalDerivative(component, OUTPUTS, 1, INPUTS, 1, NULL, &change), fmi2Error);
    assert_int_equal(host.messages, 4);
    assert_logged("logStatusError", "fmi2GetDirectionalDerivative: 1 variables, but an array is NULL");
    fmi2FreeInstance(component);
}

static void input_derivatives_reach_the_engine(void **state) {
    (void)state;
    fmi2Component component = instance_in(ZENO_STEP_COMPLETE);
    const fmi2ValueReference inputs[] = {INPUT_REAL, OTHER_INPUT_REAL, INPUT_REAL};
    const fmi2Integer orders[] = {1, ZENO_INPUT_ORDERS - 1, 2};
    assert_int_equal(fmi2SetRealInputDerivatives(component, inputs, 3, orders, (fmi2Real[]){0.1, 0.2, 0.3}), fmi2OK);
    assert_same_real(fake_engine.input_derivative[0][1], 0.1);
    assert_same_real(fake_engine.input_derivative[1][ZENO_INPUT_ORDERS - 1], 0.2);
    assert_same_real(fake_engine.input_derivative[0][2], 0.3);
    assert_int_equal(fmi2SetRealInputDerivatives(component, NULL, 0, NULL, NULL), fmi2OK);
    fmi2FreeInstance(component);
}

static fmi2Status set_derivative(fmi2Component component, fmi2ValueReference reference, fmi2Integer order) {
    return fmi2SetRealInputDerivatives(component, &reference, 1, &order, (fmi2Real[]){1});
}

static void only_inputs_have_derivatives_that_can_be_set(void **state) {
    (void)state;
    fmi2Component component = instantiate();
    assert_int_equal(set_derivative(component, TUNABLE_REAL, 1), fmi2Error);
    assert_logged("logStatusError", "fmi2SetRealInputDerivatives: 'm' (value reference 2) is not an input");
    assert_int_equal(set_derivative(component, OUTPUT_REAL, 1), fmi2Error);
    assert_int_equal(set_derivative(component, OUTPUT_INTEGER, 1), fmi2Error);
    assert_int_equal(set_derivative(component, FAKE_VARIABLES, 1), fmi2Error);
    assert_int_equal(host.messages, 4);
    fmi2FreeInstance(component);
}

static void an_order_out_of_range_is_named_and_nothing_is_set(void **state) {
    (void)state;
    fmi2Component component = instance_in(ZENO_STEP_COMPLETE);
    const fmi2Integer wrong[] = {0, -1, ZENO_INPUT_ORDERS};
    for (int i = 0; i < 3; i++)
        assert_int_equal(set_derivative(component, INPUT_REAL, wrong[i]), fmi2Error);
    assert_logged("logStatusError", "fmi2SetRealInputDerivatives: order 0 for 'F', expected 1 to 7");
    const fmi2Integer second_wrong[] = {1, 99};
    assert_int_equal(fmi2SetRealInputDerivatives(component, INPUTS, 2, second_wrong, (fmi2Real[]){1, 1}), fmi2Error);
    assert_same_real(fake_engine.input_derivative[1][1], 0);
    assert_int_equal(fmi2SetRealInputDerivatives(component, INPUTS, 1, NULL, (fmi2Real[]){1}), fmi2Error);
    assert_logged("logStatusError", "the array of orders is NULL");
    assert_int_equal(fmi2SetRealInputDerivatives(component, INPUTS, 1, (fmi2Integer[]){1}, NULL), fmi2Error);
    fmi2FreeInstance(component);
}

static void output_derivatives_are_along_the_motion(void **state) {
    (void)state;
    fmi2Component component = instance_in(ZENO_STEP_COMPLETE);
    fmi2Real rate[2] = {NAN, NAN};
    assert_int_equal(fmi2GetRealOutputDerivatives(component, OUTPUTS, 2, (fmi2Integer[]){1, 1}, rate), fmi2OK);
    assert_same_real(rate[0], fake_rate(OUTPUT_REAL));
    assert_same_real(rate[1], fake_rate(START_REAL));
    assert_int_equal(fmi2GetRealOutputDerivatives(component, NULL, 0, NULL, NULL), fmi2OK);
    fmi2FreeInstance(component);
}

static fmi2Status get_derivative(fmi2Component component, fmi2ValueReference reference, fmi2Integer order) {
    fmi2Real rate = 42;
    const fmi2Status status = fmi2GetRealOutputDerivatives(component, &reference, 1, &order, &rate);
    if (status != fmi2OK) assert_same_real(rate, 42);
    return status;
}

static void only_outputs_have_derivatives_of_order_1(void **state) {
    (void)state;
    fmi2Component component = instance_in(ZENO_STEP_COMPLETE);
    assert_int_equal(get_derivative(component, OUTPUT_REAL, 2), fmi2Error);
    assert_logged("logStatusError", "fmi2GetRealOutputDerivatives: order 2 for 'c.gap', expected 1 to 1");
    assert_int_equal(get_derivative(component, OUTPUT_REAL, 0), fmi2Error);
    assert_int_equal(get_derivative(component, INPUT_REAL, 1), fmi2Error);
    assert_int_equal(get_derivative(component, FIXED_REAL, 1), fmi2Error);
    assert_int_equal(get_derivative(component, RADIUS_REAL, 1), fmi2Error);
    assert_int_equal(get_derivative(component, OUTPUT_BOOLEAN, 1), fmi2Error);
    assert_int_equal(get_derivative(component, FAKE_VARIABLES, 1), fmi2Error);
    assert_int_equal(fmi2GetRealOutputDerivatives(component, OUTPUTS, 1, NULL, (fmi2Real[]){0}), fmi2Error);
    assert_logged("logStatusError", "fmi2GetRealOutputDerivatives: the array of orders is NULL");
    assert_int_equal(fmi2GetRealOutputDerivatives(component, OUTPUTS, 1, (fmi2Integer[]){1}, NULL), fmi2Error);
    fmi2FreeInstance(component);
}

static void a_derivative_that_cannot_be_had_is_an_error_and_the_run_goes_on(void **state) {
    (void)state;
    fmi2Component component = instance_in(ZENO_STEP_COMPLETE);
    fake_engine.along = ZENO_REFUSED;
    assert_int_equal(directional(component, OUTPUT_REAL, INPUT_REAL), fmi2Error);
    assert_int_equal(get_derivative(component, OUTPUT_REAL, 1), fmi2Error);
    assert_logged("logStatusError", "the fake engine won't");
    assert_int_equal(fmi2DoStep(component, 0, 1, fmi2True), fmi2OK);
    fmi2FreeInstance(component);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_directional_derivative_is_along_all_the_changes),
        TEST(an_input_that_is_named_twice_changes_by_the_sum),
        TEST(nothing_known_changes_nothing_and_nothing_unknown_needs_no_place),
        TEST(a_directional_derivative_is_of_outputs_along_inputs),
        TEST(a_directional_derivative_needs_its_arrays),
        TEST(input_derivatives_reach_the_engine),
        TEST(only_inputs_have_derivatives_that_can_be_set),
        TEST(an_order_out_of_range_is_named_and_nothing_is_set),
        TEST(output_derivatives_are_along_the_motion),
        TEST(only_outputs_have_derivatives_of_order_1),
        TEST(a_derivative_that_cannot_be_had_is_an_error_and_the_run_goes_on),
    };
    return cmocka_run_group_tests_name("derivatives", tests, NULL, NULL);
}
