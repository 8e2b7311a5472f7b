// Straight-line C for expressions, and the dialect of C that computes with double.

#include "expression_impl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Operands of together more characters than this don't stand in one line.
enum { LONGEST_OPERANDS = 90 };

// A node on its way into the code.
typedef struct emitted {
    text code;
    expr_binding binding;
    int uses;    // by other nodes and by assignments
    int first;   // the first assignment that needs it
    bool simple; // a local, a symbol or a number
} emitted;

typedef struct emitter {
    const expr_graph *graph;
    const expr_dialect *dialect;
    emitted *nodes; // by node
    int locals;     // written so far
    text *out;
} emitter;

static expr_code code_of(const emitter *e, expr x) {
    const char *code = e->nodes[x].code.data;
    return (expr_code){code ? code : "", e->nodes[x].binding};
}

// Makes a local of what is not simple yet.
static void name_node(emitter *e, expr x) {
    emitted *own = &e->nodes[x];
    if (own->simple) return;
    const char *type = expr_is_condition(e->graph, x) ? "bool" : e->dialect->type;
    text_append(e->out, "    const %s t%d = %s;\n", type, ++e->locals, code_of(e, x).text);
    text_free(&own->code);
    text_append(&own->code, "t%d", e->locals);
    if (own->code.failed) e->out->failed = true;
    own->binding = EXPR_BINDS_ATOM;
    own->simple = true;
}

// The exponent of `node` when it is a power that multiplications can do, else 0.
static int small_power(const emitter *e, const expr_node *node) {
    if (node->op != EXPR_POW) return 0;
    const expr_node exponent = expr_get(e->graph, node->b);
    const bool whole = exponent.op == EXPR_CONSTANT && exponent.value == floor(exponent.value);
    return whole && fabs(exponent.value) <= EXPR_LARGEST_POWER ? (int)exponent.value : 0;
}

// Makes locals of the longest operands until they fit into a line.
static void shorten_operands(emitter *e, const expr_node *node) {
    const expr operands[] = {node->a, node->b, node->c};
    const int count = node->c == EXPR_NONE ? 2 : 3;
    for (int shortened = 0; shortened < count - 1; shortened++) {
        size_t together = 0;
        expr longest = node->a;
        for (int i = 0; i < count; i++) {
            const size_t length = e->nodes[operands[i]].code.length;
            together += length;
            if (length >= e->nodes[longest].code.length) longest = operands[i];
        }
        if (together > LONGEST_OPERANDS) name_node(e, longest);
    }
}

static expr_binding write_choice(emitter *e, const expr_node *node, text *code) {
    shorten_operands(e, node);
    return e->dialect->choice(code, code_of(e, node->a), code_of(e, node->b), code_of(e, node->c));
}

static expr_binding write_binary(emitter *e, const expr_node *node, text *code) {
    const int n = small_power(e, node);
    if (n) {
        name_node(e, node->a);
        return e->dialect->power(code, code_of(e, node->a), n);
    }
    shorten_operands(e, node);
    return e->dialect->binary(code, node->op, code_of(e, node->a), code_of(e, node->b));
}

static void write_node(emitter *e, expr x) {
    const expr_node node = expr_get(e->graph, x);
    emitted *own = &e->nodes[x];
    own->simple = node.a == EXPR_NONE;
    if (node.op >= EXPR_MIN && !e->dialect->choice) {
        e->out->failed = true;
    } else if (node.op == EXPR_CONSTANT || node.op == EXPR_TRUTH) {
        own->binding = e->dialect->constant(&own->code, node.value);
    } else if (node.op == EXPR_SYMBOL) {
        own->binding = e->dialect->symbol(&own->code, node.symbol);
    } else if (node.b == EXPR_NONE) {
        own->binding = e->dialect->unary(&own->code, node.op, code_of(e, node.a));
    } else if (node.c != EXPR_NONE) {
        own->binding = write_choice(e, &node, &own->code);
    } else {
        own->binding = write_binary(e, &node, &own->code);
    }
    if (own->code.failed) e->out->failed = true;
    if (own->uses > 1) name_node(e, x);
}

static void note_use(emitted *node, int assignment) {
    node->uses++;
    if (node->first > assignment) node->first = assignment;
}

// Counts the uses of each node and finds the first assignment that needs it.
static void count_uses(emitter *e, const expr_set *set, const expr_assignment *assignments, int count) {
    for (int i = 0; i < set->count; i++)
        e->nodes[set->nodes[i]].first = count;
    for (int i = 0; i < count; i++) {
        if (assignments[i].value != EXPR_NONE) note_use(&e->nodes[assignments[i].value], i);
    }
    for (int i = set->count - 1; i >= 0; i--) {
        const expr_node node = expr_get(e->graph, set->nodes[i]);
        const int first = e->nodes[set->nodes[i]].first;
        if (node.a != EXPR_NONE) note_use(&e->nodes[node.a], first);
        if (node.b != EXPR_NONE) note_use(&e->nodes[node.b], first);
        if (node.c != EXPR_NONE) note_use(&e->nodes[node.c], first);
    }
}

// A node and where it is first needed.
typedef struct place {
    int first;
    expr node;
} place;

static int compare_places(const void *left, const void *right) {
    const place *a = left, *b = right;
    if (a->first != b->first) return a->first < b->first ? -1 : 1;
    return (a->node > b->node) - (a->node < b->node);
}

// The nodes in the order of the assignments that need them; operands still come first.
static place *ordered(const emitter *e, const expr_set *set) {
    place *places = malloc(((size_t)set->count + 1) * sizeof *places);
    for (int i = 0; places && i < set->count; i++)
        places[i] = (place){e->nodes[set->nodes[i]].first, set->nodes[i]};
    if (places) qsort(places, (size_t)set->count, sizeof *places, compare_places);
    return places;
}

static void write_all(emitter *e, const expr_set *set, const expr_assignment *assignments, int count) {
    count_uses(e, set, assignments, count);
    place *places = ordered(e, set);
    if (!places) e->out->failed = true;
    for (int i = 0, next = 0; places && i < count; i++) {
        while (next < set->count && places[next].first == i)
            write_node(e, places[next++].node);
        if (assignments[i].value == EXPR_NONE) continue;
        text_append(e->out, "    %s = %s;\n", assignments[i].target, code_of(e, assignments[i].value).text);
    }
    free(places);
}

static bool reach_values(const expr_graph *graph, const expr_assignment *assignments, int count, expr_set *set) {
    *set = (expr_set){.nodes = NULL};
    expr *values = malloc(((size_t)count + 1) * sizeof *values);
    for (int i = 0; values && i < count; i++)
        values[i] = assignments[i].value;
    const bool reached = values && expr_reach(graph, values, count, set);
    free(values);
    return reached;
}

void expr_emit(const expr_graph *graph, const expr_assignment *assignments, int count, const expr_dialect *dialect,
               text *out) {
    expr_set set;
    const bool reached = reach_values(graph, assignments, count, &set);
    emitter e = {.graph = graph, .dialect = dialect, .out = out};
    e.nodes = reached ? calloc((size_t)set.size + 1, sizeof *e.nodes) : NULL;
    if (e.nodes) {
        write_all(&e, &set, assignments, count);
    } else {
        out->failed = true;
    }
    for (int i = 0; e.nodes && i < set.count; i++)
        text_free(&e.nodes[set.nodes[i]].code);
    free(e.nodes);
    expr_set_free(&set);
}

// ---- double

static expr_binding symbol_in_double(text *out, expr_symbol symbol) {
    static const char *const places[SYMBOL_CLASSES] = {
        [SYMBOL_TIME] = "x->t",
        [SYMBOL_PARAMETER] = "x->p",
        [SYMBOL_INPUT] = "x->u",
        [SYMBOL_COORDINATE] = "x->q",
        [SYMBOL_RATE] = "x->v",
        [SYMBOL_ACCELERATION] = "acceleration",
        [SYMBOL_FORCE] = "force",
        [SYMBOL_STATE] = "x->q",
        [SYMBOL_HELD] = "x->v",
        [SYMBOL_INPUT_RATE] = "input_rates",
        [SYMBOL_TIME_SEED] = "d->t",
        [SYMBOL_INPUT_SEED] = "d->u",
        [SYMBOL_COORDINATE_SEED] = "d->q",
        [SYMBOL_RATE_SEED] = "d->v",
        [SYMBOL_ACCELERATION_SEED] = "acceleration_change",
        [SYMBOL_FORCE_SEED] = "force_change",
        [SYMBOL_STATE_SEED] = "d->q",
        [SYMBOL_HELD_SEED] = "d->v",
    };
    const bool scalar = symbol.class == SYMBOL_TIME || symbol.class == SYMBOL_TIME_SEED;
    text_append(out, "%s", places[symbol.class]);
    if (!scalar) text_append(out, "[%d]", symbol.index);
    return EXPR_BINDS_ATOM;
}

static expr_binding constant_in_double(text *out, double value) {
    const size_t start = out->length;
    text_append_double(out, value);
    if (!out->failed && !strpbrk(out->data + start, ".e")) text_append(out, ".0"); // "3" is an int in C
    return value < 0 ? EXPR_BINDS_SIGN : EXPR_BINDS_ATOM;
}

static void write_operand(text *out, expr_code code, expr_binding least) {
    text_append(out, code.binding < least ? "(%s)" : "%s", code.text);
}

static expr_binding unary_in_double(text *out, expr_op op, expr_code a) {
    if (op == EXPR_NEG || op == EXPR_NOT) {
        text_append(out, op == EXPR_NEG ? "-" : "!");
        write_operand(out, a, EXPR_BINDS_ATOM);
        return EXPR_BINDS_SIGN;
    }
    text_append(out, "%s(%s)", op == EXPR_ABS ? "fabs" : expr_function_name(op), a.text);
    return EXPR_BINDS_ATOM;
}

// A binary operation in C: what stands between its operands, and how tightly they have to bind.
typedef struct infix {
    const char *sign; // NULL for a function
    expr_binding binding, left, right;
} infix;

static infix infix_of(expr_op op) {
    static const infix table[EXPR_OR + 1] = {
        // On the right a sum in a sum keeps its parentheses: the grouping is part of the rounding.
        [EXPR_ADD] = {"+", EXPR_BINDS_SUM, EXPR_BINDS_SUM, EXPR_BINDS_PRODUCT},
        [EXPR_SUB] = {"-", EXPR_BINDS_SUM, EXPR_BINDS_SUM, EXPR_BINDS_PRODUCT},
        [EXPR_MUL] = {"*", EXPR_BINDS_PRODUCT, EXPR_BINDS_PRODUCT, EXPR_BINDS_SIGN},
        [EXPR_DIV] = {"/", EXPR_BINDS_PRODUCT, EXPR_BINDS_PRODUCT, EXPR_BINDS_SIGN},
        [EXPR_LESS] = {"<", EXPR_BINDS_COMPARISON, EXPR_BINDS_SUM, EXPR_BINDS_SUM},
        [EXPR_LESS_EQUAL] = {"<=", EXPR_BINDS_COMPARISON, EXPR_BINDS_SUM, EXPR_BINDS_SUM},
        [EXPR_EQUAL] = {"==", EXPR_BINDS_COMPARISON, EXPR_BINDS_SUM, EXPR_BINDS_SUM},
        [EXPR_AND] = {"&&", EXPR_BINDS_AND, EXPR_BINDS_AND, EXPR_BINDS_AND},
        // 'a && b || c' is clear to compilers, but they warn of it.
        [EXPR_OR] = {"||", EXPR_BINDS_OR, EXPR_BINDS_COMPARISON, EXPR_BINDS_COMPARISON},
    };
    return table[op];
}

static expr_binding binary_in_double(text *out, expr_op op, expr_code a, expr_code b) {
    const infix written = infix_of(op);
    if (!written.sign) {
        const char *name = op == EXPR_POW ? "pow" : op == EXPR_ATAN2 ? "atan2" : op == EXPR_MIN ? "fmin" : "fmax";
        text_append(out, "%s(%s, %s)", name, a.text, b.text);
        return EXPR_BINDS_ATOM;
    }
    write_operand(out, a, written.left);
    text_append(out, " %s ", written.sign);
    write_operand(out, b, written.right);
    return written.binding;
}

static expr_binding choice_in_double(text *out, expr_code condition, expr_code a, expr_code b) {
    write_operand(out, condition, EXPR_BINDS_OR);
    text_append(out, " ? ");
    write_operand(out, a, EXPR_BINDS_OR);
    text_append(out, " : ");
    write_operand(out, b, EXPR_BINDS_OR);
    return EXPR_BINDS_CHOICE;
}

// a^n by squaring, n >= 1; C compilers see that the two halves are one.
static void write_product(text *out, const char *a, int n) {
    if (n == 1) {
        text_append(out, "%s", a);
    } else if (n == 2) {
        text_append(out, "%s * %s", a, a);
    } else if (n % 2) {
        write_product(out, a, n - 1);
        text_append(out, " * %s", a);
    } else {
        text_append(out, "(");
        write_product(out, a, n / 2);
        text_append(out, ") * (");
        write_product(out, a, n / 2);
        text_append(out, ")");
    }
}

static expr_binding power_in_double(text *out, expr_code a, int n) {
    if (n < 0) text_append(out, "1.0 / (");
    write_product(out, a.text, abs(n));
    if (n < 0) text_append(out, ")");
    return EXPR_BINDS_PRODUCT;
}

const expr_dialect expr_dialect_double = {
    .type = "double",
    .symbol = symbol_in_double,
    .constant = constant_in_double,
    .unary = unary_in_double,
    .binary = binary_in_double,
    .choice = choice_in_double,
    .power = power_in_double,
};
