// Parses the expressions of model files, by recursive descent:
//
//     any   = both {"or" both}
//     both  = fact {"and" fact}
//     fact  = "not" fact | sum [("<" | "<=" | ">" | ">=" | "==" | "!=") sum]
//     sum   = term {("+" | "-") term}
//     term  = sign {("*" | "/") sign}
//     sign  = ("-" | "+") sign | power
//     power = atom ["^" sign]                    so -x^2 = -(x^2), 2^3^2 = 2^(3^2), 2^-1 = 1/2
//     atom  = number | name | function "(" any {"," any} ")" | "(" any ")"
//
// Each operation knows whether it takes numbers or conditions.

#include "diagnostics.h"
#include "expression.h"

#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 200, LONGEST_WORD = 100, LONGEST_QUOTE = LONGEST_WORD + 3, MOST_ARGUMENTS = 3 };

typedef struct parser {
    expr_graph *graph;
    const parse_scope *scope;
    const char *source;
    int at;    // offset of the next byte
    int depth; // of the recursion
    parse_error *error;
} parser;

// A word of the source: a name or a number, short enough to be quoted.
typedef struct word {
    char text[LONGEST_WORD + 1];
    int offset;
} word;

static expr parse_any(parser *p);

__attribute__((format(printf, 3, 4))) static expr fail(parser *p, int offset, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(p->error->message, sizeof p->error->message, format, arguments);
    va_end(arguments);
    p->error->offset = offset;
    return EXPR_NONE;
}

// ---- words

// The ctype functions depend on the locale and are undefined for bytes above 127.
static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

// The next byte that is not a blank; it is not taken.
static char peek(parser *p) {
    while (p->source[p->at] && strchr(" \t\r\n", p->source[p->at]))
        p->at++;
    return p->source[p->at];
}

static bool take(parser *p, char c) {
    if (peek(p) != c) return false;
    p->at++;
    return true;
}

static int skip_digits(const char *source, int at) {
    while (is_digit(source[at]))
        at++;
    return at;
}

// Where a decimal number that begins at `at` ends: digits, a point, an exponent. `at` when there is none.
static int number_end(const char *source, int at) {
    int end = skip_digits(source, at);
    int digits = end - at;
    if (source[end] == '.') {
        const int fraction = end + 1;
        end = skip_digits(source, fraction);
        digits += end - fraction;
    }
    if (digits == 0) return at;
    if (source[end] != 'e' && source[end] != 'E') return end;
    const int sign = source[end + 1] == '-' || source[end + 1] == '+';
    const int exponent = end + 1 + sign;
    return is_digit(source[exponent]) ? skip_digits(source, exponent) : end;
}

// Where a name that begins at `at` ends; a dot belongs to it when a letter follows.
static int name_end(const char *source, int at) {
    int end = at;
    while (is_letter(source[end]) || (end > at && is_digit(source[end])) ||
           (end > at && source[end] == '.' && is_letter(source[end + 1])))
        end++;
    return end;
}

// How many bytes the character at `c` has in UTF-8, 1 when it isn't UTF-8.
static int character_length(const char *c) {
    const unsigned char lead = (unsigned char)c[0];
    const int length = lead >= 0xF8 ? 1 : lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC2 ? 2 : 1;
    for (int i = 1; i < length; i++) {
        if (((unsigned char)c[i] & 0xC0) != 0x80) return 1;
    }
    return length;
}

// A comparison, or an operator of another language that is no operator here.
typedef struct comparison {
    const char *sign;
    const char *meant; // what people mean by it; NULL for a comparison
    expr_op op;
    bool swapped; // a > b is b < a
    bool negated;
} comparison;

// The one at `at`; NULL when there is none.
static const comparison *comparison_at(const char *at) {
    static const comparison table[] = {
        // The longer ones first.
        {"<=", .op = EXPR_LESS_EQUAL},
        {">=", .op = EXPR_LESS_EQUAL, .swapped = true},
        {"==", .op = EXPR_EQUAL},
        {"!=", .op = EXPR_EQUAL, .negated = true},
        {"<>", .meant = "!="},
        {"=<", .meant = "<="},
        {"=>", .meant = ">="},
        {"&&", .meant = "and"},
        {"||", .meant = "or"},
        {"<", .op = EXPR_LESS},
        {">", .op = EXPR_LESS, .swapped = true},
        {"=", .meant = "=="},
        {"!", .meant = "not"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        if (strncmp(at, table[i].sign, strlen(table[i].sign)) == 0) return &table[i];
    }
    return NULL;
}

// What stands at `at`, for a message: "'sin'", "'<='", "the byte 0x07", "the end of the expression".
static const char *quoted(const parser *p, int at, char buffer[LONGEST_QUOTE]) {
    const char *source = p->source + at;
    int length = name_end(p->source, at) - at;
    if (length == 0) length = number_end(p->source, at) - at;
    if (length == 0 && comparison_at(source)) length = (int)strlen(comparison_at(source)->sign);
    if (length == 0) length = character_length(source);
    if (!*source) {
        snprintf(buffer, LONGEST_QUOTE, "the end of the expression");
    } else if (length == 1 && (*source < ' ' || *source > '~')) {
        snprintf(buffer, LONGEST_QUOTE, "the byte 0x%02X", (unsigned)(unsigned char)*source);
    } else {
        snprintf(buffer, LONGEST_QUOTE, "'%.*s'", length < LONGEST_WORD ? length : LONGEST_WORD, source);
    }
    return buffer;
}

static expr fail_expecting(parser *p, const char *expected) {
    char found[LONGEST_QUOTE];
    peek(p);
    const comparison *foreign = comparison_at(p->source + p->at);
    if (foreign && foreign->meant) {
        return fail(p, p->at, "unknown operator '%s'; did you mean '%s'?", foreign->sign, foreign->meant);
    }
    return fail(p, p->at, "expected %s before %s", expected, quoted(p, p->at, found));
}

// Takes the bytes up to `end` as a word. False when it is too long to be meant.
static bool take_word(parser *p, int end, word *w) {
    w->offset = p->at;
    const int length = end - p->at;
    if (length > LONGEST_WORD) {
        fail(p, p->at, "a name or number of %d characters; expected at most %d", length, LONGEST_WORD);
        return false;
    }
    memcpy(w->text, p->source + p->at, (size_t)length);
    w->text[length] = '\0';
    p->at = end;
    return true;
}

// True when the next word is this operator: "and", "or", "not". It is not taken.
static bool meets(parser *p, const char *name) {
    peek(p);
    const size_t length = (size_t)(name_end(p->source, p->at) - p->at);
    return length == strlen(name) && strncmp(p->source + p->at, name, length) == 0;
}

// ---- numbers and conditions

// What the operation at `offset` takes: fails unless `x` is a condition, or a number when that is wanted. What has
// failed before stays as it is.
static bool takes(parser *p, int offset, bool condition, expr x) {
    if (x == EXPR_NONE) return false;
    if (expr_is_condition(p->graph, x) == condition) return true;
    char operation[LONGEST_QUOTE];
    quoted(p, offset, operation);
    if (condition) {
        fail(p, offset, "%s takes conditions such as 'x < y', not numbers", operation);
    } else {
        fail(p, offset, "%s takes numbers, not conditions", operation);
    }
    return false;
}

// strtod reads the locale's decimal point, model files have '.'.
static double read_decimal(const char *digits) {
    char local[LONGEST_WORD + 32];
    const int whole = (int)strcspn(digits, ".");
    const char *point = digits[whole] == '.' ? localeconv()->decimal_point : "";
    snprintf(local, sizeof local, "%.*s%s%s", whole, digits, point, digits + whole + (digits[whole] == '.'));
    return strtod(local, NULL);
}

static expr parse_number(parser *p) {
    word w;
    if (!take_word(p, number_end(p->source, p->at), &w)) return EXPR_NONE;
    char next[LONGEST_QUOTE];
    const char after = p->source[p->at];
    if (is_letter(after)) {
        const int length = name_end(p->source, p->at) - p->at;
        return fail(p, p->at, "expected an operator after '%s'; a product is written '%s*%.*s'", w.text, w.text,
                    length < LONGEST_WORD ? length : LONGEST_WORD, p->source + p->at);
    }
    if (after == '.') return fail(p, p->at, "expected an operator between '%s' and %s", w.text, quoted(p, p->at, next));
    const double value = read_decimal(w.text);
    if (!isfinite(value)) return fail(p, w.offset, "the number '%s' is too large for a double", w.text);
    if (value == 0 && strcspn(w.text, "123456789") < strcspn(w.text, "eE")) {
        return fail(p, w.offset, "the number '%s' is too small for a double", w.text);
    }
    return expr_constant(p->graph, value);
}

// ---- functions

static expr_op find_function(const char *name) {
    for (expr_op op = EXPR_SIN; op <= EXPR_IF; op++) {
        const char *known = expr_function_name(op);
        if (known && strcmp(name, known) == 0) return op;
    }
    return EXPR_CONSTANT; // is no function
}

// What is smooth and nearly the same.
static const char *smooth_substitute(expr_op op) {
    switch (op) {
    case EXPR_ABS:
        return "sqrt(x^2 + d^2)";
    case EXPR_MIN:
        return "(a + b - sqrt((a - b)^2 + d^2))/2";
    case EXPR_MAX:
        return "(a + b + sqrt((a - b)^2 + d^2))/2";
    default: // IF
        return "(a + b + (a - b)*tanh(x/d))/2";
    }
}

static expr fail_not_smooth(parser *p, const word *name, expr_op op) {
    // Held variables are constant as long as a mode lasts: a model that has some has modes.
    const bool modes = p->scope->constant & 1u << SYMBOL_HELD;
    char uses[LONGEST_QUOTE + 8] = "";
    if (strcmp(name->text, expr_function_name(op)) != 0) snprintf(uses, sizeof uses, "'%s' uses ", name->text);
    return fail(p, name->offset, "%s'%s'%s is not smooth, and %s: write %s with a small d instead%s", uses,
                expr_function_name(op), uses[0] ? ", which" : "",
                modes ? "within a mode motion and guards have to be" : "motion is derived by differentiation",
                smooth_substitute(op), modes ? ", or a mode for each case" : "");
}

static expr fail_unknown_function(parser *p, const word *name) {
    char ignored[sizeof p->error->message];
    if (strcmp(name->text, "pi") == 0 || p->scope->lookup(p->scope->context, name->text, ignored) != EXPR_NONE) {
        return fail(p, name->offset, "'%s' is not a function; a product is written '%s*(...)'", name->text, name->text);
    }
    const char *candidates[EXPR_IF + 2] = {"der"};
    int count = 1;
    for (expr_op op = EXPR_SIN; op <= EXPR_IF; op++) {
        if (expr_function_name(op)) candidates[count++] = expr_function_name(op);
    }
    char hint[HINT_SIZE];
    return fail(p, name->offset, "unknown function '%s'%s", name->text,
                did_you_mean(nearest_name(name->text, candidates, count), hint));
}

// The arguments up to the closing parenthesis; how many there are, or -1 on error.
static int parse_arguments(parser *p, expr arguments[MOST_ARGUMENTS]) {
    if (take(p, ')')) return 0;
    for (int count = 1;; count++) {
        const expr argument = parse_any(p);
        if (argument == EXPR_NONE) return -1;
        if (count <= MOST_ARGUMENTS) arguments[count - 1] = argument;
        if (take(p, ')')) return count;
        if (!take(p, ',')) {
            fail_expecting(p, "')'");
            return -1;
        }
    }
}

// Numbers fold into a number unless the result is not finite: then an operation on nothing but numbers is left.
static expr checked(parser *p, int offset, expr x) {
    if (x == EXPR_NONE) return EXPR_NONE;
    const expr_node node = expr_get(p->graph, x);
    if (node.op == EXPR_DIV && expr_is_constant(p->graph, node.b, 0)) return fail(p, offset, "division by zero");
    if (node.op == EXPR_CONSTANT || node.op == EXPR_TRUTH || node.classes != 0) return x;
    char operation[LONGEST_QUOTE];
    return fail(p, offset, "the result of %s is not a finite number", quoted(p, offset, operation));
}

static expr parse_derivative(parser *p, const word *name, expr x) {
    char message[sizeof p->error->message] = "der() can't be used here";
    const expr derivative = p->scope->derivative ? p->scope->derivative(p->scope->context, x, message) : EXPR_NONE;
    if (derivative == EXPR_NONE) return fail(p, name->offset, "%s", message);
    return derivative;
}

// True when the function may be used on these arguments where smoothness may be needed.
static bool is_permitted(const parser *p, expr_op op, const expr *arguments, int count) {
    if (p->scope->piecewise || (op != EXPR_ABS && op != EXPR_MIN && op != EXPR_MAX && op != EXPR_IF)) return true;
    unsigned decides_on = 0;
    for (int i = 0; i < (op == EXPR_IF ? 1 : count); i++)
        decides_on |= expr_get(p->graph, arguments[i]).classes;
    return !(decides_on & ~p->scope->constant);
}

static bool takes_arguments(parser *p, const word *name, expr_op op, const expr *arguments, int count) {
    for (int i = 0; i < count; i++) {
        if (op != EXPR_IF && !takes(p, name->offset, false, arguments[i])) return false;
        if (op == EXPR_IF && expr_is_condition(p->graph, arguments[i]) != (i == 0)) {
            fail(p, name->offset, "'if' takes a condition such as 'x < y' and then two numbers");
            return false;
        }
    }
    return true;
}

static expr call(parser *p, const word *name, expr_op op, const expr *arguments, int count) {
    if (!takes_arguments(p, name, op, arguments, count)) return EXPR_NONE;
    if (!is_permitted(p, op, arguments, count)) return fail_not_smooth(p, name, op);
    if (count == 1) return expr_unary(p->graph, op, arguments[0]);
    if (count == 2) return expr_binary(p->graph, op, arguments[0], arguments[1]);
    return expr_if(p->graph, arguments[0], arguments[1], arguments[2]);
}

static int arguments_of(expr_op op) {
    return op == EXPR_IF ? 3 : op == EXPR_ATAN2 || op == EXPR_MIN || op == EXPR_MAX ? 2 : 1;
}

static expr parse_call(parser *p, const word *name) {
    const bool derivative = strcmp(name->text, "der") == 0;
    const expr_op op = find_function(name->text);
    if (!derivative && op == EXPR_CONSTANT) return fail_unknown_function(p, name);
    expr arguments[MOST_ARGUMENTS];
    const int count = parse_arguments(p, arguments);
    if (count < 0) return EXPR_NONE;
    const int wanted = arguments_of(op);
    if (count != wanted) {
        return fail(p, name->offset, "'%s' takes %d argument%s, not %d", name->text, wanted, wanted == 1 ? "" : "s",
                    count);
    }
    if (!derivative) return checked(p, name->offset, call(p, name, op, arguments, count));
    return takes(p, name->offset, false, arguments[0]) ? parse_derivative(p, name, arguments[0]) : EXPR_NONE;
}

// ---- grammar

static expr parse_name(parser *p) {
    word name;
    if (!take_word(p, name_end(p->source, p->at), &name)) return EXPR_NONE;
    if (take(p, '(')) return parse_call(p, &name);
    if (strcmp(name.text, "pi") == 0) return expr_constant(p->graph, acos(-1));
    if (find_function(name.text) != EXPR_CONSTANT || strcmp(name.text, "der") == 0) {
        return fail(p, name.offset, "'%s' is a function; expected '(' after it", name.text);
    }
    char message[sizeof p->error->message] = "out of memory";
    const expr x = p->scope->lookup(p->scope->context, name.text, message);
    if (x == EXPR_NONE) return fail(p, name.offset, "%s", message);
    expr_op offender;
    if (p->scope->piecewise || expr_is_smooth(p->graph, x, p->scope->constant, &offender)) return x;
    return fail_not_smooth(p, &name, offender);
}

static expr parse_atom(parser *p) {
    const char c = peek(p);
    if (meets(p, "and") || meets(p, "or") || meets(p, "not")) return fail_expecting(p, "a number, a name or '('");
    if (is_letter(c)) return parse_name(p);
    if (number_end(p->source, p->at) > p->at) return parse_number(p);
    if (c == '\0') return fail(p, p->at, "unexpected end of the expression");
    if (c != '(') return fail_expecting(p, "a number, a name or '('");
    p->at++;
    const expr x = parse_any(p);
    if (x == EXPR_NONE || take(p, ')')) return x;
    return fail_expecting(p, "')'");
}

static expr parse_sign(parser *p);

// The operator at `offset` with its operands.
static expr operation(parser *p, int offset, expr_op op, expr a, expr b) {
    const bool conditions = op == EXPR_AND || op == EXPR_OR;
    if (!takes(p, offset, conditions, a) || !takes(p, offset, conditions, b)) return EXPR_NONE;
    return checked(p, offset, expr_binary(p->graph, op, a, b));
}

static expr parse_power(parser *p) {
    const expr base = parse_atom(p);
    if (base == EXPR_NONE || peek(p) != '^') return base;
    const int offset = p->at++;
    return operation(p, offset, EXPR_POW, base, parse_sign(p));
}

// All recursion passes through functions that begin with this.
static bool enter(parser *p) {
    if (p->depth < DEEPEST) return ++p->depth;
    fail(p, p->at, "nested more than %d deep", DEEPEST);
    return false;
}

static expr parse_sign(parser *p) {
    if (!enter(p)) return EXPR_NONE;
    const char sign = peek(p);
    const int offset = p->at;
    expr x;
    if (sign == '-' || sign == '+') {
        p->at++;
        x = parse_sign(p);
        if (!takes(p, offset, false, x)) x = EXPR_NONE;
        if (sign == '-') x = expr_unary(p->graph, EXPR_NEG, x);
    } else {
        x = parse_power(p);
    }
    p->depth--;
    return x;
}

static expr parse_term(parser *p) {
    expr x = parse_sign(p);
    while (x != EXPR_NONE && (peek(p) == '*' || peek(p) == '/')) {
        const int offset = p->at;
        const expr_op op = p->source[p->at++] == '*' ? EXPR_MUL : EXPR_DIV;
        x = operation(p, offset, op, x, parse_sign(p));
    }
    return x;
}

static expr parse_sum(parser *p) {
    expr x = parse_term(p);
    while (x != EXPR_NONE && (peek(p) == '+' || peek(p) == '-')) {
        const int offset = p->at;
        const expr_op op = p->source[p->at++] == '+' ? EXPR_ADD : EXPR_SUB;
        x = operation(p, offset, op, x, parse_term(p));
    }
    return x;
}

// The comparison that comes next; NULL when there is none.
static const comparison *next_comparison(parser *p) {
    peek(p);
    const comparison *next = comparison_at(p->source + p->at);
    return next && !next->meant ? next : NULL;
}

static expr parse_comparison(parser *p) {
    const expr a = parse_sum(p);
    const comparison *how = a == EXPR_NONE ? NULL : next_comparison(p);
    if (!how) return a;
    const int offset = p->at;
    p->at += (int)strlen(how->sign);
    const expr b = parse_sum(p);
    const expr x = how->swapped ? operation(p, offset, how->op, b, a) : operation(p, offset, how->op, a, b);
    if (x != EXPR_NONE && next_comparison(p)) {
        return fail(p, p->at, "comparisons don't come in a row; expected 'and' between two of them");
    }
    return how->negated ? expr_unary(p->graph, EXPR_NOT, x) : x;
}

static expr parse_fact(parser *p) {
    if (!meets(p, "not")) return parse_comparison(p);
    if (!enter(p)) return EXPR_NONE;
    const int offset = p->at;
    p->at += (int)strlen("not");
    const expr x = parse_fact(p);
    p->depth--;
    return takes(p, offset, true, x) ? expr_unary(p->graph, EXPR_NOT, x) : EXPR_NONE;
}

static expr parse_both(parser *p) {
    expr x = parse_fact(p);
    while (x != EXPR_NONE && meets(p, "and")) {
        const int offset = p->at;
        p->at += (int)strlen("and");
        x = operation(p, offset, EXPR_AND, x, parse_fact(p));
    }
    return x;
}

static expr parse_any(parser *p) {
    expr x = parse_both(p);
    while (x != EXPR_NONE && meets(p, "or")) {
        const int offset = p->at;
        p->at += (int)strlen("or");
        x = operation(p, offset, EXPR_OR, x, parse_both(p));
    }
    return x;
}

// The whole expression has to be what is wanted.
static expr wanted(parser *p, int offset, expr x) {
    if (x == EXPR_NONE || expr_is_condition(p->graph, x) == p->scope->condition) return x;
    return fail(p, offset,
                p->scope->condition ? "expected a condition such as 'x < y', not a number"
                                    : "expected a number, not a condition");
}

expr expr_parse(expr_graph *graph, const char *source, const parse_scope *scope, parse_error *error) {
    *error = (parse_error){.message = "out of memory"}; // unless something else goes wrong
    parser p = {.graph = graph, .scope = scope, .source = source, .error = error};
    if (strlen(source) > INT_MAX / 2) return fail(&p, 0, "the expression is too long");
    if (!peek(&p)) return fail(&p, p.at, "the expression is empty");
    const int start = p.at;
    const expr x = parse_any(&p);
    if (x == EXPR_NONE || !peek(&p)) return wanted(&p, start, x);
    if (p.source[p.at] == ')') return fail(&p, p.at, "')' without a '(' before it");
    return fail_expecting(&p, "an operator such as '*'");
}
