// The expression graph: equal is identical, normal forms, walks, values and text.

#include "expect.h"

#include <locale.h>
#include <stdlib.h>

static void equal_expressions_are_one_node(void **state) {
    expr_graph *graph = *state;
    assert_int_equal(parsed(graph, "sin(x)*y + 3"), parsed(graph, "3 + y*sin(x)"));
    assert_int_equal(parsed(graph, "x + y"), parsed(graph, "y + x"));
    assert_int_not_equal(parsed(graph, "x - y"), parsed(graph, "y - x"));
    assert_int_not_equal(parsed(graph, "x"), parsed(graph, "vx"));
    assert_int_equal(expr_constant(graph, -0.0), expr_constant(graph, 0.0));
}

static void operands_have_smaller_numbers(void **state) {
    expr_graph *graph = *state;
    const expr last = parsed(graph, "atan2(x*y, sin(x + y)^3)/(m + L) - x");
    for (expr x = 0; x <= last; x++) {
        assert_true(expr_get(graph, x).a < x);
        assert_true(expr_get(graph, x).b < x);
    }
}

static void operations_are_brought_to_their_normal_form(void **state) {
    static const char *const forms[][2] = {
        {"0 + x", "x"},
        {"x + 0", "x"},
        {"x - 0", "x"},
        {"0 - x", "-x"},
        {"x - x", "0"},
        {"x + x", "2*x"},
        {"x + -y", "x - y"},
        {"x - -y", "x + y"},
        {"-x + y", "y - x"},
        {"-x - y", "-(x + y)"},
        {"x + -3", "x - 3"},
        {"1 + x", "x + 1"},
        {"x - 2*-y", "x + 2*y"},
        {"-(x - y)", "y - x"},
        {"--x", "x"},
        {"0*x", "0"},
        {"x*1", "x"},
        {"-1*x", "-x"},
        {"-x*y", "-x*y"},
        {"-x*-y", "x*y"},
        {"x*2", "2*x"},
        {"2*(3*x)", "6*x"},
        {"(2*x)*(y*5)", "10*x*y"},
        {"x*x", "x^2"},
        {"x/1", "x"},
        {"x/-1", "-x"},
        {"0/x", "0"},
        {"x/2", "0.5*x"},
        {"x/3", "x/3"},
        {"-x/y", "-x/y"},
        {"x/-y", "-x/y"},
        {"-2*x/y", "-2*x/y"},
        {"x/(4*y)", "0.25*x/y"},
        {"x^0", "1"},
        {"x^1", "x"},
        {"1^x", "1"},
        {"x^0.5", "sqrt(x)"},
        {"x^-1", "1/x"},
        {"x^-0.5", "1/sqrt(x)"},
        {"(-x)^2", "x^2"},
        {"(-x)^3", "-x^3"},
        {"sin(-x)", "-sin(x)"},
        {"cos(-2*x)", "cos(2*x)"},
        {"tanh(-x)", "-tanh(x)"},
        {"2 + 3*4", "14"},
        {"sqrt(4) - cos(0)", "1"},
    };
    expr_graph *graph = *state;
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        expect_printed(graph, parsed(graph, forms[i][0]), forms[i][1]);
    }
}

static void normal_forms_keep_their_value(void **state) {
    expr_graph *graph = *state;
    const double x = 0.3125, y = 0.8125;
    expect_near(evaluated(graph, parsed(graph, "-x - -2*y*(3*x)/(-4*y) + (x - y)*-1")), -x - 1.5 * x + y - x, 1e-15);
    expect_near(evaluated(graph, parsed(graph, "(-x)^3*(-y)^-2/(-y)^-1")), x * x * x / y, 1e-15);
}

static void numbers_fold_only_when_the_result_is_finite(void **state) {
    expr_graph *graph = *state;
    const expr zero = expr_constant(graph, 0), one = expr_constant(graph, 1), huge = expr_constant(graph, 1e300);
    const expr x = parsed(graph, "x");
    assert_int_equal(expr_get(graph, expr_binary(graph, EXPR_DIV, one, zero)).op, EXPR_DIV);
    assert_int_equal(expr_get(graph, expr_binary(graph, EXPR_DIV, zero, zero)).op, EXPR_DIV);
    assert_int_equal(expr_get(graph, expr_binary(graph, EXPR_DIV, x, zero)).op, EXPR_DIV);
    assert_int_equal(expr_get(graph, expr_binary(graph, EXPR_MUL, huge, huge)).op, EXPR_MUL);
    assert_int_equal(expr_get(graph, expr_unary(graph, EXPR_LOG, zero)).op, EXPR_LOG);
    assert_int_equal(expr_constant(graph, INFINITY), EXPR_NONE);
}

static void numbers_in_front_don_t_meet_when_their_product_overflows_or_vanishes(void **state) {
    expr_graph *graph = *state;
    expect_near(evaluated(graph, parsed(graph, "1e-200*(1e-200*x*(1e200*y)*1e200)")), 0.3125 * 0.8125, 1e-15);
    expect_printed(graph, parsed(graph, "(1e200*x)*(1e200*y)"), "1e+200*x*1e+200*y");
    expect_printed(graph, parsed(graph, "(1e-200*x)*(1e-200*y)"), "1e-200*x*1e-200*y");
}

static void operations_on_nothing_give_nothing(void **state) {
    expr_graph *graph = *state;
    const expr x = parsed(graph, "x");
    assert_int_equal(expr_unary(graph, EXPR_SIN, EXPR_NONE), EXPR_NONE);
    assert_int_equal(expr_binary(graph, EXPR_ADD, x, EXPR_NONE), EXPR_NONE);
    assert_int_equal(expr_binary(graph, EXPR_ADD, EXPR_NONE, x), EXPR_NONE);
    assert_true(isnan(evaluated(graph, EXPR_NONE)));
    assert_false(expr_graph_failed(graph));
}

static void keep_name(void *context, expr_symbol symbol) {
    text_append(context, "%s ", known_symbol_name(NULL, symbol));
}

static void symbols_come_once_and_in_order(void **state) {
    expr_graph *graph = *state;
    const expr x = parsed(graph, "vx*y + sin(time)*(y - x*vx)/m + floor.force");
    text seen = {.data = NULL};
    assert_true(expr_symbols(graph, x, keep_name, &seen));
    assert_string_equal(seen.data, "time m x y vx floor.force ");
    text_free(&seen);
    assert_true(expr_depends_on_class(graph, x, SYMBOL_FORCE));
    assert_false(expr_depends_on_class(graph, x, SYMBOL_INPUT));
}

static expr rates_to_zero(void *graph, expr_symbol symbol) {
    return symbol.class == SYMBOL_RATE ? expr_constant(graph, 0) : EXPR_NONE;
}

static void substitution_simplifies_and_leaves_the_rest(void **state) {
    expr_graph *graph = *state;
    expr both[] = {parsed(graph, "x*vx + cos(vy)*y"), parsed(graph, "x + y")};
    const expr untouched = both[1];
    expr_substitute(graph, both, 2, rates_to_zero, graph, both);
    expect_printed(graph, both[0], "y");
    assert_int_equal(both[1], untouched);
}

static void all_operations_have_their_value(void **state) {
    const double x = 0.3125, y = 0.8125;
    const struct {
        const char *source;
        double value;
    } cases[] = {
        {"sin(x) + cos(x) + tan(x)", sin(x) + cos(x) + tan(x)},
        {"asin(x) + acos(x) + atan(x)", asin(x) + acos(x) + atan(x)},
        {"sinh(x) + cosh(x) + tanh(x)", sinh(x) + cosh(x) + tanh(x)},
        {"exp(x) + log(x) + sqrt(x)", exp(x) + log(x) + sqrt(x)},
        {"atan2(x, y) - x^y/2", atan2(x, y) - pow(x, y) / 2},
        {"-x*y", -x * y},
    };
    expr_graph *graph = *state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        expect_near(evaluated(graph, parsed(graph, cases[i].source)), cases[i].value, 1e-15);
    }
}

static void print_uses_no_more_parentheses_than_needed(void **state) {
    static const char *const same[] = {
        "m*(vx^2 + vy^2)", "x - (y + z)", "x - y - z",       "x/(y*z)", "x/y/z",     "(x + y)^2", "x^(y + 1)",
        "x^(-2)",          "(x^y)^z",     "-(x + y)",        "-x^2",    "2*(x - y)", "x - 2*y",   "sin(x + y)",
        "atan2(x, -y)",    "x^(y^z)",     "(x + y)/(x - y)", "0.1",     "-1.5",
    };
    expr_graph *graph = *state;
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++)
        expect_printed(graph, parsed(graph, same[i]), same[i]);
}

// x -> x^2 + x, again and again: a graph of 2 k nodes that would be 2^k long.
static expr doubled(expr_graph *graph, expr x, int times) {
    for (int i = 0; i < times; i++) {
        const expr square = expr_binary(graph, EXPR_POW, x, expr_constant(graph, 2));
        x = expr_binary(graph, EXPR_ADD, square, expr_unary(graph, EXPR_SIN, x));
    }
    return x;
}

static void an_expression_that_would_fill_the_disk_is_cut_short(void **state) {
    expr_graph *graph = *state;
    text out = {.data = NULL};
    expr_print(graph, doubled(graph, parsed(graph, "x"), 200), known_symbol_name, NULL, &out);
    assert_true(out.length < 200);
    assert_non_null(strstr(out.data, "operations ...)"));
    text_free(&out);
}

// Nothing may recurse along an expression: this one is deeper than any stack.
static void a_chain_of_a_million_operations_is_no_problem(void **state) {
    expr_graph *graph = *state;
    expr x = parsed(graph, "x");
    const expr y = parsed(graph, "y");
    for (int i = 0; i < 500000; i++) {
        x = expr_binary(graph, EXPR_ADD, y, expr_binary(graph, EXPR_MUL, y, expr_unary(graph, EXPR_SIN, x)));
    }
    assert_false(expr_graph_failed(graph));
    assert_true(isfinite(evaluated(graph, x)));
    expr_substitute(graph, &x, 1, rates_to_zero, graph, &x);
    text out = {.data = NULL};
    expr_print(graph, x, known_symbol_name, NULL, &out);
    assert_string_equal(out.data, "(... 1500000 operations ...)");
    text_free(&out);
}

static void doubles_are_written_short_and_read_back(void **state) {
    (void)state;
    static const double values[] = {0.1, 1.0 / 3, 5e-324, 1.7976931348623157e308, -2.5, 3, 1e22, 0.30000000000000004};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        text out = {.data = NULL};
        text_append_double(&out, values[i]);
        assert_true(strtod(out.data, NULL) == values[i]);
        text_free(&out);
    }
    text out = {.data = NULL};
    text_append_double(&out, 0.1);
    assert_string_equal(out.data, "0.1");
    text_free(&out);
}

static void a_locale_with_a_decimal_comma_changes_nothing(void **state) {
    expr_graph *graph = *state;
    static const char *const locales[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE"};
    bool found = false;
    for (size_t i = 0; i < sizeof locales / sizeof locales[0]; i++)
        found = found || setlocale(LC_NUMERIC, locales[i]);
    if (!found) skip();
    text out = {.data = NULL};
    const expr x = parsed(graph, "1.5*x");
    expr_print(graph, x, known_symbol_name, NULL, &out);
    setlocale(LC_NUMERIC, "C");
    assert_string_equal(out.data, "1.5*x");
    text_free(&out);
}

static void text_grows(void **state) {
    (void)state;
    text out = {.data = NULL};
    for (int i = 0; i < 1000; i++)
        text_append(&out, "%04d", i);
    assert_int_equal(out.length, 4000);
    assert_memory_equal(out.data + 4 * 123, "0123", 4);
    assert_int_equal(strlen(out.data), 4000);
    text_free(&out);
    assert_null(out.data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        GRAPH_TEST(equal_expressions_are_one_node),
        GRAPH_TEST(operands_have_smaller_numbers),
        GRAPH_TEST(operations_are_brought_to_their_normal_form),
        GRAPH_TEST(normal_forms_keep_their_value),
        GRAPH_TEST(numbers_fold_only_when_the_result_is_finite),
        GRAPH_TEST(numbers_in_front_don_t_meet_when_their_product_overflows_or_vanishes),
        GRAPH_TEST(operations_on_nothing_give_nothing),
        GRAPH_TEST(symbols_come_once_and_in_order),
        GRAPH_TEST(substitution_simplifies_and_leaves_the_rest),
        GRAPH_TEST(all_operations_have_their_value),
        GRAPH_TEST(print_uses_no_more_parentheses_than_needed),
        GRAPH_TEST(an_expression_that_would_fill_the_disk_is_cut_short),
        GRAPH_TEST(a_chain_of_a_million_operations_is_no_problem),
        GRAPH_TEST(doubles_are_written_short_and_read_back),
        GRAPH_TEST(a_locale_with_a_decimal_comma_changes_nothing),
        GRAPH_TEST(text_grows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
