#include "mutate_expression.h"

#include <stdio.h>

void fuzz_append(fuzz_text *out, const char *piece) {
    const int length = snprintf(out->text + out->length, sizeof out->text - out->length, "%s", piece);
    out->length += (size_t)length;
    if (out->length > LONGEST_EXPRESSION) out->length = LONGEST_EXPRESSION;
}

static void append_call(fuzz_names names, fuzz_chance *chance, int depth, fuzz_text *out) {
    static const char *const functions[] = {"sin",  "cos",  "tan", "exp",  "log", "sqrt", "abs",  "tanh",
                                            "sinh", "cosh", "der", "asin", "-",   "",     "acos", "atan"};
    fuzz_append(out, functions[choose(chance, sizeof functions / sizeof *functions)]);
    fuzz_append(out, "(");
    fuzz_append_expression(names, chance, depth, out);
    fuzz_append(out, ")");
}

static void append_call_of_two(fuzz_names names, fuzz_chance *chance, int depth, fuzz_text *out) {
    static const char *const functions[] = {"min(", "max(", "atan2(", "if(1 < "};
    const unsigned chosen = choose(chance, 4);
    fuzz_append(out, functions[chosen]);
    fuzz_append_expression(names, chance, depth, out);
    fuzz_append(out, ", ");
    fuzz_append_expression(names, chance, depth, out);
    fuzz_append(out, chosen == 3 ? ", 1)" : ")");
}

static void append_operation(fuzz_names names, fuzz_chance *chance, int depth, fuzz_text *out) {
    static const char *const operators[] = {"+", "-", "*", "/", "^", "*", ")^", ")/", ")*", ") - "};
    const unsigned chosen = choose(chance, sizeof operators / sizeof *operators);
    if (operators[chosen][0] == ')') fuzz_append(out, "(");
    fuzz_append_expression(names, chance, depth, out);
    fuzz_append(out, operators[chosen]);
    const bool enclosed = choose(chance, 3) == 0;
    if (enclosed) fuzz_append(out, "(");
    fuzz_append_expression(names, chance, depth, out);
    if (enclosed) fuzz_append(out, ")");
}

void fuzz_append_expression(fuzz_names names, fuzz_chance *chance, int depth, fuzz_text *out) {
    static const char *const numbers[] = {"0", "1", "2", "0.5", "1e300", "1e-300", "pi", "time", "-1", "3", "-2", "16"};
    const unsigned kind = choose(chance, depth > 0 ? 8 : 4);
    if (kind == 0)
        fuzz_append(out, numbers[choose(chance, sizeof numbers / sizeof *numbers)]);
    else if (kind < 4)
        names.append(names.context, chance, out);
    else if (kind == 4)
        append_call(names, chance, depth - 1, out);
    else if (kind < 7)
        append_operation(names, chance, depth - 1, out);
    else
        append_call_of_two(names, chance, depth - 1, out);
}
