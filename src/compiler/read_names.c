// What names mean in the expressions of a model. What an expression may depend on is decided here, name by name, so
// that a message can point at the name.

#include <string.h>

#include "model_reader.h"

typedef struct expression_scope {
    const model_reader *reader;
    const expression_rule *rule;
} expression_scope;

enum { MESSAGE_SIZE = 400 }; // of parse_scope

// ---- what an expression may depend on

typedef struct symbol_search {
    unsigned classes; // what is looked for
    bool found;
    expr_symbol symbol; // the first that was found
} symbol_search;

static void search_symbol(void *context, expr_symbol symbol) {
    symbol_search *search = context;
    if (search->found || !(IN(symbol.class) & search->classes)) return;
    search->found = true;
    search->symbol = symbol;
}

static expr_symbol first_symbol(expr_graph *graph, expr x, unsigned classes) {
    symbol_search search = {.classes = classes};
    expr_symbols(graph, x, search_symbol, &search);
    return search.symbol;
}

static const char *class_words(symbol_class class) {
    static const char *const words[] = {[SYMBOL_TIME] = "the time",         [SYMBOL_PARAMETER] = "a parameter",
                                        [SYMBOL_INPUT] = "an input",        [SYMBOL_COORDINATE] = "a coordinate",
                                        [SYMBOL_RATE] = "a rate",           [SYMBOL_ACCELERATION] = "an acceleration",
                                        [SYMBOL_FORCE] = "a contact force", [SYMBOL_STATE] = "a state",
                                        [SYMBOL_HELD] = "a held variable"};
    return words[class];
}

// `x`, which the source calls `name`, or EXPR_NONE with a message when the rule forbids it.
static expr permit(const expression_scope *scope, const char *name, expr x, char message[MESSAGE_SIZE]) {
    const model_file *model = scope->reader->model;
    const unsigned forbidden = ~scope->rule->classes;
    if (!(expr_get(model->graph, x).classes & forbidden)) return x;
    const expr_symbol symbol = first_symbol(model->graph, x, forbidden);
    const char *symbol_name = model_symbol_name(model, symbol);
    char depends[MESSAGE_SIZE / 2] = "";
    if (strcmp(name, symbol_name) != 0) snprintf(depends, sizeof depends, "'%.60s' depends on ", name);
    snprintf(message, MESSAGE_SIZE, "%s'%.60s'%s %s; expected only %s", depends, symbol_name, depends[0] ? "," : " is",
             class_words(symbol.class), scope->rule->words);
    return EXPR_NONE;
}

// ---- what a name means

static bool has_value(const name_entry *entry) {
    return entry->kind != NAME_CONSTRAINT && entry->kind != NAME_OUTPUT;
}

static bool is_constraint(const name_entry *entry) {
    return entry->kind == NAME_CONSTRAINT;
}

// 'knee.force': the only name with a dot.
static expr contact_force(const model_reader *r, const char *name, char message[MESSAGE_SIZE]) {
    char constraint[128]; // the parser takes no longer names
    snprintf(constraint, sizeof constraint, "%.*s", (int)strcspn(name, "."), name);
    const name_entry *entry = names_find(&r->names, constraint);
    char hint[HINT_SIZE];
    if (!entry || entry->kind != NAME_CONSTRAINT)
        snprintf(message, MESSAGE_SIZE, "unknown name '%.60s': there is no constraint '%s'%s", name, constraint,
                 did_you_mean(names_nearest(&r->names, constraint, is_constraint), hint));
    else if (strcmp(name, r->model->constraints[entry->index].force) != 0)
        snprintf(message, MESSAGE_SIZE, "unknown name '%.60s'; of a constraint expressions know '%.60s' only", name,
                 r->model->constraints[entry->index].force);
    else
        return expr_symbol_node(r->model->graph, SYMBOL_FORCE, entry->index);
    return EXPR_NONE;
}

// A definition that is wrong itself leaves `message` empty: that was reported.
static expr definition_value(const model_reader *r, const name_entry *entry, char message[MESSAGE_SIZE]) {
    const model_definition *definition = &r->model->definitions[entry->index];
    message[0] = '\0';
    if (definition->value == EXPR_NONE && !definition->read)
        snprintf(message, MESSAGE_SIZE,
                 "'%.60s' is defined in line %d, not before; expected definitions in the order of their use",
                 entry->name, entry->line);
    return definition->value;
}

static expr meaning(const model_reader *r, const char *name, char message[MESSAGE_SIZE]) {
    expr_graph *graph = r->model->graph;
    const name_entry *entry = names_find(&r->names, name);
    if (!entry && strcmp(name, "time") == 0) return expr_symbol_node(graph, SYMBOL_TIME, 0);
    if (!entry && strchr(name, '.')) return contact_force(r, name, message);
    if (!entry) {
        char hint[HINT_SIZE];
        snprintf(message, MESSAGE_SIZE, "unknown name '%.60s'%s", name,
                 did_you_mean(names_nearest(&r->names, name, has_value), hint));
        return EXPR_NONE;
    }
    switch (entry->kind) {
    case NAME_PARAMETER:
        return expr_symbol_node(graph, SYMBOL_PARAMETER, entry->index);
    case NAME_COORDINATE:
        return expr_symbol_node(graph, SYMBOL_COORDINATE, entry->index);
    case NAME_RATE:
        return expr_symbol_node(graph, SYMBOL_RATE, entry->index);
    case NAME_INPUT:
        return expr_symbol_node(graph, SYMBOL_INPUT, entry->index);
    case NAME_STATE:
        return expr_symbol_node(graph, SYMBOL_STATE, entry->index);
    case NAME_HELD:
        return expr_symbol_node(graph, SYMBOL_HELD, entry->index);
    case NAME_CHOICE:
        return expr_constant(graph, entry->index);
    case NAME_DEFINITION:
        return definition_value(r, entry, message);
    case NAME_CONSTRAINT:
        snprintf(message, MESSAGE_SIZE, "'%.60s' is a constraint; its contact force is '%.60s.force'", name, name);
        return EXPR_NONE;
    case NAME_OUTPUT:
        snprintf(message, MESSAGE_SIZE, "'%.60s' is an output; expected a <define> where its expression is used", name);
        return EXPR_NONE;
    case NAME_MODE: // in a name space of their own
        break;
    }
    return EXPR_NONE;
}

static expr lookup(void *context, const char *name, char message[MESSAGE_SIZE]) {
    const expression_scope *scope = context;
    const expr x = meaning(scope->reader, name, message);
    return x == EXPR_NONE ? EXPR_NONE : permit(scope, name, x, message);
}

// ---- der()

// Along the motion coordinates grow with their rates, rates with their accelerations, and time with 1.
static expr along_the_motion(void *context, expr_symbol symbol) {
    expr_graph *graph = context;
    switch (symbol.class) {
    case SYMBOL_TIME:
        return expr_constant(graph, 1);
    case SYMBOL_COORDINATE:
        return expr_symbol_node(graph, SYMBOL_RATE, symbol.index);
    case SYMBOL_RATE:
        return expr_symbol_node(graph, SYMBOL_ACCELERATION, symbol.index);
    default:
        return EXPR_NONE; // parameters stay; the others have been refused
    }
}

static expr time_derivative(void *context, expr x, char message[MESSAGE_SIZE]) {
    const expression_scope *scope = context;
    const model_file *model = scope->reader->model;
    if (model->kind == MODEL_HYBRID) {
        snprintf(message, MESSAGE_SIZE,
                 "der() can't be used in a hybridSystem, where derivatives change with the mode; expected the "
                 "derivative's expression");
        return EXPR_NONE;
    }
    const unsigned unknown = IN(SYMBOL_INPUT) | IN(SYMBOL_ACCELERATION) | IN(SYMBOL_FORCE);
    if (expr_get(model->graph, x).classes & unknown) {
        const expr_symbol symbol = first_symbol(model->graph, x, unknown);
        snprintf(message, MESSAGE_SIZE, "der() of what depends on '%.60s': the derivative of %s is not known",
                 model_symbol_name(model, symbol), class_words(symbol.class));
        return EXPR_NONE;
    }
    expr derivative;
    expr_directional(model->graph, &x, 1, along_the_motion, model->graph, &derivative);
    return derivative == EXPR_NONE ? EXPR_NONE : permit(scope, "der()", derivative, message);
}

expr reader_parse(const model_reader *r, const char *source, const expression_rule *rule, parse_error *error) {
    expression_scope scope = {r, rule};
    const parse_scope names = {
        .lookup = lookup,
        .derivative = time_derivative,
        .context = &scope,
        .condition = rule->condition,
        .piecewise = rule->piecewise,
        .constant = r->model->kind == MODEL_HYBRID ? IN(SYMBOL_PARAMETER) | IN(SYMBOL_HELD) : 0,
    };
    return expr_parse(r->model->graph, source, &names, error);
}
