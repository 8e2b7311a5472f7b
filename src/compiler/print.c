// Expressions for people to read.

#include "expression_impl.h"

#include <stdlib.h>

// Written out, an expression is a tree, and a tree can be exponentially larger than its graph. This is what still gets
// written; it bounds the depth of the recursion, too.
enum { MOST_OPERATIONS = 10000 };

// How tightly an expression binds, as it is written.
typedef enum precedence { OR, AND, NOT, COMPARISON, SUM, SIGN, PRODUCT, POWER, ATOM, LOOSEST = OR } precedence;

typedef struct printer {
    const expr_graph *graph;
    const char *(*name)(void *context, expr_symbol symbol);
    void *context;
    text *out;
} printer;

// a != b is kept as not a == b.
static bool is_unequal(const expr_graph *graph, const expr_node *node) {
    return node->op == EXPR_NOT && expr_get(graph, node->a).op == EXPR_EQUAL;
}

static precedence precedence_of(const expr_graph *graph, const expr_node *node) {
    switch (node->op) {
    case EXPR_OR:
        return OR;
    case EXPR_AND:
        return AND;
    case EXPR_NOT:
        return is_unequal(graph, node) ? COMPARISON : NOT;
    case EXPR_LESS:
    case EXPR_LESS_EQUAL:
    case EXPR_EQUAL:
        return COMPARISON;
    case EXPR_CONSTANT:
        return node->value < 0 ? SIGN : ATOM;
    case EXPR_ADD:
    case EXPR_SUB:
        return SUM;
    case EXPR_NEG:
        return SIGN;
    case EXPR_MUL:
    case EXPR_DIV:
        return PRODUCT;
    case EXPR_POW:
        return POWER;
    default:
        return ATOM;
    }
}

static void print(const printer *p, expr x, precedence least);

static void print_binary(const printer *p, const char *sign, expr a, precedence left, expr b, precedence right) {
    print(p, a, left);
    text_append(p->out, "%s", sign);
    print(p, b, right);
}

static void print_function(const printer *p, const expr_node *node) {
    text_append(p->out, "%s(", expr_function_name(node->op));
    const expr arguments[] = {node->a, node->b, node->c};
    for (int i = 0; i < 3 && arguments[i] != EXPR_NONE; i++) {
        text_append(p->out, i > 0 ? ", " : "");
        print(p, arguments[i], LOOSEST);
    }
    text_append(p->out, ")");
}

static void print_condition(const printer *p, const expr_node *node) {
    switch (node->op) {
    case EXPR_TRUTH:
        text_append(p->out, node->value != 0 ? "true" : "false");
        break;
    case EXPR_NOT:
        if (is_unequal(p->graph, node)) {
            const expr_node equal = expr_get(p->graph, node->a);
            print_binary(p, " != ", equal.a, SUM, equal.b, SUM);
        } else {
            text_append(p->out, "not ");
            print(p, node->a, NOT);
        }
        break;
    case EXPR_LESS:
        print_binary(p, " < ", node->a, SUM, node->b, SUM);
        break;
    case EXPR_LESS_EQUAL:
        print_binary(p, " <= ", node->a, SUM, node->b, SUM);
        break;
    case EXPR_EQUAL:
        print_binary(p, " == ", node->a, SUM, node->b, SUM);
        break;
    case EXPR_AND:
        print_binary(p, " and ", node->a, AND, node->b, AND);
        break;
    default:
        print_binary(p, " or ", node->a, OR, node->b, OR);
    }
}

static void print_node(const printer *p, const expr_node *node) {
    switch (node->op) {
    case EXPR_CONSTANT:
        text_append_double(p->out, node->value);
        break;
    case EXPR_SYMBOL:
        text_append(p->out, "%s", p->name(p->context, node->symbol));
        break;
    case EXPR_NEG:
        text_append(p->out, "-");
        print(p, node->a, PRODUCT);
        break;
    case EXPR_ADD:
        print_binary(p, " + ", node->a, SUM, node->b, SUM);
        break;
    case EXPR_SUB:
        print_binary(p, " - ", node->a, SUM, node->b, PRODUCT);
        break;
    case EXPR_MUL:
        print_binary(p, "*", node->a, SIGN, node->b, PRODUCT);
        break;
    case EXPR_DIV:
        print_binary(p, "/", node->a, SIGN, node->b, POWER);
        break;
    case EXPR_POW:
        print_binary(p, "^", node->a, ATOM, node->b, ATOM);
        break;
    default:
        if (node->op < EXPR_TRUTH) {
            print_function(p, node);
        } else {
            print_condition(p, node);
        }
    }
}

// Prints `x`, in parentheses when it binds less tightly than `least`.
static void print(const printer *p, expr x, precedence least) {
    const expr_node node = expr_get(p->graph, x);
    const bool enclosed = precedence_of(p->graph, &node) < least;
    if (enclosed) text_append(p->out, "(");
    print_node(p, &node);
    if (enclosed) text_append(p->out, ")");
}

// How many operations `x` has as a tree; in floating point, for there may be very many. Negative when memory is short.
static double tree_size(const expr_graph *graph, expr x) {
    expr_set set;
    if (!expr_reach(graph, &x, 1, &set)) return -1;
    double *sizes = malloc((size_t)set.size * sizeof *sizes);
    for (int i = 0; sizes && i < set.count; i++) {
        const expr_node node = expr_get(graph, set.nodes[i]);
        const double a = node.a == EXPR_NONE ? 0 : 1 + sizes[node.a];
        const double b = node.b == EXPR_NONE ? 0 : sizes[node.b];
        sizes[set.nodes[i]] = node.c == EXPR_NONE ? a + b : a + b + sizes[node.c];
    }
    const double size = sizes ? sizes[x] : -1;
    free(sizes);
    expr_set_free(&set);
    return size;
}

void expr_print(const expr_graph *graph, expr x, const char *(*name)(void *context, expr_symbol symbol), void *context,
                text *out) {
    if (x == EXPR_NONE) return;
    const printer p = {graph, name, context, out};
    const double size = tree_size(graph, x);
    if (size < 0) {
        out->failed = true;
    } else if (size > MOST_OPERATIONS) {
        text_append(out, "(... %.0f operations ...)", size);
    } else {
        print(&p, x, LOOSEST);
    }
}
