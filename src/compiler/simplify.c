// Making operations: each is brought to its normal form before it is stored.
//
// The rules are local and change the rounding by an ulp at most. Normal form: a number stands in front of a product
// and at the end of a sum; signs are pulled out of products, quotients and odd functions and turn sums to differences.

#include "expression_impl.h"

#include <math.h>

static bool is_number(const expr_graph *graph, expr x) {
    return expr_get(graph, x).op == EXPR_CONSTANT;
}

// True when `x` carries a sign in front: -y, a negative number, or one times or over something.
static bool has_sign(const expr_graph *graph, expr x) {
    const expr_node node = expr_get(graph, x);
    if (node.op == EXPR_CONSTANT) return node.value < 0;
    if (node.op == EXPR_MUL || node.op == EXPR_DIV) {
        const expr_node front = expr_get(graph, node.a);
        return front.op == EXPR_CONSTANT && front.value < 0;
    }
    return node.op == EXPR_NEG;
}

static expr negate(expr_graph *graph, expr x) {
    if (x == EXPR_NONE) return EXPR_NONE;
    const expr_node node = expr_get(graph, x);
    if (node.op == EXPR_CONSTANT) return expr_constant(graph, -node.value);
    if (node.op == EXPR_NEG) return node.a;
    if (node.op == EXPR_SUB) return expr_binary(graph, EXPR_SUB, node.b, node.a);
    if ((node.op == EXPR_MUL || node.op == EXPR_DIV) && is_number(graph, node.a)) {
        return expr_binary(graph, node.op, negate(graph, node.a), node.b);
    }
    return expr_intern(graph, EXPR_NEG, x, EXPR_NONE);
}

// |c x| = |c| |x|, so that bounds of rounding errors stay readable.
static expr magnitude(expr_graph *graph, expr x) {
    const expr_node node = expr_get(graph, x);
    if (node.op == EXPR_ABS) return x;
    if (node.op == EXPR_NEG) return expr_unary(graph, EXPR_ABS, node.a);
    if (node.op == EXPR_MUL && is_number(graph, node.a)) {
        const expr c = expr_unary(graph, EXPR_ABS, node.a);
        return expr_binary(graph, EXPR_MUL, c, expr_unary(graph, EXPR_ABS, node.b));
    }
    return expr_intern(graph, EXPR_ABS, x, EXPR_NONE);
}

static bool is_odd(expr_op op) {
    return op == EXPR_SIN || op == EXPR_TAN || op == EXPR_ASIN || op == EXPR_ATAN || op == EXPR_SINH || op == EXPR_TANH;
}

static bool is_even(expr_op op) {
    return op == EXPR_COS || op == EXPR_COSH;
}

// Numbers fold when the result is finite; sqrt(-1) stays as it is, for the reader to see.
static expr fold(expr_graph *graph, expr_op op, expr a, expr b) {
    const double second = b == EXPR_NONE ? 0 : expr_get(graph, b).value;
    const double value = expr_apply(op, expr_get(graph, a).value, second);
    return isfinite(value) ? expr_constant(graph, value) : expr_intern(graph, op, a, b);
}

static bool is_truth(const expr_graph *graph, expr x, bool holds) {
    const expr_node node = expr_get(graph, x);
    return node.op == EXPR_TRUTH && (node.value != 0) == holds;
}

static expr contradict(expr_graph *graph, expr x) {
    const expr_node node = expr_get(graph, x);
    if (node.op == EXPR_TRUTH) return expr_truth(graph, node.value == 0);
    if (node.op == EXPR_NOT) return node.a;
    return expr_intern(graph, EXPR_NOT, x, EXPR_NONE);
}

expr expr_unary(expr_graph *graph, expr_op op, expr a) {
    if (a == EXPR_NONE) return EXPR_NONE;
    if (op == EXPR_NOT) return contradict(graph, a);
    if (is_number(graph, a)) return fold(graph, op, a, EXPR_NONE);
    if (op == EXPR_NEG) return negate(graph, a);
    if (op == EXPR_ABS) return magnitude(graph, a);
    if (has_sign(graph, a) && is_even(op)) return expr_unary(graph, op, negate(graph, a));
    if (has_sign(graph, a) && is_odd(op)) return negate(graph, expr_unary(graph, op, negate(graph, a)));
    return expr_intern(graph, op, a, EXPR_NONE);
}

static expr subtract(expr_graph *graph, expr a, expr b) {
    if (a == b) return expr_constant(graph, 0);
    if (expr_is_constant(graph, b, 0)) return a;
    if (expr_is_constant(graph, a, 0)) return negate(graph, b);
    if (has_sign(graph, b)) return expr_binary(graph, EXPR_ADD, a, negate(graph, b));
    const expr_node left = expr_get(graph, a);
    if (left.op == EXPR_NEG) return negate(graph, expr_binary(graph, EXPR_ADD, left.a, b));
    return expr_intern(graph, EXPR_SUB, a, b);
}

static expr add(expr_graph *graph, expr a, expr b) {
    // The older operand first, but a number last.
    if (is_number(graph, a) || (a > b && !is_number(graph, b))) return add(graph, b, a);
    if (expr_is_constant(graph, b, 0)) return a;
    if (a == b) return expr_binary(graph, EXPR_MUL, expr_constant(graph, 2), a);
    if (has_sign(graph, b)) return expr_binary(graph, EXPR_SUB, a, negate(graph, b));
    if (has_sign(graph, a)) return expr_binary(graph, EXPR_SUB, b, negate(graph, a));
    return expr_intern(graph, EXPR_ADD, a, b);
}

// Takes the number or the sign in front of `x` into `c` and returns what is left; EXPR_NONE where nothing is.
static expr split_number(const expr_graph *graph, expr x, double *c) {
    const expr_node node = expr_get(graph, x);
    if (node.op == EXPR_CONSTANT) {
        *c *= node.value;
        return EXPR_NONE;
    }
    if (node.op == EXPR_NEG) {
        *c = -*c;
        return node.a;
    }
    if (node.op == EXPR_MUL && is_number(graph, node.a)) {
        *c *= expr_get(graph, node.a).value;
        return node.b;
    }
    return x;
}

static expr product(expr_graph *graph, expr a, expr b) {
    if (a == EXPR_NONE) return b;
    if (b == EXPR_NONE) return a;
    if (a == b) return expr_binary(graph, EXPR_POW, a, expr_constant(graph, 2));
    return expr_intern(graph, EXPR_MUL, a < b ? a : b, a < b ? b : a);
}

static expr scale(expr_graph *graph, double c, expr x) {
    if (c == 1) return x;
    if (c == -1) return negate(graph, x);
    const expr factor = expr_constant(graph, c);
    return factor == EXPR_NONE || x == EXPR_NONE ? EXPR_NONE : expr_intern(graph, EXPR_MUL, factor, x);
}

// (c x) (d y) = (c d) (x y): the 2 of a derivative meets the 1/2 of a kinetic energy.
static expr multiply(expr_graph *graph, expr a, expr b) {
    if (expr_is_constant(graph, a, 0) || expr_is_constant(graph, b, 0)) return expr_constant(graph, 0);
    double c = 1;
    const expr x = split_number(graph, a, &c);
    const expr y = split_number(graph, b, &c);
    if (!isnormal(c)) return expr_intern(graph, EXPR_MUL, a, b); // the numbers' product overflows or vanishes
    return scale(graph, c, product(graph, x, y));
}

// True when 1/c is exact, so that dividing by c is multiplying with it.
static bool has_exact_reciprocal(double c) {
    int exponent;
    return fabs(frexp(c, &exponent)) == 0.5 && isnormal(1 / c);
}

static expr divide(expr_graph *graph, expr a, expr b) {
    const expr_node below = expr_get(graph, b);
    if (expr_is_constant(graph, b, 0)) return expr_intern(graph, EXPR_DIV, a, b);
    if (expr_is_constant(graph, a, 0) || expr_is_constant(graph, b, 1)) return a;
    if (below.op == EXPR_CONSTANT && has_exact_reciprocal(below.value)) {
        return expr_binary(graph, EXPR_MUL, expr_constant(graph, 1 / below.value), a);
    }
    if (has_sign(graph, b)) return negate(graph, expr_binary(graph, EXPR_DIV, a, negate(graph, b)));
    if (below.op == EXPR_MUL && is_number(graph, below.a) && has_exact_reciprocal(expr_get(graph, below.a).value)) {
        return expr_binary(graph, EXPR_DIV, expr_binary(graph, EXPR_DIV, a, below.a), below.b);
    }
    double c = 1;
    const expr x = split_number(graph, a, &c);
    if (x == EXPR_NONE || x == a) return expr_intern(graph, EXPR_DIV, a, b);
    return scale(graph, c, expr_binary(graph, EXPR_DIV, x, b));
}

static expr power(expr_graph *graph, expr a, expr b) {
    if (expr_is_constant(graph, b, 0) || expr_is_constant(graph, a, 1)) return expr_constant(graph, 1);
    if (!is_number(graph, b)) return expr_intern(graph, EXPR_POW, a, b);
    const double exponent = expr_get(graph, b).value;
    if (exponent == 1) return a;
    if (exponent == 0.5) return expr_unary(graph, EXPR_SQRT, a);
    if (exponent == -1 || exponent == -0.5) {
        return expr_binary(graph, EXPR_DIV, expr_constant(graph, 1), power(graph, a, expr_constant(graph, -exponent)));
    }
    const expr_node base = expr_get(graph, a);
    if (base.op == EXPR_NEG && fmod(exponent, 2) == 0) return power(graph, base.a, b);
    if (base.op == EXPR_NEG && fabs(fmod(exponent, 2)) == 1) return negate(graph, power(graph, base.a, b));
    return expr_intern(graph, EXPR_POW, a, b);
}

// An operation for which the order of its operands doesn't matter: the older one first, but a number last.
static expr symmetric(expr_graph *graph, expr_op op, expr a, expr b) {
    const bool swapped = is_number(graph, a) || (a > b && !is_number(graph, b));
    return swapped ? expr_intern(graph, op, b, a) : expr_intern(graph, op, a, b);
}

static expr compare(expr_graph *graph, expr_op op, expr a, expr b) {
    if (a == b) return expr_truth(graph, op != EXPR_LESS);
    if (is_number(graph, a) && is_number(graph, b)) {
        return expr_truth(graph, expr_apply(op, expr_get(graph, a).value, expr_get(graph, b).value) != 0);
    }
    return op == EXPR_EQUAL ? symmetric(graph, op, a, b) : expr_intern(graph, op, a, b);
}

static expr join(expr_graph *graph, expr_op op, expr a, expr b) {
    const bool neutral = op == EXPR_AND;
    if (a == b || is_truth(graph, b, neutral) || is_truth(graph, a, !neutral)) return a;
    if (is_truth(graph, a, neutral) || is_truth(graph, b, !neutral)) return b;
    return expr_intern(graph, op, a, b);
}

expr expr_if(expr_graph *graph, expr condition, expr a, expr b) {
    if (condition == EXPR_NONE || a == EXPR_NONE || b == EXPR_NONE) return EXPR_NONE;
    if (a == b || is_truth(graph, condition, true)) return a;
    if (is_truth(graph, condition, false)) return b;
    const expr_node node = expr_get(graph, condition);
    return node.op == EXPR_NOT ? expr_intern_if(graph, node.a, b, a) : expr_intern_if(graph, condition, a, b);
}

expr expr_binary(expr_graph *graph, expr_op op, expr a, expr b) {
    if (a == EXPR_NONE || b == EXPR_NONE) return EXPR_NONE;
    if (op == EXPR_AND || op == EXPR_OR) return join(graph, op, a, b);
    if (op == EXPR_LESS || op == EXPR_LESS_EQUAL || op == EXPR_EQUAL) return compare(graph, op, a, b);
    if (is_number(graph, a) && is_number(graph, b)) return fold(graph, op, a, b);
    switch (op) {
    case EXPR_ADD:
        return add(graph, a, b);
    case EXPR_SUB:
        return subtract(graph, a, b);
    case EXPR_MUL:
        return multiply(graph, a, b);
    case EXPR_DIV:
        return divide(graph, a, b);
    case EXPR_POW:
        return power(graph, a, b);
    case EXPR_MIN:
    case EXPR_MAX:
        return a == b ? a : symmetric(graph, op, a, b);
    default:
        return expr_intern(graph, op, a, b);
    }
}
