// What the files of the parser share: where it stands in the text, and the words of the text (parse_words.c).

#ifndef ZENOFMU_PARSE_IMPL_H
#define ZENOFMU_PARSE_IMPL_H

#include "expression.h"

enum { LONGEST_WORD = 100, LONGEST_QUOTE = LONGEST_WORD + 3 };

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

// A comparison, or an operator of another language that is no operator here.
typedef struct comparison {
    const char *sign;
    const char *meant; // what people mean by it; NULL for a comparison
    expr_op op;
    bool swapped; // a > b is b < a
    bool negated;
} comparison;

// EXPR_NONE, with the message and the offset of what is wrong.
expr parser_fail(parser *p, int offset, const char *format, ...) __attribute__((format(printf, 3, 4)));
// The same for what comes next: "expected ')' before 'z'".
expr parser_fail_expecting(parser *p, const char *expected);
// What stands at `at`, for a message: "'sin'", "'<='", "the byte 0x07", "the end of the expression".
const char *parser_quote(const parser *p, int at, char buffer[LONGEST_QUOTE]);

// The next byte that is not a blank; it is not taken.
char parser_peek(parser *p);
// Takes the next byte if it is `c`.
bool parser_take(parser *p, char c);
// True when the next word is this operator: "and", "or", "not". It is not taken.
bool parser_meets(parser *p, const char *name);
// The comparison that comes next; NULL when there is none. It is not taken.
const comparison *parser_comparison(parser *p);

// Where a name that begins at `at` ends; a dot belongs to it when a letter follows. `at` when there is none.
int parser_name_end(const char *source, int at);
// Where a decimal number that begins at `at` ends: digits, a point, an exponent. `at` when there is none.
int parser_number_end(const char *source, int at);
// Takes the bytes up to `end` as a word. False when it is too long to be meant.
bool parser_take_word(parser *p, int end, word *w);
// Takes the number that comes next.
expr parser_number(parser *p);

#endif
