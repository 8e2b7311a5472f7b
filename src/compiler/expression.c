// The store of an expression graph: nodes in one array, found again by hashing.
// Simplification is not done here but in simplify.c, on the way in.

#include "expression_impl.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct expr_graph {
    expr_node *nodes;
    int count, capacity;
    expr *table; // open addressing: twice as many places as `capacity`, a power of two; EXPR_NONE where free
    bool failed;
};

expr_graph *expr_graph_create(void) {
    return calloc(1, sizeof(expr_graph));
}

void expr_graph_destroy(expr_graph *graph) {
    if (!graph) return;
    free(graph->nodes);
    free(graph->table);
    free(graph);
}

bool expr_graph_failed(const expr_graph *graph) {
    return graph->failed;
}

void expr_graph_fail(expr_graph *graph) {
    graph->failed = true;
}

// One step of the 64-bit FNV-1a hash, with a word in place of a byte and the high bits folded in.
static uint64_t mix(uint64_t hash, uint64_t word) {
    hash = (hash ^ word) * UINT64_C(0x100000001b3);
    return hash ^ (hash >> 29);
}

static uint64_t hash_node(const expr_node *node) {
    uint64_t bits;
    memcpy(&bits, &node->value, sizeof bits);
    uint64_t hash = mix(UINT64_C(0xcbf29ce484222325), (uint64_t)node->op);
    hash = mix(hash, (uint32_t)node->a);
    hash = mix(hash, (uint32_t)node->b);
    hash = mix(hash, bits);
    hash = mix(hash, (uint64_t)node->symbol.class);
    return mix(hash, (uint32_t)node->symbol.index);
}

static bool same_node(const expr_node *x, const expr_node *y) {
    return x->op == y->op && x->a == y->a && x->b == y->b && x->value == y->value &&
           x->symbol.class == y->symbol.class && x->symbol.index == y->symbol.index;
}

// The place of an equal node, or the free place where it belongs.
static expr *find_place(const expr_graph *graph, const expr_node *node) {
    const size_t mask = 2 * (size_t)graph->capacity - 1;
    size_t place = (size_t)hash_node(node) & mask;
    while (graph->table[place] != EXPR_NONE && !same_node(&graph->nodes[graph->table[place]], node)) {
        place = (place + 1) & mask;
    }
    return &graph->table[place];
}

static bool grow(expr_graph *graph) {
    if (graph->capacity > INT_MAX / 4) return false;
    const size_t capacity = graph->capacity ? 2 * (size_t)graph->capacity : 256;
    expr_node *nodes = realloc(graph->nodes, capacity * sizeof *nodes);
    if (!nodes) return false;
    graph->nodes = nodes;
    expr *table = malloc(2 * capacity * sizeof *table);
    if (!table) return false;
    for (size_t i = 0; i < 2 * capacity; i++)
        table[i] = EXPR_NONE;
    free(graph->table);
    graph->table = table;
    graph->capacity = (int)capacity;
    for (expr x = 0; x < graph->count; x++)
        *find_place(graph, &nodes[x]) = x;
    return true;
}

static expr intern(expr_graph *graph, const expr_node *node) {
    if (graph->capacity) {
        const expr known = *find_place(graph, node);
        if (known != EXPR_NONE) return known;
    }
    if (graph->count == graph->capacity && !grow(graph)) {
        graph->failed = true;
        return EXPR_NONE;
    }
    const expr made = graph->count++;
    graph->nodes[made] = *node;
    *find_place(graph, node) = made;
    return made;
}

expr expr_intern(expr_graph *graph, expr_op op, expr a, expr b) {
    unsigned classes = graph->nodes[a].classes;
    if (b != EXPR_NONE) classes |= graph->nodes[b].classes;
    const expr_node node = {.op = op, .a = a, .b = b, .classes = classes};
    return intern(graph, &node);
}

expr expr_constant(expr_graph *graph, double value) {
    if (!isfinite(value)) return EXPR_NONE;
    // -0 becomes 0: one zero is enough, and "-0.0" never appears in emitted code.
    const expr_node node = {.op = EXPR_CONSTANT, .a = EXPR_NONE, .b = EXPR_NONE, .value = value == 0 ? 0 : value};
    return intern(graph, &node);
}

expr expr_symbol_node(expr_graph *graph, symbol_class class, int index) {
    const expr_node node = {
        .op = EXPR_SYMBOL, .a = EXPR_NONE, .b = EXPR_NONE, .symbol = {class, index}, .classes = 1u << class};
    return intern(graph, &node);
}

expr_node expr_get(const expr_graph *graph, expr x) {
    return graph->nodes[x];
}

bool expr_is_constant(const expr_graph *graph, expr x, double value) {
    return x != EXPR_NONE && graph->nodes[x].op == EXPR_CONSTANT && graph->nodes[x].value == value;
}

bool expr_depends_on_class(const expr_graph *graph, expr x, symbol_class class) {
    return x != EXPR_NONE && (graph->nodes[x].classes & 1u << class) != 0;
}

const char *expr_function_name(expr_op op) {
    static const char *const names[] = {
        [EXPR_SIN] = "sin",   [EXPR_COS] = "cos",   [EXPR_TAN] = "tan",     [EXPR_ASIN] = "asin", [EXPR_ACOS] = "acos",
        [EXPR_ATAN] = "atan", [EXPR_SINH] = "sinh", [EXPR_COSH] = "cosh",   [EXPR_TANH] = "tanh", [EXPR_EXP] = "exp",
        [EXPR_LOG] = "log",   [EXPR_SQRT] = "sqrt", [EXPR_ATAN2] = "atan2", [EXPR_ABS] = "abs",
    };
    return names[op];
}
