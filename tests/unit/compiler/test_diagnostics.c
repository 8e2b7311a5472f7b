// Messages, and the near names that they offer.

#define _POSIX_C_SOURCE 200809L

#include "diagnostics.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char *nearest(const char *name) {
    static const char *const candidates[] = {"theta1", "theta2", "omega", "m", "kineticEnergy", "vx"};
    const char *near = nearest_name(name, candidates, sizeof candidates / sizeof candidates[0]);
    return near ? near : "none";
}

static void a_near_name_is_offered(void **state) {
    (void)state;
    assert_string_equal(nearest("thet1"), "theta1");
    assert_string_equal(nearest("theta11"), "theta1");
    assert_string_equal(nearest("tehta2"), "theta2");
    assert_string_equal(nearest("Omega"), "omega");
    assert_string_equal(nearest("kineticenergy"), "kineticEnergy");
    assert_string_equal(nearest("M"), "m");
    assert_string_equal(nearest("vy"), "vx");
}

static void a_name_unlike_all_others_gets_none(void **state) {
    (void)state;
    assert_string_equal(nearest("k"), "none");
    assert_string_equal(nearest("stiffness"), "none");
    assert_string_equal(nearest(""), "none");
    char endless[1000];
    memset(endless, 'm', sizeof endless - 1);
    endless[sizeof endless - 1] = '\0';
    assert_string_equal(nearest(endless), "none");
}

static void messages_begin_with_the_place_and_errors_are_counted(void **state) {
    (void)state;
    char written[200] = "";
    diagnostics d = {.file = "a.xml", .stream = fmemopen(written, sizeof written, "w")};
    char hint[HINT_SIZE];
    report_error(&d, 7, "unknown name '%s'%s", "thet1", did_you_mean("theta1", hint));
    report_error(&d, 0, "is empty%s", did_you_mean(NULL, hint));
    report_warning(&d, 8, "looks odd");
    fclose(d.stream);
    assert_int_equal(d.errors, 2);
    assert_string_equal(written, "a.xml:7: unknown name 'thet1'; did you mean 'theta1'?\n"
                                 "a.xml: is empty\n"
                                 "a.xml:8: warning: looks odd\n");
}

static void a_message_is_one_line_whatever_it_quotes(void **state) {
    (void)state;
    char written[200] = "";
    diagnostics d = {.file = "a.xml", .stream = fmemopen(written, sizeof written, "w")};
    report_error(&d, 7, "'%s' is not a name", "x\nb.xml:1: a\tlie\x7F");
    fclose(d.stream);
    assert_string_equal(written, "a.xml:7: 'x b.xml:1: a lie ' is not a name\n");
}

static void a_very_long_message_is_cut_between_two_characters(void **state) {
    (void)state;
    char written[2100] = "", quoted[4001];
    for (size_t i = 0; i + 2 < sizeof quoted; i += 2)
        memcpy(quoted + i, "\xc3\xa9", 3);
    diagnostics d = {.file = "a.xml", .stream = fmemopen(written, sizeof written, "w")};
    report_error(&d, 0, "'%s'", quoted);
    fclose(d.stream);
    assert_int_equal(strlen(written), strlen("a.xml: '") + 1998 + strlen("...\n"));
    assert_string_equal(written + strlen(written) - 6, "\xc3\xa9...\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_near_name_is_offered),
        cmocka_unit_test(a_name_unlike_all_others_gets_none),
        cmocka_unit_test(messages_begin_with_the_place_and_errors_are_counted),
        cmocka_unit_test(a_message_is_one_line_whatever_it_quotes),
        cmocka_unit_test(a_very_long_message_is_cut_between_two_characters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
