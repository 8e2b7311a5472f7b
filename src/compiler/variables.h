// The variable table of a model, made once: the FMI description, the C descriptor and the documentation page are
// written from it. A variable's position is its value reference.

#ifndef ZENOFMU_VARIABLES_H
#define ZENOFMU_VARIABLES_H

#include "../engine/model.h"
#include "model_file.h"

// An FMI enumeration type; its values count from 1.
typedef struct fmi_enumeration {
    const char *name, *description;
    const model_choice *choices;
    int count;
} fmi_enumeration;

typedef struct fmi_variable {
    char *name;
    char *description;
    zeno_quantity quantity;
    int index;
    zeno_type type;
    zeno_access access;
    const char *causality, *variability, *initial; // FMI words; `initial` is NULL where FMI wants none
    bool has_start;
    double start;
    char *unit;                         // "" for none
    char *display_unit;                 // "" for none
    double min, max;                    // +-INFINITY for none
    bool min_excluded, max_excluded;    // the documentation says so; FMI can't
    double nominal;                     // 0 for none
    const fmi_enumeration *enumeration; // its type, NULL for none
    int derivative_of;                  // position of the variable of which this one is the derivative, -1 for none
} fmi_variable;

typedef struct variable_table {
    memory memory; // holds the rows and their texts
    fmi_variable *rows;
    int count;
} variable_table;

variable_table *variables_make(const model_file *model, diagnostics *d); // NULL on error
void variables_free(variable_table *table);                              // takes NULL

// What a setting is by default, also where the kind of model has no variable for it.
double setting_default(zeno_setting setting);

#endif
