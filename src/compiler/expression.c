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
    hash = mix(hash, (uint32_t)node->c);
    hash = mix(hash, bits);
    hash = mix(hash, (uint64_t)node->symbol.class);
    return mix(hash, (uint32_t)node->symbol.index);
}

static bool same_node(const expr_node *x, const expr_node *y) {
    return x->op == y->op && x->a == y->a && x->b == y->b && x->c == y->c && x->value == y->value &&
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

// The symbol classes on which the operation itself decides, whatever its operands do.
static unsigned own_kinks(const expr_graph *graph, const expr_node *node) {
    if (node->op == EXPR_IF) return graph->nodes[node->a].classes;
    return node->op == EXPR_ABS || node->op == EXPR_MIN || node->op == EXPR_MAX ? node->classes : 0;
}

static expr intern_operation(expr_graph *graph, expr_node node) {
    const expr operands[] = {node.a, node.b, node.c};
    for (int i = 0; i < 3 && operands[i] != EXPR_NONE; i++) {
        node.classes |= graph->nodes[operands[i]].classes;
        node.kinks |= graph->nodes[operands[i]].kinks;
    }
    node.kinks |= own_kinks(graph, &node);
    return intern(graph, &node);
}

expr expr_intern(expr_graph *graph, expr_op op, expr a, expr b) {
    return intern_operation(graph, (expr_node){.op = op, .a = a, .b = b, .c = EXPR_NONE});
}

expr expr_intern_if(expr_graph *graph, expr condition, expr a, expr b) {
    return intern_operation(graph, (expr_node){.op = EXPR_IF, .a = condition, .b = a, .c = b});
}

// A node without operands.
static expr intern_leaf(expr_graph *graph, expr_node node) {
    node.a = node.b = node.c = EXPR_NONE;
    return intern(graph, &node);
}

expr expr_constant(expr_graph *graph, double value) {
    if (!isfinite(value)) return EXPR_NONE;
    // -0 becomes 0: one zero is enough, and "-0.0" never appears in emitted code.
    return intern_leaf(graph, (expr_node){.op = EXPR_CONSTANT, .value = value == 0 ? 0 : value});
}

expr expr_truth(expr_graph *graph, bool holds) {
    return intern_leaf(graph, (expr_node){.op = EXPR_TRUTH, .value = holds});
}

expr expr_symbol_node(expr_graph *graph, symbol_class class, int index) {
    return intern_leaf(graph, (expr_node){.op = EXPR_SYMBOL, .symbol = {class, index}, .classes = 1u << class});
}

expr_node expr_get(const expr_graph *graph, expr x) {
    return graph->nodes[x];
}

bool expr_is_constant(const expr_graph *graph, expr x, double value) {
    return x != EXPR_NONE && graph->nodes[x].op == EXPR_CONSTANT && graph->nodes[x].value == value;
}

bool expr_is_condition(const expr_graph *graph, expr x) {
    return x != EXPR_NONE && graph->nodes[x].op >= EXPR_TRUTH;
}

bool expr_is_smooth(const expr_graph *graph, expr x, unsigned constant, expr_op *offender) {
    if (x == EXPR_NONE || !(graph->nodes[x].kinks & ~constant)) return true;
    // Down to an operation that decides itself; until then one of the operands does.
    const expr_node *node = &graph->nodes[x];
    while (!(own_kinks(graph, node) & ~constant)) {
        const bool first = graph->nodes[node->a].kinks & ~constant;
        const bool second = node->b != EXPR_NONE && graph->nodes[node->b].kinks & ~constant;
        node = &graph->nodes[first ? node->a : second ? node->b : node->c];
    }
    if (offender) *offender = node->op;
    return false;
}

bool expr_depends_on_class(const expr_graph *graph, expr x, symbol_class class) {
    return x != EXPR_NONE && (graph->nodes[x].classes & 1u << class) != 0;
}

const char *expr_function_name(expr_op op) {
    static const char *const names[EXPR_OR + 1] = {
        [EXPR_SIN] = "sin",   [EXPR_COS] = "cos",   [EXPR_TAN] = "tan",     [EXPR_ASIN] = "asin", [EXPR_ACOS] = "acos",
        [EXPR_ATAN] = "atan", [EXPR_SINH] = "sinh", [EXPR_COSH] = "cosh",   [EXPR_TANH] = "tanh", [EXPR_EXP] = "exp",
        [EXPR_LOG] = "log",   [EXPR_SQRT] = "sqrt", [EXPR_ATAN2] = "atan2", [EXPR_ABS] = "abs",   [EXPR_MIN] = "min",
        [EXPR_MAX] = "max",   [EXPR_IF] = "if",
    };
    return names[op];
}
