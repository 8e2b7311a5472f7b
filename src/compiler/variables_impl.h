// What the files that make a variable table share.

#ifndef ZENOFMU_VARIABLES_IMPL_H
#define ZENOFMU_VARIABLES_IMPL_H

#include "variables.h"

// FMI's words for what a host may do with a variable.
typedef struct row_kind {
    zeno_access access;
    const char *causality, *variability, *initial;
} row_kind;

extern const row_kind ROW_FIXED, ROW_TUNABLE, ROW_INPUT; // parameters and inputs
extern const row_kind ROW_STATE, ROW_HELD;               // start values
extern const row_kind ROW_CONTINUOUS, ROW_DISCRETE;      // computed

// Appends a row with what all have; the caller adds the rest. The table has room for all rows.
fmi_variable *add_row(variable_table *t, const row_kind *kind, zeno_quantity quantity, int index);
void set_start(fmi_variable *row, double start);
// Name, unit and description of something that the model names; `what` describes it when the model doesn't.
void set_about(variable_table *t, fmi_variable *row, const quantity_text *about, const char *what);

// unit * by^power, "" when `written` is. The units have been checked when the model was read.
char *unit_times(memory *m, const char *written, const char *by, int power);

// Coordinates, rates, accelerations, constraints, energies. (variables_lagrangian.c)
int lagrangian_rows(const model_file *model); // how many there are
void add_lagrangian(variable_table *t, const model_file *model);
// Norms over all coordinates have a unit only when the coordinates share one.
const char *lagrangian_norm_unit(const model_file *model);

// States, held variables, the mode and its transitions. (variables_modes.c)
int mode_rows(const model_file *model); // how many there are
void add_modes(variable_table *t, const model_file *model);

#endif
