// What the files of the expression graph share among themselves.

#ifndef ZENOFMU_EXPRESSION_IMPL_H
#define ZENOFMU_EXPRESSION_IMPL_H

#include "expression.h"

// The node for an operation as it stands, without simplification. (expression.c)
expr expr_intern(expr_graph *graph, expr_op op, expr a, expr b);
expr expr_intern_if(expr_graph *graph, expr condition, expr a, expr b);

// Remembers that memory ran out. (expression.c)
void expr_graph_fail(expr_graph *graph);

// The operation carried out on numbers, with 1 or 0 for conditions; `b` is ignored by unary ones. (evaluate.c)
double expr_apply(expr_op op, double a, double b);

// Nodes in ascending order: operands come before what is made of them.
typedef struct expr_set {
    expr *nodes;
    int count;
    int size; // one more than the greatest node: the length of a work array indexed by node
} expr_set;

// The nodes on which x[0..count) depend, themselves included. False when memory is short. (sweep.c)
bool expr_reach(const expr_graph *graph, const expr *x, int count, expr_set *set);
void expr_set_free(expr_set *set);

#endif
