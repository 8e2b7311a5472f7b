// The dialect of C that computes with the engine's intervals: every operation is a call that rounds outward. It has no
// choices: what is computed with intervals, the equations of a Lagrangian model, is smooth.

#include "expression_impl.h"

static expr_binding constant_in_intervals(text *out, double value) {
    text_append(out, "zeno_interval_point(");
    text_append_double(out, value);
    text_append(out, ")");
    return EXPR_BINDS_ATOM;
}

static expr_binding symbol_in_intervals(text *out, expr_symbol symbol) {
    return expr_dialect_double.symbol(out, symbol); // places have the same names in a box and in a point
}

static expr_binding unary_in_intervals(text *out, expr_op op, expr_code a) {
    const char *name = op == EXPR_NEG ? "neg" : op == EXPR_ABS ? "abs" : expr_function_name(op);
    text_append(out, "zeno_interval_%s(%s)", name, a.text);
    return EXPR_BINDS_ATOM;
}

static expr_binding binary_in_intervals(text *out, expr_op op, expr_code a, expr_code b) {
    static const char *const names[] = {
        [EXPR_ADD] = "add", [EXPR_SUB] = "sub", [EXPR_MUL] = "mul",
        [EXPR_DIV] = "div", [EXPR_POW] = "pow", [EXPR_ATAN2] = "atan2",
    };
    text_append(out, "zeno_interval_%s(%s, %s)", names[op], a.text, b.text);
    return EXPR_BINDS_ATOM;
}

static expr_binding power_in_intervals(text *out, expr_code a, int n) {
    text_append(out, "zeno_interval_power(%s, %d)", a.text, n);
    return EXPR_BINDS_ATOM;
}

const expr_dialect expr_dialect_interval = {
    .type = "zeno_interval",
    .symbol = symbol_in_intervals,
    .constant = constant_in_intervals,
    .unary = unary_in_intervals,
    .binary = binary_in_intervals,
    .power = power_in_intervals,
};
