// Walks over a graph. Operands have smaller numbers than what is made of them, so that a walk is a loop over numbers,
// upwards or downwards, never a recursion.

#include "expression_impl.h"

#include <stdlib.h>

bool expr_reach(const expr_graph *graph, const expr *x, int count, expr_set *set) {
    expr last = EXPR_NONE;
    for (int i = 0; i < count; i++)
        last = x[i] > last ? x[i] : last;
    const size_t size = (size_t)(last + 1);
    bool *reached = calloc(size + 1, sizeof *reached);
    *set = (expr_set){.nodes = malloc((size + 1) * sizeof *set->nodes), .size = last + 1};
    if (!reached || !set->nodes) {
        free(reached);
        expr_set_free(set);
        return false;
    }
    for (int i = 0; i < count; i++) {
        if (x[i] != EXPR_NONE) reached[x[i]] = true;
    }
    for (expr i = last; i >= 0; i--) {
        if (!reached[i]) continue;
        const expr_node node = expr_get(graph, i);
        if (node.a != EXPR_NONE) reached[node.a] = true;
        if (node.b != EXPR_NONE) reached[node.b] = true;
        if (node.c != EXPR_NONE) reached[node.c] = true;
    }
    for (expr i = 0; i <= last; i++) {
        if (reached[i]) set->nodes[set->count++] = i;
    }
    free(reached);
    return true;
}

void expr_set_free(expr_set *set) {
    free(set->nodes);
    *set = (expr_set){.nodes = NULL};
}

static int compare_symbols(const void *left, const void *right) {
    const expr_symbol *a = left, *b = right;
    if (a->class != b->class) return a->class < b->class ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

bool expr_symbols(expr_graph *graph, expr x, void (*visit)(void *context, expr_symbol symbol), void *context) {
    expr_set set;
    const bool reached = expr_reach(graph, &x, 1, &set);
    expr_symbol *symbols = reached ? malloc(((size_t)set.count + 1) * sizeof *symbols) : NULL;
    if (!symbols) expr_graph_fail(graph);
    size_t found = 0;
    for (int i = 0; symbols && i < set.count; i++) {
        const expr_node node = expr_get(graph, set.nodes[i]);
        if (node.op == EXPR_SYMBOL) symbols[found++] = node.symbol;
    }
    if (found > 0) qsort(symbols, found, sizeof *symbols, compare_symbols);
    for (size_t i = 0; i < found; i++)
        visit(context, symbols[i]);
    const bool done = symbols;
    free(symbols);
    expr_set_free(&set);
    return done;
}

// The node made anew of what took its operands' places.
static expr rebuilt(expr_graph *graph, expr x, const expr *made, expr_replacement replacement, void *context) {
    const expr_node node = expr_get(graph, x);
    if (node.op == EXPR_CONSTANT || node.op == EXPR_TRUTH) return x;
    if (node.op == EXPR_SYMBOL) {
        const expr replaced = replacement(context, node.symbol);
        return replaced == EXPR_NONE ? x : replaced;
    }
    if (node.b == EXPR_NONE) return made[node.a] == node.a ? x : expr_unary(graph, node.op, made[node.a]);
    const bool same = made[node.a] == node.a && made[node.b] == node.b;
    if (same && (node.c == EXPR_NONE || made[node.c] == node.c)) return x;
    if (node.op == EXPR_IF) return expr_if(graph, made[node.a], made[node.b], made[node.c]);
    return expr_binary(graph, node.op, made[node.a], made[node.b]);
}

void expr_substitute(expr_graph *graph, const expr *x, int count, expr_replacement replacement, void *context,
                     expr *result) {
    expr_set set;
    const bool reached = expr_reach(graph, x, count, &set);
    expr *made = reached ? malloc(((size_t)set.size + 1) * sizeof *made) : NULL;
    if (!made) expr_graph_fail(graph);
    for (int i = 0; made && i < set.count; i++) {
        made[set.nodes[i]] = rebuilt(graph, set.nodes[i], made, replacement, context);
    }
    for (int i = 0; i < count; i++)
        result[i] = made && x[i] != EXPR_NONE ? made[x[i]] : EXPR_NONE;
    free(made);
    expr_set_free(&set);
}
