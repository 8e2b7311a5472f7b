// Expressions: a hash-consed graph in which equal subexpressions are one node.
//
// Building a node simplifies it locally (constants fold, x + 0, x * 1, x - x, ...), so that derivatives stay small.
// Nodes are numbered in the order of their making: the operands of a node always have smaller numbers.

#ifndef ZENOFMU_EXPRESSION_H
#define ZENOFMU_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>

typedef int expr; // a node's number
enum { EXPR_NONE = -1 };

typedef enum expr_op {
    EXPR_CONSTANT,
    EXPR_SYMBOL,
    EXPR_NEG, // unary from here
    EXPR_SIN,
    EXPR_COS,
    EXPR_TAN,
    EXPR_ASIN,
    EXPR_ACOS,
    EXPR_ATAN,
    EXPR_SINH,
    EXPR_COSH,
    EXPR_TANH,
    EXPR_EXP,
    EXPR_LOG,
    EXPR_SQRT,
    EXPR_ABS,
    EXPR_ADD, // binary from here
    EXPR_SUB,
    EXPR_MUL,
    EXPR_DIV,
    EXPR_POW,
    EXPR_ATAN2,
    EXPR_MIN,
    EXPR_MAX,
    EXPR_IF,    // a condition and two numbers
    EXPR_TRUTH, // conditions from here; this one always holds, or never
    EXPR_NOT,   // of a condition
    EXPR_LESS,  // of two numbers
    EXPR_LESS_EQUAL,
    EXPR_EQUAL,
    EXPR_AND, // of two conditions
    EXPR_OR
} expr_op;

// What a symbol stands for; with its index it is a place in the arrays that a model function is given.
typedef enum symbol_class {
    SYMBOL_TIME, // index 0
    SYMBOL_PARAMETER,
    SYMBOL_INPUT,
    SYMBOL_COORDINATE,
    SYMBOL_RATE,
    SYMBOL_ACCELERATION,
    SYMBOL_FORCE,      // contact force; index: constraints
    SYMBOL_STATE,      // of a system with modes
    SYMBOL_HELD,       // of a system with modes; changes only in its transitions
    SYMBOL_INPUT_RATE, // the inputs' time derivatives
    SYMBOL_TIME_SEED,  // the direction of a directional derivative
    SYMBOL_INPUT_SEED,
    SYMBOL_COORDINATE_SEED,
    SYMBOL_RATE_SEED,
    SYMBOL_ACCELERATION_SEED,
    SYMBOL_FORCE_SEED,
    SYMBOL_STATE_SEED,
    SYMBOL_HELD_SEED,
    SYMBOL_CLASSES
} symbol_class;

typedef struct expr_symbol {
    symbol_class class;
    int index;
} expr_symbol;

typedef struct expr_node {
    expr_op op;
    expr a, b, c;       // operands; EXPR_NONE where there is none
    double value;       // of a CONSTANT; 1 or 0 of a TRUTH
    expr_symbol symbol; // of a SYMBOL
    unsigned classes;   // the symbol classes on which it depends: a set of bits 1 << symbol_class
    unsigned kinks;     // those on which its `min`, `max`, `abs` and `if` decide: there it may fail to be smooth
} expr_node;

typedef struct expr_graph expr_graph;

expr_graph *expr_graph_create(void); // NULL when memory is short
void expr_graph_destroy(expr_graph *graph);

// Memory that runs out while nodes are made, visited or evaluated is remembered: nodes made then are EXPR_NONE,
// operations on EXPR_NONE give EXPR_NONE, and this tells. It is checked once at the end of a piece of work.
bool expr_graph_failed(const expr_graph *graph);

expr_node expr_get(const expr_graph *graph, expr x);
expr expr_constant(expr_graph *graph, double value); // `value` must be finite
expr expr_symbol_node(expr_graph *graph, symbol_class class, int index);
expr expr_unary(expr_graph *graph, expr_op op, expr a);
expr expr_binary(expr_graph *graph, expr_op op, expr a, expr b);
expr expr_truth(expr_graph *graph, bool holds);
expr expr_if(expr_graph *graph, expr condition, expr a, expr b); // a where the condition holds, else b

// True when `x` is the constant `value`.
bool expr_is_constant(const expr_graph *graph, expr x, double value);
// True for conditions like x < y, false for numbers.
bool expr_is_condition(const expr_graph *graph, expr x);
// True when `x` is smooth while symbols of the classes in the set `constant` keep their values. Else `offender`, which
// may be NULL, is an operation that is not: EXPR_MIN, EXPR_MAX, EXPR_ABS or EXPR_IF.
bool expr_is_smooth(const expr_graph *graph, expr x, unsigned constant, expr_op *offender);
// The name of a function like `sin` as model files and C have it; NULL for operators. (`abs` is C's `fabs`.)
const char *expr_function_name(expr_op op);

// ---- walks over the graph (sweep.c)

// Calls `visit` once for each symbol on which `x` depends, in the order of class and index. False when memory is short.
bool expr_symbols(expr_graph *graph, expr x, void (*visit)(void *context, expr_symbol symbol), void *context);
bool expr_depends_on_class(const expr_graph *graph, expr x, symbol_class class);

// What takes a symbol's place; EXPR_NONE leaves the symbol.
typedef expr (*expr_replacement)(void *context, expr_symbol symbol);

// x[0..count) with symbols replaced: one sweep for all. `result` may be `x`.
void expr_substitute(expr_graph *graph, const expr *x, int count, expr_replacement replacement, void *context,
                     expr *result);

// ---- differentiation (derivative.c)

// Piecewise operations are derived piece by piece; on the border one of its sides counts. What the other piece's
// derivative is there, even if it is none, doesn't matter. The derivative of a condition is 0.

// The derivative of a symbol in a directional derivative; EXPR_NONE is taken as 0.
typedef expr (*expr_seed)(void *context, expr_symbol symbol);

// Directional derivatives of x[0..count) with the seeds of their symbols: one forward sweep for all.
void expr_directional(expr_graph *graph, const expr *x, int count, expr_seed seed, void *context, expr *derivative);
// Gradient of `x` with respect to `count` symbols: one reverse sweep for all where `x` is smooth.
void expr_gradient(expr_graph *graph, expr x, const expr_symbol *symbols, int count, expr *gradient);
// First-order bound of the rounding error of `x` in units of the rounding unit, as an expression: each operation and
// each function contributes its own magnitude, and passes on its operands' errors times its partial derivatives' size.
// It tells 'h = cos(pi/2) = 6e-17' from a true gap. Conditions are taken to be exact.
expr expr_rounding(expr_graph *graph, expr x);

// ---- evaluation (evaluate.c)

typedef double (*expr_value)(void *context, expr_symbol symbol);

// The values of x[0..count) in one sweep; `value` gives the symbols' values. A condition that holds is 1, else 0. All
// are NaN when memory is short.
void expr_evaluate_all(expr_graph *graph, const expr *x, int count, expr_value value, void *context, double *result);
double expr_evaluate(expr_graph *graph, expr x, expr_value value, void *context);

// The same for many evaluations: what has to be computed is found once. The graph may grow meanwhile.
typedef struct expr_program expr_program;
expr_program *expr_program_create(expr_graph *graph, const expr *x, int count); // NULL when memory is short
void expr_program_destroy(expr_program *program);                               // takes NULL
void expr_program_run(expr_program *program, expr_value value, void *context, double *result);

// ---- text (text.c)

// A growing text; `failed` when memory ran out.
typedef struct text {
    char *data; // NUL-terminated, NULL while empty
    size_t length, capacity;
    bool failed;
} text;
void text_append(text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
// The shortest decimal number that reads back as `value`, with a point whatever the locale: "0.1", "3", "1e-05".
void text_append_double(text *t, double value);
void text_free(text *t);

// ---- for people to read (print.c)

// Writes `x` with as few parentheses as precedence allows; `name` gives a symbol's name. An expression that would be
// longer than anybody reads is written as "(... 123456 operations ...)".
void expr_print(const expr_graph *graph, expr x, const char *(*name)(void *context, expr_symbol symbol), void *context,
                text *out);

// ---- C code (emit.c)

// One assignment of emitted code: `target` is a C lvalue like "M[3]".
typedef struct expr_assignment {
    char target[48];
    expr value;
} expr_assignment;

// How tightly a piece of C binds: parentheses stand where they are needed.
typedef enum expr_binding {
    EXPR_BINDS_CHOICE,
    EXPR_BINDS_OR,
    EXPR_BINDS_AND,
    EXPR_BINDS_COMPARISON,
    EXPR_BINDS_SUM,
    EXPR_BINDS_PRODUCT,
    EXPR_BINDS_SIGN,
    EXPR_BINDS_ATOM
} expr_binding;

// A value in C, as an operand.
typedef struct expr_code {
    const char *text;
    expr_binding binding;
} expr_code;

// How a number type is written in C: this is where an interval type plugs in beside double. Each function tells how
// tightly what it wrote binds.
typedef struct expr_dialect {
    const char *type;                                      // "double"
    expr_binding (*symbol)(text *out, expr_symbol symbol); // "x->q[0]"
    expr_binding (*constant)(text *out, double value);
    expr_binding (*unary)(text *out, expr_op op, expr_code a);
    expr_binding (*binary)(text *out, expr_op op, expr_code a, expr_code b);
    // if(condition, a, b); NULL where there are no conditions, `min` and `max` either.
    expr_binding (*choice)(text *out, expr_code condition, expr_code a, expr_code b);
    // a^n, 2 <= |n| <= EXPR_LARGEST_POWER; `a` is a name or a number and may be repeated.
    expr_binding (*power)(text *out, expr_code a, int n);
} expr_dialect;
enum { EXPR_LARGEST_POWER = 16 }; // powers beyond are left to pow()
extern const expr_dialect expr_dialect_double;
extern const expr_dialect expr_dialect_interval; // the engine's zeno_interval (emit_interval.c)

// Straight-line C for the assignments: what is used twice is computed once, in a local `const`. A local stands right
// before the first assignment that needs it. Both pieces of an `if` may be computed, but only one is used.
void expr_emit(const expr_graph *graph, const expr_assignment *assignments, int count, const expr_dialect *dialect,
               text *out);

// ---- parsing (parse.c)

typedef struct parse_error {
    char message[400]; // "unknown name 'thet1'; did you mean 'theta1'?"
    int offset;        // of the offending byte in the text
} parse_error;

// What names mean, and what is wanted. The functions return EXPR_NONE and fill `message` when the name can't be used
// here.
typedef struct parse_scope {
    // A plain name. `name` is NUL-terminated and may hold dots ('knee.force').
    expr (*lookup)(void *context, const char *name, char message[400]);
    // der(x): the time derivative along the motion.
    expr (*derivative)(void *context, expr x, char message[400]);
    void *context;
    bool condition;    // a condition like 'x < y' is wanted; else a number
    bool piecewise;    // `min`, `max`, `abs` and `if` may be used; else they are refused with a reason...
    unsigned constant; // ...unless they decide on symbols of these classes only: a set of bits 1 << symbol_class
} parse_scope;

// Parses `source`: + - * / ^ (right-associative, binds tighter than unary minus), parentheses, numbers, names,
// pi, functions, der(); conditions of < <= > >= == != and `and`, `or`, `not`. EXPR_NONE on error.
expr expr_parse(expr_graph *graph, const char *source, const parse_scope *scope, parse_error *error);

#endif
