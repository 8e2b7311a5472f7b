// Reads all that has an expression, and checks what can be checked before the equations of motion are derived.

#include <math.h>

#include "model_reader.h"

// ---- what each kind of expression may depend on

static const expression_rule ANYTHING = {.classes = ~0u, .words = "anything"};
static const expression_rule ANYTHING_PIECEWISE = {.classes = ~0u, .words = "anything", .piecewise = true};
static const expression_rule PARAMETERS = {.classes = IN(SYMBOL_PARAMETER), .words = "parameters"};
static const expression_rule POSITION = {.classes = IN(SYMBOL_PARAMETER) | IN(SYMBOL_COORDINATE),
                                         .words = "parameters and coordinates"};
static const expression_rule GAP = {.classes = IN(SYMBOL_PARAMETER) | IN(SYMBOL_COORDINATE),
                                    .words = "parameters and coordinates (for now neither time nor inputs)"};
static const expression_rule MOTION = {.classes = IN(SYMBOL_PARAMETER) | IN(SYMBOL_COORDINATE) | IN(SYMBOL_RATE),
                                       .words = "parameters, coordinates and rates"};
static const expression_rule FORCING = {.classes = IN(SYMBOL_PARAMETER) | IN(SYMBOL_COORDINATE) | IN(SYMBOL_RATE) |
                                                   IN(SYMBOL_INPUT) | IN(SYMBOL_TIME),
                                        .words = "parameters, coordinates, rates, inputs and time"};

// ---- expressions

static int newlines(const char *source, int end) {
    int count = 0;
    for (int i = 0; i < end; i++)
        count += source[i] == '\n';
    return count;
}

expr reader_expression(model_reader *r, const xmlNode *node, const char *source, const expression_rule *rule,
                       const char *what) {
    parse_error error;
    const expr x = reader_parse(r, source, rule, &error);
    if (x == EXPR_NONE && error.message[0] != '\0')
        report_error(r->d, reader_line(node) + newlines(source, error.offset), "%s%s: %s", what,
                     reader_describe(r, node), error.message);
    return x;
}

expr reader_content(model_reader *r, const xmlNode *node, const expression_rule *rule) {
    xmlChar *source = xmlNodeGetContent((xmlNode *)node);
    const expr x = source ? reader_expression(r, node, (const char *)source, rule, "") : EXPR_NONE;
    xmlFree(source);
    return x;
}

// Where smoothness is needed, a definition that isn't smooth is refused by those that use it.
static const expression_rule *anything(const model_reader *r) {
    return r->model->kind == MODEL_HYBRID ? &ANYTHING_PIECEWISE : &ANYTHING;
}

static void read_definition(model_reader *r, xmlNode *node) {
    model_definition *definition = node->_private;
    definition->value = reader_content(r, node, anything(r));
    definition->read = true;
}

static void read_output(model_reader *r, xmlNode *node) {
    model_output *output = node->_private;
    output->value = reader_content(r, node, anything(r));
}

static void read_constraint(model_reader *r, xmlNode *node) {
    model_constraint *constraint = node->_private;
    constraint->h = reader_content(r, node, &GAP);
    constraint->restitution =
        reader_expression(r, node, reader_attribute(r, node, "restitution"), &PARAMETERS, "restitution of ");
}

// True when an element that may stand once stands the first time.
static bool is_first(model_reader *r, const xmlNode *node, int *line) {
    const int first = *line;
    if (first == 0)
        *line = reader_line(node);
    else
        report_error(r->d, reader_line(node), "a second %s; expected one, and the first is in line %d",
                     (const char *)node->name, first);
    return first == 0;
}

static void read_kinetic_energy(model_reader *r, xmlNode *node) {
    if (is_first(r, node, &r->model->kinetic_line)) r->model->kinetic_energy = reader_content(r, node, &MOTION);
}

static void read_potential_energy(model_reader *r, xmlNode *node) {
    if (is_first(r, node, &r->model->potential_line)) r->model->potential_energy = reader_content(r, node, &POSITION);
}

// ---- generalized forces

static bool is_coordinate(const name_entry *entry) {
    return entry->kind == NAME_COORDINATE;
}

// The coordinate that the attribute `on` names; -1 when there is none, which is reported.
static int coordinate_on(model_reader *r, const xmlNode *node) {
    const char *on = reader_attribute(r, node, "on");
    const name_entry *entry = names_find(&r->names, on);
    if (entry && entry->kind == NAME_COORDINATE) return entry->index;
    char hint[HINT_SIZE];
    report_error(r->d, reader_line(node), "%s acts on '%s', which is no coordinate%s", (const char *)node->name, on,
                 did_you_mean(names_nearest(&r->names, on, is_coordinate), hint));
    return -1;
}

static void add_force(model_reader *r, int coordinate, expr force) {
    if (coordinate < 0 || force == EXPR_NONE) return;
    expr *sum = &r->model->coordinates[coordinate].force;
    *sum = expr_binary(r->model->graph, EXPR_ADD, *sum, force);
}

static void read_force(model_reader *r, xmlNode *node) {
    model_input *input = node->_private;
    input->on = coordinate_on(r, node);
    add_force(r, input->on, expr_symbol_node(r->model->graph, SYMBOL_INPUT, (int)(input - r->model->inputs)));
}

static void read_generalized_force(model_reader *r, xmlNode *node) {
    const int on = coordinate_on(r, node);
    add_force(r, on, reader_content(r, node, &FORCING));
}

// ---- what follows

static void mark_fixed(void *context, expr_symbol symbol) {
    model_file *model = context;
    if (symbol.class == SYMBOL_PARAMETER) model->parameters[symbol.index].fixed = true;
}

static void check_gap(const model_reader *r, const model_constraint *c) {
    if (!expr_depends_on_class(r->model->graph, c->h, SYMBOL_COORDINATE)) {
        report_error(r->d, c->about.line, "constraint '%s' depends on no coordinate; expected a function of some",
                     c->about.name);
        return;
    }
    expr_symbols(r->model->graph, c->h, mark_fixed, r->model);
    const double gap = expr_evaluate(r->model->graph, c->h, model_start_value, r->model);
    if (gap < -1e-12) // beyond rounding; a host may still start the model elsewhere
        report_warning(r->d, c->about.line, "constraint '%s' is violated at the start: the gap is %g; expected >= 0",
                       c->about.name, gap);
}

static void check_restitution(const model_reader *r, const model_constraint *c) {
    const double e = expr_evaluate(r->model->graph, c->restitution, model_start_value, r->model);
    if (!isfinite(e) || e < 0 || e > 1)
        report_error(r->d, c->about.line, "restitution of constraint '%s' is %g by default; expected 0 to 1",
                     c->about.name, e);
}

static void check_lagrangian(const model_reader *r) {
    const model_file *model = r->model;
    if (model->kinetic_line == 0)
        report_error(r->d, reader_line(r->root), "the model has no kineticEnergy; expected one");
    if (model->potential_line == 0)
        report_error(r->d, reader_line(r->root),
                     "the model has no potentialEnergy; expected one, if only <potentialEnergy>0</potentialEnergy>");
    for (int i = 0; i < model->constraint_count; i++) {
        if (model->constraints[i].h != EXPR_NONE) check_gap(r, &model->constraints[i]);
        if (model->constraints[i].restitution != EXPR_NONE) check_restitution(r, &model->constraints[i]);
    }
}

void read_expressions(model_reader *r) {
    static const element_reader definitions[] = {{"define", read_definition}};
    static const element_reader others[] = {
        {"force", read_force},
        {"kineticEnergy", read_kinetic_energy},
        {"potentialEnergy", read_potential_energy},
        {"generalizedForce", read_generalized_force},
        {"constraint", read_constraint},
        {"output", read_output},
        {"mode", read_mode_expressions},
    };
    read_elements(r, r->root, definitions, 1);
    read_elements(r, r->root, others, sizeof others / sizeof others[0]);
    if (r->model->kind == MODEL_LAGRANGIAN) check_lagrangian(r);
}
