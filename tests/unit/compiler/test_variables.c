// The variable table: which variables a model has, in which order, and what FMI is told of them.

#include "variables.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sample_model.h"

typedef struct table {
    sample sample;
    variable_table *variables;
} table;

static table make(const char *content) {
    table t = {.sample = read_good(content)};
    diagnostics d = {.file = "m.xml"};
    t.variables = variables_make(t.sample.model, &d);
    assert_non_null(t.variables);
    return t;
}

static void free_table(table *t) {
    variables_free(t->variables);
    sample_free(&t->sample);
}

static const fmi_variable *find(const table *t, const char *name) {
    for (int i = 0; i < t->variables->count; i++)
        if (strcmp(t->variables->rows[i].name, name) == 0) return &t->variables->rows[i];
    fail_msg("there is no variable '%s'", name);
    return NULL;
}

static void assert_kind(const table *t, const char *name, const char *causality, const char *variability,
                        const char *initial, zeno_access access) {
    const fmi_variable *row = find(t, name);
    assert_string_equal(row->causality, causality);
    assert_string_equal(row->variability, variability);
    assert_string_equal(row->initial ? row->initial : "none", initial);
    assert_int_equal(row->access, access);
}

static void assert_unit(const table *t, const char *name, const char *unit, const char *display_unit) {
    assert_string_equal(find(t, name)->unit, unit);
    assert_string_equal(find(t, name)->display_unit, display_unit);
}

#define MORE "<parameter name='p' value='3' min='1' max='5'/><force name='F' on='y'/><output name='o'>x + F</output>"

static void variables_stand_in_a_fixed_order(void **state) {
    (void)state;
    static const char *const names[] = {"p",
                                        "truncation.epsilon_q",
                                        "truncation.epsilon_v",
                                        "truncation.epsilon_t",
                                        "truncation.reinitialization",
                                        "relaxation.epsilon",
                                        "stability.compute",
                                        "solver.tolerance",
                                        "F",
                                        "x",
                                        "y",
                                        "vx",
                                        "vy",
                                        "der(vx)",
                                        "der(vy)",
                                        "floor.gap",
                                        "floor.gapRate",
                                        "floor.acceleration",
                                        "floor.force",
                                        "floor.closed",
                                        "floor.impacts",
                                        "floor.releases",
                                        "floor.lastImpactTime",
                                        "floor.lastImpactSpeed",
                                        "floor.lastImpulse",
                                        "floor.zeno.count",
                                        "floor.zeno.time",
                                        "floor.zeno.timeBound",
                                        "floor.zeno.positionBound",
                                        "floor.zeno.velocityBound",
                                        "floor.zeno.certified",
                                        "floor.stability.positionRadius",
                                        "floor.stability.velocityRadius",
                                        "energy.kinetic",
                                        "energy.potential",
                                        "energy.dissipated",
                                        "o"};
    table t = make(SAMPLE(MORE));
    assert_int_equal(t.variables->count, sizeof names / sizeof names[0]);
    for (int i = 0; i < t.variables->count; i++) {
        assert_string_equal(t.variables->rows[i].name, names[i]);
        assert_true(t.variables->rows[i].description[0] != '\0');
    }
    free_table(&t);
}

static void hosts_are_told_what_they_may_do(void **state) {
    (void)state;
    table t = make(SAMPLE(MORE));
    assert_kind(&t, "p", "parameter", "tunable", "exact", ZENO_TUNABLE);
    assert_kind(&t, "truncation.epsilon_q", "parameter", "tunable", "exact", ZENO_TUNABLE);
    assert_kind(&t, "solver.tolerance", "parameter", "fixed", "exact", ZENO_FIXED);
    assert_kind(&t, "F", "input", "continuous", "none", ZENO_LIVE);
    assert_kind(&t, "x", "output", "continuous", "exact", ZENO_START);
    assert_kind(&t, "vx", "output", "continuous", "exact", ZENO_START);
    assert_kind(&t, "der(vx)", "output", "continuous", "calculated", ZENO_READ_ONLY);
    assert_kind(&t, "floor.force", "output", "continuous", "calculated", ZENO_READ_ONLY);
    assert_kind(&t, "floor.closed", "output", "discrete", "calculated", ZENO_READ_ONLY);
    assert_kind(&t, "floor.zeno.time", "output", "discrete", "calculated", ZENO_READ_ONLY);
    assert_kind(&t, "o", "output", "continuous", "calculated", ZENO_READ_ONLY);
    free_table(&t);
}

static void a_parameter_of_the_gap_is_fixed(void **state) {
    (void)state;
    table t = make(SAMPLE_BEGIN SAMPLE_COORDINATES SAMPLE_ENERGIES
                   "<parameter name='level' value='1'/>\n"
                   "<constraint name='floor' restitution='0.5'>y - level</constraint>\n" SAMPLE_END);
    assert_kind(&t, "level", "parameter", "fixed", "exact", ZENO_FIXED);
    free_table(&t);
}

static void starts_and_limits_are_those_of_the_model(void **state) {
    (void)state;
    table t = make(SAMPLE(MORE));
    const fmi_variable *p = find(&t, "p"), *y = find(&t, "y"), *map = find(&t, "truncation.reinitialization");
    assert_true(p->has_start && y->has_start && map->has_start);
    assert_same_double(p->start, 3);
    assert_same_double(p->min, 1);
    assert_same_double(p->max, 5);
    assert_same_double(y->start, 2);
    assert_same_double(find(&t, "truncation.epsilon_t")->start, 1e-4);
    assert_same_double(find(&t, "relaxation.epsilon")->start, 0);
    assert_same_double(map->start, ZENO_KINETIC);
    assert_int_equal(map->type, ZENO_INTEGER);
    assert_string_equal(map->enumeration->name, "Reinitialization");
    assert_false(find(&t, "floor.gap")->has_start);
    free_table(&t);
}

static void derivatives_point_at_what_they_derive(void **state) {
    (void)state;
    table t = make(SAMPLE(MORE));
    const fmi_variable *rows = t.variables->rows;
    assert_ptr_equal(&rows[find(&t, "vy")->derivative_of], find(&t, "y"));
    assert_ptr_equal(&rows[find(&t, "der(vx)")->derivative_of], find(&t, "vx"));
    assert_int_equal(find(&t, "y")->derivative_of, -1);
    free_table(&t);
}

static void units_follow_from_coordinates_and_gap(void **state) {
    (void)state;
    table t = make(SAMPLE(MORE));
    assert_unit(&t, "vx", "m/s", "");
    assert_unit(&t, "der(vx)", "m/s2", "");
    assert_unit(&t, "floor.gap", "m", "");
    assert_unit(&t, "floor.lastImpactSpeed", "m/s", "");
    assert_unit(&t, "floor.acceleration", "m/s2", "");
    assert_unit(&t, "floor.force", "N", "");
    assert_unit(&t, "floor.lastImpulse", "N.s", "");
    assert_unit(&t, "floor.zeno.time", "s", "");
    assert_unit(&t, "floor.zeno.velocityBound", "m/s", "");
    assert_unit(&t, "truncation.epsilon_q", "m", "");
    assert_unit(&t, "energy.kinetic", "J", "");
    free_table(&t);
}

#define ANGLE "<coordinate name='q' rate='w' unit='rad' displayUnit='deg' start='1'/>\n"

static void angles_are_displayed_in_degrees(void **state) {
    (void)state;
    table t = make(SAMPLE_BEGIN ANGLE
                   "<kineticEnergy>w^2/2</kineticEnergy><potentialEnergy>0</potentialEnergy>\n"
                   "<constraint name='c' restitution='0' unit='rad' displayUnit='deg'>q</constraint>\n" SAMPLE_END);
    assert_unit(&t, "q", "rad", "deg");
    assert_unit(&t, "w", "rad/s", "deg/s");
    assert_unit(&t, "der(w)", "rad/s2", "deg/s2");
    assert_unit(&t, "c.gapRate", "rad/s", "deg/s");
    assert_unit(&t, "c.force", "N.m/rad", "");
    assert_unit(&t, "c.lastImpulse", "N.m.s/rad", "");
    free_table(&t);
}

static void a_gap_without_dimension_gives_forces_in_joules(void **state) {
    (void)state;
    table t = make(SAMPLE_BEGIN ANGLE "<kineticEnergy>w^2/2</kineticEnergy><potentialEnergy>0</potentialEnergy>\n"
                                      "<constraint name='c' restitution='0' unit='1'>cos(q)</constraint>\n" SAMPLE_END);
    assert_unit(&t, "c.gapRate", "1/s", "");
    assert_unit(&t, "c.force", "J", "");
    assert_unit(&t, "c.lastImpulse", "J.s", "");
    free_table(&t);
}

static void nothing_is_claimed_of_units_that_are_not_known(void **state) {
    (void)state;
    table t = make(SAMPLE_BEGIN "<coordinate name='q' rate='w' start='1'/><coordinate name='z' rate='vz' unit='m'/>\n"
                                "<kineticEnergy>w^2 + vz^2</kineticEnergy><potentialEnergy>0</potentialEnergy>\n"
                                "<constraint name='c' restitution='0' unit='m'>q</constraint>\n" SAMPLE_END);
    assert_unit(&t, "w", "", "");
    assert_unit(&t, "c.gapRate", "m/s", "");
    assert_unit(&t, "c.force", "", "");
    assert_unit(&t, "c.lastImpulse", "", "");
    assert_unit(&t, "c.zeno.positionBound", "", "");
    assert_unit(&t, "energy.potential", "", "");
    free_table(&t);
    t = make(SAMPLE("<parameter name='length' value='1' unit='mm'/>"));
    assert_unit(&t, "energy.potential", "", "");
    free_table(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(variables_stand_in_a_fixed_order),
        cmocka_unit_test(hosts_are_told_what_they_may_do),
        cmocka_unit_test(a_parameter_of_the_gap_is_fixed),
        cmocka_unit_test(starts_and_limits_are_those_of_the_model),
        cmocka_unit_test(derivatives_point_at_what_they_derive),
        cmocka_unit_test(units_follow_from_coordinates_and_gap),
        cmocka_unit_test(angles_are_displayed_in_degrees),
        cmocka_unit_test(a_gap_without_dimension_gives_forces_in_joules),
        cmocka_unit_test(nothing_is_claimed_of_units_that_are_not_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
