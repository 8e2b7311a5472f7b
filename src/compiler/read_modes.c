// Reads the modes of a hybrid system: derivatives, outputs, transitions and their resets.

#include <float.h>
#include <math.h>
#include <string.h>

#include "model_reader.h"
#include "units.h"

static const expression_rule SMOOTH = {.classes = ~0u, .words = "anything"};
static const expression_rule PIECEWISE = {.classes = ~0u, .words = "anything", .piecewise = true};
static const expression_rule CONDITION = {.classes = IN(SYMBOL_PARAMETER) | IN(SYMBOL_HELD),
                                          .words = "parameters and held variables (a guard is what the motion changes)",
                                          .piecewise = true,
                                          .condition = true};

// `count` times EXPR_NONE; NULL when memory is short.
static expr *no_expressions(model_reader *r, int count) {
    expr *values = memory_take(&r->model->memory, (size_t)count, sizeof *values);
    for (int i = 0; values && i < count; i++)
        values[i] = EXPR_NONE;
    return values;
}

// True, and reported, when an element of the same kind before this one is about the same thing.
static bool is_second(model_reader *r, const xmlNode *node, const char *attribute) {
    const int line = reader_line_before(r, node, attribute);
    if (line > 0)
        report_error(r->d, reader_line(node), "a second %s; expected one, and the first is in line %d",
                     reader_describe(r, node), line);
    return line > 0;
}

// What the attribute `of` names, when it is a state or, where allowed, a held variable; NULL when not, which is
// reported.
static const name_entry *find_variable(model_reader *r, const xmlNode *node, bool (*wanted)(const name_entry *entry),
                                       const char *words) {
    const char *of = reader_attribute(r, node, "of");
    const name_entry *entry = names_find(&r->names, of);
    if (entry && wanted(entry)) return entry;
    char hint[HINT_SIZE];
    if (entry)
        report_error(r->d, reader_line(node), "%s, which is the %s of line %d; expected a %s", reader_describe(r, node),
                     name_kind_word(entry->kind), entry->line, words);
    else
        report_error(r->d, reader_line(node), "%s: unknown name '%s'; expected a %s%s", reader_describe(r, node), of,
                     words, did_you_mean(names_nearest(&r->names, of, wanted), hint));
    return NULL;
}

// ---- declarations

// Modes may have outputs of the same name: they are one variable, with one unit.
static void join_output(model_reader *r, const xmlNode *node, quantity_text *known) {
    const quantity_text about = reader_about(r, node);
    char message[UNIT_MESSAGE_SIZE];
    unit u, v;
    if (known->description[0] == '\0') known->description = about.description;
    if (known->display_unit[0] == '\0') known->display_unit = about.display_unit;
    if (known->unit[0] == '\0') known->unit = about.unit;
    if (about.unit[0] == '\0' || !unit_parse(about.unit, &u, message) || !unit_parse(known->unit, &v, message)) return;
    if (!unit_same_kind(&u, &v) || u.factor != v.factor || u.offset != v.offset)
        report_error(r->d, about.line, "%s has the unit '%s', but '%s' in line %d; expected the same in all modes",
                     reader_describe(r, node), about.unit, known->unit, known->line);
}

static void declare_output(model_reader *r, xmlNode *node) {
    if (is_second(r, node, "name")) return;
    const name_entry *known = names_find(&r->names, reader_attribute(r, node, "name"));
    model_output *output = known && known->kind == NAME_OUTPUT ? &r->model->outputs[known->index] : NULL;
    if (output && output->of_modes) {
        join_output(r, node, &output->about);
        node->_private = output;
        return;
    }
    read_output_name(r, node);
    output = node->_private;
    output->of_modes = true;
}

static void declare_initial(model_reader *r, const xmlNode *node, int index) {
    const char *initial = reader_text(r, node, "initial");
    if (strcmp(initial, "true") != 0 && strcmp(initial, "1") != 0) return;
    const model_file *model = r->model;
    if (model->initial_mode >= 0) {
        const quantity_text *first = &model->modes[model->initial_mode].about;
        report_error(r->d, reader_line(node),
                     "%s is a second initial mode; expected one, and '%s' in line %d is the first",
                     reader_describe(r, node), first->name, first->line);
        return;
    }
    r->model->initial_mode = index;
}

void read_mode_declarations(model_reader *r, xmlNode *node) {
    static const element_reader table[] = {{"output", declare_output}};
    const int index = r->model->mode_count++;
    model_mode *mode = &r->model->modes[index];
    mode->about = reader_about(r, node);
    node->_private = mode;
    names_declare(&r->modes, (name_entry){mode->about.name, NAME_MODE, index, mode->about.line}, r->d);
    declare_initial(r, node, index);
    read_elements(r, node, table, 1);
}

// ---- derivatives and outputs

static bool is_state(const name_entry *entry) {
    return entry->kind == NAME_STATE;
}

static bool is_state_or_held(const name_entry *entry) {
    return entry->kind == NAME_STATE || entry->kind == NAME_HELD;
}

static void read_derivative(model_reader *r, xmlNode *node) {
    const model_mode *mode = node->parent->_private;
    const name_entry *state = find_variable(r, node, is_state, "state");
    if (state && !is_second(r, node, "of")) mode->derivatives[state->index] = reader_content(r, node, &SMOOTH);
}

static void read_output(model_reader *r, xmlNode *node) {
    const model_mode *mode = node->parent->_private;
    const model_output *output = node->_private;
    const expr value = reader_content(r, node, &PIECEWISE);
    if (output) mode->outputs[output - r->model->outputs] = value;
}

// A state of which a derivative stands there, right or wrong.
static bool has_derivative(model_reader *r, const xmlNode *mode, const char *state) {
    for (const xmlNode *node = mode->children; node; node = node->next) {
        if (node->type != XML_ELEMENT_NODE || strcmp((const char *)node->name, "derivative") != 0) continue;
        if (strcmp(reader_attribute(r, node, "of"), state) == 0) return true;
    }
    return false;
}

static void check_derivatives(model_reader *r, const xmlNode *node) {
    for (int i = 0; i < r->model->state_count; i++) {
        const char *state = r->model->states[i].about.name;
        if (!has_derivative(r, node, state))
            report_error(r->d, reader_line(node), "%s has no derivative of '%s'; expected one of every state",
                         reader_describe(r, node), state);
    }
}

// ---- transitions

static void read_reset(model_reader *r, xmlNode *node) {
    model_transition *t = node->parent->_private;
    const name_entry *variable = find_variable(r, node, is_state_or_held, "state or held variable");
    if (!variable || is_second(r, node, "of")) return;
    const bool state = variable->kind == NAME_STATE;
    if (state && t->update)
        report_error(r->d, reader_line(node),
                     "an update resets the state '%s'; expected held variables only (a transition may reset states)",
                     variable->name);
    *(state ? &t->states[variable->index] : &t->held[variable->index]) = reader_content(r, node, &PIECEWISE);
    t->resets = true;
}

static int find_target(model_reader *r, const xmlNode *node) {
    const char *to = reader_attribute(r, node, "to");
    const name_entry *mode = names_find(&r->modes, to);
    if (mode) return mode->index;
    char hint[HINT_SIZE];
    report_error(r->d, reader_line(node), "%s: there is no such mode%s", reader_describe(r, node),
                 did_you_mean(names_nearest(&r->modes, to, NULL), hint));
    return -1;
}

// Values without pattern: what is 0 there within rounding is 0 everywhere.
static double scattered_value(void *context, expr_symbol symbol) {
    const int *sample = context;
    const double turns = 0.6180339887498949 * (1 + symbol.index + 7 * (int)symbol.class + 31 * *sample);
    return 0.5 + turns - floor(turns);
}

static bool is_identically_zero(expr_graph *graph, expr x) {
    enum { SAMPLES = 8 };
    if (expr_get(graph, x).kinks) return false; // the samples may miss a piece
    const expr pair[] = {x, expr_rounding(graph, x)};
    int zeros = 0;
    for (int sample = 0; sample < SAMPLES; sample++) {
        double value[2];
        expr_evaluate_all(graph, pair, 2, scattered_value, &sample, value);
        if (fabs(value[0]) > 4 * DBL_EPSILON * value[1]) return false;
        zeros += isfinite(value[0] + value[1]); // where it has no value, nothing is known
    }
    return zeros > 0;
}

static void check_guard(model_reader *r, const xmlNode *node, expr guard) {
    expr_graph *graph = r->model->graph;
    const unsigned moving = IN(SYMBOL_STATE) | IN(SYMBOL_INPUT) | IN(SYMBOL_TIME);
    if (is_identically_zero(graph, guard))
        report_error(r->d, reader_line(node),
                     "the guard of %s is 0 everywhere; expected a function that changes its sign",
                     reader_describe(r, node));
    else if (!(expr_get(graph, guard).classes & moving))
        report_error(r->d, reader_line(node),
                     "the guard of %s never crosses 0, for it doesn't change while the mode lasts; expected a function "
                     "of states, inputs or time",
                     reader_describe(r, node));
}

static void read_guard(model_reader *r, const xmlNode *node, model_transition *t) {
    const bool falling = reader_attribute(r, node, "falling"), rising = reader_attribute(r, node, "rising");
    if (falling == rising) {
        report_error(r->d, t->line, "%s has %s; expected one of 'falling' and 'rising'", reader_describe(r, node),
                     falling ? "both" : "no guard");
        return;
    }
    const char *source = reader_text(r, node, rising ? "rising" : "falling");
    t->rising = rising;
    t->guard_text = memory_text(&r->model->memory, "%s %s", source, rising ? "rises" : "falls");
    const expr guard = reader_expression(r, node, source, &SMOOTH, "guard of ");
    if (guard == EXPR_NONE) return;
    check_guard(r, node, guard);
    t->guard = rising ? expr_unary(r->model->graph, EXPR_NEG, guard) : guard;
}

static void read_transition(model_reader *r, xmlNode *node) {
    static const element_reader table[] = {{"reset", read_reset}};
    model_mode *mode = node->parent->_private;
    model_transition *t = &mode->transitions[mode->transition_count++];
    *t = (model_transition){
        .line = reader_line(node),
        .description = reader_text(r, node, "description"),
        .update = strcmp((const char *)node->name, "update") == 0,
        .guard = EXPR_NONE,
        .when = EXPR_NONE,
        .when_text = reader_text(r, node, "when"),
        .states = no_expressions(r, r->model->state_count),
        .held = no_expressions(r, r->model->held_count),
    };
    if (r->model->memory.failed) return;
    node->_private = t;
    t->to = t->update ? (int)(mode - r->model->modes) : find_target(r, node);
    read_guard(r, node, t);
    if (reader_attribute(r, node, "when")) t->when = reader_expression(r, node, t->when_text, &CONDITION, "when of ");
    read_elements(r, node, table, 1);
    if (t->update && !node->children)
        report_error(r->d, t->line, "an update without reset does nothing; expected a held variable's reset");
}

void read_mode_expressions(model_reader *r, xmlNode *node) {
    static const element_reader table[] = {
        {"derivative", read_derivative},
        {"output", read_output},
        {"transition", read_transition},
        {"update", read_transition},
    };
    model_mode *mode = node->_private;
    mode->derivatives = no_expressions(r, r->model->state_count);
    mode->outputs = no_expressions(r, r->model->output_count);
    mode->transitions = memory_take(&r->model->memory, xmlChildElementCount(node), sizeof *mode->transitions);
    if (r->model->memory.failed) return;
    read_elements(r, node, table, sizeof table / sizeof table[0]);
    check_derivatives(r, node);
}

// ---- what follows

// Marks what a mode leads to, until nothing new is found.
static void mark_reachable(model_file *model) {
    model->modes[model->initial_mode].reachable = true;
    for (bool more = true; more;) {
        more = false;
        for (int i = 0; i < model->mode_count; i++) {
            const model_mode *mode = &model->modes[i];
            for (int k = 0; k < mode->transition_count && mode->reachable; k++) {
                bool *reachable = &model->modes[mode->transitions[k].to].reachable;
                more |= !*reachable;
                *reachable = true;
            }
        }
    }
}

static void complete_outputs(const model_file *model, const model_mode *mode) {
    for (int i = 0; i < model->output_count; i++) {
        if (!model->outputs[i].of_modes)
            mode->outputs[i] = model->outputs[i].value;
        else if (mode->outputs[i] == EXPR_NONE)
            mode->outputs[i] = expr_constant(model->graph, 0);
    }
}

void finish_modes(model_reader *r) {
    model_file *model = r->model;
    if (model->kind != MODEL_HYBRID) return;
    mark_reachable(model);
    for (int i = 0; i < model->mode_count; i++) {
        const model_mode *mode = &model->modes[i];
        complete_outputs(model, mode);
        if (!mode->reachable)
            report_warning(r->d, mode->about.line, "mode '%s' can't be reached from the initial mode '%s'",
                           mode->about.name, model->modes[model->initial_mode].about.name);
    }
}
