// FMI's modelDescription.xml, the documentation page and the GUID. That the description follows FMI's schema and rules
// is tested with FMPy on the finished FMUs.

#define _POSIX_C_SOURCE 200809L

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "guid.h"
#include "sample_model.h"
#include "written_model.h"

// x and y hang together by the gap, z stands alone.
#define THREE                                                                                                          \
    SAMPLE_BEGIN                                                                                                       \
    "<coordinate name='x' rate='vx'/><coordinate name='y' rate='vy' start='2'/><coordinate name='z' rate='vz'/>\n"     \
    "<force name='Fx' on='x'/><force name='Fz' on='z'/><input name='u'/>\n"                                            \
    "<kineticEnergy>(vx^2 + vy^2 + vz^2)/2</kineticEnergy><potentialEnergy>y</potentialEnergy>\n"                      \
    "<constraint name='c' restitution='0'>y - sin(x)</constraint>\n"                                                   \
    "<output name='push'>u*x</output><output name='mixed'>u + der(vz)</output><output name='load'>c.force</output>\n"  \
    "<output name='place'>x + vx</output>\n" SAMPLE_END

static void outputs_name_the_inputs_that_reach_them_at_once(void **state) {
    (void)state;
    char *document = written(THREE, describe);
    assert_dependencies(document, "Outputs", "x", "");
    assert_dependencies(document, "Outputs", "vx", "");
    assert_dependencies(document, "Outputs", "der(vx)", "Fx");
    assert_dependencies(document, "Outputs", "der(vy)", "Fx");
    assert_dependencies(document, "Outputs", "der(vz)", "Fz");
    assert_dependencies(document, "Outputs", "c.gap", "");
    assert_dependencies(document, "Outputs", "c.acceleration", "Fx");
    assert_dependencies(document, "Outputs", "c.force", "Fx");
    assert_dependencies(document, "Outputs", "c.impacts", "");
    assert_dependencies(document, "Outputs", "energy.kinetic", "");
    assert_dependencies(document, "Outputs", "push", "u");
    assert_dependencies(document, "Outputs", "mixed", "Fz u");
    assert_dependencies(document, "Outputs", "load", "Fx");
    assert_dependencies(document, "Outputs", "place", "");
    free(document);
}

// An impact that is due at the start changes vy, which stands in the gap, and with it vx, but not vz. `s` is in
// nothing but an output, `w` in nothing at all.
#define AT_START                                                                                                       \
    SAMPLE_BEGIN                                                                                                       \
    "<parameter name='m' value='1'/><parameter name='g' value='1'/><parameter name='c' value='1'/>\n"                  \
    "<parameter name='e' value='0.5'/><parameter name='s' value='1'/><parameter name='w' value='1'/>\n"                \
    "<coordinate name='x' rate='vx'/><coordinate name='y' rate='vy' start='2'/><coordinate name='z' rate='vz'/>\n"     \
    "<force name='Fz' on='z'/><input name='u'/>\n"                                                                     \
    "<kineticEnergy>m/2*(vx^2 + vy^2 + vz^2 + vx*vy)</kineticEnergy><potentialEnergy>g*y</potentialEnergy>\n"          \
    "<generalizedForce on='z'>-c*vz</generalizedForce>\n"                                                              \
    "<constraint name='floor' restitution='e'>y</constraint>\n"                                                        \
    "<output name='place'>s*x + u</output><output name='free'>s*vz</output><output name='speed'>s*vx</output>\n"       \
    "<output name='all'>time</output>\n" SAMPLE_END
#define SETTINGS                                                                                                       \
    "truncation.epsilon_q truncation.epsilon_v truncation.epsilon_t truncation.reinitialization relaxation.epsilon "   \
    "stability.compute solver.tolerance "
#define OF_EVENTS "m g c e " SETTINGS "Fz x y z vx vy vz"

static void what_an_impact_at_the_start_may_change_depends_on_all_that_decides_on_it(void **state) {
    (void)state;
    char *document = written(AT_START, describe);
    static const char *const of_events[] = {
        "der(vx)",         "der(vy)",        "floor.gapRate",     "floor.acceleration",
        "floor.force",     "floor.closed",   "floor.impacts",     "floor.lastImpulse",
        "floor.zeno.time", "energy.kinetic", "energy.dissipated", "floor.stability.positionRadius"};
    for (size_t i = 0; i < sizeof of_events / sizeof of_events[0]; i++)
        assert_dependencies(document, "InitialUnknowns", of_events[i], OF_EVENTS);
    assert_dependencies(document, "InitialUnknowns", "speed", "m g c e s " SETTINGS "Fz x y z vx vy vz");
    free(document);
}

static void what_no_impact_changes_depends_on_its_own_expression(void **state) {
    (void)state;
    char *document = written(AT_START, describe);
    assert_dependencies(document, "InitialUnknowns", "der(vz)", "m c Fz vz");
    assert_dependencies(document, "InitialUnknowns", "floor.gap", "y");
    assert_dependencies(document, "InitialUnknowns", "energy.potential", "g y");
    assert_dependencies(document, "InitialUnknowns", "place", "s u x");
    assert_dependencies(document, "InitialUnknowns", "free", "s vz");
    assert_dependencies(document, "InitialUnknowns", "all", "");
    free(document);
}

static void a_model_without_inputs_is_described(void **state) {
    (void)state;
    char *document = written(SAMPLE(""), describe);
    assert_well_formed(document);
    assert_dependencies(document, "Outputs", "der(vx)", "");
    free(document);
}

static void units_are_defined_with_base_and_display_units(void **state) {
    (void)state;
    char *document = written(SAMPLE("<parameter name='k' value='1' unit='kN/m' displayUnit='N/m'/>\n"
                                    "<parameter name='t' value='20' unit='degC' displayUnit='K'/>"),
                             describe);
    assert_contains(document, "<BaseUnit kg=\"1\" s=\"-2\" factor=\"1000\"/>\n"
                              "      <DisplayUnit name=\"N/m\" factor=\"1000\"/>");
    assert_contains(document,
                    "<BaseUnit K=\"1\" offset=\"273.15\"/>\n      <DisplayUnit name=\"K\" offset=\"273.15\"/>");
    free(document);
}

static void the_head_and_the_experiment_are_complete(void **state) {
    (void)state;
    char *document = written(SAMPLE("<experiment stopTime='2' stepSize='0.1' tolerance='1e-9'/>"), describe);
    assert_contains(document, "fmiVersion=\"2.0\" modelName=\"Sample\" guid=\"{guid}\"");
    assert_contains(document, "<CoSimulation modelIdentifier=\"Sample\"");
    assert_contains(document,
                    "<DefaultExperiment startTime=\"0\" stopTime=\"2\" tolerance=\"1e-09\" stepSize=\"0.1\"/>");
    free(document);
}

static void descriptions_are_escaped(void **state) {
    (void)state;
    static const char content[] = SAMPLE("<parameter name='p' value='1' description='&lt;b&gt; &amp; \"c\"'/>");
    char *document = written(content, describe), *page = written(content, write_documentation);
    assert_well_formed(document);
    assert_well_formed(page);
    assert_contains(page, "<td>&lt;b&gt; &amp; \"c\"</td>");
    free(document);
    free(page);
}

static void the_equations_are_written_for_people(void **state) {
    (void)state;
    char *page = written(THREE, write_documentation);
    assert_contains(page, "M(x, x) = 1\n");
    assert_contains(page, "b(x) = -Fx\n");
    assert_contains(page, "J(c, x) = -cos(x)\n");
    free(page);
}

static void a_guid_depends_on_every_part_and_where_parts_end(void **state) {
    (void)state;
    char a[GUID_SIZE], b[GUID_SIZE], c[GUID_SIZE];
    guid_make((const char *const[]){"ab", "c"}, 2, a);
    guid_make((const char *const[]){"a", "bc"}, 2, b);
    guid_make((const char *const[]){"ab", "c"}, 2, c);
    assert_string_not_equal(a, b);
    assert_string_equal(a, c);
    // The hash of one byte 0, computed with Python's integers.
    guid_make((const char *const[]){""}, 1, a);
    assert_string_equal(a, "{d228cb69-101a-8caf-7891-2b704e4a147f}");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outputs_name_the_inputs_that_reach_them_at_once),
        cmocka_unit_test(what_an_impact_at_the_start_may_change_depends_on_all_that_decides_on_it),
        cmocka_unit_test(what_no_impact_changes_depends_on_its_own_expression),
        cmocka_unit_test(a_model_without_inputs_is_described),
        cmocka_unit_test(units_are_defined_with_base_and_display_units),
        cmocka_unit_test(the_head_and_the_experiment_are_complete),
        cmocka_unit_test(descriptions_are_escaped),
        cmocka_unit_test(the_equations_are_written_for_people),
        cmocka_unit_test(a_guid_depends_on_every_part_and_where_parts_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
