// Makes the variable table of a model: parameters, settings, inputs, what its kind has, and the model's own outputs.

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "units.h"
#include "variables_impl.h"

// ---- rows

char *unit_times(memory *m, const char *written, const char *by, int power) {
    unit u, factor;
    char message[UNIT_MESSAGE_SIZE], name[UNIT_NAME_SIZE];
    if (written[0] == '\0' || !unit_parse(written, &u, message) || !unit_parse(by, &factor, message))
        return memory_text(m, "%s", "");
    unit_multiply(&u, &factor, power);
    return memory_text(m, "%s", unit_name(&u, name));
}

const row_kind ROW_FIXED = {ZENO_FIXED, "parameter", "fixed", "exact"};
const row_kind ROW_TUNABLE = {ZENO_TUNABLE, "parameter", "tunable", "exact"};
const row_kind ROW_INPUT = {ZENO_LIVE, "input", "continuous", NULL};
const row_kind ROW_STATE = {ZENO_START, "output", "continuous", "exact"};
const row_kind ROW_HELD = {ZENO_START, "output", "discrete", "exact"};
const row_kind ROW_CONTINUOUS = {ZENO_READ_ONLY, "output", "continuous", "calculated"};
const row_kind ROW_DISCRETE = {ZENO_READ_ONLY, "output", "discrete", "calculated"};

fmi_variable *add_row(variable_table *t, const row_kind *kind, zeno_quantity quantity, int index) {
    fmi_variable *row = &t->rows[t->count++];
    *row = (fmi_variable){
        .quantity = quantity,
        .index = index,
        .access = kind->access,
        .causality = kind->causality,
        .variability = kind->variability,
        .initial = kind->initial,
        .unit = memory_text(&t->memory, "%s", ""),
        .display_unit = memory_text(&t->memory, "%s", ""),
        .min = -INFINITY,
        .max = INFINITY,
        .derivative_of = -1,
    };
    return row;
}

void set_start(fmi_variable *row, double start) {
    row->has_start = true;
    row->start = start;
}

void set_about(variable_table *t, fmi_variable *row, const quantity_text *about, const char *what) {
    row->name = memory_text(&t->memory, "%s", about->name);
    row->description = memory_text(&t->memory, "%s", about->description[0] ? about->description : what);
    row->unit = memory_text(&t->memory, "%s", about->unit);
    row->display_unit = memory_text(&t->memory, "%s", about->display_unit);
}

// ---- what the model names

static void add_parameters(variable_table *t, const model_file *model) {
    for (int i = 0; i < model->parameter_count; i++) {
        const model_parameter *p = &model->parameters[i];
        fmi_variable *row = add_row(t, p->fixed ? &ROW_FIXED : &ROW_TUNABLE, ZENO_PARAMETER, i);
        set_about(t, row, &p->about, "parameter");
        set_start(row, p->value);
        row->type = p->choice_count > 0 ? ZENO_INTEGER : ZENO_REAL;
        row->min = p->min;
        row->max = p->max;
        row->min_excluded = p->min_excluded;
        row->max_excluded = p->max_excluded;
    }
}

static void add_inputs(variable_table *t, const model_file *model) {
    for (int i = 0; i < model->input_count; i++) {
        const model_input *input = &model->inputs[i];
        fmi_variable *row = add_row(t, &ROW_INPUT, ZENO_INPUT, i);
        set_about(t, row, &input->about, input->on < 0 ? "input" : "generalized force");
        set_start(row, input->start);
    }
}

static void add_outputs(variable_table *t, const model_file *model) {
    for (int i = 0; i < model->output_count; i++)
        set_about(t, add_row(t, &ROW_CONTINUOUS, ZENO_OUTPUT, i), &model->outputs[i].about, "output");
}

// ---- settings

static const model_choice REINITIALIZATIONS[] = {
    [ZENO_KINETIC - 1] = {"kinetic", "projection in the kinetic metric, along the impulses that are left out"},
    [ZENO_ORTHOGONAL - 1] = {"orthogonal", "Euclidean projection [TAC, V-B]"},
};
static const fmi_enumeration REINITIALIZATION = {
    "Reinitialization", "how a Zeno truncation puts the rates onto the constraint", REINITIALIZATIONS, 2};

typedef struct setting_row {
    const char *name;
    double start;
    bool positive; // 0 is excluded
    zeno_type type;
    const row_kind *kind;
    const fmi_enumeration *enumeration;
    const char *description;
    const char *of_modes; // the same for a model with modes; NULL where such a model doesn't have the setting
} setting_row;

static const setting_row SETTING_ROWS[ZENO_SETTINGS] = {
    [ZENO_EPSILON_Q] = {"truncation.epsilon_q", 1e-4, true, ZENO_REAL, &ROW_TUNABLE, NULL,
                        "bound wanted on the error of the coordinates that a Zeno truncation makes", NULL},
    [ZENO_EPSILON_V] = {"truncation.epsilon_v", 1e-4, true, ZENO_REAL, &ROW_TUNABLE, NULL,
                        "bound wanted on the error of the rates that a Zeno truncation makes", NULL},
    [ZENO_EPSILON_T] = {"truncation.epsilon_t", 1e-4, true, ZENO_REAL, &ROW_TUNABLE, NULL,
                        "bound wanted on the error of the Zeno time", NULL},
    [ZENO_REINITIALIZATION] = {"truncation.reinitialization", ZENO_KINETIC, false, ZENO_INTEGER, &ROW_TUNABLE,
                               &REINITIALIZATION,
                               "how a truncation puts the rates onto the constraint: 1 kinetic, 2 orthogonal", NULL},
    [ZENO_RELAXATION] = {"relaxation.epsilon", 0, false, ZENO_REAL, &ROW_TUNABLE, NULL,
                         "time that each impact takes in a relaxed execution; 0: none",
                         "time that each transition takes in a relaxed execution; 0: none"},
    [ZENO_STABILITY] = {"stability.compute", 0, false, ZENO_BOOLEAN, &ROW_TUNABLE, NULL,
                        "whether the radii of stability of a closed contact are computed", NULL},
    [ZENO_TOLERANCE] = {"solver.tolerance", 0, false, ZENO_REAL, &ROW_FIXED, NULL,
                        "relative tolerance of the solver; 0: the host's, or the experiment's",
                        "relative tolerance of the solver; 0: the host's, or the experiment's"},
};

double setting_default(zeno_setting setting) {
    return SETTING_ROWS[setting].start;
}

static void add_setting(variable_table *t, int index, const char *description, const char *in) {
    const setting_row *source = &SETTING_ROWS[index];
    fmi_variable *row = add_row(t, source->kind, ZENO_SETTING, index);
    row->name = memory_text(&t->memory, "%s", source->name);
    row->description = memory_text(&t->memory, "%s", description);
    row->unit = memory_text(&t->memory, "%s", in ? in : "");
    row->enumeration = source->enumeration;
    row->type = source->type;
    row->min = row->enumeration ? 1 : 0;
    row->max = row->enumeration ? (double)row->enumeration->count : row->type == ZENO_BOOLEAN ? 1 : INFINITY;
    row->min_excluded = source->positive;
    set_start(row, source->start);
}

static void add_settings(variable_table *t, const model_file *model) {
    const bool modes = model->kind == MODEL_HYBRID;
    const char *norm = modes ? "" : lagrangian_norm_unit(model);
    const char *const units[ZENO_SETTINGS] = {
        [ZENO_EPSILON_Q] = norm,
        [ZENO_EPSILON_V] = unit_times(&t->memory, norm, "s", -1),
        [ZENO_EPSILON_T] = "s",
        [ZENO_RELAXATION] = "s",
    };
    for (int i = 0; i < ZENO_SETTINGS; i++) {
        const char *description = modes ? SETTING_ROWS[i].of_modes : SETTING_ROWS[i].description;
        if (description) add_setting(t, i, description, units[i]);
    }
}

// ---- the table

static bool is_taken(const variable_table *t, const char *name) {
    for (int i = 0; i < t->count; i++) {
        const fmi_enumeration *type = t->rows[i].enumeration;
        if (strcmp(t->rows[i].name, name) == 0 || (type && strcmp(type->name, name) == 0)) return true;
    }
    return false;
}

// FMI wants a type's name to differ from all others and from the variables': "Release" for `release`.
static char *type_name(variable_table *t, const char *variable) {
    char *name = memory_text(&t->memory, "%s", variable);
    name[0] = (char)toupper((unsigned char)name[0]);
    while (is_taken(t, name) && !t->memory.failed)
        name = memory_text(&t->memory, "%s_", name);
    return name;
}

// The types of parameters with choices, when all variables have their names.
static void add_enumerations(variable_table *t, const model_file *model) {
    for (int i = 0; i < t->count; i++) {
        fmi_variable *row = &t->rows[i];
        if (row->quantity != ZENO_PARAMETER || row->type != ZENO_INTEGER) continue;
        const model_parameter *p = &model->parameters[row->index];
        fmi_enumeration *type = memory_take(&t->memory, 1, sizeof *type);
        if (!type) return;
        *type = (fmi_enumeration){type_name(t, row->name), p->about.description, p->choices, p->choice_count};
        row->enumeration = type;
    }
}

variable_table *variables_make(const model_file *model, diagnostics *d) {
    const bool modes = model->kind == MODEL_HYBRID;
    const int count = model->parameter_count + ZENO_SETTINGS + model->input_count +
                      (modes ? mode_rows(model) : lagrangian_rows(model)) + model->output_count;
    variable_table *t = calloc(1, sizeof *t);
    if (t) t->rows = memory_take(&t->memory, (size_t)count, sizeof *t->rows);
    if (t && t->rows) {
        add_parameters(t, model);
        add_settings(t, model);
        add_inputs(t, model);
        if (modes)
            add_modes(t, model);
        else
            add_lagrangian(t, model);
        add_outputs(t, model);
        add_enumerations(t, model);
    }
    if (t && !t->memory.failed) return t;
    report_error(d, 0, "out of memory");
    variables_free(t);
    return NULL;
}

void variables_free(variable_table *table) {
    if (!table) return;
    memory_release(&table->memory);
    free(table);
}
