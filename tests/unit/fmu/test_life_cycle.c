// Every function in every state, against a second copy of what is allowed; and every function without an instance.

#include <fmi2Functions.h>
#include <string.h>

#include "fake_engine.h"
#include "recording_host.h"

static const fmi2ValueReference NO_VARIABLES[1] = {0};

static fmi2Status set_debug_logging(fmi2Component c) {
    return fmi2SetDebugLogging(c, fmi2False, 0, NULL);
}
static fmi2Status setup_experiment(fmi2Component c) {
    return fmi2SetupExperiment(c, fmi2False, 0, 0, fmi2False, 0);
}
static fmi2Status get_real(fmi2Component c) {
    fmi2Real value;
    return fmi2GetReal(c, (fmi2ValueReference[]){OUTPUT_REAL}, 1, &value);
}
static fmi2Status get_integer(fmi2Component c) {
    fmi2Integer value;
    return fmi2GetInteger(c, (fmi2ValueReference[]){OUTPUT_INTEGER}, 1, &value);
}
static fmi2Status get_boolean(fmi2Component c) {
    fmi2Boolean value;
    return fmi2GetBoolean(c, (fmi2ValueReference[]){OUTPUT_BOOLEAN}, 1, &value);
}
static fmi2Status get_string(fmi2Component c) {
    return fmi2GetString(c, NO_VARIABLES, 0, NULL);
}
static fmi2Status set_start(fmi2Component c) {
    return fmi2SetReal(c, (fmi2ValueReference[]){START_REAL}, 1, (fmi2Real[]){1});
}
static fmi2Status set_fixed(fmi2Component c) {
    return fmi2SetReal(c, (fmi2ValueReference[]){FIXED_REAL}, 1, (fmi2Real[]){1});
}
static fmi2Status set_tunable(fmi2Component c) {
    return fmi2SetReal(c, (fmi2ValueReference[]){TUNABLE_REAL}, 1, (fmi2Real[]){1});
}
static fmi2Status set_input(fmi2Component c) {
    return fmi2SetReal(c, (fmi2ValueReference[]){INPUT_REAL}, 1, (fmi2Real[]){1});
}
static fmi2Status set_output(fmi2Component c) {
    return fmi2SetReal(c, (fmi2ValueReference[]){OUTPUT_REAL}, 1, (fmi2Real[]){1});
}
static fmi2Status set_integer(fmi2Component c) {
    return fmi2SetInteger(c, (fmi2ValueReference[]){TUNABLE_INTEGER}, 1, (fmi2Integer[]){1});
}
static fmi2Status set_boolean(fmi2Component c) {
    return fmi2SetBoolean(c, (fmi2ValueReference[]){FIXED_BOOLEAN}, 1, (fmi2Boolean[]){1});
}
static fmi2Status set_string(fmi2Component c) {
    return fmi2SetString(c, NO_VARIABLES, 0, NULL);
}
static fmi2Status do_step(fmi2Component c) {
    return fmi2DoStep(c, 0, 1, fmi2True);
}
static fmi2Status get_status(fmi2Component c) {
    fmi2Status value;
    return fmi2GetStatus(c, fmi2DoStepStatus, &value);
}
static fmi2Status get_real_status(fmi2Component c) {
    fmi2Real value;
    return fmi2GetRealStatus(c, fmi2LastSuccessfulTime, &value);
}
static fmi2Status get_integer_status(fmi2Component c) {
    fmi2Integer value;
    return fmi2GetIntegerStatus(c, fmi2DoStepStatus, &value);
}
static fmi2Status get_boolean_status(fmi2Component c) {
    fmi2Boolean value;
    return fmi2GetBooleanStatus(c, fmi2Terminated, &value);
}
static fmi2Status get_string_status(fmi2Component c) {
    fmi2String value;
    return fmi2GetStringStatus(c, fmi2PendingStatus, &value);
}
static fmi2Status get_state(fmi2Component c) {
    fmi2FMUstate saved = NULL;
    const fmi2Status status = fmi2GetFMUstate(c, &saved);
    fmi2FreeFMUstate(c, &saved);
    return status;
}
static fmi2Status set_state(fmi2Component c) {
    fmi2FMUstate saved = NULL;
    fmi2GetFMUstate(c, &saved);
    const fmi2Status status = fmi2SetFMUstate(c, saved);
    fmi2FreeFMUstate(c, &saved);
    return status;
}
static fmi2Status free_state(fmi2Component c) {
    return fmi2FreeFMUstate(c, NULL);
}
static fmi2Status state_size(fmi2Component c) {
    fmi2FMUstate saved = NULL;
    size_t size;
    fmi2GetFMUstate(c, &saved);
    const fmi2Status status = fmi2SerializedFMUstateSize(c, saved, &size);
    fmi2FreeFMUstate(c, &saved);
    return status;
}
static fmi2Status serialize(fmi2Component c) {
    fmi2FMUstate saved = NULL;
    fmi2Byte bytes[1000];
    fmi2GetFMUstate(c, &saved);
    const fmi2Status status = fmi2SerializeFMUstate(c, saved, bytes, sizeof bytes);
    fmi2FreeFMUstate(c, &saved);
    return status;
}
static fmi2Status deserialize(fmi2Component c) {
    fmi2FMUstate saved = NULL;
    fmi2Byte bytes[1000];
    size_t size = 0;
    fmi2GetFMUstate(c, &saved);
    fmi2SerializedFMUstateSize(c, saved, &size);
    fmi2SerializeFMUstate(c, saved, bytes, sizeof bytes);
    const fmi2Status status = fmi2DeSerializeFMUstate(c, bytes, size, &saved);
    fmi2FreeFMUstate(c, &saved);
    return status;
}
static fmi2Status directional_derivative(fmi2Component c) {
    const fmi2ValueReference unknown = OUTPUT_REAL, known = INPUT_REAL;
    return fmi2GetDirectionalDerivative(c, &unknown, 1, &known, 1, (fmi2Real[]){1}, (fmi2Real[]){0});
}
static fmi2Status input_derivatives(fmi2Component c) {
    const fmi2ValueReference input = INPUT_REAL;
    return fmi2SetRealInputDerivatives(c, &input, 1, (fmi2Integer[]){1}, (fmi2Real[]){1});
}
static fmi2Status output_derivatives(fmi2Component c) {
    const fmi2ValueReference output = OUTPUT_REAL;
    return fmi2GetRealOutputDerivatives(c, &output, 1, (fmi2Integer[]){1}, (fmi2Real[]){0});
}

// What a call gives in the states instantiated, initialization mode, step complete, terminated, error:
// `+` what it is for, `-` refused for the state, `d` discarded.
static const struct {
    const char *function;
    fmi2Status (*call)(fmi2Component component);
    char expected[ZENO_STATES + 1];
} calls[] = {
    {"fmi2SetDebugLogging", set_debug_logging, "+++++"},
    {"fmi2SetupExperiment", setup_experiment, "+----"},
    {"fmi2EnterInitializationMode", fmi2EnterInitializationMode, "+----"},
    {"fmi2ExitInitializationMode", fmi2ExitInitializationMode, "-+---"},
    {"fmi2Terminate", fmi2Terminate, "--+--"},
    {"fmi2Reset", fmi2Reset, "+++++"},
    {"fmi2GetReal", get_real, "+++++"},
    {"fmi2GetInteger", get_integer, "+++++"},
    {"fmi2GetBoolean", get_boolean, "+++++"},
    {"fmi2GetString", get_string, "+++++"},
    {"fmi2SetReal", set_start, "++---"},
    {"fmi2SetReal", set_fixed, "++---"},
    {"fmi2SetReal", set_tunable, "+++--"},
    {"fmi2SetReal", set_input, "+++--"},
    {"fmi2SetReal", set_output, "-----"},
    {"fmi2SetInteger", set_integer, "+++--"},
    {"fmi2SetBoolean", set_boolean, "++---"},
    {"fmi2SetString", set_string, "+++--"},
    {"fmi2DoStep", do_step, "--+--"},
    {"fmi2CancelStep", fmi2CancelStep, "-----"},
    {"fmi2GetStatus", get_status, "--+++"},
    {"fmi2GetRealStatus", get_real_status, "--+++"},
    {"fmi2GetIntegerStatus", get_integer_status, "--ddd"},
    {"fmi2GetBooleanStatus", get_boolean_status, "--+++"},
    {"fmi2GetStringStatus", get_string_status, "--+++"},
    {"fmi2GetFMUstate", get_state, "+++++"},
    {"fmi2SetFMUstate", set_state, "+++++"},
    {"fmi2FreeFMUstate", free_state, "+++++"},
    {"fmi2SerializedFMUstateSize", state_size, "+++++"},
    {"fmi2SerializeFMUstate", serialize, "+++++"},
    {"fmi2DeSerializeFMUstate", deserialize, "+++++"},
    {"fmi2GetDirectionalDerivative", directional_derivative, "-++++"},
    {"fmi2SetRealInputDerivatives", input_derivatives, "+++--"},
    {"fmi2GetRealOutputDerivatives", output_derivatives, "--+++"},
};
enum { TRIED = sizeof calls / sizeof *calls };

static void assert_refused_naming(const char *function, const char *reason) {
    assert_int_equal(host.messages, 1);
    assert_int_equal(host.message[0].status, fmi2Error);
    assert_int_equal(strncmp(host.message[0].text, function, strlen(function)), 0);
    assert_logged("logStatusError", reason);
}

static void try_call(int i, zeno_fmu_state state) {
    const char *state_names[] = {"'instantiated'", "'initialization mode'", "'step complete'", "'terminated'",
                                 "'error'"};
    fmi2Component component = instance_in(state);
    forget_messages();
    const fmi2Status status = calls[i].call(component);
    switch (calls[i].expected[state]) {
    case '+':
        if (status != fmi2OK) fail_msg("%s in %s: %s", calls[i].function, state_names[state], host.message[0].text);
        assert_int_equal(host.messages, 0);
        break;
    case 'd':
        assert_int_equal(status, fmi2Discard);
        break;
    default:
        if (status != fmi2Error) fail_msg("%s went through in %s", calls[i].function, state_names[state]);
        assert_refused_naming(calls[i].function, state_names[state]);
    }
    fmi2FreeInstance(component);
}

static void every_call_in_every_state_does_what_the_table_says(void **state) {
    (void)state;
    for (int i = 0; i < TRIED; i++)
        for (int s = 0; s < ZENO_STATES; s++)
            try_call(i, (zeno_fmu_state)s);
}

static void a_call_that_the_state_forbids_leaves_the_state(void **state) {
    (void)state;
    fmi2Component component = instance_in(ZENO_STEP_COMPLETE);
    assert_int_equal(fmi2EnterInitializationMode(component), fmi2Error);
    assert_int_equal(fmi2DoStep(component, 0, 1, fmi2True), fmi2OK);
    fmi2FreeInstance(component);
}

static void a_refusal_says_where_the_call_is_allowed(void **state) {
    (void)state;
    fmi2Component component = instantiate();
    fmi2GetRealStatus(component, fmi2LastSuccessfulTime, (fmi2Real[]){0});
    assert_string_equal(host.message[0].text, "fmi2GetRealStatus: not allowed in the state 'instantiated' (allowed in: "
                                              "step complete, terminated, error)");
    fmi2CancelStep(component);
    assert_string_equal(host.message[1].text,
                        "fmi2CancelStep: not allowed in the state 'instantiated' (allowed in: none)");
    fmi2FreeInstance(component);
}

static void without_an_instance_every_call_is_an_error(void **state) {
    (void)state;
    for (int i = 0; i < TRIED; i++)
        assert_int_equal(calls[i].call(NULL), fmi2Error);
}

static void every_row_of_the_table_has_its_function(void **state) {
    (void)state;
    for (int i = 0; i < ZENO_CALLS; i++)
        assert_non_null(zeno_fmu_call_rule[i].subject);
}

static void a_list_of_states_is_cut_where_it_gets_too_long(void **state) {
    (void)state;
    char text[20];
    zeno_fmu_list_states(&zeno_fmu_call_rule[ZENO_CALL_RESET], text, sizeof text);
    assert_string_equal(text, "instantiated, initi");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(every_call_in_every_state_does_what_the_table_says),
        TEST(a_call_that_the_state_forbids_leaves_the_state),
        TEST(a_refusal_says_where_the_call_is_allowed),
        TEST(without_an_instance_every_call_is_an_error),
        TEST(every_row_of_the_table_has_its_function),
        TEST(a_list_of_states_is_cut_where_it_gets_too_long),
    };
    return cmocka_run_group_tests_name("life cycle", tests, NULL, NULL);
}
