// The words of an expression's text: names, numbers, operators; and how messages quote them.

#include "parse_impl.h"

#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

expr parser_fail(parser *p, int offset, const char *format, ...) {
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

char parser_peek(parser *p) {
    while (p->source[p->at] && strchr(" \t\r\n", p->source[p->at]))
        p->at++;
    return p->source[p->at];
}

bool parser_take(parser *p, char c) {
    if (parser_peek(p) != c) return false;
    p->at++;
    return true;
}

static int skip_digits(const char *source, int at) {
    while (is_digit(source[at]))
        at++;
    return at;
}

int parser_number_end(const char *source, int at) {
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

int parser_name_end(const char *source, int at) {
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

// The comparison at `at`, or what is meant as one; NULL when there is none.
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

const char *parser_quote(const parser *p, int at, char buffer[LONGEST_QUOTE]) {
    const char *source = p->source + at;
    int length = parser_name_end(p->source, at) - at;
    if (length == 0) length = parser_number_end(p->source, at) - at;
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

expr parser_fail_expecting(parser *p, const char *expected) {
    char found[LONGEST_QUOTE];
    parser_peek(p);
    const comparison *foreign = comparison_at(p->source + p->at);
    if (foreign && foreign->meant) {
        return parser_fail(p, p->at, "unknown operator '%s'; did you mean '%s'?", foreign->sign, foreign->meant);
    }
    return parser_fail(p, p->at, "expected %s before %s", expected, parser_quote(p, p->at, found));
}

bool parser_take_word(parser *p, int end, word *w) {
    w->offset = p->at;
    const int length = end - p->at;
    if (length > LONGEST_WORD) {
        parser_fail(p, p->at, "a name or number of %d characters; expected at most %d", length, LONGEST_WORD);
        return false;
    }
    memcpy(w->text, p->source + p->at, (size_t)length);
    w->text[length] = '\0';
    p->at = end;
    return true;
}

bool parser_meets(parser *p, const char *name) {
    parser_peek(p);
    const size_t length = (size_t)(parser_name_end(p->source, p->at) - p->at);
    return length == strlen(name) && strncmp(p->source + p->at, name, length) == 0;
}

const comparison *parser_comparison(parser *p) {
    parser_peek(p);
    const comparison *next = comparison_at(p->source + p->at);
    return next && !next->meant ? next : NULL;
}

// ---- numbers

// strtod reads the locale's decimal point, model files have '.'.
static double read_decimal(const char *digits) {
    char local[LONGEST_WORD + 32];
    const int whole = (int)strcspn(digits, ".");
    const char *point = digits[whole] == '.' ? localeconv()->decimal_point : "";
    snprintf(local, sizeof local, "%.*s%s%s", whole, digits, point, digits + whole + (digits[whole] == '.'));
    return strtod(local, NULL);
}

expr parser_number(parser *p) {
    word w;
    if (!parser_take_word(p, parser_number_end(p->source, p->at), &w)) return EXPR_NONE;
    char next[LONGEST_QUOTE];
    const char after = p->source[p->at];
    if (is_letter(after)) {
        const int length = parser_name_end(p->source, p->at) - p->at;
        return parser_fail(p, p->at, "expected an operator after '%s'; a product is written '%s*%.*s'", w.text, w.text,
                           length < LONGEST_WORD ? length : LONGEST_WORD, p->source + p->at);
    }
    if (after == '.')
        return parser_fail(p, p->at, "expected an operator between '%s' and %s", w.text, parser_quote(p, p->at, next));
    const double value = read_decimal(w.text);
    if (!isfinite(value)) return parser_fail(p, w.offset, "the number '%s' is too large for a double", w.text);
    if (value == 0 && strcspn(w.text, "123456789") < strcspn(w.text, "eE")) {
        return parser_fail(p, w.offset, "the number '%s' is too small for a double", w.text);
    }
    return expr_constant(p->graph, value);
}
