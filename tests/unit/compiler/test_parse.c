// The parser: what it understands, and what it says about the rest.

#include "expect.h"

#include <stdlib.h>

typedef struct parse_case {
    const char *source;
    double value;
} parse_case;

static void precedence_is_that_of_mathematics(void **state) {
    static const parse_case cases[] = {
        {"1 + 2*3", 7}, {"(1 + 2)*3", 9}, {"8 - 4 - 2", 2},   {"16/4/2", 2}, {"-2^2", -4},     {"(-2)^2", 4},
        {"2^3^2", 512}, {"2^-1", 0.5},    {"2^-2^2", 0.0625}, {"2*-3", -6},  {"1 - -1", 2},    {"+2", 2},
        {"- - 2", 2},   {"-2*-3", 6},     {"6/2*3", 9},       {"2*3^2", 18}, {"-3^2 + 10", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        expect_near(evaluated(*state, parsed(*state, cases[i].source)), cases[i].value, 0);
    }
}

static void numbers_have_the_forms_of_c(void **state) {
    static const parse_case cases[] = {
        {"1", 1},
        {"1.", 1},
        {".5", 0.5},
        {"1.25", 1.25},
        {"1e3", 1000},
        {"1.5E+2", 150},
        {"25e-1", 2.5},
        {"007", 7},
        {"0.1", 0.1},
        {"0e999", 0},
        {"0.00e5", 0},
        {"1e-320", 1e-320},
        {"179769313486231570e291", 1.7976931348623157e308},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        expect_near(evaluated(*state, parsed(*state, cases[i].source)), cases[i].value, 0);
    }
}

static void names_functions_and_blanks_are_understood(void **state) {
    const double x = 0.3125, y = 0.8125, lambda = 3.25;
    const parse_case cases[] = {
        {"\t x\n*\r y ", x * y},         {"pi", 3.141592653589793},         {"floor.force*x", lambda * x},
        {"atan2( y , x )", atan2(y, x)}, {"sqrt(sin(x)^2 + cos (x)^2)", 1}, {"30*pi/180", 3.141592653589793 / 6},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        expect_near(evaluated(*state, parsed(*state, cases[i].source)), cases[i].value, 1e-15);
    }
}

static void der_is_the_derivative_along_the_motion(void **state) {
    expect_printed(*state, parsed(*state, "der(x)"), "vx");
    expect_printed(*state, parsed(*state, "der(vx)"), "ax");
    expect_printed(*state, parsed(*state, "der(L*sin(x)) + der(time)"), "L*vx*cos(x) + 1");
}

typedef struct error_case {
    const char *source;
    int offset;
    const char *message;
} error_case;

static void expect_error(expr_graph *graph, const error_case *wanted) {
    parse_error error;
    assert_int_equal(parse_known(graph, wanted->source, &error), EXPR_NONE);
    assert_string_equal(error.message, wanted->message);
    if (error.offset != wanted->offset) {
        fail_msg("'%s' at %d, expected %d", error.message, error.offset, wanted->offset);
    }
}

static void expect_errors(expr_graph *graph, const error_case *cases, size_t count) {
    for (size_t i = 0; i < count; i++)
        expect_error(graph, &cases[i]);
}

#define EXPECT_ERRORS(graph, cases) expect_errors(graph, cases, sizeof cases / sizeof cases[0])

static void broken_structure_is_an_error_with_its_place(void **state) {
    static const error_case cases[] = {
        {"", 0, "the expression is empty"},
        {"  \n ", 4, "the expression is empty"},
        {"x +", 3, "unexpected end of the expression"},
        {"x + ", 4, "unexpected end of the expression"},
        {"(x + y", 6, "expected ')' before the end of the expression"},
        {"(x + y z", 7, "expected ')' before 'z'"},
        {"x + y)", 5, "')' without a '(' before it"},
        {"x * * y", 4, "expected a number, a name or '(' before '*'"},
        {"()", 1, "expected a number, a name or '(' before ')'"},
        {"x y", 2, "expected an operator such as '*' before 'y'"},
        {"x 2.5", 2, "expected an operator such as '*' before '2.5'"},
        {"(x)(y)", 3, "expected an operator such as '*' before '('"},
        {"x = y", 2, "unknown operator '='; did you mean '=='?"},
        {"sin(x", 5, "expected ')' before the end of the expression"},
        {"x**2", 2, "expected a number, a name or '(' before '*'"},
        {"x, y", 1, "expected an operator such as '*' before ','"},
        {"floor.", 0, "unknown name 'floor'"},
    };
    EXPECT_ERRORS(*state, cases);
}

static void broken_numbers_are_errors(void **state) {
    static const error_case cases[] = {
        {"2x", 1, "expected an operator after '2'; a product is written '2*x'"},
        {"x + 2e", 5, "expected an operator after '2'; a product is written '2*e'"},
        {"0x10", 1, "expected an operator after '0'; a product is written '0*x10'"},
        {"1.2.3", 3, "expected an operator between '1.2' and '.3'"},
        {"1e999", 0, "the number '1e999' is too large for a double"},
        {"x*1e-999", 2, "the number '1e-999' is too small for a double"},
        {".", 0, "expected a number, a name or '(' before '.'"},
        {"1,5", 1, "expected an operator such as '*' before ','"},
        {"nan", 0, "unknown name 'nan'"},
        {"inf", 0, "unknown name 'inf'"},
    };
    EXPECT_ERRORS(*state, cases);
}

static void misused_functions_are_errors(void **state) {
    static const error_case cases[] = {
        {"1 + sine(x)", 4, "unknown function 'sine'; did you mean 'sin'?"},
        {"foo(x)", 0, "unknown function 'foo'"},
        {"x(y)", 0, "'x' is not a function; a product is written 'x*(...)'"},
        {"pi(2)", 0, "'pi' is not a function; a product is written 'pi*(...)'"},
        {"sin x", 0, "'sin' is a function; expected '(' after it"},
        {"sin()", 0, "'sin' takes 1 argument, not 0"},
        {"y*sin(x, y)", 2, "'sin' takes 1 argument, not 2"},
        {"atan2(x)", 0, "'atan2' takes 2 arguments, not 1"},
        {"atan2(x, y, z, x)", 0, "'atan2' takes 2 arguments, not 4"},
        {"der(x, y)", 0, "'der' takes 1 argument, not 2"},
        {"2*der(u)", 2, "der() of an input"},
        {"abs(x)", 0,
         "'abs' is not smooth, and motion is derived by differentiation: write sqrt(x^2 + d^2) with a small d instead"},
        {"max(x, y)", 0,
         "'max' is not smooth, and motion is derived by differentiation: write (a + b + sqrt((a - b)^2 + d^2))/2 with a "
         "small d instead"},
    };
    EXPECT_ERRORS(*state, cases);
}

static void what_has_no_finite_value_is_an_error(void **state) {
    static const error_case cases[] = {
        {"1/0", 1, "division by zero"},
        {"x/(1 - 1)", 1, "division by zero"},
        {"x + sqrt(-1)", 4, "the result of 'sqrt' is not a finite number"},
        {"log(0)", 0, "the result of 'log' is not a finite number"},
        {"1e300*1e300", 5, "the result of '*' is not a finite number"},
        {"(-8)^(1/3)", 4, "the result of '^' is not a finite number"},
        {"0^-1", 1, "the result of '^' is not a finite number"},
    };
    EXPECT_ERRORS(*state, cases);
}

static void any_bytes_are_an_error_that_shows_them(void **state) {
    static const error_case cases[] = {
        {"x \xE2\x88\x92 y", 2, "expected an operator such as '*' before '\xE2\x88\x92'"},
        {"\xCE\xB8", 0, "expected a number, a name or '(' before '\xCE\xB8'"},
        {"x + \x07", 4, "expected a number, a name or '(' before the byte 0x07"},
        {"\xFF\xFE", 0, "expected a number, a name or '(' before the byte 0xFF"},
        {"\xE2\x88", 0, "expected a number, a name or '(' before the byte 0xE2"},
        {"x\x7F", 1, "expected an operator such as '*' before the byte 0x7F"},
        {"x;", 1, "expected an operator such as '*' before ';'"},
    };
    EXPECT_ERRORS(*state, cases);
}

static void expect_nesting_error(expr_graph *graph, const char *piece) {
    char source[4001] = "";
    const size_t length = strlen(piece);
    for (size_t at = 0; at + length < sizeof source; at += length)
        memcpy(source + at, piece, length + 1);
    parse_error error;
    assert_int_equal(parse_known(graph, source, &error), EXPR_NONE);
    assert_string_equal(error.message, "nested more than 200 deep");
}

static void deep_nesting_is_an_error_and_no_crash(void **state) {
    expect_nesting_error(*state, "(");
    expect_nesting_error(*state, "-");
    expect_nesting_error(*state, "x^");
    expect_nesting_error(*state, "sin(");
    expect_nesting_error(*state, "(x+2*-");
}

static void a_hundred_nested_parentheses_are_fine(void **state) {
    char source[202];
    memset(source, '(', 100);
    source[100] = 'x';
    memset(source + 101, ')', 100);
    source[201] = '\0';
    expect_printed(*state, parsed(*state, source), "x");
}

static void long_sums_are_fine(void **state) {
    text source = {.data = NULL};
    text_append(&source, "x");
    for (int i = 0; i < 20000; i++)
        text_append(&source, " + sin(%d*x)", i);
    assert_true(isfinite(evaluated(*state, parsed(*state, source.data))));
    text_free(&source);
}

static void words_too_long_to_be_meant_are_errors(void **state) {
    char source[3001];
    memset(source, 'x', 3000);
    source[3000] = '\0';
    parse_error error;
    assert_int_equal(parse_known(*state, source, &error), EXPR_NONE);
    assert_string_equal(error.message, "a name or number of 3000 characters; expected at most 100");
    memset(source, '1', 3000);
    assert_int_equal(parse_known(*state, source, &error), EXPR_NONE);
}

// Either a node or a message with a place inside the text: for a hundred thousand random texts.
static void no_text_crashes_the_parser(void **state) {
    static const char pieces[][8] = {"x", "y", "1",   "2.5", "sin(", "(", ")",  "+",      "-", "*",        "/",
                                     "^", ",", "der", "(",   ")",    " ", "pi", "1e",     ".", "\xE2\x88", "\x01",
                                     "0", "m", "abs", "foo", "1e99", "_", "\n", "atan2(", "vx"};
    enum { PIECES = sizeof pieces / sizeof pieces[0] };
    uint32_t random = 1;
    for (int i = 0; i < 100000; i++) {
        char source[128] = "";
        for (size_t k = 0; k < 14; k++) {
            random = random * 1664525u + 1013904223u; // Numerical Recipes
            strcat(source, pieces[(random >> 16) % PIECES]);
        }
        parse_error error;
        if (parse_known(*state, source, &error) != EXPR_NONE) continue;
        assert_in_range(error.offset, 0, strlen(source));
        assert_int_not_equal(strlen(error.message), 0);
        assert_string_not_equal(error.message, "out of memory");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        GRAPH_TEST(precedence_is_that_of_mathematics),
        GRAPH_TEST(numbers_have_the_forms_of_c),
        GRAPH_TEST(names_functions_and_blanks_are_understood),
        GRAPH_TEST(der_is_the_derivative_along_the_motion),
        GRAPH_TEST(broken_structure_is_an_error_with_its_place),
        GRAPH_TEST(broken_numbers_are_errors),
        GRAPH_TEST(misused_functions_are_errors),
        GRAPH_TEST(what_has_no_finite_value_is_an_error),
        GRAPH_TEST(any_bytes_are_an_error_that_shows_them),
        GRAPH_TEST(deep_nesting_is_an_error_and_no_crash),
        GRAPH_TEST(a_hundred_nested_parentheses_are_fine),
        GRAPH_TEST(long_sums_are_fine),
        GRAPH_TEST(words_too_long_to_be_meant_are_errors),
        GRAPH_TEST(no_text_crashes_the_parser),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
