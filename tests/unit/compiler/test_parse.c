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

static void conditions_are_understood(void **state) {
    static const parse_case cases[] = {
        {"1 < 2", 1},
        {"2 < 1", 0},
        {"1 < 1", 0},
        {"1 <= 1", 1},
        {"2 <= 1", 0},
        {"1 > 1", 0},
        {"2 > 1", 1},
        {"1 > 2", 0},
        {"1 >= 1", 1},
        {"1 >= 2", 0},
        {"1 == 1", 1},
        {"1 == 2", 0},
        {"1 != 1", 0},
        {"1 != 2", 1},
        {"x<y", 1},
        {"y\n<=\tx", 0},
        {"y>x and y>=y and x!=y", 1},
        {"x == y", 0},
        {"x+1 < y*2", 1},
        {"-x < -y", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        expect_near(evaluated(*state, parsed_condition(*state, cases[i].source)), cases[i].value, 0);
    }
}

// or < and < not < comparisons < sums
static void logic_has_its_precedence(void **state) {
    static const char *const same[][2] = {
        {"x < y or y < z and z < x", "x < y or (y < z and z < x)"},
        {"x < y and y < z or z < x", "(x < y and y < z) or z < x"},
        {"not x < y and y < z", "(not (x < y)) and y < z"},
        {"not x < y or y < z", "(not (x < y)) or y < z"},
        {"not not not x < y", "not (x < y)"},
        {"x + y < z - 1", "(x + y) < (z - 1)"},
        {"x < y and y < z and z < x", "(x < y and y < z) and z < x"},
        {"x > y", "y < x"},
        {"x >= y", "y <= x"},
        {"x != y", "not x == y"},
    };
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++)
        assert_int_equal(parsed_condition(*state, same[i][0]), parsed_condition(*state, same[i][1]));
    assert_int_not_equal(parsed_condition(*state, "not (x < y and y < z)"),
                         parsed_condition(*state, "not x < y and y < z"));
    assert_int_not_equal(parsed_condition(*state, "(x < y or y < z) and z < x"),
                         parsed_condition(*state, "x < y or y < z and z < x"));
}

static void piecewise_functions_are_understood(void **state) {
    const double x = 0.3125, y = 0.8125, vy = -1.4375;
    const parse_case cases[] = {
        {"min(x, y) + 10*max( x, y )", x + 10 * y},     {"abs(vy)*abs(-x)", -vy * x},
        {"if(x < y, x, y) + if (x >= y, 1, 2)", x + 2}, {"if((x < y) and not (vy > 0), 1, 0)", 1},
        {"max(0, min(1, x)) - max(0, min(1, -x))", x},  {"-if(x < 0, 1, 2)^2", -4},
        {"if(x > 0, if(y > 1, 1, 2), 3)", 2},
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

static void expect_error(expr_graph *graph, const parse_scope *scope, const error_case *wanted) {
    parse_error error;
    assert_int_equal(expr_parse(graph, wanted->source, scope, &error), EXPR_NONE);
    assert_string_equal(error.message, wanted->message);
    if (error.offset != wanted->offset) {
        fail_msg("'%s' at %d, expected %d", error.message, error.offset, wanted->offset);
    }
}

static void expect_errors(expr_graph *graph, const parse_scope *scope, const error_case *cases, size_t count) {
    for (size_t i = 0; i < count; i++)
        expect_error(graph, scope, &cases[i]);
}

#define EXPECT_ERRORS_IN(graph, scope, cases) expect_errors(graph, scope, cases, sizeof cases / sizeof cases[0])

#define EXPECT_ERRORS(graph, cases)                                                                                    \
    do {                                                                                                               \
        const parse_scope smooth = known_scope(graph);                                                                 \
        EXPECT_ERRORS_IN(graph, &smooth, cases);                                                                       \
    } while (0)

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
        {"max(x)", 0, "'max' takes 2 arguments, not 1"},
        {"min(x, y, z)", 0, "'min' takes 2 arguments, not 3"},
        {"if(x < y, 1)", 0, "'if' takes 3 arguments, not 2"},
        {"x + if", 4, "'if' is a function; expected '(' after it"},
    };
    EXPECT_ERRORS(*state, cases);
}

static void numbers_and_conditions_are_not_mixed(void **state) {
    static const error_case cases[] = {
        {" x < y", 1, "expected a number, not a condition"},
        {"1 + (x < y)", 2, "'+' takes numbers, not conditions"},
        {"(x < y)*2", 7, "'*' takes numbers, not conditions"},
        {"(x < y)^2", 7, "'^' takes numbers, not conditions"},
        {"2^(x < y)", 1, "'^' takes numbers, not conditions"},
        {"1 - -(x < y)", 4, "'-' takes numbers, not conditions"},
        {"+(x < y)", 0, "'+' takes numbers, not conditions"},
        {"2*sin(x < y)", 2, "'sin' takes numbers, not conditions"},
        {"max(x, x < y)", 0, "'max' takes numbers, not conditions"},
        {"der(x < y)", 0, "'der' takes numbers, not conditions"},
        {"if(x, 1, 2)", 0, "'if' takes a condition such as 'x < y' and then two numbers"},
        {"1 + if(1 < 2, 1, x < y)", 4, "'if' takes a condition such as 'x < y' and then two numbers"},
        {"x and y", 2, "'and' takes conditions such as 'x < y', not numbers"},
        {"x < y or y", 6, "'or' takes conditions such as 'x < y', not numbers"},
        {"not x", 0, "'not' takes conditions such as 'x < y', not numbers"},
        {"(x < y) <= (y < z)", 8, "'<=' takes numbers, not conditions"},
        {"x == (y < z)", 2, "'==' takes numbers, not conditions"},
        {"x != not y < z", 5, "expected a number, a name or '(' before 'not'"},
    };
    parse_scope scope = known_scope(*state);
    EXPECT_ERRORS_IN(*state, &scope, cases);
    static const error_case numbers[] = {
        {"  x + y", 2, "expected a condition such as 'x < y', not a number"},
        {"1", 0, "expected a condition such as 'x < y', not a number"},
        {"if(x < y, 1, 0)", 0, "expected a condition such as 'x < y', not a number"},
    };
    scope.condition = scope.piecewise = true;
    EXPECT_ERRORS_IN(*state, &scope, numbers);
}

static void broken_conditions_are_errors_with_their_place(void **state) {
    static const error_case cases[] = {
        {"x < y < z", 6, "comparisons don't come in a row; expected 'and' between two of them"},
        {"x == y != z", 7, "comparisons don't come in a row; expected 'and' between two of them"},
        {"x <", 3, "unexpected end of the expression"},
        {"< x", 0, "expected a number, a name or '(' before '<'"},
        {"x <= >= y", 5, "expected a number, a name or '(' before '>='"},
        {"x < y and", 9, "unexpected end of the expression"},
        {"and x < y", 0, "expected a number, a name or '(' before 'and'"},
        {"x < y or and y < z", 9, "expected a number, a name or '(' before 'and'"},
        {"x < y not y < z", 6, "expected an operator such as '*' before 'not'"},
        {"x < y && y < z", 6, "unknown operator '&&'; did you mean 'and'?"},
        {"x < y || y < z", 6, "unknown operator '||'; did you mean 'or'?"},
        {"!(x < y)", 0, "unknown operator '!'; did you mean 'not'?"},
        {"(x = y)", 3, "unknown operator '='; did you mean '=='?"},
        {"x <> y", 2, "unknown operator '<>'; did you mean '!='?"},
        {"x => y", 2, "unknown operator '=>'; did you mean '>='?"},
        {"x < y & y < z", 6, "expected an operator such as '*' before '&'"},
        {"x < android", 4, "unknown name 'android'"},
    };
    parse_scope scope = known_scope(*state);
    scope.condition = true;
    EXPECT_ERRORS_IN(*state, &scope, cases);
}

static void where_smoothness_is_needed_pieces_are_refused_with_a_substitute(void **state) {
    static const error_case cases[] = {
        {"abs(x)", 0,
         "'abs' is not smooth, and motion is derived by differentiation: write sqrt(x^2 + d^2) with a small d instead"},
        {"max(x, y)", 0,
         "'max' is not smooth, and motion is derived by differentiation: write (a + b + sqrt((a - b)^2 + d^2))/2 with a "
         "small d instead"},
        {"1 + min(m, 2)", 4,
         "'min' is not smooth, and motion is derived by differentiation: write (a + b - sqrt((a - b)^2 + d^2))/2 with a "
         "small d instead"},
        {"if(x < 1, x, y)", 0,
         "'if' is not smooth, and motion is derived by differentiation: write (a + b + (a - b)*tanh(x/d))/2 with a "
         "small d instead"},
    };
    EXPECT_ERRORS(*state, cases);
    parse_error error;
    assert_true(expr_is_constant(*state, parse_known(*state, "max(1, abs(-3))", &error), 3));
}

static expr lookup_with_definitions(void *graph, const char *name, char message[400]) {
    if (strcmp(name, "push") == 0) return parsed(graph, "sin(max(s, 0)) - held");
    if (strcmp(name, "gear") == 0) return parsed(graph, "if(held > m, 1, max(held, 2))*s");
    return known_lookup(graph, name, message);
}

static void pieces_may_depend_on_what_is_constant_in_a_mode(void **state) {
    static const error_case cases[] = {
        {"abs(s)", 0,
         "'abs' is not smooth, and within a mode motion and guards have to be: write sqrt(x^2 + d^2) with a small d "
         "instead, or a mode for each case"},
        {"max(held, m*s)", 0,
         "'max' is not smooth, and within a mode motion and guards have to be: write (a + b + sqrt((a - b)^2 + d^2))/2 "
         "with a small d instead, or a mode for each case"},
        {"m*push", 2,
         "'push' uses 'max', which is not smooth, and within a mode motion and guards have to be: write (a + b + sqrt((a "
         "- b)^2 + d^2))/2 with a small d instead, or a mode for each case"},
    };
    parse_scope scope = known_scope(*state);
    scope.lookup = lookup_with_definitions;
    scope.constant = 1u << SYMBOL_PARAMETER | 1u << SYMBOL_HELD;
    EXPECT_ERRORS_IN(*state, &scope, cases);
    parsed_in(*state, "gear + if(held < m or m == 1, s^2, sin(s)) + max(m, held)*s + abs(m)", &scope);
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
    expect_nesting_error(*state, "not ");
    expect_nesting_error(*state, "x<(");
    expect_nesting_error(*state, "if(x<y,1,");
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
    static const char pieces[][8] = {"x",    "y",    "1",        "2.5",  "sin(", "(",  ")",   "+",   "-",
                                     "*",    "/",    "^",        ",",    "der",  "(",  ")",   " ",   "pi",
                                     "1e",   ".",    "\xE2\x88", "\x01", "0",    "m",  "abs", "foo", "1e99",
                                     "_",    "\n",   "atan2(",   "vx",   "<",    ">=", "==",  "!=",  " and ",
                                     " or ", "not ", "if(",      "max(", "x<y",  "!",  "x<y,"};
    enum { PIECES = sizeof pieces / sizeof pieces[0] };
    uint32_t random = 1;
    for (int i = 0; i < 100000; i++) {
        char source[128] = "";
        for (size_t k = 0; k < 14; k++) {
            random = random * 1664525u + 1013904223u; // Numerical Recipes
            strcat(source, pieces[(random >> 16) % PIECES]);
        }
        parse_error error;
        parse_scope scope = known_scope(*state);
        scope.piecewise = i % 2;
        scope.condition = i % 3 == 0;
        const expr x = expr_parse(*state, source, &scope, &error);
        if (x != EXPR_NONE) {
            assert_int_equal(expr_is_condition(*state, x), scope.condition);
            continue;
        }
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
        GRAPH_TEST(conditions_are_understood),
        GRAPH_TEST(logic_has_its_precedence),
        GRAPH_TEST(piecewise_functions_are_understood),
        GRAPH_TEST(der_is_the_derivative_along_the_motion),
        GRAPH_TEST(broken_structure_is_an_error_with_its_place),
        GRAPH_TEST(broken_numbers_are_errors),
        GRAPH_TEST(misused_functions_are_errors),
        GRAPH_TEST(numbers_and_conditions_are_not_mixed),
        GRAPH_TEST(broken_conditions_are_errors_with_their_place),
        GRAPH_TEST(where_smoothness_is_needed_pieces_are_refused_with_a_substitute),
        GRAPH_TEST(pieces_may_depend_on_what_is_constant_in_a_mode),
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
