// Units: what parses, what it means in SI base units, and the names of units that follow from others.

#include "units.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "sample_model.h"

static unit parse(const char *written) {
    unit u;
    char message[UNIT_MESSAGE_SIZE];
    if (!unit_parse(written, &u, message)) fail_msg("%s", message);
    return u;
}

// `expected` is the unit in base units, with its factor.
static void assert_unit(const char *written, double factor, const char *expected) {
    const unit u = parse(written), base = parse(expected);
    if (!unit_same_kind(&u, &base)) fail_msg("'%s' is not of the kind of '%s'", written, expected);
    if (fabs(u.factor - factor) > 4e-16 * factor)
        fail_msg("'%s' has the factor %.17g, not %.17g", written, u.factor, factor);
}

static void assert_refused_unit(const char *written, const char *expected) {
    unit u = {.count = 42};
    char message[UNIT_MESSAGE_SIZE];
    assert_false(unit_parse(written, &u, message));
    assert_string_equal(message, expected);
    assert_int_equal(u.count, 42);
}

static void units_are_reduced_to_base_units(void **state) {
    (void)state;
    assert_unit("1", 1, "1");
    assert_unit("N", 1, "kg.m/s2");
    assert_unit("N.m", 1, "kg.m2/s2");
    assert_unit("J", 1, "kg.m2/s2");
    assert_unit("W", 1, "kg.m2/s3");
    assert_unit("Pa", 1, "kg/(m.s2)");
    assert_unit("Hz", 1, "1/s");
    assert_unit("N.s/m", 1, "kg/s");
    assert_unit("N.m.s/rad", 1, "kg.m2/(s.rad)");
    assert_unit("g", 1e-3, "kg");
    assert_unit("kN/mm", 1e6, "kg/s2");
    assert_unit("ms", 1e-3, "s");
    assert_unit("min", 60, "s");
    assert_unit("km/h", 1e3 / 3600, "m/s");
    assert_unit("deg", acos(-1) / 180, "rad");
    assert_unit("rpm", acos(-1) / 30, "rad/s");
    assert_unit("cd", 1, "cd"); // no centi-day
    assert_unit("dam", 10, "m");
}

static void a_unit_may_be_written_in_several_ways(void **state) {
    (void)state;
    static const char *const ways[] = {"m/s2", "m/s^2", "m.s-2", "m*s^-2", "m/s/s", "m/(s.s)", "m/(s*s)"};
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        char name[UNIT_NAME_SIZE];
        const unit u = parse(ways[i]);
        assert_string_equal(unit_name(&u, name), "m/s2");
    }
}

static void only_a_temperature_by_itself_has_an_offset(void **state) {
    (void)state;
    assert_same_double(parse("degC").offset, 273.15);
    assert_same_double(parse("degC/s").offset, 0);
    assert_same_double(parse("1/degC").offset, 0);
}

static void a_unit_that_does_not_parse_is_refused_with_the_place(void **state) {
    (void)state;
    assert_refused_unit("furlong", "unit 'furlong': unknown unit 'furlong' at position 1; "
                                   "products are written 'N.m', powers 'm/s2'");
    assert_refused_unit("N.foo",
                        "unit 'N.foo': unknown unit 'foo' at position 3; products are written 'N.m', powers 'm/s2'");
    assert_refused_unit("Nm", "unit 'Nm': unknown unit 'Nm' at position 1; products are written 'N.m', powers 'm/s2'");
    assert_refused_unit("", "unit '': expected a unit at position 1");
    assert_refused_unit("m/", "unit 'm/': expected a unit at position 3");
    assert_refused_unit("m s", "unit 'm s': expected '.', '*', '/' or the end at position 2");
    assert_refused_unit("m^", "unit 'm^': expected an exponent at position 3");
    assert_refused_unit("m^x", "unit 'm^x': expected an exponent at position 3");
    assert_refused_unit("m123", "unit 'm123': expected an exponent of at most two digits at position 2");
    assert_refused_unit("J/(kg.K", "unit 'J/(kg.K': expected ')' at position 8");
    assert_refused_unit("(((m)))", "unit '(((m)))': expected fewer parentheses at position 3");
    assert_refused_unit("kkg",
                        "unit 'kkg': unknown unit 'kkg' at position 1; products are written 'N.m', powers 'm/s2'");
    assert_refused_unit("m.s.A.K.mol.cd.rad.kg.V.C.F.H.T",
                        "unit 'm.s.A.K.mol.cd.rad.kg.V.C.F.H.T': more factors than a unit can have at position 32");
}

static void assert_quotient(const char *numerator, const char *denominator, int power, const char *expected) {
    unit u = parse(numerator);
    const unit by = parse(denominator);
    char name[UNIT_NAME_SIZE];
    unit_multiply(&u, &by, power);
    assert_string_equal(unit_name(&u, name), expected);
    const unit again = parse(name);
    assert_true(unit_same_kind(&u, &again));
}

static void units_that_follow_have_readable_names(void **state) {
    (void)state;
    assert_quotient("m", "s", -1, "m/s");
    assert_quotient("m", "s", -2, "m/s2");
    assert_quotient("m/s", "s", -1, "m/s2");
    assert_quotient("1", "s", -1, "1/s");
    assert_quotient("N.m", "m", -1, "N");
    assert_quotient("N.m", "rad", -1, "N.m/rad");
    assert_quotient("N.m/rad", "s", 1, "N.m.s/rad");
    assert_quotient("N/m", "s", -1, "N/(m.s)");
    assert_quotient("m", "m", -1, "1");
    assert_quotient("m.s.A.K.mol.cd.rad.kg", "N.V.J", -1, "m.s.A.K.mol.cd.rad.kg/(N.V.J)");
}

static void units_that_leave_no_room_for_those_that_follow_are_told_apart(void **state) {
    (void)state;
    static const char *const unreasonable[] = {"m10", "m.s.A.K.mol.cd.rad.kg.V.C", "Gm9.Gs9.GN9.GJ9"};
    for (size_t i = 0; i < sizeof unreasonable / sizeof unreasonable[0]; i++) {
        const unit u = parse(unreasonable[i]);
        assert_false(unit_is_reasonable(&u));
    }
    const unit u = parse("m.s.A.K.mol.cd.rad.kg9");
    assert_true(unit_is_reasonable(&u));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units_are_reduced_to_base_units),
        cmocka_unit_test(a_unit_may_be_written_in_several_ways),
        cmocka_unit_test(only_a_temperature_by_itself_has_an_offset),
        cmocka_unit_test(a_unit_that_does_not_parse_is_refused_with_the_place),
        cmocka_unit_test(units_that_follow_have_readable_names),
        cmocka_unit_test(units_that_leave_no_room_for_those_that_follow_are_told_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
