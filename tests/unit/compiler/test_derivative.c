// Differentiation: directional derivatives, gradients, and bounds of rounding errors.

#include "expect.h"

#include <float.h>
#include <stdlib.h>

static const expr_symbol X = {SYMBOL_COORDINATE, 0}, Y = {SYMBOL_COORDINATE, 1};

// The direction of x alone.
static expr along_x(void *graph, expr_symbol symbol) {
    return symbol.class == X.class && symbol.index == X.index ? expr_constant(graph, 1) : EXPR_NONE;
}

static expr derived(expr_graph *graph, const char *source) {
    const expr x = parsed(graph, source);
    expr derivative;
    expr_directional(graph, &x, 1, along_x, graph, &derivative);
    return derivative;
}

// The known values with x moved.
static double moved_value(void *step, expr_symbol symbol) {
    const bool moved = symbol.class == X.class && symbol.index == X.index;
    return known_value(NULL, symbol) + (moved ? *(const double *)step : 0);
}

static double difference_quotient(expr_graph *graph, expr x) {
    double up = 1e-5, down = -1e-5;
    return (expr_evaluate(graph, x, moved_value, &up) - expr_evaluate(graph, x, moved_value, &down)) / (up - down);
}

static const char *const FUNCTIONS[] = {
    "sin(x*y)",
    "cos(x*y)",
    "tan(x)",
    "asin(x)",
    "acos(x*y)",
    "atan(x/y)",
    "sinh(x)",
    "cosh(x)",
    "tanh(y*x)",
    "exp(x*y)",
    "log(x + y)",
    "sqrt(x)",
    "atan2(x, y)",
    "atan2(y, x)",
    "x^3",
    "x^-2",
    "x^2.5",
    "y^x",
    "x^y",
    "x^x",
    "x/y",
    "y/x",
    "(x + y)/(x - 2*y)",
    "-x*(y - x)",
    "sin(x)^2",
    "1/(1 + x^2)",
    "x - x*y*x*vx",
    "sqrt(x^2 + y^2) - L*cos(x)*atan2(x, x*y)",
    "min(x^2, y)",
    "min(y, sin(3*x))",
    "max(x^2, y)",
    "max(x*y, x^3)",
    "max(0, x) + max(0, -x)",
    "abs(x^2 - y)",
    "abs(y - x^2)*x",
    "if(x < y, sin(x), y*x^2)",
    "if(y < x, sin(x), y*x^2)",
    "if(x < y and not x^2 > y or m == 1, x*max(x, y), 1)/(1 + x)",
    "exp(if(x != y, if(x <= y, x^2, x), y))",
};
enum { FUNCTION_COUNT = sizeof FUNCTIONS / sizeof FUNCTIONS[0] };

static void derivatives_agree_with_difference_quotients(void **state) {
    expr_graph *graph = *state;
    for (int i = 0; i < FUNCTION_COUNT; i++) {
        const double quotient = difference_quotient(graph, parsed(graph, FUNCTIONS[i]));
        // The quotient errs by h^2 f''' / 6, about 1e-9 for the steepest of these.
        expect_near(evaluated(graph, derived(graph, FUNCTIONS[i])), quotient, 1e-8);
    }
}

static void gradients_agree_with_directional_derivatives(void **state) {
    expr_graph *graph = *state;
    for (int i = 0; i < FUNCTION_COUNT; i++) {
        expr gradient;
        expr_gradient(graph, parsed(graph, FUNCTIONS[i]), &X, 1, &gradient);
        expect_near(evaluated(graph, gradient), evaluated(graph, derived(graph, FUNCTIONS[i])), 1e-14);
    }
}

static void derivatives_are_short(void **state) {
    static const char *const cases[][2] = {
        {"x^2", "2*x"},
        {"x^3", "3*x^2"},
        {"m/2*x^2", "x*m"},
        {"y", "0"},
        {"sin(2*x)", "2*cos(2*x)"},
        {"y/x", "-y/x/x"},
        {"sqrt(x)", "0.5/sqrt(x)"},
        {"exp(x)", "exp(x)"},
        {"x^m", "m*x^(m - 1)"},
        {"x*y - y*x", "0"},
        {"(x + y)^2", "2*(x + y)"},
    };
    expr_graph *graph = *state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        expect_printed(graph, derived(graph, cases[i][0]), cases[i][1]);
    }
}

static void pieces_are_derived_one_by_one(void **state) {
    static const char *const cases[][2] = {
        {"max(x, 0)", "if(x < 0, 0, 1)"},           {"min(x, 0)", "if(x < 0, 1, 0)"}, {"abs(x)", "if(x < 0, -1, 1)"},
        {"if(x < y, x^2, y)", "if(x < y, 2*x, 0)"}, {"if(x < y, m, y)", "0"},         {"max(y, m)", "0"},
    };
    expr_graph *graph = *state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        expect_printed(graph, derived(graph, cases[i][0]), cases[i][1]);
}

// sqrt(x - 1) and log(x - 1) are NaN at x = 0.3, and so are their derivatives; that of sqrt(x - 0.3125) is infinite.
static void a_derivative_does_not_see_the_piece_that_does_not_count(void **state) {
    static const char *const cases[] = {
        "if(x > 1, sqrt(x - 1), x^2)",
        "2*if(x <= 1, x^2, log(x - 1)*sqrt(x - 1))",
        "if(x > 0.3125, sqrt(x - 0.3125), x^2)",
    };
    expr_graph *graph = *state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const double wanted = (i == 1 ? 4 : 2) * 0.3125;
        expr gradient[2], second;
        const expr_symbol symbols[] = {X, Y};
        expr_gradient(graph, parsed(graph, cases[i]), symbols, 2, gradient);
        expect_near(evaluated(graph, derived(graph, cases[i])), wanted, 0);
        expect_near(evaluated(graph, gradient[0]), wanted, 0);
        assert_true(expr_is_constant(graph, gradient[1], 0));
        expr_directional(graph, gradient, 1, along_x, graph, &second);
        expect_near(evaluated(graph, second), i == 1 ? 4 : 2, 0);
    }
}

static void the_derivative_of_a_condition_is_zero(void **state) {
    expr_graph *graph = *state;
    const expr x[] = {parsed_condition(graph, "x < y"), parsed_condition(graph, "not x == 1 or x < 2"),
                      expr_truth(graph, true)};
    expr derivative[3];
    expr_directional(graph, x, 3, along_x, graph, derivative);
    for (int i = 0; i < 3; i++) {
        assert_true(expr_is_constant(graph, derivative[i], 0));
        assert_true(expr_is_constant(graph, expr_rounding(graph, x[i]), 0));
    }
}

static void a_constant_exponent_brings_no_logarithm(void **state) {
    expr_graph *graph = *state;
    derived(graph, "(x - 1)^3 + x^-2.5 + y^m");
    const expr last = expr_symbol_node(graph, SYMBOL_INPUT_SEED, 99);
    for (expr x = 0; x < last; x++)
        assert_int_not_equal(expr_get(graph, x).op, EXPR_LOG);
}

static void a_gradient_has_zeros_for_symbols_that_are_absent(void **state) {
    expr_graph *graph = *state;
    const expr_symbol symbols[] = {X, Y, {SYMBOL_COORDINATE, 7}, {SYMBOL_TIME, 0}};
    expr gradient[4];
    parsed(graph, "y*time"); // older nodes that are not part of the expression
    expr_gradient(graph, parsed(graph, "x^2*L"), symbols, 4, gradient);
    expect_printed(graph, gradient[0], "2*x*L");
    for (int i = 1; i < 4; i++)
        assert_true(expr_is_constant(graph, gradient[i], 0));
}

static void the_gradient_of_a_symbol_is_a_unit_vector(void **state) {
    expr_graph *graph = *state;
    const expr_symbol symbols[] = {X, Y};
    expr gradient[2];
    expr_gradient(graph, parsed(graph, "y"), symbols, 2, gradient);
    assert_true(expr_is_constant(graph, gradient[0], 0));
    assert_true(expr_is_constant(graph, gradient[1], 1));
}

static void one_sweep_derives_many(void **state) {
    expr_graph *graph = *state;
    const expr x[] = {parsed(graph, "x^2"), parsed(graph, "y"), EXPR_NONE, parsed(graph, "sin(x^2)")};
    expr derivative[4];
    expr_directional(graph, x, 4, along_x, graph, derivative);
    expect_printed(graph, derivative[0], "2*x");
    expect_printed(graph, derivative[1], "0");
    assert_int_equal(derivative[2], EXPR_NONE);
    expect_printed(graph, derivative[3], "2*x*cos(x^2)");
}

// s -> sin(s) + y s: many paths lead from the result to x, few nodes.
static expr braid(expr_graph *graph, int length) {
    expr s = parsed(graph, "x");
    const expr y = parsed(graph, "y");
    for (int i = 0; i < length; i++) {
        s = expr_binary(graph, EXPR_ADD, expr_unary(graph, EXPR_SIN, s), expr_binary(graph, EXPR_MUL, y, s));
    }
    return s;
}

static void sweeps_make_a_few_nodes_per_node(void **state) {
    expr_graph *graph = *state;
    enum { LENGTH = 100000 };
    const expr s = braid(graph, LENGTH);
    expr gradient[2], derivative;
    const expr_symbol symbols[] = {X, Y};
    expr_gradient(graph, s, symbols, 2, gradient);
    expr_directional(graph, &s, 1, along_x, graph, &derivative);
    assert_false(expr_graph_failed(graph));
    assert_in_range(expr_symbol_node(graph, SYMBOL_INPUT_SEED, 99), s, s + 16 * LENGTH);
    expect_near(evaluated(graph, gradient[0]), evaluated(graph, derivative), 1e-12);
}

static double at_right_angle(void *context, expr_symbol symbol) {
    (void)context;
    (void)symbol;
    return acos(0);
}

// In double, cos(pi/2) = 6e-17: that is rounding and no gap.
static void rounding_explains_the_cosine_of_a_right_angle(void **state) {
    expr_graph *graph = *state;
    const expr gap = parsed(graph, "cos(x)");
    const double h = expr_evaluate(graph, gap, at_right_angle, NULL);
    const double bound = expr_evaluate(graph, expr_rounding(graph, gap), at_right_angle, NULL) * DBL_EPSILON / 2;
    assert_true(h != 0);
    assert_true(fabs(h) <= bound);
    assert_true(bound < 1e-15);
}

static void rounding_counts_each_operation_and_what_goes_into_it(void **state) {
    const double x = 0.3125, y = 0.8125;
    const struct {
        const char *source;
        double bound;
    } cases[] = {
        {"x", x},                              // data, rounded to double
        {"2", 0},                              // whole numbers are exact
        {"0.1", 0.1},                          // others are not
        {"1e15", 0},                           //
        {"9007199254740993", 0x1p53},          // nor those that are too large for a double
        {"-x", x},                             // a sign costs nothing
        {"x - y", (y - x) + x + y},            // the result, and both operands' errors
        {"x*y", 3 * x * y},                    //
        {"x^2", x * x + 2 * x * x},            // an exponent is exact
        {"sin(x)", sin(x) + fabs(cos(x)) * x}, // the derivative passes the error on
        {"abs(-x)", x},                        // choosing is exact
        {"min(x, 2*y)", 4 * y},                // but near each other either may be chosen
        {"max(2, x)", x},                      //
        {"if(x < y, x, x*y)", x},              //
        {"if(y < x, x, x*y) + 1", 3 * x * y + x * y + 1},
        {"if(x < 0, log(x), x)", x}, // the other piece's error is NaN
    };
    expr_graph *graph = *state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        expect_near(evaluated(graph, expr_rounding(graph, parsed(graph, cases[i].source))), cases[i].bound, 1e-15);
    }
}

// The bound is finite where a logarithm of the base would not be.
static void rounding_of_a_power_of_a_negative_number_is_finite(void **state) {
    expr_graph *graph = *state;
    assert_true(isfinite(evaluated(graph, expr_rounding(graph, parsed(graph, "vy^3 + vy^2 + 0.1^2")))));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        GRAPH_TEST(derivatives_agree_with_difference_quotients),
        GRAPH_TEST(gradients_agree_with_directional_derivatives),
        GRAPH_TEST(derivatives_are_short),
        GRAPH_TEST(pieces_are_derived_one_by_one),
        GRAPH_TEST(a_derivative_does_not_see_the_piece_that_does_not_count),
        GRAPH_TEST(the_derivative_of_a_condition_is_zero),
        GRAPH_TEST(a_constant_exponent_brings_no_logarithm),
        GRAPH_TEST(a_gradient_has_zeros_for_symbols_that_are_absent),
        GRAPH_TEST(the_gradient_of_a_symbol_is_a_unit_vector),
        GRAPH_TEST(one_sweep_derives_many),
        GRAPH_TEST(sweeps_make_a_few_nodes_per_node),
        GRAPH_TEST(rounding_explains_the_cosine_of_a_right_angle),
        GRAPH_TEST(rounding_counts_each_operation_and_what_goes_into_it),
        GRAPH_TEST(rounding_of_a_power_of_a_negative_number_is_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
