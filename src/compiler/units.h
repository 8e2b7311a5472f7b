// Units of measurement: "N.m/rad" to SI base units, and the names of units that follow from others.

#ifndef ZENOFMU_UNITS_H
#define ZENOFMU_UNITS_H

#include <stdbool.h>

typedef enum unit_base {
    UNIT_KG,
    UNIT_M,
    UNIT_S,
    UNIT_A,
    UNIT_K,
    UNIT_MOL,
    UNIT_CD,
    UNIT_RAD,
    UNIT_BASES // how many there are
} unit_base;

enum {
    UNIT_FACTORS = 12,
    UNIT_SYMBOL_SIZE = 8,
    UNIT_NAME_SIZE = UNIT_FACTORS * (UNIT_SYMBOL_SIZE + 4),
    UNIT_MESSAGE_SIZE = 200
};

// A product of powers of symbols; value in SI base units = factor * value + offset.
typedef struct unit {
    struct {
        char symbol[UNIT_SYMBOL_SIZE];
        int exponent;
    } factors[UNIT_FACTORS]; // as written; none for "1"
    int count;
    int exponent[UNIT_BASES];
    double factor, offset;
} unit;

// Reads "1", "kg", "m/s2", "m/s^2", "N.m", "N*m", "kN/mm", "N.m.s/rad", "J/(kg.K)", "s-1". On failure `message` says
// what is wrong and where, and `result` is untouched.
bool unit_parse(const char *text, unit *result, char message[UNIT_MESSAGE_SIZE]);

// False for a unit so long, or with exponents so large, that those which follow from it might not fit.
bool unit_is_reasonable(const unit *u);

// *u = *u * by^power, with equal symbols drawn together; an offset is lost, as in "degC/s".
void unit_multiply(unit *u, const unit *by, int power);

// "m/s2", "N.m/rad", "1/s"; what has no symbol is "1".
const char *unit_name(const unit *u, char name[UNIT_NAME_SIZE]);

// True when values can be converted from one to the other.
bool unit_same_kind(const unit *a, const unit *b);

// "kg", "m", ...: FMI's attribute names too.
const char *unit_base_name(unit_base base);

#endif
