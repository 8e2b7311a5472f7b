// Errors and warnings of the model compiler: `file:line: what, what was expected`.

#ifndef ZENOFMU_DIAGNOSTICS_H
#define ZENOFMU_DIAGNOSTICS_H

#include <stdio.h>

typedef struct diagnostics diagnostics;

// Messages are written as they come; `file` is what they begin with.
struct diagnostics {
    const char *file;
    int errors;
    FILE *stream; // NULL: standard error
};

// `line` 0: the file as a whole.
void report_error(diagnostics *d, int line, const char *format, ...) __attribute__((format(printf, 3, 4)));
void report_warning(diagnostics *d, int line, const char *format, ...) __attribute__((format(printf, 3, 4)));

// The candidate nearest to `name` in edits, or NULL when none is near enough to be meant.
const char *nearest_name(const char *name, const char *const *candidates, int count);

// "; did you mean 'theta1'?" in `hint`, or nothing when `near` is NULL.
enum { HINT_SIZE = 100 };
const char *did_you_mean(const char *near, char hint[HINT_SIZE]);

#endif
