// Model files of a few lines, for tests.

#define _POSIX_C_SOURCE 200809L

#include "sample_model.h"

// cmocka wants these before it.
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

sample sample_read(const char *content) {
    char path[] = "/tmp/zenofmu_sample_XXXXXX";
    const int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    FILE *file = fdopen(descriptor, "wb");
    fputs(content, file);
    fclose(file);

    sample s = {0};
    size_t size;
    diagnostics d = {.file = "m.xml", .stream = open_memstream(&s.messages, &size)};
    s.model = model_file_read(path, ZENOFMU_SCHEMA, &d);
    fclose(d.stream);
    unlink(path);
    assert_int_equal(d.errors == 0, s.model != NULL);
    return s;
}

void sample_free(sample *s) {
    model_file_free(s->model);
    free(s->messages);
}

void assert_refused(const char *content, const char *messages) {
    sample s = sample_read(content);
    assert_null(s.model);
    assert_string_equal(s.messages, messages);
    sample_free(&s);
}

sample read_good(const char *content) {
    sample s = sample_read(content);
    assert_string_equal(s.messages, "");
    assert_non_null(s.model);
    return s;
}

void assert_same_double(double actual, double expected) {
    if (actual != expected) fail_msg("%.17g is not %.17g", actual, expected);
}
