// A sampled execution from a CSV file, as FMPy and others write them: a header with the names of the variables, quoted
// or not, one of them `time`; then a line per sample. Fields are separated by commas, semicolons or tabs.

#ifndef ZENOFMU_TRAJECTORY_H
#define ZENOFMU_TRAJECTORY_H

#include "diagnostics.h"
#include "memory.h"

typedef struct trajectory {
    memory memory; // holds all that follows
    const char *path;
    int columns, rows;
    char **names;   // [columns]
    double *values; // [rows x columns] NaN where a field is no number; True is 1, False is 0
    int *lines;     // [rows] where they stand in the file
    double *times;  // [rows] ascending; of several samples at one time the last is kept
} trajectory;

// NULL on error, which is reported with file and line.
trajectory *trajectory_read(const char *path, diagnostics *d);
void trajectory_free(trajectory *t); // takes NULL

// -1 when there is none.
int trajectory_column(const trajectory *t, const char *name);

#endif
