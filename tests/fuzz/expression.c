// Expressions: whatever is parsed can be printed, parsed again, derived, evaluated and written as C, and all that comes
// of it agrees. The first byte of an input chooses what is wanted, the rest is the expression's text.

#include "expression_impl.h"

#include <fenv.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mutate_expression.h"

// ---- The names that expressions may use, and sample points at which they are evaluated

enum { POINTS = 3 };

static const struct {
    const char *name;
    expr_symbol symbol;
    double value[POINTS];
} names[] = {
    {"time", {SYMBOL_TIME, 0}, {0.375, 2.5, 0.0625}},
    {"m", {SYMBOL_PARAMETER, 0}, {1.5, 0.375, 20.125}},
    {"g", {SYMBOL_PARAMETER, 1}, {9.5, -3.25, 0.0078125}},
    {"u", {SYMBOL_INPUT, 0}, {-0.625, 0.1875, 7.75}},
    {"x", {SYMBOL_COORDINATE, 0}, {0.3125, -0.71875, 0.90625}},
    {"y", {SYMBOL_COORDINATE, 1}, {0.8125, 0.5625, -13.5}},
    {"v", {SYMBOL_RATE, 0}, {0.6875, -1.4375, 0.03125}},
    {"w", {SYMBOL_RATE, 1}, {-1.4375, 0.8125, 2.25}},
    {"floor.force", {SYMBOL_FORCE, 0}, {3.25, 0.28125, 0.65625}},
    {"s", {SYMBOL_STATE, 0}, {0.4375, -0.46875, 5.375}},
    {"held", {SYMBOL_HELD, 0}, {1.25, 0.15625, -0.34375}},
};
enum { NAMES = sizeof names / sizeof *names };

static int find_symbol(expr_symbol symbol) {
    for (int i = 0; i < NAMES; i++)
        if (names[i].symbol.class == symbol.class && names[i].symbol.index == symbol.index) return i;
    return -1;
}

static double value_at(void *point, expr_symbol symbol) {
    const int i = find_symbol(symbol);
    return i < 0 ? 0.75 : names[i].value[*(int *)point]; // derivatives of rates
}

static const char *symbol_name(void *context, expr_symbol symbol) {
    (void)context;
    const int i = find_symbol(symbol);
    return i < 0 ? "acceleration" : names[i].name;
}

static expr lookup(void *graph, const char *name, char message[400]) {
    if (strcmp(name, "acceleration") == 0) return expr_symbol_node(graph, SYMBOL_ACCELERATION, 0);
    for (int i = 0; i < NAMES; i++)
        if (strcmp(name, names[i].name) == 0)
            return expr_symbol_node(graph, names[i].symbol.class, names[i].symbol.index);
    snprintf(message, 400, "unknown name '%s'", name);
    return EXPR_NONE;
}

static expr along_the_motion(void *graph, expr_symbol symbol) {
    if (symbol.class == SYMBOL_TIME) return expr_constant(graph, 1);
    if (symbol.class == SYMBOL_COORDINATE) return expr_symbol_node(graph, SYMBOL_RATE, symbol.index);
    if (symbol.class == SYMBOL_RATE) return expr_symbol_node(graph, SYMBOL_ACCELERATION, 0);
    return EXPR_NONE;
}

static expr time_derivative(void *graph, expr x, char message[400]) {
    snprintf(message, 400, "there is no derivative");
    expr_directional(graph, &x, 1, along_the_motion, graph, &x);
    return x;
}

// ---- Agreement

// Two expressions that should be the same, at one of the points. Their rounding errors are known to first order, which
// says little where an operation is singular: there, and where a number isn't finite, nothing can be told. Nor can it
// where digits were lost to underflow or overflow.
typedef enum verdict { AGREE, DIFFER, UNKNOWN } verdict;

static verdict compare(double a, double b, double rounding) {
    const double tolerance = 1e4 * DBL_EPSILON * rounding;
    if (!isfinite(a) || !isfinite(b) || !isfinite(tolerance) || fetestexcept(FE_UNDERFLOW | FE_OVERFLOW))
        return UNKNOWN;
    if (fabs(a - b) <= tolerance + DBL_MIN) return AGREE;
    return tolerance < 1e-3 * (fabs(a) + fabs(b)) ? DIFFER : UNKNOWN;
}

// What differs wherever it can be told is not the same.
static void promise_agreement(const verdict *verdicts, const char *sentence) {
    int differ = 0, told = 0;
    for (int i = 0; i < POINTS; i++) {
        differ += verdicts[i] == DIFFER;
        told += verdicts[i] != UNKNOWN;
    }
    promise(told < 2 || differ < told, sentence);
}

// Numbers that have lost digits to underflow already.
static bool has_subnormal_numbers(const expr_graph *graph, expr x) {
    for (expr i = 0; i <= x; i++) {
        const expr_node node = expr_get(graph, i);
        if (node.op == EXPR_CONSTANT && node.value != 0 && !isnormal(node.value)) return true;
    }
    return false;
}

static double evaluate(expr_graph *graph, expr x, int point) {
    return expr_evaluate(graph, x, value_at, &point);
}

// `more` adds to the rounding errors at each point.
static void promise_same_values(expr_graph *graph, expr a, expr b, const double more[POINTS], const char *sentence) {
    if (a == b || has_subnormal_numbers(graph, a > b ? a : b)) return;
    const expr rounding = expr_binary(graph, EXPR_ADD, expr_rounding(graph, a), expr_rounding(graph, b));
    verdict verdicts[POINTS];
    for (int i = 0; i < POINTS; i++) {
        feclearexcept(FE_ALL_EXCEPT);
        const double first = evaluate(graph, a, i), second = evaluate(graph, b, i);
        verdicts[i] = compare(first, second, evaluate(graph, rounding, i) + more[i]);
    }
    promise_agreement(verdicts, sentence);
}

// ---- Derivatives by another way: numbers with a derivative, node by node

// `size` is what the slope would be if nothing in it cancelled out: numbers alone may have done so before there is
// an expression whose rounding errors are known.
typedef struct dual {
    double value, slope, size;
} dual;

static double partial(expr_op op, double a, double b, bool second) {
    switch (op) {
    case EXPR_NEG:
        return -1;
    case EXPR_SIN:
        return cos(a);
    case EXPR_COS:
        return -sin(a);
    case EXPR_TAN:
        return 1 / (cos(a) * cos(a));
    case EXPR_ASIN:
        return 1 / sqrt(1 - a * a);
    case EXPR_ACOS:
        return -1 / sqrt(1 - a * a);
    case EXPR_ATAN:
        return 1 / (1 + a * a);
    case EXPR_SINH:
        return cosh(a);
    case EXPR_COSH:
        return sinh(a);
    case EXPR_TANH:
        return 1 / (cosh(a) * cosh(a));
    case EXPR_EXP:
        return exp(a);
    case EXPR_LOG:
        return 1 / a;
    case EXPR_SQRT:
        return 0.5 / sqrt(a);
    case EXPR_ABS:
        return a < 0 ? -1 : 1;
    case EXPR_ADD:
        return 1;
    case EXPR_SUB:
        return second ? -1 : 1;
    case EXPR_MUL:
        return second ? a : b;
    case EXPR_DIV:
        return second ? -a / (b * b) : 1 / b;
    case EXPR_POW:
        return second ? log(a) * pow(a, b) : b * pow(a, b - 1);
    case EXPR_ATAN2:
        return (second ? -a : b) / (a * a + b * b);
    case EXPR_MIN:
        return (a < b) != second;
    case EXPR_MAX:
        return (a < b) == second;
    default:
        return 0;
    }
}

// The direction in which expressions are derived: so much of each symbol, always more than nothing.
static double direction(expr_symbol symbol) {
    return 1 + symbol.class / 4.0 - symbol.index / 8.0;
}

static dual dual_of(const expr_node *node, const dual *duals, int point) {
    if (node->op == EXPR_CONSTANT || node->op == EXPR_TRUTH) return (dual){node->value, 0, 0};
    if (node->op == EXPR_SYMBOL)
        return (dual){value_at(&point, node->symbol), direction(node->symbol), direction(node->symbol)};
    const dual a = duals[node->a], b = node->b == EXPR_NONE ? (dual){0, 0, 0} : duals[node->b];
    if (node->op == EXPR_IF) return a.value != 0 ? b : duals[node->c];
    const double by_a = a.size != 0 ? partial(node->op, a.value, b.value, false) : 0;
    const double by_b = b.size != 0 ? partial(node->op, a.value, b.value, true) : 0;
    return (dual){
        .value = expr_apply(node->op, a.value, b.value),
        .slope = by_a * a.slope + by_b * b.slope,
        .size = fabs(by_a) * a.size + fabs(by_b) * b.size,
    };
}

static dual dual_at(const expr_graph *graph, expr x, int point) {
    dual *duals = calloc((size_t)x + 1, sizeof *duals);
    for (expr i = 0; i <= x; i++) {
        const expr_node node = expr_get(graph, i);
        duals[i] = dual_of(&node, duals, point);
    }
    const dual result = duals[x];
    free(duals);
    return result;
}

static expr seed(void *graph, expr_symbol symbol) {
    return expr_constant(graph, direction(symbol));
}

// The derivative by a reverse sweep: the gradient times the direction.
static expr reverse_derivative(expr_graph *graph, expr x) {
    expr_symbol symbols[NAMES + 1] = {{SYMBOL_ACCELERATION, 0}};
    expr gradient[NAMES + 1], sum = expr_constant(graph, 0);
    for (int i = 0; i < NAMES; i++)
        symbols[i + 1] = names[i].symbol;
    expr_gradient(graph, x, symbols, NAMES + 1, gradient);
    for (int i = 0; i <= NAMES; i++)
        sum = expr_binary(graph, EXPR_ADD, sum, expr_binary(graph, EXPR_MUL, seed(graph, symbols[i]), gradient[i]));
    return sum;
}

static void derive(expr_graph *graph, expr x) {
    expr forward;
    expr_directional(graph, &x, 1, seed, graph, &forward);
    const expr reverse = reverse_derivative(graph, x), rounding = expr_rounding(graph, forward);
    verdict verdicts[POINTS];
    double sizes[POINTS];
    for (int i = 0; i < POINTS; i++) {
        feclearexcept(FE_ALL_EXCEPT);
        const dual known = dual_at(graph, x, i);
        sizes[i] = known.size;
        verdicts[i] = compare(evaluate(graph, forward, i), known.slope, evaluate(graph, rounding, i) + known.size);
    }
    promise_same_values(graph, forward, reverse, sizes, "the derivatives of both sweeps are the same");
    if (has_subnormal_numbers(graph, forward > x ? forward : x)) return;
    promise_agreement(verdicts, "the derivative is that of the numbers");
}

// ---- Text

static text printed(const expr_graph *graph, expr x) {
    text out = {.data = NULL};
    expr_print(graph, x, symbol_name, NULL, &out);
    promise(out.data && !out.failed, "what was parsed can be printed");
    return out;
}

// `true` and `false` can be printed, but are no words of the language, nor is what is too long to be printed; what is
// left of operations on numbers alone, like 1e300*1e300, is refused by the parser.
static void parse_again(expr_graph *graph, expr x, const parse_scope *scope) {
    parse_error error;
    text once = printed(graph, x);
    const expr again = expr_parse(graph, once.data, scope, &error);
    if (again == EXPR_NONE) {
        const bool excused = strstr(once.data, "true") || strstr(once.data, "false") || strstr(once.data, "(...") ||
                             strstr(error.message, "finite") || strstr(error.message, "deep") ||
                             strstr(error.message, "not smooth");
        if (!excused) fprintf(stderr, "%s: %s\n", once.data, error.message);
        promise(excused, "what was printed can be parsed");
    } else if (!scope->condition) {
        promise_same_values(graph, x, again, (double[POINTS]){0}, "what was printed means the same");
    }
    text_free(&once);
}

static void emit(const expr_graph *graph, expr x, const expr_dialect *dialect) {
    text out = {.data = NULL};
    const expr_assignment assignment = {"result[0]", x};
    expr_emit(graph, &assignment, 1, dialect, &out);
    promise(!out.failed && out.data && strstr(out.data, "result[0] ="), "what was parsed can be written as C");
    text_free(&out);
}

// ---- The target

static expr replace(void *graph, expr_symbol symbol) {
    return symbol.class == SYMBOL_RATE ? expr_constant(graph, 0) : EXPR_NONE;
}

static void use(expr_graph *graph, expr x, const parse_scope *scope) {
    parse_again(graph, x, scope);
    emit(graph, x, &expr_dialect_double);
    if (scope->condition) return;
    if (expr_is_smooth(graph, x, 0, NULL)) emit(graph, x, &expr_dialect_interval);
    derive(graph, x);
    expr substituted;
    expr_substitute(graph, &x, 1, replace, graph, &substituted);
    promise(!expr_depends_on_class(graph, substituted, SYMBOL_RATE), "what was replaced is gone");
}

static void append_name(void *context, fuzz_chance *chance, fuzz_text *out) {
    (void)context;
    fuzz_append(out, names[choose(chance, NAMES)].name);
}

// As often as not a piece of the text, all of it, or nothing, gives way to an expression.
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned number) {
    fuzz_chance chance = number;
    fuzz_text piece = {.length = 0};
    if (size < 2 || choose(&chance, 2)) return LLVMFuzzerMutate(data, size, most);
    fuzz_append(&piece, "(");
    fuzz_append_expression((fuzz_names){append_name, NULL}, &chance, 1 + (int)choose(&chance, 4), &piece);
    fuzz_append(&piece, ")");
    const bool all = choose(&chance, 3) == 0;
    const size_t start = all ? 1 : 1 + choose(&chance, (unsigned)size - 1), rest = size - start;
    const size_t end = all ? size : start + (choose(&chance, 2) ? choose(&chance, (unsigned)rest + 1) : 0);
    if (start + piece.length + (size - end) > most) return LLVMFuzzerMutate(data, size, most);
    memmove(data + start + piece.length, data + end, size - end);
    memcpy(data + start, piece.text, piece.length);
    return start + piece.length + (size - end);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) return -1;
    expr_graph *graph = expr_graph_create();
    char *source = calloc(size, 1);
    memcpy(source, data + 1, size - 1);
    parse_scope scope = {.lookup = lookup, .context = graph};
    scope.condition = data[0] & 1;
    scope.piecewise = data[0] & 2;
    if (data[0] & 4) scope.constant = 1u << SYMBOL_PARAMETER | 1u << SYMBOL_HELD;
    if (data[0] & 8) scope.derivative = time_derivative;
    parse_error error;
    const expr x = expr_parse(graph, source, &scope, &error);
    if (x == EXPR_NONE) {
        const size_t length = strlen(source);
        promise(error.message[0] != '\0' && strlen(error.message) < sizeof error.message, "an error has a message");
        promise(error.offset >= 0 && (size_t)error.offset <= length, "an error is somewhere in the text");
    } else {
        use(graph, x, &scope);
    }
    promise(!expr_graph_failed(graph), "memory is not short");
    free(source);
    expr_graph_destroy(graph);
    return 0;
}
