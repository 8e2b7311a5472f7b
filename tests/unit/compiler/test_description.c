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
#include <libxml/parser.h>

#include "guid.h"
#include "sample_model.h"
#include "write.h"

typedef void (*writer)(const model_file *model, const model_equations *equations, const variable_table *variables,
                       text *out);

static void describe(const model_file *model, const model_equations *equations, const variable_table *variables,
                     text *out) {
    write_description(model, equations, variables, "{guid}", out);
}

// What is written of a model; the caller frees it.
static char *written(const char *content, writer write) {
    sample s = read_good(content);
    diagnostics d = {.file = "m.xml"};
    model_equations *equations = equations_derive(s.model, &d);
    variable_table *variables = variables_make(s.model, &d);
    assert_non_null(equations);
    assert_non_null(variables);
    text out = {0};
    write(s.model, equations, variables, &out);
    assert_false(out.failed);
    variables_free(variables);
    equations_free(equations);
    sample_free(&s);
    return out.data;
}

static void assert_contains(const char *document, const char *part) {
    if (!strstr(document, part)) fail_msg("%s\nis not in\n%s", part, document);
}

static void assert_well_formed(const char *document) {
    xmlDoc *parsed = xmlReadMemory(document, (int)strlen(document), NULL, NULL, XML_PARSE_NONET);
    assert_non_null(parsed);
    xmlFreeDoc(parsed);
}

// The dependencies of the variable `name`, as FMI's indices.
static void assert_dependencies(const char *document, const char *name, const char *expected) {
    char pattern[100], unknown[100];
    snprintf(pattern, sizeof pattern, "<ScalarVariable name=\"%s\" valueReference=\"", name);
    const char *at = strstr(document, pattern);
    assert_non_null(at);
    const int index = atoi(at + strlen(pattern)) + 1;
    snprintf(unknown, sizeof unknown, "<Unknown index=\"%d\" dependencies=\"%s\"%s", index, expected,
             expected[0] ? " dependenciesKind=\"dependent" : "/>");
    assert_contains(document, unknown);
}

// x and y hang together by the gap, z stands alone; the inputs are the variables 8, 9 and 10.
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
    assert_dependencies(document, "x", "");
    assert_dependencies(document, "vx", "");
    assert_dependencies(document, "der(vx)", "8");
    assert_dependencies(document, "der(vy)", "8");
    assert_dependencies(document, "der(vz)", "9");
    assert_dependencies(document, "c.gap", "");
    assert_dependencies(document, "c.acceleration", "8");
    assert_dependencies(document, "c.force", "8");
    assert_dependencies(document, "c.impacts", "");
    assert_dependencies(document, "energy.kinetic", "");
    assert_dependencies(document, "push", "10");
    assert_dependencies(document, "mixed", "9 10");
    assert_dependencies(document, "load", "8");
    assert_dependencies(document, "place", "");
    free(document);
}

static void a_model_without_inputs_is_described(void **state) {
    (void)state;
    char *document = written(SAMPLE(""), describe);
    assert_well_formed(document);
    assert_dependencies(document, "der(vx)", "");
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
        cmocka_unit_test(a_model_without_inputs_is_described),
        cmocka_unit_test(units_are_defined_with_base_and_display_units),
        cmocka_unit_test(the_head_and_the_experiment_are_complete),
        cmocka_unit_test(descriptions_are_escaped),
        cmocka_unit_test(the_equations_are_written_for_people),
        cmocka_unit_test(a_guid_depends_on_every_part_and_where_parts_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
