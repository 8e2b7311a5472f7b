// The values of expressions, for constants, for start values and for checks at sample points.

#include "expression_impl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double expr_apply(expr_op op, double a, double b) {
    switch (op) {
    case EXPR_NEG:
        return -a;
    case EXPR_SIN:
        return sin(a);
    case EXPR_COS:
        return cos(a);
    case EXPR_TAN:
        return tan(a);
    case EXPR_ASIN:
        return asin(a);
    case EXPR_ACOS:
        return acos(a);
    case EXPR_ATAN:
        return atan(a);
    case EXPR_SINH:
        return sinh(a);
    case EXPR_COSH:
        return cosh(a);
    case EXPR_TANH:
        return tanh(a);
    case EXPR_EXP:
        return exp(a);
    case EXPR_LOG:
        return log(a);
    case EXPR_SQRT:
        return sqrt(a);
    case EXPR_ABS:
        return fabs(a);
    case EXPR_ADD:
        return a + b;
    case EXPR_SUB:
        return a - b;
    case EXPR_MUL:
        return a * b;
    case EXPR_DIV:
        return a / b;
    case EXPR_POW:
        return pow(a, b);
    case EXPR_ATAN2:
        return atan2(a, b);
    case EXPR_MIN:
        return fmin(a, b);
    case EXPR_MAX:
        return fmax(a, b);
    case EXPR_NOT:
        return a == 0;
    case EXPR_LESS:
        return a < b;
    case EXPR_LESS_EQUAL:
        return a <= b;
    case EXPR_EQUAL:
        return a == b;
    case EXPR_AND:
        return a != 0 && b != 0;
    case EXPR_OR:
        return a != 0 || b != 0;
    case EXPR_CONSTANT:
    case EXPR_SYMBOL:
    case EXPR_TRUTH:
    case EXPR_IF:
        break;
    }
    return NAN; // no operation on two numbers
}

static double node_value(const expr_node *node, const double *values, expr_value value, void *context) {
    if (node->op == EXPR_CONSTANT || node->op == EXPR_TRUTH) return node->value;
    if (node->op == EXPR_SYMBOL) return value(context, node->symbol);
    if (node->op == EXPR_IF) return values[values[node->a] != 0 ? node->b : node->c];
    return expr_apply(node->op, values[node->a], node->b == EXPR_NONE ? 0 : values[node->b]);
}

struct expr_program {
    const expr_graph *graph;
    expr_set set;
    expr *x;
    int count;
    double *values; // by node
};

expr_program *expr_program_create(expr_graph *graph, const expr *x, int count) {
    expr_program *p = calloc(1, sizeof *p);
    if (p) p->x = malloc(((size_t)count + 1) * sizeof *p->x);
    if (p && p->x && expr_reach(graph, x, count, &p->set))
        p->values = malloc(((size_t)p->set.size + 1) * sizeof *p->values);
    if (!p || !p->values) {
        expr_graph_fail(graph);
        expr_program_destroy(p);
        return NULL;
    }
    p->graph = graph;
    p->count = count;
    memcpy(p->x, x, (size_t)count * sizeof *x);
    return p;
}

void expr_program_destroy(expr_program *program) {
    if (!program) return;
    free(program->x);
    free(program->values);
    expr_set_free(&program->set);
    free(program);
}

void expr_program_run(expr_program *program, expr_value value, void *context, double *result) {
    for (int i = 0; i < program->set.count; i++) {
        const expr_node node = expr_get(program->graph, program->set.nodes[i]);
        program->values[program->set.nodes[i]] = node_value(&node, program->values, value, context);
    }
    for (int i = 0; i < program->count; i++)
        result[i] = program->x[i] != EXPR_NONE ? program->values[program->x[i]] : NAN;
}

void expr_evaluate_all(expr_graph *graph, const expr *x, int count, expr_value value, void *context, double *result) {
    expr_program *program = expr_program_create(graph, x, count);
    if (program) expr_program_run(program, value, context, result);
    for (int i = 0; !program && i < count; i++)
        result[i] = NAN;
    expr_program_destroy(program);
}

double expr_evaluate(expr_graph *graph, expr x, expr_value value, void *context) {
    double result = NAN;
    expr_evaluate_all(graph, &x, 1, value, context, &result);
    return result;
}
