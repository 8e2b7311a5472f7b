// Writes a model as C: the functions of its equations, its tables and the descriptor that the engine knows it by.

#include "write.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

// ---- functions

// What a model function may be given, as the engine's `zeno_lagrangian` declares it, and the symbols read from it.
typedef enum argument { POINT = 1, BOX = 2, ACCELERATION = 4, FORCE = 8, DIRECTION = 16, CHANGES = 32 } argument;

// Symbols that say where a function is evaluated.
#define PLACE                                                                                                          \
    (1u << SYMBOL_TIME | 1u << SYMBOL_PARAMETER | 1u << SYMBOL_INPUT | 1u << SYMBOL_COORDINATE | 1u << SYMBOL_RATE)

static const struct {
    argument argument;
    const char *type, *name;
    unsigned classes;
} ARGUMENTS[] = {
    {POINT, "const zeno_point *", "x", PLACE},
    {BOX, "const zeno_box *", "x", PLACE},
    {ACCELERATION, "const double *", "acceleration", 1u << SYMBOL_ACCELERATION},
    {FORCE, "const double *", "force", 1u << SYMBOL_FORCE},
    {DIRECTION, "const zeno_direction *", "d",
     1u << SYMBOL_TIME_SEED | 1u << SYMBOL_INPUT_SEED | 1u << SYMBOL_COORDINATE_SEED | 1u << SYMBOL_RATE_SEED},
    {CHANGES, "const double *", "acceleration_change", 1u << SYMBOL_ACCELERATION_SEED},
    {CHANGES, "const double *", "force_change", 1u << SYMBOL_FORCE_SEED},
};
enum { ARGUMENT_COUNT = sizeof ARGUMENTS / sizeof ARGUMENTS[0] };

// An array that a model function writes.
typedef struct result {
    const char *name;
    const expr *values;
    int count;
    int columns; // of a matrix of which only the lower triangle is written; else 0
} result;

// A model function; `results` ends with a row without name.
typedef struct function {
    const char *name;
    const expr_dialect *dialect;
    unsigned arguments; // sum of `argument`
    result results[5];
} function;

static void write_signature(const function *f, text *out) {
    const char *separator = "";
    text_append(out, "\nstatic void %s(", f->name);
    for (int i = 0; i < ARGUMENT_COUNT; i++) {
        if (!(f->arguments & ARGUMENTS[i].argument)) continue;
        text_append(out, "%s%s%s", separator, ARGUMENTS[i].type, ARGUMENTS[i].name);
        separator = ", ";
    }
    separator = f->arguments == POINT ? ", " : ",\n                    ";
    for (const result *r = f->results; r->name; r++) {
        text_append(out, "%s%s *%s", separator, f->dialect->type, r->name);
        separator = ", ";
    }
    text_append(out, ") {\n");
}

// Keeps C compilers quiet about parameters that this model's function doesn't need.
static void write_unused(const function *f, unsigned classes, text *out) {
    for (int i = 0; i < ARGUMENT_COUNT; i++) {
        const bool given = f->arguments & ARGUMENTS[i].argument, used = classes & ARGUMENTS[i].classes;
        if (given && !used) text_append(out, "    (void)%s;\n", ARGUMENTS[i].name);
    }
    for (const result *r = f->results; r->name; r++) {
        if (r->count == 0) text_append(out, "    (void)%s;\n", r->name);
    }
}

// The assignments of a function; how many there are. `classes` receives the symbol classes that they read.
static int list_assignments(const expr_graph *graph, const function *f, expr_assignment *list, unsigned *classes) {
    int count = 0;
    *classes = 0;
    for (const result *r = f->results; r->name; r++) {
        for (int i = 0; i < r->count; i++) {
            const bool above_diagonal = r->columns > 0 && i % r->columns > i / r->columns;
            if (above_diagonal || r->values[i] == EXPR_NONE) continue;
            snprintf(list[count].target, sizeof list[count].target, "%s[%d]", r->name, i);
            list[count++].value = r->values[i];
            *classes |= expr_get(graph, r->values[i]).classes;
        }
    }
    return count;
}

static void write_function(const expr_graph *graph, const function *f, text *out) {
    size_t most = 1;
    for (const result *r = f->results; r->name; r++)
        most += (size_t)r->count;
    expr_assignment *list = malloc(most * sizeof *list);
    if (!list) {
        out->failed = true;
        return;
    }
    unsigned classes;
    const int count = list_assignments(graph, f, list, &classes);
    write_signature(f, out);
    write_unused(f, classes, out);
    expr_emit(graph, list, count, f->dialect, out);
    text_append(out, "}\n");
    free(list);
}

static void write_equation_functions(const model_file *model, const model_equations *e, text *out) {
    const int n = e->n, m = e->m;
    const function functions[] = {
        {"dynamics",
         &expr_dialect_double,
         POINT,
         {{"M", e->M, n * n, n}, {"b", e->b, n, 0}, {"J", e->J, m * n, 0}, {"curvature", e->curvature, m, 0}}},
        {"enclosure",
         &expr_dialect_interval,
         BOX,
         {{"M", e->M, n * n, n}, {"b", e->b, n, 0}, {"J", e->J, m * n, 0}, {"curvature", e->curvature, m, 0}}},
        {"constraints",
         &expr_dialect_double,
         POINT,
         {{"h", e->h, m, 0}, {"rounding", e->rounding, m, 0}, {"J", e->J, m * n, 0}, {"drift", e->drift, m, 0}}},
        {"energy",
         &expr_dialect_double,
         POINT,
         {{"kinetic", &model->kinetic_energy, 1, 0}, {"potential", &model->potential_energy, 1, 0}}},
        {"tangent",
         &expr_dialect_double,
         POINT | ACCELERATION | FORCE | DIRECTION,
         {{"residual", e->residual_tangent, n, 0}, {"curvature", e->curvature_tangent, m, 0}}},
        {"energy_tangent",
         &expr_dialect_double,
         POINT | DIRECTION,
         {{"kinetic", &e->energy_tangent[0], 1, 0}, {"potential", &e->energy_tangent[1], 1, 0}}},
        {"outputs_tangent",
         &expr_dialect_double,
         POINT | ACCELERATION | FORCE | DIRECTION | CHANGES,
         {{"y", e->output_tangent, model->output_count, 0}}},
    };
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        write_function(model->graph, &functions[i], out);
    }
}

static void write_restitution(const model_file *model, expr *values, text *out) {
    for (int k = 0; k < model->constraint_count; k++)
        values[k] = model->constraints[k].restitution;
    const function restitution = {
        "restitution", &expr_dialect_double, POINT, {{"e", values, model->constraint_count, 0}}};
    write_function(model->graph, &restitution, out);
}

static void write_outputs(const model_file *model, expr *values, text *out) {
    for (int i = 0; i < model->output_count; i++)
        values[i] = model->outputs[i].value;
    const function outputs = {
        "outputs", &expr_dialect_double, POINT | ACCELERATION | FORCE, {{"y", values, model->output_count, 0}}};
    write_function(model->graph, &outputs, out);
}

static void write_lagrangian(const model_file *model, const model_equations *e, text *out) {
    const int most = model->constraint_count > model->output_count ? model->constraint_count : model->output_count;
    expr *values = malloc(((size_t)most + 1) * sizeof *values);
    if (!values) {
        out->failed = true;
        return;
    }
    write_equation_functions(model, e, out);
    write_restitution(model, values, out);
    write_outputs(model, values, out);
    free(values);
    text_append(out, "\nstatic const zeno_lagrangian lagrangian = {\n"
                     "    .dynamics = dynamics,\n"
                     "    .enclosure = enclosure,\n"
                     "    .constraints = constraints,\n"
                     "    .restitution = restitution,\n"
                     "    .energy = energy,\n"
                     "    .tangent = tangent,\n"
                     "    .outputs = outputs,\n"
                     "    .energy_tangent = energy_tangent,\n"
                     "    .outputs_tangent = outputs_tangent,\n"
                     "};\n\n");
}

// ---- tables

static void write_number(double value, text *out) {
    if (isinf(value)) {
        text_append(out, value < 0 ? "-INFINITY" : "INFINITY");
    } else {
        expr_dialect_double.constant(out, value);
    }
}

// A C string; what is not plain ASCII goes in as octal escapes, '?' escaped for it may begin a trigraph.
static void write_string(const char *string, text *out) {
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

static void write_settings(const variable_table *variables, text *out) {
    text_append(out, "    .setting_start =\n        {\n");
    for (int i = 0; i < variables->count; i++) {
        const fmi_variable *v = &variables->rows[i];
        if (v->quantity != ZENO_SETTING) continue;
        text_append(out, "            [%s] = ", SETTINGS[v->index]);
        write_number(v->start, out);
        text_append(out, ",\n");
    }
    text_append(out, "        },\n");
}

static void write_descriptor(const model_file *model, const variable_table *variables, const char *guid, text *out) {
    text_append(out, "const zeno_model zeno_fmu_model = {\n    .name = ");
    write_string(model->name, out);
    text_append(out, ",\n    .guid = ");
    write_string(guid, out);
    text_append(out, ",\n    .parameters = %d,\n    .inputs = %d,\n    .outputs = %d,\n", model->parameter_count,
                model->input_count, model->output_count);
    text_append(out, "    .coordinates = %d,\n    .constraints = %d,\n", model->coordinate_count,
                model->constraint_count);
    write_columns(model, write_column_member, out);
    if (model->parameter_count > 0) text_append(out, "    .parameter_range = parameter_range,\n");
    write_settings(variables, out);
    text_append(out, "    .tolerance = ");
    write_number(model->tolerance, out);
    text_append(out, ",\n    .step_size = ");
    write_number(model->step_size, out);
    text_append(out, ",\n    .variables = %d,\n    .variable = variables,\n", variables->count);
    text_append(out, "    .lagrangian = &lagrangian,\n};\n");
}

void write_c(const model_file *model, const model_equations *equations, const variable_table *variables,
             const char *guid, text *out) {
    text_append(out, "// The model %s, written by zenofmu from its model file.\n\n", model->name);
    text_append(out, "#include \"model.h\"\n\n#include <math.h>\n");
    write_lagrangian(model, equations, out);
    write_columns(model, write_column, out);
    write_ranges(model, out);
    write_variables(variables, out);
    write_descriptor(model, variables, guid, out);
}
