// Writes a model as C: the functions of its equations, its tables and the descriptor that the engine knows it by.

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "write_c_impl.h"

// ---- tables

static void write_number(double value, text *out) {
    if (isinf(value)) {
        text_append(out, value < 0 ? "-INFINITY" : "INFINITY");
    } else {
        expr_dialect_double.constant(out, value);
    }
}

void write_string(const char *string, text *out) {
    text_append(out, "\"");
    for (const char *c = string; *c; c++) {
        if (strchr("\"\\?", *c)) {
            text_append(out, "\\%c", *c);
        } else if (*c >= ' ' && *c <= '~') {
            text_append(out, "%c", *c);
        } else {
            text_append(out, "\\%03o", (unsigned)(unsigned char)*c);
        }
    }
    text_append(out, "\"");
}

// An array of the descriptor: one member of all rows of a list of the model file.
typedef struct column {
    const char *name; // in the descriptor
    enum { NUMBERS, NAMES } kind;
    const void *rows;
    int count;
    size_t row_size, offset; // in bytes
} column;

static void write_column(const column *c, text *out) {
    text_append(out, c->kind == NUMBERS ? "static const double %s[] = {" : "static const char *const %s[] = {",
                c->name);
    for (int i = 0; i < c->count; i++) {
        const void *value = (const char *)c->rows + (size_t)i * c->row_size + c->offset;
        text_append(out, i == 0 ? "" : ", ");
        if (c->kind == NUMBERS) {
            write_number(*(const double *)value, out);
        } else {
            write_string(*(char *const *)value, out);
        }
    }
    text_append(out, "};\n");
}

static void write_column_member(const column *c, text *out) {
    text_append(out, "    .%s = %s,\n", c->name, c->name);
}

// Calls `write` for every column that is not empty.
static void write_columns(const model_file *model, void (*write)(const column *c, text *out), text *out) {
    const model_parameter *p = model->parameters;
    const model_input *u = model->inputs;
    const model_coordinate *q = model->coordinates;
    const model_constraint *c = model->constraints;
    const model_state *x = model->states;
    const model_held *h = model->held;
    const column columns[] = {
        {"parameter_start", NUMBERS, p, model->parameter_count, sizeof *p, offsetof(model_parameter, value)},
        {"parameter_name", NAMES, p, model->parameter_count, sizeof *p, offsetof(model_parameter, about.name)},
        {"input_start", NUMBERS, u, model->input_count, sizeof *u, offsetof(model_input, start)},
        {"input_name", NAMES, u, model->input_count, sizeof *u, offsetof(model_input, about.name)},
        {"coordinate_start", NUMBERS, q, model->coordinate_count, sizeof *q, offsetof(model_coordinate, start)},
        {"rate_start", NUMBERS, q, model->coordinate_count, sizeof *q, offsetof(model_coordinate, rate_start)},
        {"nominal", NUMBERS, q, model->coordinate_count, sizeof *q, offsetof(model_coordinate, nominal)},
        {"coordinate_name", NAMES, q, model->coordinate_count, sizeof *q, offsetof(model_coordinate, about.name)},
        {"rate_name", NAMES, q, model->coordinate_count, sizeof *q, offsetof(model_coordinate, rate)},
        {"constraint_name", NAMES, c, model->constraint_count, sizeof *c, offsetof(model_constraint, about.name)},
        {"state_start", NUMBERS, x, model->state_count, sizeof *x, offsetof(model_state, start)},
        {"state_nominal", NUMBERS, x, model->state_count, sizeof *x, offsetof(model_state, nominal)},
        {"state_name", NAMES, x, model->state_count, sizeof *x, offsetof(model_state, about.name)},
        {"held_start", NUMBERS, h, model->held_count, sizeof *h, offsetof(model_held, start)},
        {"held_name", NAMES, h, model->held_count, sizeof *h, offsetof(model_held, about.name)},
    };
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        if (columns[i].count > 0) write(&columns[i], out);
    }
}

static void write_ranges(const model_file *model, text *out) {
    if (model->parameter_count == 0) return;
    text_append(out, "static const zeno_range parameter_range[] = {\n");
    for (int i = 0; i < model->parameter_count; i++) {
        const model_parameter *p = &model->parameters[i];
        text_append(out, "    {");
        write_number(p->min, out);
        text_append(out, ", ");
        write_number(p->max, out);
        text_append(out, ", %s, %s},\n", p->min_excluded ? "true" : "false", p->max_excluded ? "true" : "false");
    }
    text_append(out, "};\n");
}

#define NAME(enumerator) [enumerator] = #enumerator

static const char *const QUANTITIES[] = {
    NAME(ZENO_PARAMETER),
    NAME(ZENO_SETTING),
    NAME(ZENO_INPUT),
    NAME(ZENO_COORDINATE),
    NAME(ZENO_RATE),
    NAME(ZENO_ACCELERATION),
    NAME(ZENO_OUTPUT),
    NAME(ZENO_GAP),
    NAME(ZENO_GAP_RATE),
    NAME(ZENO_GAP_ACCELERATION),
    NAME(ZENO_FORCE),
    NAME(ZENO_CLOSED),
    NAME(ZENO_IMPACTS),
    NAME(ZENO_RELEASES),
    NAME(ZENO_LAST_IMPACT_TIME),
    NAME(ZENO_LAST_IMPACT_SPEED),
    NAME(ZENO_LAST_IMPULSE),
    NAME(ZENO_ZENO_COUNT),
    NAME(ZENO_ZENO_TIME),
    NAME(ZENO_ZENO_TIME_BOUND),
    NAME(ZENO_ZENO_POSITION_BOUND),
    NAME(ZENO_ZENO_VELOCITY_BOUND),
    NAME(ZENO_ZENO_CERTIFIED),
    NAME(ZENO_STABLE_POSITION),
    NAME(ZENO_STABLE_VELOCITY),
    NAME(ZENO_KINETIC_ENERGY),
    NAME(ZENO_POTENTIAL_ENERGY),
    NAME(ZENO_DISSIPATED_ENERGY),
    NAME(ZENO_STATE),
    NAME(ZENO_HELD),
    NAME(ZENO_MODE),
    NAME(ZENO_TRANSITIONS),
    NAME(ZENO_LAST_TRANSITION_TIME),
};
static const char *const TYPES[] = {NAME(ZENO_REAL), NAME(ZENO_INTEGER), NAME(ZENO_BOOLEAN)};
static const char *const ACCESSES[] = {NAME(ZENO_READ_ONLY), NAME(ZENO_START), NAME(ZENO_FIXED), NAME(ZENO_TUNABLE),
                                       NAME(ZENO_LIVE)};
static const char *const SETTINGS[ZENO_SETTINGS] = {
    NAME(ZENO_EPSILON_Q),  NAME(ZENO_EPSILON_V), NAME(ZENO_EPSILON_T), NAME(ZENO_REINITIALIZATION),
    NAME(ZENO_RELAXATION), NAME(ZENO_STABILITY), NAME(ZENO_TOLERANCE)};

static void write_variables(const variable_table *variables, text *out) {
    text_append(out, "static const zeno_variable variables[] = {\n");
    for (int i = 0; i < variables->count; i++) {
        const fmi_variable *v = &variables->rows[i];
        text_append(out, "    {");
        write_string(v->name, out);
        text_append(out, ", %s, ", QUANTITIES[v->quantity]);
        if (v->quantity == ZENO_SETTING) {
            text_append(out, "%s", SETTINGS[v->index]);
        } else {
            text_append(out, "%d", v->index);
        }
        text_append(out, ", %s, %s},\n", TYPES[v->type], ACCESSES[v->access]);
    }
    text_append(out, "};\n\n");
}

// A setting without variable has its default: the engine checks all.
static void write_settings(const variable_table *variables, text *out) {
    double start[ZENO_SETTINGS];
    for (int i = 0; i < ZENO_SETTINGS; i++)
        start[i] = setting_default((zeno_setting)i);
    for (int i = 0; i < variables->count; i++)
        if (variables->rows[i].quantity == ZENO_SETTING) start[variables->rows[i].index] = variables->rows[i].start;
    text_append(out, "    .setting_start =\n        {\n");
    for (int i = 0; i < ZENO_SETTINGS; i++) {
        text_append(out, "            [%s] = ", SETTINGS[i]);
        write_number(start[i], out);
        text_append(out, ",\n");
    }
    text_append(out, "        },\n");
}

// What only one of the kinds has.
static void write_counts(const model_file *model, text *out) {
    if (model->kind == MODEL_LAGRANGIAN) {
        text_append(out, "    .coordinates = %d,\n    .constraints = %d,\n", model->coordinate_count,
                    model->constraint_count);
        return;
    }
    int guards = 0;
    for (int i = 0; i < model->mode_count; i++)
        guards = model->modes[i].transition_count > guards ? model->modes[i].transition_count : guards;
    text_append(out, "    .states = %d,\n    .held = %d,\n    .guards = %d,\n", model->state_count, model->held_count,
                guards);
}

static void write_descriptor(const model_file *model, const variable_table *variables, const char *guid, text *out) {
    text_append(out, "const zeno_model zeno_fmu_model = {\n    .name = ");
    write_string(model->name, out);
    text_append(out, ",\n    .guid = ");
    write_string(guid, out);
    text_append(out, ",\n    .parameters = %d,\n    .inputs = %d,\n    .outputs = %d,\n", model->parameter_count,
                model->input_count, model->output_count);
    write_counts(model, out);
    write_columns(model, write_column_member, out);
    if (model->parameter_count > 0) text_append(out, "    .parameter_range = parameter_range,\n");
    write_settings(variables, out);
    text_append(out, "    .tolerance = ");
    write_number(model->tolerance, out);
    text_append(out, ",\n    .step_size = ");
    write_number(model->step_size, out);
    text_append(out, ",\n    .variables = %d,\n    .variable = variables,\n", variables->count);
    text_append(out,
                model->kind == MODEL_HYBRID ? "    .hybrid = &hybrid,\n};\n" : "    .lagrangian = &lagrangian,\n};\n");
}

void write_c(const model_file *model, const model_equations *equations, const variable_table *variables,
             const char *guid, text *out) {
    text_append(out, "// The model %s, written by zenofmu from its model file.\n\n", model->name);
    text_append(out, "#include \"model.h\"\n\n#include <math.h>\n");
    if (model->kind == MODEL_HYBRID)
        write_hybrid(model, equations, out);
    else
        write_lagrangian(model, equations, out);
    write_columns(model, write_column, out);
    write_ranges(model, out);
    write_variables(variables, out);
    write_descriptor(model, variables, guid, out);
}
