// A model as its file gives it: names, numbers and expressions, checked and resolved.

#ifndef ZENOFMU_MODEL_FILE_H
#define ZENOFMU_MODEL_FILE_H

#include "diagnostics.h"
#include "expression.h"
#include "memory.h"

typedef struct quantity_text { // what every named thing has; strings are never NULL but may be empty
    char *name;
    char *description;
    char *unit; // as written; empty where none was given
    char *display_unit;
    int line;
} quantity_text;

typedef struct model_parameter {
    quantity_text about;
    double value;
    double min, max; // +-INFINITY where not given
    bool min_excluded, max_excluded;
    bool fixed; // a constraint's h depends on it
} model_parameter;

typedef struct model_coordinate {
    quantity_text about;
    char *rate;         // name of the rate
    char *acceleration; // and of its derivative, "der(vx)"
    double start, rate_start;
    double nominal; // 1 where not given
    bool has_nominal;
    expr force; // generalized force: damping, forcing and inputs that act on this coordinate
} model_coordinate;

typedef struct model_input {
    quantity_text about;
    int on; // coordinate on which this `force` acts; -1 for a plain `input`
    double start;
} model_input;

typedef struct model_constraint {
    quantity_text about;
    char *force; // name of the contact force, "knee.force"
    expr h;
    expr restitution;
} model_constraint;

typedef struct model_definition {
    quantity_text about;
    expr value;
    bool read; // `value` has been read; later definitions may use it
} model_definition;

typedef struct model_output {
    quantity_text about;
    expr value;
} model_output;

typedef struct model_file {
    memory memory; // holds all that follows but the graph
    char *name;
    char *description;
    char *version; // empty where none was given
    expr_graph *graph;
    model_parameter *parameters;
    model_coordinate *coordinates;
    model_input *inputs;
    model_constraint *constraints;
    model_definition *definitions;
    model_output *outputs;
    int parameter_count, coordinate_count, input_count, constraint_count, definition_count, output_count;
    expr kinetic_energy, potential_energy;
    int kinetic_line, potential_line, experiment_line; // 0: not given
    double start_time, stop_time, step_size, tolerance;
} model_file;

// Reads and checks a model file. NULL on error; what is wrong stands in `diagnostics`.
model_file *model_file_read(const char *path, const char *schema_path, diagnostics *diagnostics);
void model_file_free(model_file *model); // takes NULL

// The name of a symbol of the model, for messages and readable equations: "theta1", "der(omega1)", "knee.force".
const char *model_symbol_name(const model_file *model, expr_symbol symbol);

// The value of a symbol at the start with the default parameters, for expr_evaluate: `model` is a const model_file *.
// Accelerations and contact forces are unknown then: NaN.
double model_start_value(void *model, expr_symbol symbol);

#endif
