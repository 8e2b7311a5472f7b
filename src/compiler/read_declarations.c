// Reads all that has a name or a number: parameters, coordinates, inputs, and the names of what has an expression.

#include <math.h>

#include "model_reader.h"

static void declare(model_reader *r, const char *name, name_kind kind, int index, const xmlNode *node) {
    names_declare(&r->names, (name_entry){name, kind, index, reader_line(node)}, r->d);
}

// ---- parameters

// One end of a range: `closed` ("min") includes the limit, `open` ("above") excludes it; one of them may be given.
static double read_limit(model_reader *r, const xmlNode *node, const char *closed, const char *open, double none,
                         bool *excluded) {
    const bool has_closed = reader_attribute(r, node, closed), has_open = reader_attribute(r, node, open);
    if (has_closed && has_open)
        report_error(r->d, reader_line(node), "%s has '%s' and '%s'; expected one of them", reader_describe(r, node),
                     closed, open);
    *excluded = has_open;
    return reader_number(r, node, has_open ? open : closed, none);
}

// Comparisons with NaN are false: a number that was reported gives no second message.
static void check_range(model_reader *r, const xmlNode *node, const model_parameter *p) {
    const char *who = reader_describe(r, node);
    const bool excluded = p->min_excluded || p->max_excluded;
    if (p->min > p->max || (p->min == p->max && excluded))
        report_error(r->d, p->about.line, "%s: no value lies between its limits %g and %g; expected %s %s %s", who,
                     p->min, p->max, p->min_excluded ? "above" : "min",
                     excluded ? "<" : "<=", p->max_excluded ? "below" : "max");
    else if (p->value < p->min || (p->min_excluded && p->value == p->min))
        report_error(r->d, p->about.line, "%s: its value %g is outside its own limits; expected %s %g", who, p->value,
                     p->min_excluded ? "above" : "at least", p->min);
    else if (p->value > p->max || (p->max_excluded && p->value == p->max))
        report_error(r->d, p->about.line, "%s: its value %g is outside its own limits; expected %s %g", who, p->value,
                     p->max_excluded ? "below" : "at most", p->max);
}

static void read_parameter(model_reader *r, xmlNode *node) {
    const int index = r->model->parameter_count++;
    model_parameter *p = &r->model->parameters[index];
    p->about = reader_about(r, node);
    p->value = reader_number(r, node, "value", NAN);
    p->min = read_limit(r, node, "min", "above", -INFINITY, &p->min_excluded);
    p->max = read_limit(r, node, "max", "below", INFINITY, &p->max_excluded);
    check_range(r, node, p);
    declare(r, p->about.name, NAME_PARAMETER, index, node);
}

// ---- coordinates and inputs

static void read_coordinate(model_reader *r, xmlNode *node) {
    const int index = r->model->coordinate_count++;
    model_coordinate *c = &r->model->coordinates[index];
    c->about = reader_about(r, node);
    c->rate = reader_attribute(r, node, "rate");
    c->acceleration = memory_text(&r->model->memory, "der(%s)", c->rate);
    c->start = reader_number(r, node, "start", 0);
    c->rate_start = reader_number(r, node, "rateStart", 0);
    c->has_nominal = reader_attribute(r, node, "nominal");
    c->nominal = reader_number(r, node, "nominal", 1);
    if (c->nominal <= 0)
        report_error(r->d, c->about.line, "nominal of %s is %g; expected a positive size", reader_describe(r, node),
                     c->nominal);
    c->force = expr_constant(r->model->graph, 0);
    declare(r, c->about.name, NAME_COORDINATE, index, node);
    declare(r, c->rate, NAME_RATE, index, node);
}

// <input> and <force>; on which coordinate a force acts is found when all are known.
static void read_input(model_reader *r, xmlNode *node) {
    const int index = r->model->input_count++;
    model_input *input = &r->model->inputs[index];
    *input = (model_input){.about = reader_about(r, node), .on = -1, .start = reader_number(r, node, "start", 0)};
    node->_private = input;
    declare(r, input->about.name, NAME_INPUT, index, node);
}

// ---- names of expressions

static void read_definition(model_reader *r, xmlNode *node) {
    const int index = r->model->definition_count++;
    model_definition *definition = &r->model->definitions[index];
    *definition = (model_definition){.about = reader_about(r, node), .value = EXPR_NONE};
    node->_private = definition;
    declare(r, definition->about.name, NAME_DEFINITION, index, node);
}

static void read_constraint(model_reader *r, xmlNode *node) {
    const int index = r->model->constraint_count++;
    model_constraint *constraint = &r->model->constraints[index];
    *constraint = (model_constraint){.about = reader_about(r, node), .h = EXPR_NONE, .restitution = EXPR_NONE};
    constraint->force = memory_text(&r->model->memory, "%s.force", constraint->about.name);
    node->_private = constraint;
    declare(r, constraint->about.name, NAME_CONSTRAINT, index, node);
    if (index == 1)
        report_error(r->d, reader_line(node),
                     "for now a model has exactly one constraint; '%s' is the second, the first is in line %d",
                     constraint->about.name, r->model->constraints[0].about.line);
}

static void read_output(model_reader *r, xmlNode *node) {
    const int index = r->model->output_count++;
    model_output *output = &r->model->outputs[index];
    *output = (model_output){.about = reader_about(r, node), .value = EXPR_NONE};
    node->_private = output;
    declare(r, output->about.name, NAME_OUTPUT, index, node);
}

// ---- the experiment

static const double DEFAULT_DURATION = 10, DEFAULT_STEPS = 1000, DEFAULT_TOLERANCE = 1e-8;

static void read_experiment(model_reader *r, xmlNode *node) {
    model_file *model = r->model;
    const int line = reader_line(node);
    if (model->experiment_line > 0)
        report_error(r->d, line, "a second experiment; expected one, and the first is in line %d",
                     model->experiment_line);
    model->experiment_line = line;
    model->start_time = reader_number(r, node, "startTime", 0);
    model->stop_time = reader_number(r, node, "stopTime", model->start_time + DEFAULT_DURATION);
    if (model->stop_time <= model->start_time)
        report_error(r->d, line, "experiment: stopTime is %g; expected more than startTime, %g", model->stop_time,
                     model->start_time);
    model->step_size = reader_number(r, node, "stepSize", (model->stop_time - model->start_time) / DEFAULT_STEPS);
    model->tolerance = reader_number(r, node, "tolerance", DEFAULT_TOLERANCE);
    if (model->step_size <= 0 && reader_attribute(r, node, "stepSize"))
        report_error(r->d, line, "experiment: stepSize is %g; expected a positive number", model->step_size);
    if (model->tolerance <= 0)
        report_error(r->d, line, "experiment: tolerance is %g; expected a positive number", model->tolerance);
}

void read_declarations(model_reader *r) {
    static const element_reader table[] = {
        {"parameter", read_parameter}, {"coordinate", read_coordinate}, {"force", read_input},
        {"input", read_input},         {"define", read_definition},     {"constraint", read_constraint},
        {"output", read_output},       {"experiment", read_experiment},
    };
    model_file *model = r->model;
    model->name = reader_attribute(r, r->root, "name");
    model->description = reader_text(r, r->root, "description");
    model->version = reader_text(r, r->root, "version");
    model->stop_time = DEFAULT_DURATION;
    model->step_size = DEFAULT_DURATION / DEFAULT_STEPS;
    model->tolerance = DEFAULT_TOLERANCE;
    read_elements(r, table, sizeof table / sizeof table[0]);
    if (model->coordinate_count == 0)
        report_error(r->d, reader_line(r->root), "the model has no coordinate; expected at least one");
    if (model->constraint_count == 0)
        report_error(r->d, reader_line(r->root), "the model has no constraint; expected exactly one");
}
