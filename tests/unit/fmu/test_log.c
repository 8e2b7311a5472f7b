// Which messages reach the host's logger, and how.

#include <fmi2Functions.h>
#include <string.h>

#include "fake_engine.h"
#include "recording_host.h"

// The engine says one message of each category; how many arrive.
static int arriving(void) {
    forget_messages();
    fake_engine_say(ZENO_LOG_EVENTS, "impact");
    fake_engine_say(ZENO_LOG_SOLVER, "restart");
    fake_engine_say(ZENO_LOG_WARNING, "careful");
    fake_engine_say(ZENO_LOG_ERROR, "no");
    return host.messages;
}

static fmi2Component instantiate_logging(fmi2Boolean on) {
    return fmi2Instantiate("log", fmi2CoSimulation, "{fake-guid}", NULL, &host.callbacks, fmi2False, on);
}

static void with_logging_on_all_categories_arrive(void **state) {
    (void)state;
    fmi2Component component = instantiate_logging(fmi2True);
    const struct {
        const char *category, *text;
        fmi2Status status;
    } expected[] = {{"logEvents", "impact", fmi2OK},
                    {"logSolver", "restart", fmi2OK},
                    {"logStatusWarning", "careful", fmi2Warning},
                    {"logStatusError", "no", fmi2Error}};
    assert_int_equal(arriving(), 4);
    for (int i = 0; i < 4; i++) {
        assert_string_equal(host.message[i].category, expected[i].category);
        assert_string_equal(host.message[i].text, expected[i].text);
        assert_int_equal(host.message[i].status, expected[i].status);
        assert_string_equal(host.message[i].instance, "log");
        assert_ptr_equal(host.message[i].environment, &host);
    }
    fmi2FreeInstance(component);
}

static void with_logging_off_only_errors_arrive(void **state) {
    (void)state;
    fmi2Component component = instantiate_logging(fmi2False);
    assert_int_equal(arriving(), 1);
    assert_logged("logStatusError", "no");
    assert_int_equal(fmi2SetDebugLogging(component, fmi2True, 0, NULL), fmi2OK);
    assert_int_equal(arriving(), 4);
    assert_int_equal(fmi2SetDebugLogging(component, fmi2False, 1, (fmi2String[]){"logEvents"}), fmi2OK);
    assert_int_equal(arriving(), 1);
    fmi2FreeInstance(component);
}

static void chosen_categories_arrive_and_errors(void **state) {
    (void)state;
    fmi2Component component = instantiate_logging(fmi2True);
    assert_int_equal(fmi2SetDebugLogging(component, fmi2True, 2, (fmi2String[]){"logStatusWarning", "logEvents"}),
                     fmi2OK);
    assert_int_equal(arriving(), 3);
    assert_string_equal(host.message[0].text, "impact");
    assert_string_equal(host.message[1].text, "careful");
    assert_string_equal(host.message[2].text, "no");
    fmi2FreeInstance(component);
}

static void an_unknown_category_is_named_and_changes_nothing(void **state) {
    (void)state;
    fmi2Component component = instantiate_logging(fmi2False);
    assert_int_equal(fmi2SetDebugLogging(component, fmi2True, 2, (fmi2String[]){"logEvents", "logevents"}), fmi2Error);
    assert_string_equal(host.message[0].text, "fmi2SetDebugLogging: unknown category 'logevents'; known are logEvents, "
                                              "logSolver, logStatusWarning, logStatusError");
    assert_int_equal(fmi2SetDebugLogging(component, fmi2True, 1, (fmi2String[]){NULL}), fmi2Error);
    assert_int_equal(fmi2SetDebugLogging(component, fmi2True, 1, NULL), fmi2Error);
    assert_logged("logStatusError", "1 categories, but their array is NULL");
    assert_int_equal(arriving(), 1);
    fmi2FreeInstance(component);
}

static void a_message_is_no_format(void **state) {
    (void)state;
    fmi2Component component = instantiate_logging(fmi2True);
    fake_engine_say(ZENO_LOG_EVENTS, "100 %s %n");
    assert_string_equal(host.message[0].format, "%s");
    assert_string_equal(host.message[0].text, "100 %s %n");
    fmi2FreeInstance(component);
}

static void without_a_logger_everything_works_silently(void **state) {
    (void)state;
    host.callbacks.logger = NULL;
    fmi2Component component = instantiate_logging(fmi2True);
    assert_int_equal(arriving(), 0);
    assert_int_equal(fmi2ExitInitializationMode(component), fmi2Error);
    assert_null(fmi2Instantiate("i", fmi2CoSimulation, "{other}", NULL, &host.callbacks, fmi2False, fmi2True));
    fmi2FreeInstance(component);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(with_logging_on_all_categories_arrive),
        TEST(with_logging_off_only_errors_arrive),
        TEST(chosen_categories_arrive_and_errors),
        TEST(an_unknown_category_is_named_and_changes_nothing),
        TEST(a_message_is_no_format),
        TEST(without_a_logger_everything_works_silently),
    };
    return cmocka_run_group_tests_name("log", tests, NULL, NULL);
}
