// Reads all that has a name or a number: parameters, coordinates, states, inputs, and the names of what has an
// expression.

#include <math.h>
#include <string.h>

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

static void read_number_parameter(model_reader *r, const xmlNode *node, model_parameter *p) {
    p->value = reader_number(r, node, "value", NAN);
    p->min = read_limit(r, node, "min", "above", -INFINITY, &p->min_excluded);
    p->max = read_limit(r, node, "max", "below", INFINITY, &p->max_excluded);
    check_range(r, node, p);
}

static void read_choice(model_reader *r, xmlNode *node) {
    model_parameter *p = node->parent->_private;
    model_choice *choice = &p->choices[p->choice_count++];
    choice->name = reader_text(r, node, "name");
    choice->description = reader_text(r, node, "description");
    declare(r, choice->name, NAME_CHOICE, p->choice_count, node);
}

// The number of the choice that the attribute `value` names; NaN when it names none, which is reported.
static double read_chosen(model_reader *r, const xmlNode *node, const model_parameter *p) {
    const char *value = reader_text(r, node, "value");
    const char **names = memory_take(&r->model->memory, (size_t)p->choice_count, sizeof *names);
    if (!names) return NAN;
    for (int i = 0; i < p->choice_count; i++) {
        names[i] = p->choices[i].name;
        if (strcmp(value, names[i]) == 0) return i + 1;
    }
    char hint[HINT_SIZE];
    report_error(r->d, p->about.line, "%s: its value '%s' is none of its choices%s", reader_describe(r, node), value,
                 did_you_mean(nearest_name(value, names, p->choice_count), hint));
    return NAN;
}

static void read_enumeration(model_reader *r, const xmlNode *node, model_parameter *p) {
    static const char *const of_numbers[] = {"unit", "displayUnit", "min", "max", "above", "below"};
    static const element_reader table[] = {{"choice", read_choice}};
    p->choices = memory_take(&r->model->memory, xmlChildElementCount((xmlNode *)node), sizeof *p->choices);
    if (!p->choices) return;
    read_elements(r, node, table, 1);
    p->value = read_chosen(r, node, p);
    p->min = 1;
    p->max = p->choice_count;
    for (size_t i = 0; i < sizeof of_numbers / sizeof of_numbers[0]; i++)
        if (reader_attribute(r, node, of_numbers[i]))
            report_error(r->d, p->about.line, "%s has choices and '%s'; expected that of numbers only",
                         reader_describe(r, node), of_numbers[i]);
}

static void read_parameter(model_reader *r, xmlNode *node) {
    const int index = r->model->parameter_count++;
    model_parameter *p = &r->model->parameters[index];
    p->about = reader_about(r, node);
    node->_private = p;
    declare(r, p->about.name, NAME_PARAMETER, index, node);
    if (xmlChildElementCount(node) > 0)
        read_enumeration(r, node, p);
    else
        read_number_parameter(r, node, p);
}

// ---- coordinates, states and inputs

static double read_nominal(model_reader *r, const xmlNode *node, bool *given) {
    const double nominal = reader_number(r, node, "nominal", 1);
    *given = reader_attribute(r, node, "nominal");
    if (nominal <= 0)
        report_error(r->d, reader_line(node), "nominal of %s is %g; expected a positive size", reader_describe(r, node),
                     nominal);
    return nominal;
}

static void read_coordinate(model_reader *r, xmlNode *node) {
    const int index = r->model->coordinate_count++;
    model_coordinate *c = &r->model->coordinates[index];
    c->about = reader_about(r, node);
    c->rate = reader_attribute(r, node, "rate");
    c->acceleration = memory_text(&r->model->memory, "der(%s)", c->rate);
    c->start = reader_number(r, node, "start", 0);
    c->rate_start = reader_number(r, node, "rateStart", 0);
    c->nominal = read_nominal(r, node, &c->has_nominal);
    c->force = expr_constant(r->model->graph, 0);
    declare(r, c->about.name, NAME_COORDINATE, index, node);
    declare(r, c->rate, NAME_RATE, index, node);
}

static void read_state(model_reader *r, xmlNode *node) {
    const int index = r->model->state_count++;
    model_state *state = &r->model->states[index];
    state->about = reader_about(r, node);
    state->start = reader_number(r, node, "start", 0);
    state->nominal = read_nominal(r, node, &state->has_nominal);
    declare(r, state->about.name, NAME_STATE, index, node);
}

static void read_held(model_reader *r, xmlNode *node) {
    const int index = r->model->held_count++;
    model_held *held = &r->model->held[index];
    *held = (model_held){.about = reader_about(r, node), .start = reader_number(r, node, "start", 0)};
    declare(r, held->about.name, NAME_HELD, index, node);
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

void read_output_name(model_reader *r, xmlNode *node) {
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

static void check_lagrangian(const model_reader *r) {
    if (r->model->coordinate_count == 0)
        report_error(r->d, reader_line(r->root), "the model has no coordinate; expected at least one");
    if (r->model->constraint_count == 0)
        report_error(r->d, reader_line(r->root), "the model has no constraint; expected exactly one");
}

static void check_system(const model_reader *r) {
    if (r->model->state_count == 0)
        report_error(r->d, reader_line(r->root), "the model has no state; expected at least one");
    if (r->model->mode_count == 0)
        report_error(r->d, reader_line(r->root), "the model has no mode; expected at least one");
    else if (r->model->initial_mode < 0)
        report_error(r->d, reader_line(r->root), "no mode is the initial one; expected initial=\"true\" for one");
}

// The schema sees to it that a model has the elements of its kind only.
void read_declarations(model_reader *r) {
    static const element_reader table[] = {
        {"parameter", read_parameter},
        {"input", read_input},
        {"define", read_definition},
        {"output", read_output_name},
        {"experiment", read_experiment},
        // hybridLagrangian
        {"coordinate", read_coordinate},
        {"force", read_input},
        {"constraint", read_constraint},
        // hybridSystem
        {"state", read_state},
        {"held", read_held},
        {"mode", read_mode_declarations},
    };
    model_file *model = r->model;
    model->name = reader_attribute(r, r->root, "name");
    model->description = reader_text(r, r->root, "description");
    model->version = reader_text(r, r->root, "version");
    model->stop_time = DEFAULT_DURATION;
    model->step_size = DEFAULT_DURATION / DEFAULT_STEPS;
    model->tolerance = DEFAULT_TOLERANCE;
    read_elements(r, r->root, table, sizeof table / sizeof table[0]);
    if (model->kind == MODEL_HYBRID)
        check_system(r);
    else
        check_lagrangian(r);
}
