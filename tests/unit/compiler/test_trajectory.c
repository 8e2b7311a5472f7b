// Sampled executions from CSV files: what hosts write, and what is wrong with a file.

#define _POSIX_C_SOURCE 200809L

#include "trajectory.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { PATH_SIZE = 40 };

static void write_file(const char *content, size_t size, char path[PATH_SIZE]) {
    strcpy(path, "/tmp/zenofmu_csv_XXXXXX");
    const int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    assert_int_equal(write(descriptor, content, size), (ssize_t)size);
    close(descriptor);
}

static trajectory *read_good(const char *content) {
    char path[PATH_SIZE];
    write_file(content, strlen(content), path);
    diagnostics d = {0};
    trajectory *t = trajectory_read(path, &d);
    unlink(path);
    assert_non_null(t);
    assert_string_equal(t->path, path);
    return t;
}

// The message without the file's name, which stands before it.
static void assert_refused_text(const char *content, size_t size, const char *message) {
    char path[PATH_SIZE], *messages = NULL;
    write_file(content, size, path);
    size_t length;
    diagnostics d = {.stream = open_memstream(&messages, &length)};
    assert_null(trajectory_read(path, &d));
    fclose(d.stream);
    unlink(path);
    assert_int_equal(d.errors, 1);
    assert_memory_equal(messages, path, strlen(path));
    assert_string_equal(messages + strlen(path), message);
    free(messages);
}

static void assert_refused_file(const char *content, const char *message) {
    assert_refused_text(content, strlen(content), message);
}

static void assert_value(const trajectory *t, int row, const char *name, double expected) {
    const int column = trajectory_column(t, name);
    assert_true(column >= 0 && row < t->rows);
    const double value = t->values[row * t->columns + column];
    if (value != expected) fail_msg("%.17g is not %.17g", value, expected);
}

static void a_file_of_fmpy_is_read(void **state) {
    (void)state;
    trajectory *t =
        read_good("\"time\",\"x\",\"der(v)\",\"stop.closed\"\n0.0,-0.8,1e-3,True\n0.01,-8.5e-01,-inf,False\n");
    assert_int_equal(t->columns, 4);
    assert_int_equal(t->rows, 2);
    assert_value(t, 0, "x", -0.8);
    assert_value(t, 1, "x", -0.85);
    assert_value(t, 0, "der(v)", 1e-3);
    assert_value(t, 1, "der(v)", -INFINITY);
    assert_value(t, 0, "stop.closed", 1);
    assert_value(t, 1, "stop.closed", 0);
    assert_true(t->times[1] == 0.01);
    assert_int_equal(t->lines[1], 3);
    assert_int_equal(trajectory_column(t, "y"), -1);
    trajectory_free(t);
}

static void names_need_no_quotes_and_time_no_first_place(void **state) {
    (void)state;
    trajectory *t = read_good("x, time ,\"a \"\"b\"\", c\"\n1, 2 ,3\n\n4,5,6");
    assert_int_equal(t->columns, 3);
    assert_string_equal(t->names[2], "a \"b\", c");
    assert_int_equal(t->rows, 2);
    assert_true(t->times[0] == 2 && t->times[1] == 5);
    assert_value(t, 1, "x", 4);
    assert_int_equal(t->lines[1], 4);
    trajectory_free(t);
}

static void semicolons_tabs_line_ends_and_byte_order_marks_are_understood(void **state) {
    (void)state;
    trajectory *t = read_good("\xEF\xBB\xBF\"time\";\"x\"\r\n0;1\r\n1;2\r\n");
    assert_int_equal(t->rows, 2);
    assert_value(t, 1, "x", 2);
    trajectory_free(t);
    t = read_good("time\tx\n0\t1\n");
    assert_value(t, 0, "x", 1);
    trajectory_free(t);
}

// Some hosts write the state before and after an event.
static void of_several_samples_at_a_time_the_last_is_kept(void **state) {
    (void)state;
    trajectory *t = read_good("time,x\n0,1\n1,2\n1,3\n1,4\n2,5\n");
    assert_int_equal(t->rows, 3);
    assert_value(t, 0, "x", 1);
    assert_value(t, 1, "x", 4);
    assert_value(t, 2, "x", 5);
    assert_int_equal(t->lines[1], 5);
    trajectory_free(t);
}

static void what_is_no_number_is_left_to_who_needs_it(void **state) {
    (void)state;
    trajectory *t = read_good("time,name,x\n0,rolling,1\n1,,2x\n");
    for (int row = 0; row < 2; row++)
        assert_true(isnan(t->values[row * t->columns + 1]));
    assert_value(t, 0, "x", 1);
    assert_true(isnan(t->values[1 * t->columns + 2]));
    trajectory_free(t);
}

static void bad_files_are_refused_with_their_line(void **state) {
    (void)state;
    assert_refused_file("", ": is empty: expected a header with the names of the variables\n");
    assert_refused_file("\n  \n", ": is empty: expected a header with the names of the variables\n");
    assert_refused_file("time,x\n", ": has a header but no samples\n");
    assert_refused_file("Time,x\n0,1\n", ":1: there is no column 'time'\n");
    assert_refused_file("time,x\n0,1\n1\n", ":3: 1 fields, expected 2 as in the header\n");
    assert_refused_file("time,x\n0,1\n1,2,3\n", ":3: 3 fields, expected 2 as in the header\n");
    assert_refused_file("time,x\n0,1\nnow,2\n", ":3: the time is no finite number\n");
    assert_refused_file("time,x\n1,1\n\n0.5,2\n", ":4: time 0.5 comes after 1: expected ascending times\n");
    assert_refused_text("PK\0\3", 4, ": is no text: expected comma-separated values\n");
}

static void a_file_that_is_not_there_is_an_error(void **state) {
    (void)state;
    char *messages = NULL;
    size_t length;
    diagnostics d = {.stream = open_memstream(&messages, &length)};
    assert_null(trajectory_read("/nowhere/a.csv", &d));
    assert_null(trajectory_read("/tmp", &d));
    fclose(d.stream);
    assert_string_equal(messages, "/nowhere/a.csv: can't be read: No such file or directory\n"
                                  "/tmp: can't be read: Is a directory\n");
    free(messages);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_of_fmpy_is_read),
        cmocka_unit_test(names_need_no_quotes_and_time_no_first_place),
        cmocka_unit_test(semicolons_tabs_line_ends_and_byte_order_marks_are_understood),
        cmocka_unit_test(of_several_samples_at_a_time_the_last_is_kept),
        cmocka_unit_test(what_is_no_number_is_left_to_who_needs_it),
        cmocka_unit_test(bad_files_are_refused_with_their_line),
        cmocka_unit_test(a_file_that_is_not_there_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
