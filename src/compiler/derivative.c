// Symbolic differentiation by sweeps: forward for directional derivatives, in reverse for gradients.
//
// Each sweep makes a few nodes per node that it passes, whatever the number of paths through the graph. Piecewise
// operations are derived forward only: in reverse the piece that doesn't count would still be passed a 0, and make NaN
// of it where its derivative is infinite.

#include "expression_impl.h"

#include <math.h>
#include <stdlib.h>

// 1 + s x^2 with s = +-1.
static expr one_plus(expr_graph *graph, double s, expr x) {
    const expr square = expr_binary(graph, EXPR_POW, x, expr_constant(graph, 2));
    return expr_binary(graph, s > 0 ? EXPR_ADD : EXPR_SUB, expr_constant(graph, 1), square);
}

static expr times(expr_graph *graph, expr a, expr b) {
    return expr_binary(graph, EXPR_MUL, a, b);
}

static expr over(expr_graph *graph, expr a, expr b) {
    return expr_binary(graph, EXPR_DIV, a, b);
}

static expr minus(expr_graph *graph, expr a) {
    return expr_unary(graph, EXPR_NEG, a);
}

// d dx/da for a function x = f(a).
static expr through_function(expr_graph *graph, expr x, expr d) {
    const expr_node node = expr_get(graph, x);
    const expr a = node.a;
    switch (node.op) {
    case EXPR_SIN:
        return times(graph, expr_unary(graph, EXPR_COS, a), d);
    case EXPR_COS:
        return minus(graph, times(graph, expr_unary(graph, EXPR_SIN, a), d));
    case EXPR_TAN:
        return times(graph, one_plus(graph, 1, x), d);
    case EXPR_ASIN:
        return over(graph, d, expr_unary(graph, EXPR_SQRT, one_plus(graph, -1, a)));
    case EXPR_ACOS:
        return minus(graph, over(graph, d, expr_unary(graph, EXPR_SQRT, one_plus(graph, -1, a))));
    case EXPR_ATAN:
        return over(graph, d, one_plus(graph, 1, a));
    case EXPR_SINH:
        return times(graph, expr_unary(graph, EXPR_COSH, a), d);
    case EXPR_COSH:
        return times(graph, expr_unary(graph, EXPR_SINH, a), d);
    case EXPR_TANH:
        return times(graph, one_plus(graph, -1, x), d);
    case EXPR_EXP:
        return times(graph, x, d);
    case EXPR_LOG:
        return over(graph, d, a);
    default: // SQRT
        return over(graph, d, times(graph, expr_constant(graph, 2), x));
    }
}

// d times the partial derivative of x = a^b; the logarithm appears only where the exponent varies.
static expr through_power(expr_graph *graph, expr x, bool second, expr d) {
    const expr_node node = expr_get(graph, x);
    if (second) return times(graph, times(graph, x, expr_unary(graph, EXPR_LOG, node.a)), d);
    const expr less = expr_binary(graph, EXPR_SUB, node.b, expr_constant(graph, 1));
    return times(graph, times(graph, node.b, expr_binary(graph, EXPR_POW, node.a, less)), d);
}

// d times the partial derivative of x = atan2(a, b).
static expr through_angle(expr_graph *graph, expr x, bool second, expr d) {
    const expr_node node = expr_get(graph, x);
    const expr two = expr_constant(graph, 2);
    const expr square = expr_binary(graph, EXPR_ADD, expr_binary(graph, EXPR_POW, node.a, two),
                                    expr_binary(graph, EXPR_POW, node.b, two));
    return second ? minus(graph, over(graph, times(graph, node.a, d), square))
                  : over(graph, times(graph, node.b, d), square);
}

// d times the partial derivative of `x` with respect to its first or second operand. Forward, d is the operand's
// derivative; in reverse it is the adjoint of x.
static expr through(expr_graph *graph, expr x, bool second, expr d) {
    const expr_node node = expr_get(graph, x);
    switch (node.op) {
    case EXPR_NEG:
        return minus(graph, d);
    case EXPR_ADD:
        return d;
    case EXPR_SUB:
        return second ? minus(graph, d) : d;
    case EXPR_MUL:
        return times(graph, second ? node.a : node.b, d);
    case EXPR_DIV:
        return second ? minus(graph, over(graph, times(graph, x, d), node.b)) : over(graph, d, node.b);
    case EXPR_POW:
        return through_power(graph, x, second, d);
    case EXPR_ATAN2:
        return through_angle(graph, x, second, d);
    default:
        return through_function(graph, x, d);
    }
}

static bool is_zero(const expr_graph *graph, expr x) {
    return expr_is_constant(graph, x, 0);
}

static expr plus(expr_graph *graph, expr a, expr b) {
    return expr_binary(graph, EXPR_ADD, a, b);
}

static bool is_piecewise(expr_op op) {
    return op == EXPR_ABS || op == EXPR_MIN || op == EXPR_MAX || op == EXPR_IF;
}

// The derivative of a piecewise operation: that of the piece which counts.
static expr piece(expr_graph *graph, const expr_node *node, const expr *d) {
    if (node->op == EXPR_IF) return expr_if(graph, node->a, d[node->b], d[node->c]);
    const expr than = node->op == EXPR_ABS ? expr_constant(graph, 0) : node->b;
    const expr less = expr_binary(graph, EXPR_LESS, node->a, than);
    if (node->op == EXPR_ABS) return expr_if(graph, less, minus(graph, d[node->a]), d[node->a]);
    return node->op == EXPR_MIN ? expr_if(graph, less, d[node->a], d[node->b])
                                : expr_if(graph, less, d[node->b], d[node->a]);
}

// The derivative of a node, from those of its operands.
static expr forward(expr_graph *graph, expr x, const expr *d, expr_seed seed, void *context) {
    const expr_node node = expr_get(graph, x);
    expr sum = expr_constant(graph, 0);
    if (node.op == EXPR_CONSTANT || expr_is_condition(graph, x)) return sum;
    if (node.op == EXPR_SYMBOL) {
        const expr seeded = seed(context, node.symbol);
        return seeded == EXPR_NONE ? sum : seeded;
    }
    if (is_piecewise(node.op)) return piece(graph, &node, d);
    if (node.op == EXPR_DIV) { // (a/b)' = (a' - x b')/b: one division in place of two
        return over(graph, expr_binary(graph, EXPR_SUB, d[node.a], times(graph, x, d[node.b])), node.b);
    }
    if (!is_zero(graph, d[node.a])) sum = through(graph, x, false, d[node.a]);
    if (node.b != EXPR_NONE && !is_zero(graph, d[node.b])) sum = plus(graph, sum, through(graph, x, true, d[node.b]));
    return sum;
}

void expr_directional(expr_graph *graph, const expr *x, int count, expr_seed seed, void *context, expr *derivative) {
    expr_set set;
    const bool reached = expr_reach(graph, x, count, &set);
    expr *d = reached ? malloc(((size_t)set.size + 1) * sizeof *d) : NULL;
    if (!d) expr_graph_fail(graph);
    for (int i = 0; d && i < set.count; i++)
        d[set.nodes[i]] = forward(graph, set.nodes[i], d, seed, context);
    for (int i = 0; i < count; i++)
        derivative[i] = d && x[i] != EXPR_NONE ? d[x[i]] : EXPR_NONE;
    free(d);
    expr_set_free(&set);
}

// What a reverse sweep keeps for each node.
typedef struct adjoint {
    expr value;  // derivative of the result with respect to the node
    bool active; // it depends on a symbol that is asked for
} adjoint;

static void pass_back(expr_graph *graph, expr x, adjoint *adjoints) {
    const expr_node node = expr_get(graph, x);
    const expr d = adjoints[x].value;
    if (!adjoints[x].active || node.a == EXPR_NONE || is_zero(graph, d)) return;
    adjoint *a = &adjoints[node.a];
    if (a->active) a->value = plus(graph, a->value, through(graph, x, false, d));
    adjoint *b = node.b == EXPR_NONE ? NULL : &adjoints[node.b];
    if (b && b->active) b->value = plus(graph, b->value, through(graph, x, true, d));
}

// Upwards to see what depends on the active symbols, then downwards from `x` with the adjoints.
static void sweep_back(expr_graph *graph, expr x, const expr_set *set, adjoint *adjoints) {
    for (int i = 0; i < set->count; i++) {
        const expr_node node = expr_get(graph, set->nodes[i]);
        adjoint *own = &adjoints[set->nodes[i]];
        if (node.a != EXPR_NONE && adjoints[node.a].active) own->active = true;
        if (node.b != EXPR_NONE && adjoints[node.b].active) own->active = true;
    }
    adjoints[x].value = expr_constant(graph, 1);
    for (int i = set->count - 1; i >= 0; i--)
        pass_back(graph, set->nodes[i], adjoints);
}

// The direction of one symbol.
typedef struct unit_vector {
    expr_graph *graph;
    expr_symbol symbol;
} unit_vector;

static expr unit_seed(void *context, expr_symbol symbol) {
    const unit_vector *along = context;
    const bool same = symbol.class == along->symbol.class && symbol.index == along->symbol.index;
    return same ? expr_constant(along->graph, 1) : EXPR_NONE;
}

static void reverse_gradient(expr_graph *graph, expr x, const expr_symbol *symbols, int count, expr *gradient) {
    const expr zero = expr_constant(graph, 0);
    expr_set set;
    const bool reached = expr_reach(graph, &x, 1, &set);
    adjoint *adjoints = reached ? calloc((size_t)set.size + 1, sizeof *adjoints) : NULL;
    if (!adjoints) expr_graph_fail(graph);
    for (expr i = 0; adjoints && i < set.size; i++)
        adjoints[i].value = zero;
    for (int i = 0; i < count; i++) {
        gradient[i] = expr_symbol_node(graph, symbols[i].class, symbols[i].index);
        if (adjoints && gradient[i] != EXPR_NONE && gradient[i] < set.size) adjoints[gradient[i]].active = true;
    }
    if (adjoints && x != EXPR_NONE) sweep_back(graph, x, &set, adjoints);
    for (int i = 0; i < count; i++) {
        const bool met = adjoints && gradient[i] != EXPR_NONE && gradient[i] < set.size;
        gradient[i] = met ? adjoints[gradient[i]].value : zero;
        if (!adjoints || x == EXPR_NONE) gradient[i] = EXPR_NONE;
    }
    free(adjoints);
    expr_set_free(&set);
}

void expr_gradient(expr_graph *graph, expr x, const expr_symbol *symbols, int count, expr *gradient) {
    if (expr_is_smooth(graph, x, 0, NULL)) {
        reverse_gradient(graph, x, symbols, count, gradient);
        return;
    }
    for (int i = 0; i < count; i++) {
        unit_vector along = {graph, symbols[i]};
        expr_directional(graph, &x, 1, unit_seed, &along, &gradient[i]);
    }
}

// What the rounding error `error` of an operand does to `x`.
static expr passed_on(expr_graph *graph, expr x, bool second, expr error) {
    if (is_zero(graph, error)) return error;
    const expr partial = through(graph, x, second, expr_constant(graph, 1));
    return times(graph, expr_unary(graph, EXPR_ABS, partial), error);
}

// The error of a piecewise operation: choosing is exact, but of two that are nearly equal either may be chosen.
static expr piecewise_rounding(expr_graph *graph, const expr_node *node, const expr *errors) {
    if (node->op == EXPR_ABS) return errors[node->a];
    if (node->op == EXPR_IF) return expr_if(graph, node->a, errors[node->b], errors[node->c]);
    return expr_binary(graph, EXPR_MAX, errors[node->a], errors[node->b]);
}

// Beyond 2^53 all doubles are whole numbers, and what was written need not be one of them.
static bool is_exact(double number) {
    return number == floor(number) && fabs(number) < 0x1p53;
}

// The error of a node from those of its operands. Symbols are data that was rounded to double, like numbers that are
// not exact; changing a sign is exact, and so is a number as exponent.
static expr node_rounding(expr_graph *graph, expr x, const expr *errors) {
    const expr_node node = expr_get(graph, x);
    if (expr_is_condition(graph, x)) return expr_constant(graph, 0);
    if (is_piecewise(node.op)) return piecewise_rounding(graph, &node, errors);
    const expr own = expr_unary(graph, EXPR_ABS, x);
    if (node.op == EXPR_SYMBOL) return own;
    if (node.op == EXPR_CONSTANT) return is_exact(node.value) ? expr_constant(graph, 0) : own;
    const expr first = passed_on(graph, x, false, errors[node.a]);
    if (node.op == EXPR_NEG) return first;
    const bool exact = node.b == EXPR_NONE || (node.op == EXPR_POW && expr_get(graph, node.b).op == EXPR_CONSTANT);
    const expr both = exact ? first : plus(graph, first, passed_on(graph, x, true, errors[node.b]));
    return plus(graph, both, own);
}

expr expr_rounding(expr_graph *graph, expr x) {
    expr_set set;
    const bool reached = expr_reach(graph, &x, 1, &set);
    expr *errors = reached ? malloc(((size_t)set.size + 1) * sizeof *errors) : NULL;
    if (!errors) expr_graph_fail(graph);
    for (int i = 0; errors && i < set.count; i++)
        errors[set.nodes[i]] = node_rounding(graph, set.nodes[i], errors);
    const expr result = errors && x != EXPR_NONE ? errors[x] : EXPR_NONE;
    free(errors);
    expr_set_free(&set);
    return result;
}
