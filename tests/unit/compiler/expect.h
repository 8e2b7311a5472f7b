// What the tests of expressions share: a few names with values, and expectations that say what they saw.

#ifndef EXPECT_H
#define EXPECT_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
// The comment keeps the order.
#include <cmocka.h>

#include "expression.h"

// cmocka compares doubles as floats; this doesn't. `tolerance` is relative to 1 + |expected|.
static inline void expect_near(double actual, double expected, double tolerance) {
    if (fabs(actual - expected) <= tolerance * (1 + fabs(expected))) return;
    fail_msg("%.17g, expected %.17g within %.3g", actual, expected, tolerance);
}

// The names that test expressions use, and the values that they are evaluated at.
typedef struct known_name {
    const char *name;
    expr_symbol symbol;
    double value;
} known_name;

static const known_name KNOWN_NAMES[] = {
    {"time", {SYMBOL_TIME, 0}, 0.375},        {"m", {SYMBOL_PARAMETER, 0}, 1.5},
    {"L", {SYMBOL_PARAMETER, 1}, 0.75},       {"g", {SYMBOL_PARAMETER, 2}, 9.5},
    {"c", {SYMBOL_PARAMETER, 3}, 0.125},      {"u", {SYMBOL_INPUT, 0}, -0.625},
    {"x", {SYMBOL_COORDINATE, 0}, 0.3125},    {"y", {SYMBOL_COORDINATE, 1}, 0.8125},
    {"z", {SYMBOL_COORDINATE, 2}, 1.1875},    {"vx", {SYMBOL_RATE, 0}, 0.6875},
    {"vy", {SYMBOL_RATE, 1}, -1.4375},        {"vz", {SYMBOL_RATE, 2}, 0.5625},
    {"ax", {SYMBOL_ACCELERATION, 0}, 2.0625}, {"ay", {SYMBOL_ACCELERATION, 1}, -0.9375},
    {"floor.force", {SYMBOL_FORCE, 0}, 3.25}, {"s", {SYMBOL_STATE, 0}, 0.4375},
    {"held", {SYMBOL_HELD, 0}, 1.25},
};
enum { KNOWN_NAME_COUNT = sizeof KNOWN_NAMES / sizeof KNOWN_NAMES[0] };

static inline const known_name *find_known(expr_symbol symbol) {
    for (int i = 0; i < KNOWN_NAME_COUNT; i++) {
        const expr_symbol known = KNOWN_NAMES[i].symbol;
        if (known.class == symbol.class && known.index == symbol.index) return &KNOWN_NAMES[i];
    }
    return NULL;
}

static inline const char *known_symbol_name(void *context, expr_symbol symbol) {
    (void)context;
    const known_name *known = find_known(symbol);
    return known ? known->name : "?";
}

static inline double known_value(void *context, expr_symbol symbol) {
    (void)context;
    const known_name *known = find_known(symbol);
    return known ? known->value : NAN;
}

static inline expr known_lookup(void *graph, const char *name, char message[400]) {
    for (int i = 0; i < KNOWN_NAME_COUNT; i++) {
        const known_name *known = &KNOWN_NAMES[i];
        if (strcmp(name, known->name) == 0) return expr_symbol_node(graph, known->symbol.class, known->symbol.index);
    }
    snprintf(message, 400, "unknown name '%s'", name);
    return EXPR_NONE;
}

// d/dt along the motion: coordinates grow with their rates, rates with their accelerations.
static inline expr motion(void *graph, expr_symbol symbol) {
    if (symbol.class == SYMBOL_TIME) return expr_constant(graph, 1);
    if (symbol.class == SYMBOL_COORDINATE) return expr_symbol_node(graph, SYMBOL_RATE, symbol.index);
    if (symbol.class == SYMBOL_RATE) return expr_symbol_node(graph, SYMBOL_ACCELERATION, symbol.index);
    return EXPR_NONE;
}

static inline expr known_derivative(void *graph, expr x, char message[400]) {
    if (expr_depends_on_class(graph, x, SYMBOL_INPUT)) {
        snprintf(message, 400, "der() of an input");
        return EXPR_NONE;
    }
    expr_directional(graph, &x, 1, motion, graph, &x);
    return x;
}

static inline parse_scope known_scope(expr_graph *graph) {
    return (parse_scope){.lookup = known_lookup, .derivative = known_derivative, .context = graph};
}

// Parses a number that has to be smooth.
static inline expr parse_known(expr_graph *graph, const char *source, parse_error *error) {
    const parse_scope scope = known_scope(graph);
    return expr_parse(graph, source, &scope, error);
}

// Parses what must be parsed.
static inline expr parsed_in(expr_graph *graph, const char *source, const parse_scope *scope) {
    parse_error error;
    const expr x = expr_parse(graph, source, scope, &error);
    if (x == EXPR_NONE) fail_msg("'%s' at %d: %s", source, error.offset, error.message);
    return x;
}

static inline expr parsed(expr_graph *graph, const char *source) {
    parse_scope scope = known_scope(graph);
    scope.piecewise = true;
    return parsed_in(graph, source, &scope);
}

static inline expr parsed_condition(expr_graph *graph, const char *source) {
    parse_scope scope = known_scope(graph);
    scope.piecewise = scope.condition = true;
    return parsed_in(graph, source, &scope);
}

static inline double evaluated(expr_graph *graph, expr x) {
    return expr_evaluate(graph, x, known_value, NULL);
}

static inline void expect_printed(const expr_graph *graph, expr x, const char *expected) {
    text out = {.data = NULL};
    expr_print(graph, x, known_symbol_name, NULL, &out);
    assert_string_equal(out.data, expected);
    text_free(&out);
}

// Fixture: every test gets a graph of its own as its state.
static inline int create_graph(void **state) {
    *state = expr_graph_create();
    return *state ? 0 : -1;
}

static inline int destroy_graph(void **state) {
    expr_graph_destroy(*state);
    return 0;
}

#define GRAPH_TEST(test) cmocka_unit_test_setup_teardown(test, create_graph, destroy_graph)

#endif
