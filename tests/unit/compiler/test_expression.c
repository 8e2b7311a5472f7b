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
    const expr last = parsed(graph, "atan2(x*y, sin(x + y)^3)/(m + L) - if(x < y, y, x)");
    for (expr x = 0; x <= last; x++) {
        assert_true(expr_get(graph, x).a < x);
        assert_true(expr_get(graph, x).b < x);
        assert_true(expr_get(graph, x).c < x);
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

static void pieces_are_brought_to_their_normal_form(void **state) {
    static const char *const numbers[][2] = {
        {"min(x, x)", "x"},
        {"max(y, y)", "y"},
        {"max(0, x)", "max(x, 0)"},
        {"max(y, x) - max(x, y)", "0"},
        {"min(2, 3) + max(2, 3)", "5"},
        {"abs(-x)", "abs(x)"},
        {"abs(-2*x)", "2*abs(x)"},
        {"abs(abs(x))", "abs(x)"},
        {"if(1 < 2, x, y)", "x"},
        {"if(2 < 1, x, y)", "y"},
        {"if(x < y, z, z)", "z"},
        {"if(not x < y, x, y)", "if(x < y, y, x)"},
        {"if(x != 1, x, y)", "if(x == 1, y, x)"},
        {"if(x < x or y != y, x, y)", "y"},
        {"if(x <= x, x, y)", "x"},
        {"if(x == x, x, y)", "x"},
    };
    static const char *const conditions[][2] = {
        {"x > y", "y < x"},           {"x >= y", "y <= x"},         {"1 == x", "x == 1"},
        {"not x == y", "x != y"},     {"not not x < y", "x < y"},   {"x < y and x < y", "x < y"},
        {"x < y and 1 < 2", "x < y"}, {"1 < 2 and x < y", "x < y"}, {"x < y or 2 < 1", "x < y"},
        {"2 < 1 or x < y", "x < y"},  {"x < y and 2 < 1", "false"}, {"2 < 1 and x < y", "false"},
        {"x < y or 1 < 2", "true"},   {"1 < 2 or x < y", "true"},   {"not 1 < 2", "false"},
    };
    expr_graph *graph = *state;
    parsed(graph, "x + y"); // the older comes first
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        expect_printed(graph, parsed(graph, numbers[i][0]), numbers[i][1]);
    for (size_t i = 0; i < sizeof conditions / sizeof conditions[0]; i++)
        expect_printed(graph, parsed_condition(graph, conditions[i][0]), conditions[i][1]);
}

static void smoothness_is_known_and_what_spoils_it(void **state) {
    static const struct {
        const char *source;
        unsigned constant;
        expr_op offender; // EXPR_CONSTANT: it is smooth
    } cases[] = {
        {"sin(s)*x", 0, EXPR_CONSTANT},
        {"x + sin(2*max(s, y))", 0, EXPR_MAX},
        {"x*min(m, held)/y", 0, EXPR_MIN},
        {"x*min(m, held)/y", 1u << SYMBOL_PARAMETER, EXPR_MIN},
        {"x*min(m, held)/y", 1u << SYMBOL_PARAMETER | 1u << SYMBOL_HELD, EXPR_CONSTANT},
        {"if(m < 1, s, x)", 1u << SYMBOL_PARAMETER, EXPR_CONSTANT},
        {"if(m < 1, s, x)", 0, EXPR_IF},
        {"if(m < 1, s, abs(x))", 1u << SYMBOL_PARAMETER, EXPR_ABS},
        {"if(m < 1, abs(s), x)", 1u << SYMBOL_PARAMETER, EXPR_ABS},
        {"if(m < 1, s, x) + max(if(s < 1, 1, 2), m)", 1u << SYMBOL_PARAMETER, EXPR_MAX},
        {"if(m < 1 and not held == 2, s, x)", 1u << SYMBOL_PARAMETER, EXPR_IF},
    };
    expr_graph *graph = *state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const expr x = parsed(graph, cases[i].source);
        expr_op offender = EXPR_CONSTANT;
        assert_int_equal(expr_is_smooth(graph, x, cases[i].constant, &offender), cases[i].offender == EXPR_CONSTANT);
        assert_int_equal(offender, cases[i].offender);
        assert_int_equal(expr_is_smooth(graph, x, cases[i].constant, NULL), cases[i].offender == EXPR_CONSTANT);
    }
    assert_true(expr_is_smooth(graph, EXPR_NONE, 0, NULL));
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
    assert_int_equal(expr_if(graph, EXPR_NONE, x, x), EXPR_NONE);
    assert_int_equal(expr_if(graph, expr_truth(graph, true), x, EXPR_NONE), EXPR_NONE);
    assert_false(expr_is_condition(graph, EXPR_NONE));
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

static void substitution_decides(void **state) {
    expr_graph *graph = *state;
    expr x = parsed(graph, "if(vx < x and not vy == 1, max(vx, y), z) + if(x < y, vx, z)");
    expr_substitute(graph, &x, 1, rates_to_zero, graph, &x);
    expect_printed(graph, x, "if(0 < x, max(y, 0), z) + if(x < y, 0, z)");
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
        {"min(x, y) - 10*min(y, -x) + 100*max(x, y) + abs(-y)", x + 10 * x + 100 * y + y},
        {"if(x < y, 1, 0) + if(y < x, 10, 0) + if(x <= y, 100, 0) + if(y <= x, 1000, 0)", 101},
        {"if(x == 0.3125, 1, 0) + if(x == y, 10, 0) + if(x != y, 100, 0)", 101},
        {"if(x < y and y < x, 1, 0) + if(x < y and x < 1, 10, 0)", 10},
        {"if(x < y or y < x, 1, 0) + if(y < x or 1 < x, 10, 0)", 1},
    };
    expr_graph *graph = *state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        expect_near(evaluated(graph, parsed(graph, cases[i].source)), cases[i].value, 1e-15);
    }
}

// log(-1) is NaN, 1/0 infinite: 0 times them would be NaN.
static void the_piece_that_does_not_count_leaves_no_trace(void **state) {
    expr_graph *graph = *state;
    expect_near(evaluated(graph, parsed(graph, "2*if(x < 0, log(-x), x)")), 0.625, 0);
    expect_near(evaluated(graph, parsed(graph, "if(x == 0.3125, 1, 1/(x - 0.3125))")), 1, 0);
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

static void conditions_are_printed_as_they_are_parsed(void **state) {
    static const char *const same[] = {
        "x + y < 2*z",
        "x <= -y",
        "x == y",
        "x != y",
        "not x < y",
        "not (x < y and y < z)",
        "not x < y and x == y",
        "x < y and y < z and not z < x or x == 1 or y != 2",
        "(x < y or y < z) and z < x",
        "if(x < y or y < z, 1, 2) < 3",
        "x < max(y, min(z, abs(x))) + if(x < 0, x - y, x)^2",
    };
    expr_graph *graph = *state;
    parsed(graph, "x + y + z"); // the older comes first
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++)
        expect_printed(graph, parsed_condition(graph, same[i]), same[i]);
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

static void a_long_chain_of_choices_is_no_problem(void **state) {
    expr_graph *graph = *state;
    expr x = parsed(graph, "x");
    const expr y = parsed(graph, "y");
    for (int i = 0; i < 200000; i++)
        x = expr_if(graph, expr_binary(graph, EXPR_LESS, x, y), y, expr_unary(graph, EXPR_SIN, x));
    assert_true(isfinite(evaluated(graph, x)));
    expr_op offender;
    assert_false(expr_is_smooth(graph, x, 1u << SYMBOL_PARAMETER, &offender));
    assert_int_equal(offender, EXPR_IF);
    text out = {.data = NULL};
    expr_print(graph, x, known_symbol_name, NULL, &out);
    assert_true(out.length < 400);
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
        GRAPH_TEST(pieces_are_brought_to_their_normal_form),
        GRAPH_TEST(smoothness_is_known_and_what_spoils_it),
        GRAPH_TEST(normal_forms_keep_their_value),
        GRAPH_TEST(numbers_fold_only_when_the_result_is_finite),
        GRAPH_TEST(numbers_in_front_don_t_meet_when_their_product_overflows_or_vanishes),
        GRAPH_TEST(operations_on_nothing_give_nothing),
        GRAPH_TEST(symbols_come_once_and_in_order),
        GRAPH_TEST(substitution_simplifies_and_leaves_the_rest),
        GRAPH_TEST(substitution_decides),
        GRAPH_TEST(all_operations_have_their_value),
        GRAPH_TEST(the_piece_that_does_not_count_leaves_no_trace),
        GRAPH_TEST(print_uses_no_more_parentheses_than_needed),
        GRAPH_TEST(conditions_are_printed_as_they_are_parsed),
        GRAPH_TEST(an_expression_that_would_fill_the_disk_is_cut_short),
        GRAPH_TEST(a_chain_of_a_million_operations_is_no_problem),
        GRAPH_TEST(a_long_chain_of_choices_is_no_problem),
        GRAPH_TEST(doubles_are_written_short_and_read_back),
        GRAPH_TEST(a_locale_with_a_decimal_comma_changes_nothing),
        GRAPH_TEST(text_grows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
