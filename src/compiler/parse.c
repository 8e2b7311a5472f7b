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
#include "parse_impl.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DEEPEST = 200, MOST_ARGUMENTS = 3 };

static expr parse_any(parser *p);

// What the operation at `offset` takes: fails unless `x` is a condition, or a number when that is wanted. What has
// failed before stays as it is.
static bool takes(parser *p, int offset, bool condition, expr x) {
    if (x == EXPR_NONE) return false;
    if (expr_is_condition(p->graph, x) == condition) return true;
    char operation[LONGEST_QUOTE];
    parser_quote(p, offset, operation);
    if (condition) {
        parser_fail(p, offset, "%s takes conditions such as 'x < y', not numbers", operation);
    } else {
        parser_fail(p, offset, "%s takes numbers, not conditions", operation);
    }
    return false;
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
    return parser_fail(p, name->offset, "%s'%s'%s is not smooth, and %s: write %s with a small d instead%s", uses,
                       expr_function_name(op), uses[0] ? ", which" : "",
                       modes ? "within a mode motion and guards have to be" : "motion is derived by differentiation",
                       smooth_substitute(op), modes ? ", or a mode for each case" : "");
}

static expr fail_unknown_function(parser *p, const word *name) {
    char ignored[sizeof p->error->message];
    if (strcmp(name->text, "pi") == 0 || p->scope->lookup(p->scope->context, name->text, ignored) != EXPR_NONE) {
        return parser_fail(p, name->offset, "'%s' is not a function; a product is written '%s*(...)'", name->text,
                           name->text);
    }
    const char *candidates[EXPR_IF + 2] = {"der"};
    int count = 1;
    for (expr_op op = EXPR_SIN; op <= EXPR_IF; op++) {
        if (expr_function_name(op)) candidates[count++] = expr_function_name(op);
    }
    char hint[HINT_SIZE];
    return parser_fail(p, name->offset, "unknown function '%s'%s", name->text,
                       did_you_mean(nearest_name(name->text, candidates, count), hint));
}

// The arguments up to the closing parenthesis; how many there are, or -1 on error.
static int parse_arguments(parser *p, expr arguments[MOST_ARGUMENTS]) {
    if (parser_take(p, ')')) return 0;
    for (int count = 1;; count++) {
        const expr argument = parse_any(p);
        if (argument == EXPR_NONE) return -1;
        if (count <= MOST_ARGUMENTS) arguments[count - 1] = argument;
        if (parser_take(p, ')')) return count;
        if (!parser_take(p, ',')) {
            parser_fail_expecting(p, "')'");
            return -1;
        }
    }
}

// Numbers fold into a number unless the result is not finite: then an operation on nothing but numbers is left.
static expr checked(parser *p, int offset, expr x) {
    if (x == EXPR_NONE) return EXPR_NONE;
    const expr_node node = expr_get(p->graph, x);
    if (node.op == EXPR_DIV && expr_is_constant(p->graph, node.b, 0)) return parser_fail(p, offset, "division by zero");
    if (node.op == EXPR_CONSTANT || node.op == EXPR_TRUTH || node.classes != 0) return x;
    char operation[LONGEST_QUOTE];
    return parser_fail(p, offset, "the result of %s is not a finite number", parser_quote(p, offset, operation));
}

static expr parse_derivative(parser *p, const word *name, expr x) {
    char message[sizeof p->error->message] = "der() can't be used here";
    const expr derivative = p->scope->derivative ? p->scope->derivative(p->scope->context, x, message) : EXPR_NONE;
    if (derivative == EXPR_NONE) return parser_fail(p, name->offset, "%s", message);
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
            parser_fail(p, name->offset, "'if' takes a condition such as 'x < y' and then two numbers");
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
        return parser_fail(p, name->offset, "'%s' takes %d argument%s, not %d", name->text, wanted,
                           wanted == 1 ? "" : "s", count);
    }
    if (!derivative) return checked(p, name->offset, call(p, name, op, arguments, count));
    return takes(p, name->offset, false, arguments[0]) ? parse_derivative(p, name, arguments[0]) : EXPR_NONE;
}

// ---- grammar

static expr parse_name(parser *p) {
    word name;
    if (!parser_take_word(p, parser_name_end(p->source, p->at), &name)) return EXPR_NONE;
    if (parser_take(p, '(')) return parse_call(p, &name);
    if (strcmp(name.text, "pi") == 0) return expr_constant(p->graph, acos(-1));
    if (find_function(name.text) != EXPR_CONSTANT || strcmp(name.text, "der") == 0) {
        return parser_fail(p, name.offset, "'%s' is a function; expected '(' after it", name.text);
    }
    char message[sizeof p->error->message] = "out of memory";
    const expr x = p->scope->lookup(p->scope->context, name.text, message);
    if (x == EXPR_NONE) return parser_fail(p, name.offset, "%s", message);
    expr_op offender;
    if (p->scope->piecewise || expr_is_smooth(p->graph, x, p->scope->constant, &offender)) return x;
    return fail_not_smooth(p, &name, offender);
}

static expr parse_atom(parser *p) {
    const char c = parser_peek(p);
    if (parser_meets(p, "and") || parser_meets(p, "or") || parser_meets(p, "not"))
        return parser_fail_expecting(p, "a number, a name or '('");
    if (parser_name_end(p->source, p->at) > p->at) return parse_name(p);
    if (parser_number_end(p->source, p->at) > p->at) return parser_number(p);
    if (c == '\0') return parser_fail(p, p->at, "unexpected end of the expression");
    if (c != '(') return parser_fail_expecting(p, "a number, a name or '('");
    p->at++;
    const expr x = parse_any(p);
    if (x == EXPR_NONE || parser_take(p, ')')) return x;
    return parser_fail_expecting(p, "')'");
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
    if (base == EXPR_NONE || parser_peek(p) != '^') return base;
    const int offset = p->at++;
    return operation(p, offset, EXPR_POW, base, parse_sign(p));
}

// All recursion passes through functions that begin with this.
static bool enter(parser *p) {
    if (p->depth < DEEPEST) return ++p->depth;
    parser_fail(p, p->at, "nested more than %d deep", DEEPEST);
    return false;
}

static expr parse_sign(parser *p) {
    if (!enter(p)) return EXPR_NONE;
    const char sign = parser_peek(p);
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
    while (x != EXPR_NONE && (parser_peek(p) == '*' || parser_peek(p) == '/')) {
        const int offset = p->at;
        const expr_op op = p->source[p->at++] == '*' ? EXPR_MUL : EXPR_DIV;
        x = operation(p, offset, op, x, parse_sign(p));
    }
    return x;
}

static expr parse_sum(parser *p) {
    expr x = parse_term(p);
    while (x != EXPR_NONE && (parser_peek(p) == '+' || parser_peek(p) == '-')) {
        const int offset = p->at;
        const expr_op op = p->source[p->at++] == '+' ? EXPR_ADD : EXPR_SUB;
        x = operation(p, offset, op, x, parse_term(p));
    }
    return x;
}

static expr parse_comparison(parser *p) {
    const expr a = parse_sum(p);
    const comparison *how = a == EXPR_NONE ? NULL : parser_comparison(p);
    if (!how) return a;
    const int offset = p->at;
    p->at += (int)strlen(how->sign);
    const expr b = parse_sum(p);
    const expr x = how->swapped ? operation(p, offset, how->op, b, a) : operation(p, offset, how->op, a, b);
    if (x != EXPR_NONE && parser_comparison(p)) {
        return parser_fail(p, p->at, "comparisons don't come in a row; expected 'and' between two of them");
    }
    return how->negated ? expr_unary(p->graph, EXPR_NOT, x) : x;
}

static expr parse_fact(parser *p) {
    if (!parser_meets(p, "not")) return parse_comparison(p);
    if (!enter(p)) return EXPR_NONE;
    const int offset = p->at;
    p->at += (int)strlen("not");
    const expr x = parse_fact(p);
    p->depth--;
    return takes(p, offset, true, x) ? expr_unary(p->graph, EXPR_NOT, x) : EXPR_NONE;
}

static expr parse_both(parser *p) {
    expr x = parse_fact(p);
    while (x != EXPR_NONE && parser_meets(p, "and")) {
        const int offset = p->at;
        p->at += (int)strlen("and");
        x = operation(p, offset, EXPR_AND, x, parse_fact(p));
    }
    return x;
}

static expr parse_any(parser *p) {
    expr x = parse_both(p);
    while (x != EXPR_NONE && parser_meets(p, "or")) {
        const int offset = p->at;
        p->at += (int)strlen("or");
        x = operation(p, offset, EXPR_OR, x, parse_both(p));
    }
    return x;
}

// The whole expression has to be what is wanted.
static expr wanted(parser *p, int offset, expr x) {
    if (x == EXPR_NONE || expr_is_condition(p->graph, x) == p->scope->condition) return x;
    return parser_fail(p, offset,
                       p->scope->condition ? "expected a condition such as 'x < y', not a number"
                                           : "expected a number, not a condition");
}

expr expr_parse(expr_graph *graph, const char *source, const parse_scope *scope, parse_error *error) {
    *error = (parse_error){.message = "out of memory"}; // unless something else goes wrong
    parser p = {.graph = graph, .scope = scope, .source = source, .error = error};
    if (strlen(source) > INT_MAX / 2) return parser_fail(&p, 0, "the expression is too long");
    if (!parser_peek(&p)) return parser_fail(&p, p.at, "the expression is empty");
    const int start = p.at;
    const expr x = parse_any(&p);
    if (x == EXPR_NONE || !parser_peek(&p)) return wanted(&p, start, x);
    if (p.source[p.at] == ')') return parser_fail(&p, p.at, "')' without a '(' before it");
    return parser_fail_expecting(&p, "an operator such as '*'");
}
