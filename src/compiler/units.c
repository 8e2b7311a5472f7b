// Units of measurement: the symbols, their parser, and arithmetic that keeps readable names.

#include "units.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

typedef struct unit_symbol {
    const char *name;
    bool takes_prefix;
    double factor, offset;
    int exponent[UNIT_BASES]; // kg m s A K mol cd rad
} unit_symbol;

static const unit_symbol SYMBOLS[] = {
    {"kg", false, 1, 0, {1}},
    {"m", true, 1, 0, {0, 1}},
    {"s", true, 1, 0, {0, 0, 1}},
    {"A", true, 1, 0, {0, 0, 0, 1}},
    {"K", true, 1, 0, {0, 0, 0, 0, 1}},
    {"mol", true, 1, 0, {0, 0, 0, 0, 0, 1}},
    {"cd", true, 1, 0, {0, 0, 0, 0, 0, 0, 1}},
    {"rad", true, 1, 0, {0, 0, 0, 0, 0, 0, 0, 1}},
    {"g", true, 1e-3, 0, {1}},
    {"t", true, 1e3, 0, {1}},
    {"l", true, 1e-3, 0, {0, 3}},
    {"min", false, 60, 0, {0, 0, 1}},
    {"h", false, 3600, 0, {0, 0, 1}},
    {"d", false, 86400, 0, {0, 0, 1}},
    {"deg", false, PI / 180, 0, {0, 0, 0, 0, 0, 0, 0, 1}},
    {"rev", false, 2 * PI, 0, {0, 0, 0, 0, 0, 0, 0, 1}},
    {"rpm", false, 2 * PI / 60, 0, {0, 0, -1, 0, 0, 0, 0, 1}},
    {"degC", false, 1, 273.15, {0, 0, 0, 0, 1}},
    {"%", false, 0.01, 0, {0}},
    {"Hz", true, 1, 0, {0, 0, -1}},
    {"N", true, 1, 0, {1, 1, -2}},
    {"J", true, 1, 0, {1, 2, -2}},
    {"W", true, 1, 0, {1, 2, -3}},
    {"Pa", true, 1, 0, {1, -1, -2}},
    {"bar", true, 1e5, 0, {1, -1, -2}},
    {"C", true, 1, 0, {0, 0, 1, 1}},
    {"V", true, 1, 0, {1, 2, -3, -1}},
    {"Ohm", true, 1, 0, {1, 2, -3, -2}},
    {"F", true, 1, 0, {-1, -2, 4, 2}},
    {"H", true, 1, 0, {1, 2, -2, -2}},
    {"Wb", true, 1, 0, {1, 2, -2, -1}},
    {"T", true, 1, 0, {1, 0, -2, -1}},
};

static const struct {
    const char *name;
    double factor;
} PREFIXES[] = {{"G", 1e9},  {"M", 1e6},  {"k", 1e3},  {"h", 1e2},  {"da", 1e1}, {"d", 1e-1},
                {"c", 1e-2}, {"m", 1e-3}, {"u", 1e-6}, {"n", 1e-9}, {"p", 1e-12}};

const char *unit_base_name(unit_base base) {
    return SYMBOLS[base].name; // the base units come first, in their order
}

static const unit_symbol *find_symbol(const char *name) {
    for (size_t i = 0; i < sizeof SYMBOLS / sizeof SYMBOLS[0]; i++)
        if (strcmp(SYMBOLS[i].name, name) == 0) return &SYMBOLS[i];
    return NULL;
}

// A symbol, or a prefix and a symbol; a plain symbol is tried first, so that "min" is no milli-inch and "cd" no
// centi-day.
static bool lookup_symbol(const char *name, unit_symbol *result) {
    const unit_symbol *plain = find_symbol(name);
    if (plain) {
        *result = *plain;
        return true;
    }
    for (size_t i = 0; i < sizeof PREFIXES / sizeof PREFIXES[0]; i++) {
        const size_t length = strlen(PREFIXES[i].name);
        if (strncmp(name, PREFIXES[i].name, length) != 0) continue;
        const unit_symbol *rest = find_symbol(name + length);
        if (!rest || !rest->takes_prefix) continue;
        *result = *rest;
        result->factor *= PREFIXES[i].factor;
        return true;
    }
    return false;
}

// Draws `symbol`^exponent into the written form; a symbol that cancels disappears. False when there is no room.
static bool join_factor(unit *u, const char *symbol, int exponent) {
    int i = 0;
    while (i < u->count && strcmp(u->factors[i].symbol, symbol) != 0)
        i++;
    if (i == u->count) {
        if (u->count == UNIT_FACTORS) return false;
        u->count++;
        snprintf(u->factors[i].symbol, UNIT_SYMBOL_SIZE, "%s", symbol);
        u->factors[i].exponent = 0;
    }
    u->factors[i].exponent += exponent;
    if (u->factors[i].exponent == 0) {
        u->count--;
        memmove(&u->factors[i], &u->factors[i + 1], (size_t)(u->count - i) * sizeof u->factors[0]);
    }
    return true;
}

static void join_value(unit *u, const int exponent[UNIT_BASES], double factor, int power) {
    for (int i = 0; i < UNIT_BASES; i++)
        u->exponent[i] += power * exponent[i];
    u->factor *= pow(factor, power);
}

void unit_multiply(unit *u, const unit *by, int power) {
    for (int i = 0; i < by->count; i++)
        join_factor(u, by->factors[i].symbol, power * by->factors[i].exponent);
    join_value(u, by->exponent, by->factor, power);
    u->offset = 0;
}

// ---- parsing

typedef struct unit_parser {
    const char *text, *at;
    unit result;
    char *message;
} unit_parser;

static bool fail(unit_parser *p, const char *what) {
    snprintf(p->message, UNIT_MESSAGE_SIZE, "unit '%.60s': %s at position %d", p->text, what,
             (int)(p->at - p->text) + 1);
    return false;
}

static bool parse_exponent(unit_parser *p, int *exponent) {
    *exponent = 1;
    const bool caret = *p->at == '^';
    if (caret) p->at++;
    const bool minus = *p->at == '-';
    if (minus) p->at++;
    if (!isdigit((unsigned char)*p->at)) return caret || minus ? fail(p, "expected an exponent") : true;
    char *end;
    const long value = strtol(p->at, &end, 10);
    if (value > 99) return fail(p, "expected an exponent of at most two digits");
    p->at = end;
    *exponent = (int)(minus ? -value : value);
    return true;
}

static bool parse_symbol(unit_parser *p, int power) {
    char name[UNIT_SYMBOL_SIZE] = "";
    const size_t length = strspn(p->at, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz%");
    unit_symbol symbol;
    if (length == 0) return fail(p, "expected a unit");
    if (length < UNIT_SYMBOL_SIZE) memcpy(name, p->at, length);
    if (!lookup_symbol(name, &symbol)) {
        snprintf(p->message, UNIT_MESSAGE_SIZE,
                 "unit '%.60s': unknown unit '%.*s' at position %d; products are written 'N.m', powers 'm/s2'", p->text,
                 (int)(length < 40 ? length : 40), p->at, (int)(p->at - p->text) + 1);
        return false;
    }
    p->at += length;
    int exponent;
    if (!parse_exponent(p, &exponent)) return false;
    if (!join_factor(&p->result, name, power * exponent)) return fail(p, "more factors than a unit can have");
    join_value(&p->result, symbol.exponent, symbol.factor, power * exponent);
    p->result.offset = power * exponent == 1 ? symbol.offset : 0;
    return true;
}

static bool parse_product(unit_parser *p, int power, int depth);

static bool parse_factor(unit_parser *p, int power, int depth) {
    if (*p->at == '1') {
        p->at++;
        return true;
    }
    if (*p->at != '(') return parse_symbol(p, power);
    if (depth == 2) return fail(p, "expected fewer parentheses");
    p->at++;
    if (!parse_product(p, power, depth + 1)) return false;
    if (*p->at != ')') return fail(p, "expected ')'");
    p->at++;
    return true;
}

// factor {('.' | '*' | '/') factor}; '/' divides by the next factor only.
static bool parse_product(unit_parser *p, int power, int depth) {
    if (!parse_factor(p, power, depth)) return false;
    while (*p->at != '\0' && strchr(".*/", *p->at)) {
        const int sign = *p->at++ == '/' ? -1 : 1;
        if (!parse_factor(p, sign * power, depth)) return false;
    }
    return true;
}

bool unit_parse(const char *text, unit *result, char message[UNIT_MESSAGE_SIZE]) {
    unit_parser p = {.text = text, .at = text, .result = {.factor = 1}, .message = message};
    if (!parse_product(&p, 1, 0)) return false;
    if (*p.at != '\0') return fail(&p, "expected '.', '*', '/' or the end");
    if (p.result.count != 1) p.result.offset = 0;
    *result = p.result;
    return true;
}

// "N", "m" and "s" may join a unit of a model file, and "s" may raise an exponent by two.
bool unit_is_reasonable(const unit *u) {
    bool reasonable = u->count <= UNIT_FACTORS - 3 && isnormal(u->factor);
    for (int i = 0; i < u->count; i++)
        reasonable = reasonable && abs(u->factors[i].exponent) < 10;
    return reasonable;
}

// ---- names

// Appends the factors whose exponents have the given sign; returns how many there were.
static int append_factors(const unit *u, int sign, char name[UNIT_NAME_SIZE]) {
    int written = 0;
    for (int i = 0; i < u->count; i++) {
        const int exponent = sign * u->factors[i].exponent;
        if (exponent < 0) continue;
        const size_t length = strlen(name);
        snprintf(name + length, UNIT_NAME_SIZE - length, exponent == 1 ? "%s%s" : "%s%s%d", written++ ? "." : "",
                 u->factors[i].symbol, exponent);
    }
    return written;
}

const char *unit_name(const unit *u, char name[UNIT_NAME_SIZE]) {
    name[0] = '\0';
    char denominator[UNIT_NAME_SIZE] = "";
    if (append_factors(u, 1, name) == 0) snprintf(name, UNIT_NAME_SIZE, "1");
    const int below = append_factors(u, -1, denominator);
    if (below == 0) return name;
    const size_t length = strlen(name);
    snprintf(name + length, UNIT_NAME_SIZE - length, below == 1 ? "/%s" : "/(%s)", denominator);
    return name;
}

bool unit_same_kind(const unit *a, const unit *b) {
    return memcmp(a->exponent, b->exponent, sizeof a->exponent) == 0;
}
