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

// The two kinds of models: (Q, L, h), and modes with guards and resets.
typedef enum model_kind { MODEL_LAGRANGIAN, MODEL_HYBRID } model_kind;

// A value of an enumeration parameter: the first choice is 1, the second 2, ...
typedef struct model_choice {
    const char *name;
    const char *description; // empty where none was given
} model_choice;

typedef struct model_parameter {
    quantity_text about;
    double value;
    double min, max; // +-INFINITY where not given
    bool min_excluded, max_excluded;
    bool fixed;            // a constraint's h depends on it
    model_choice *choices; // of an enumeration
    int choice_count;      // 0: a number
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
    bool of_modes; // each mode that has it gives its own value
    expr value;    // EXPR_NONE where modes do
} model_output;

// ---- of hybrid systems

typedef struct model_state {
    quantity_text about;
    double start;
    double nominal; // 1 where not given
    bool has_nominal;
} model_state;

typedef struct model_held { // a variable that changes in resets only
    quantity_text about;
    double start;
} model_held;

// A transition, or an update: one that stays in its mode and sets held variables only.
typedef struct model_transition {
    int line;
    char *description; // empty where none was given
    bool update;
    int to; // mode
    bool rising;
    char *guard_text; // as the file has it: "x falls", "v rises"
    expr guard;       // falls through 0 where the transition is due: that of a `rising` one is negated
    expr when;        // whether it is enabled: a condition on parameters and held variables; EXPR_NONE: always
    char *when_text;  // as the file has it; empty: always
    expr *states;     // [states] values after it, by those before; EXPR_NONE: as before
    expr *held;       // [held] the same
    bool resets;      // some value changes
} model_transition;

typedef struct model_mode {
    quantity_text about;
    expr *derivatives;             // [states]
    expr *outputs;                 // [outputs] 0 where the mode doesn't define it
    model_transition *transitions; // in the order of the file
    int transition_count;
    bool reachable; // by transitions from the initial mode
} model_mode;

typedef struct model_file {
    memory memory; // holds all that follows but the graph
    model_kind kind;
    char *name;
    char *description;
    char *version; // empty where none was given
    expr_graph *graph;
    model_parameter *parameters;
    model_input *inputs;
    model_definition *definitions;
    model_output *outputs;
    int parameter_count, input_count, definition_count, output_count;
    double start_time, stop_time, step_size, tolerance;
    int experiment_line; // 0: not given

    // Of a hybrid Lagrangian; else none.
    model_coordinate *coordinates;
    model_constraint *constraints;
    int coordinate_count, constraint_count;
    expr kinetic_energy, potential_energy;
    int kinetic_line, potential_line; // 0: not given

    // Of a hybrid system; else none.
    model_state *states;
    model_held *held;
    model_mode *modes;
    int state_count, held_count, mode_count;
    int initial_mode;
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
