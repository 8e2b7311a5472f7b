// What is written of hybrid systems: variables, FMI's modelDescription.xml, C, and the pages for people.

#define _POSIX_C_SOURCE 200809L

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sample_model.h"
#include "written_model.h"

// A mass that hangs on a spring below 0; how it is let go is a choice.
#define CONTACT                                                                                                        \
    "<hybridSystem xmlns='urn:zenofmu:model:1' name='Contact' description='against a spring'>\n"                       \
    "<parameter name='k' value='100' unit='N/m' above='0'/>\n"                                                         \
    "<parameter name='release' value='dynamic' description='when it is over'>\n"                                       \
    "<choice name='kinematic' description='x &gt;= 0'/><choice name='dynamic'/></parameter>\n"                         \
    "<parameter name='scale' value='3'/><parameter name='unused' value='1'/>\n"                                        \
    "<input name='F' unit='N'/><input name='G' start='2'/>\n"                                                          \
    "<state name='x' unit='mm' displayUnit='m' start='1' nominal='0.5' description='place'/><state name='v'/>\n"       \
    "<held name='deepest' unit='mm' start='-1' description='lowest x'/><held name='hits'/>\n"                          \
    "<output name='place'>scale*x</output><output name='speed'>v + G</output><output name='count'>hits</output>\n"     \
    "<mode name='flight' description='nothing touches' initial='true'>\n"                                              \
    "<derivative of='x'>v</derivative><derivative of='v'>F</derivative>\n"                                             \
    "<transition to='contact' falling='x'><reset of='hits'>hits + 1</reset></transition></mode>\n"                     \
    "<mode name='contact'><derivative of='x'>v</derivative><derivative of='v'>F - k*x</derivative>\n"                  \
    "<output name='force' unit='N'>-k*x</output>\n"                                                                    \
    "<update rising='v' description='it turns'><reset of='deepest'>min(x, deepest)</reset></update>\n"                 \
    "<transition to='flight' rising='x' when='release == kinematic'/>\n"                                               \
    "<transition to='flight' falling='-k*x' when='release == dynamic'>"                                                \
    "<reset of='v'>v/2</reset><reset of='x'>0</reset></transition></mode>\n"                                           \
    "<experiment stopTime='2' stepSize='0.1' tolerance='1e-9'/>\n"                                                     \
    "</hybridSystem>\n"

// ---- variables

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

typedef struct expected_row {
    const char *name;
    zeno_quantity quantity;
    int index;
    zeno_type type;
    zeno_access access;
    const char *causality, *variability, *initial;
} expected_row;

static const expected_row ROWS[] = {
    {"k", ZENO_PARAMETER, 0, ZENO_REAL, ZENO_TUNABLE, "parameter", "tunable", "exact"},
    {"release", ZENO_PARAMETER, 1, ZENO_INTEGER, ZENO_TUNABLE, "parameter", "tunable", "exact"},
    {"scale", ZENO_PARAMETER, 2, ZENO_REAL, ZENO_TUNABLE, "parameter", "tunable", "exact"},
    {"unused", ZENO_PARAMETER, 3, ZENO_REAL, ZENO_TUNABLE, "parameter", "tunable", "exact"},
    {"relaxation.epsilon", ZENO_SETTING, ZENO_RELAXATION, ZENO_REAL, ZENO_TUNABLE, "parameter", "tunable", "exact"},
    {"solver.tolerance", ZENO_SETTING, ZENO_TOLERANCE, ZENO_REAL, ZENO_FIXED, "parameter", "fixed", "exact"},
    {"F", ZENO_INPUT, 0, ZENO_REAL, ZENO_LIVE, "input", "continuous", ""},
    {"G", ZENO_INPUT, 1, ZENO_REAL, ZENO_LIVE, "input", "continuous", ""},
    {"x", ZENO_STATE, 0, ZENO_REAL, ZENO_START, "output", "continuous", "exact"},
    {"v", ZENO_STATE, 1, ZENO_REAL, ZENO_START, "output", "continuous", "exact"},
    {"deepest", ZENO_HELD, 0, ZENO_REAL, ZENO_START, "output", "discrete", "exact"},
    {"hits", ZENO_HELD, 1, ZENO_REAL, ZENO_START, "output", "discrete", "exact"},
    {"mode", ZENO_MODE, 0, ZENO_INTEGER, ZENO_READ_ONLY, "output", "discrete", "calculated"},
    {"transitions", ZENO_TRANSITIONS, 0, ZENO_INTEGER, ZENO_READ_ONLY, "output", "discrete", "calculated"},
    {"lastTransitionTime", ZENO_LAST_TRANSITION_TIME, 0, ZENO_REAL, ZENO_READ_ONLY, "output", "discrete", "calculated"},
    {"place", ZENO_OUTPUT, 0, ZENO_REAL, ZENO_READ_ONLY, "output", "continuous", "calculated"},
    {"speed", ZENO_OUTPUT, 1, ZENO_REAL, ZENO_READ_ONLY, "output", "continuous", "calculated"},
    {"count", ZENO_OUTPUT, 2, ZENO_REAL, ZENO_READ_ONLY, "output", "continuous", "calculated"},
    {"force", ZENO_OUTPUT, 3, ZENO_REAL, ZENO_READ_ONLY, "output", "continuous", "calculated"},
};
enum { ROW_COUNT = sizeof ROWS / sizeof ROWS[0] };

static void variables_are_those_of_systems_with_modes(void **state) {
    (void)state;
    table t = make(CONTACT);
    assert_int_equal(t.variables->count, ROW_COUNT);
    for (int i = 0; i < ROW_COUNT; i++) {
        const fmi_variable *row = &t.variables->rows[i];
        assert_string_equal(row->name, ROWS[i].name);
        assert_int_equal(row->quantity, ROWS[i].quantity);
        assert_int_equal(row->index, ROWS[i].index);
        assert_int_equal(row->type, ROWS[i].type);
        assert_int_equal(row->access, ROWS[i].access);
        assert_string_equal(row->causality, ROWS[i].causality);
        assert_string_equal(row->variability, ROWS[i].variability);
        assert_string_equal(row->initial ? row->initial : "", ROWS[i].initial);
        assert_int_equal(row->has_start, !row->initial || strcmp(row->initial, "exact") == 0);
    }
    free_table(&t);
}

static void variables_have_the_units_and_starts_of_the_model(void **state) {
    (void)state;
    table t = make(CONTACT);
    const fmi_variable *x = &t.variables->rows[8], *deepest = &t.variables->rows[10];
    assert_string_equal(x->unit, "mm");
    assert_string_equal(x->display_unit, "m");
    assert_string_equal(x->description, "place");
    assert_same_double(x->start, 1);
    assert_same_double(x->nominal, 0.5);
    assert_same_double(t.variables->rows[9].nominal, 0);
    assert_string_equal(t.variables->rows[9].description, "state");
    assert_string_equal(deepest->unit, "mm");
    assert_same_double(deepest->start, -1);
    assert_string_equal(t.variables->rows[14].unit, "s");
    assert_string_equal(t.variables->rows[12].description,
                        "mode, counted from 0 in the order of the model file: 0 flight, 1 contact");
    assert_string_equal(t.variables->rows[18].unit, "N");
    free_table(&t);
}

static void enumerations_have_types_of_their_own(void **state) {
    (void)state;
    table t = make(CONTACT);
    const fmi_variable *release = &t.variables->rows[1];
    assert_non_null(release->enumeration);
    assert_string_equal(release->enumeration->name, "Release");
    assert_int_equal(release->enumeration->count, 2);
    assert_string_equal(release->enumeration->choices[0].name, "kinematic");
    assert_same_double(release->start, 2);
    free_table(&t);
}

// FMI: a type's name differs from those of all types and variables.
static void names_of_types_are_names_of_nothing_else(void **state) {
    (void)state;
    table t = make(SYSTEM("", "",
                          "<parameter name='way' value='a'><choice name='a'/></parameter>\n"
                          "<parameter name='Way' value='b'><choice name='b'/></parameter>\n"
                          "<output name='Way_'>x</output>"));
    assert_string_equal(t.variables->rows[1].enumeration->name, "Way__");
    assert_string_equal(t.variables->rows[2].enumeration->name, "Way___");
    free_table(&t);
}

// ---- FMI's description

static void the_description_has_types_and_variables(void **state) {
    (void)state;
    char *document = written(CONTACT, describe);
    assert_contains(document, "<TypeDefinitions>\n"
                              "    <SimpleType name=\"Release\" description=\"when it is over\">\n"
                              "      <Enumeration>\n"
                              "        <Item name=\"kinematic\" value=\"1\" description=\"x &gt;= 0\"/>\n"
                              "        <Item name=\"dynamic\" value=\"2\"/>\n");
    assert_contains(document, "<Enumeration declaredType=\"Release\" start=\"2\"/>");
    assert_contains(document, "<Real unit=\"mm\" displayUnit=\"m\" nominal=\"0.5\" start=\"1\"/>");
    assert_contains(document, "<Category name=\"logEvents\" description=\"transitions\"/>");
    assert_lacks(document, "truncation");
    assert_lacks(document, "energy");
    free(document);
}

static void without_enumerations_there_are_no_types(void **state) {
    (void)state;
    char *document = written(SYSTEM("", "", ""), describe);
    assert_lacks(document, "TypeDefinitions");
    free(document);
}

static void outputs_name_the_inputs_of_any_mode(void **state) {
    (void)state;
    char *document =
        written(SYSTEM("<output name='o'>F</output>", "<output name='o'>G + x</output><output name='p'>k*G</output>",
                       "<input name='G'/><output name='q'>x</output>"),
                describe);
    assert_dependencies(document, "Outputs", "o", "F G");
    assert_dependencies(document, "Outputs", "p", "G");
    assert_dependencies(document, "Outputs", "q", "");
    assert_dependencies(document, "Outputs", "x", "");
    assert_dependencies(document, "Outputs", "n", "");
    assert_dependencies(document, "Outputs", "mode", "");
    free(document);
}

// Which transitions are due depends on x, v, F and k by the guards and their rates, on `release` by the conditions.
// They reset x, v and `hits`, but `deepest` stands in none of the outputs.
#define OF_EVENTS "k release relaxation.epsilon solver.tolerance F x v"

static void what_a_transition_at_the_start_may_change_depends_on_all_that_decides_on_it(void **state) {
    (void)state;
    char *document = written(CONTACT, describe);
    assert_dependencies(document, "InitialUnknowns", "mode", OF_EVENTS);
    assert_dependencies(document, "InitialUnknowns", "transitions", OF_EVENTS);
    assert_dependencies(document, "InitialUnknowns", "lastTransitionTime", OF_EVENTS);
    assert_dependencies(document, "InitialUnknowns", "force", OF_EVENTS);
    assert_dependencies(document, "InitialUnknowns", "place",
                        "k release scale relaxation.epsilon solver.tolerance F x v");
    assert_dependencies(document, "InitialUnknowns", "speed", "k release relaxation.epsilon solver.tolerance F G x v");
    assert_dependencies(document, "InitialUnknowns", "count",
                        "k release relaxation.epsilon solver.tolerance F x v hits");
    free(document);
}

static void what_no_transition_changes_depends_on_its_own_expression(void **state) {
    (void)state;
    char *document = written(SYSTEM("", "<transition to='down' falling='v'><reset of='n'>F*k + v</reset></transition>",
                                    "<output name='o'>x + k*F</output><output name='p'>n</output>"),
                             describe);
    assert_dependencies(document, "InitialUnknowns", "o", "k F x");
    assert_dependencies(document, "InitialUnknowns", "p", "k relaxation.epsilon solver.tolerance F x v n");
    free(document);
}

static void modes_that_cannot_be_reached_do_not_count(void **state) {
    (void)state;
    const char content[] =
        "<hybridSystem xmlns='urn:zenofmu:model:1' name='S'>\n"
        "<input name='F'/><input name='G'/><state name='x'/>\n"
        "<mode name='a' initial='true'><derivative of='x'>1</derivative><output name='o'>F</output></mode>\n"
        "<mode name='b'><derivative of='x'>1</derivative><output name='o'>G</output>\n"
        "<transition to='a' falling='x'/></mode>\n" SYSTEM_END;
    sample s = sample_read(content); // with a warning
    assert_non_null(s.model);
    diagnostics d = {.file = "m.xml"};
    model_equations *equations = equations_derive(s.model, &d);
    variable_table *variables = variables_make(s.model, &d);
    text document = {0};
    describe(s.model, equations, variables, &document);
    assert_dependencies(document.data, "Outputs", "o", "F");
    assert_dependencies(document.data, "InitialUnknowns", "o", "F");
    assert_dependencies(document.data, "InitialUnknowns", "mode", "");
    text_free(&document);
    variables_free(variables);
    equations_free(equations);
    sample_free(&s);
}

// ---- C

static void every_mode_has_its_functions_and_its_transitions(void **state) {
    (void)state;
    char *source = written(CONTACT, write_source);
    assert_contains(source, "static void rates_of_contact(const zeno_point *x, const double *input_rates,\n"
                            "                    double *states, double *guards) {\n"
                            "    (void)input_rates;\n"
                            "    states[0] = x->q[1];\n");
    assert_contains(source, "    g[1] = t1 ? -x->q[0] : 1.0;\n");
    assert_contains(source, "static void reset_2_of_contact(const zeno_point *x, double *states, double *held) {\n"
                            "    (void)held;\n    states[0] = 0.0;\n    states[1] = ");
    assert_contains(source, "static const zeno_transition transitions_of_contact[] = {\n"
                            "    {.guard = \"v rises\", .to = 1, .update = true, .reset = reset_0_of_contact},\n"
                            "    {.guard = \"x rises\", .to = 0, .update = false},\n"
                            "    {.guard = \"-k*x falls\", .to = 0, .update = false, .reset = reset_2_of_contact},\n");
    assert_contains(source, "static const zeno_hybrid hybrid = {.modes = 2, .initial = 0, .mode = modes};\n");
    free(source);
}

static void the_descriptor_is_that_of_a_system_with_modes(void **state) {
    (void)state;
    char *source = written(CONTACT, write_source);
    assert_contains(source, "    .states = 2,\n    .held = 2,\n    .guards = 3,\n");
    assert_contains(source, "static const double state_nominal[] = {0.5, 1.0};\n");
    assert_contains(source, "static const char *const held_name[] = {\"deepest\", \"hits\"};\n");
    assert_contains(source, "    {1.0, 2.0, false, false},\n");
    assert_contains(source, "    {\"release\", ZENO_PARAMETER, 1, ZENO_INTEGER, ZENO_TUNABLE},\n");
    assert_contains(source, "    {\"lastTransitionTime\", ZENO_LAST_TRANSITION_TIME, 0, ZENO_REAL, ZENO_READ_ONLY},\n");
    assert_contains(source, "    .hybrid = &hybrid,\n};\n");
    assert_lacks(source, "lagrangian");
    assert_lacks(source, "coordinate");
    free(source);
}

// Settings without variables must pass the engine's checks.
static void settings_without_variables_have_their_defaults(void **state) {
    (void)state;
    char *source = written(CONTACT, write_source);
    assert_contains(source, "[ZENO_EPSILON_Q] = 0.0001,\n");
    assert_contains(source, "[ZENO_REINITIALIZATION] = 1.0,\n");
    assert_contains(source, "[ZENO_TOLERANCE] = 0.0,\n");
    free(source);
}

static void a_mode_without_transitions_has_no_table(void **state) {
    (void)state;
    char *source = written("<hybridSystem xmlns='urn:zenofmu:model:1' name='S'>\n<state name='x'/>\n"
                           "<mode name='only' initial='true'><derivative of='x'>1</derivative></mode>\n" SYSTEM_END,
                           write_source);
    assert_lacks(source, "zeno_transition");
    assert_contains(source, "        .transitions = 0,\n        .rates = rates_of_only,\n");
    assert_contains(source, "    (void)guards;\n");
    free(source);
}

// ---- for people

static void summarize(const model_file *model, const model_equations *equations, const variable_table *variables,
                      text *out) {
    (void)equations;
    write_summary(model, variables, out);
}

static void list_equations(const model_file *model, const model_equations *equations, const variable_table *variables,
                           text *out) {
    (void)variables;
    write_equations(model, equations, out);
}

static void the_summary_tells_the_modes(void **state) {
    (void)state;
    char *summary = written(CONTACT, summarize);
    assert_contains(summary, "states\n  x [mm] = 1  (place)\n  v = 0\n");
    assert_contains(summary, "held variables\n  deepest [mm] = -1  (lowest x)\n");
    assert_contains(summary, "modes\n"
                             "  0 flight, initial  (nothing touches)\n"
                             "      to contact where x falls\n"
                             "  1 contact\n"
                             "      update where v rises\n"
                             "      to flight where x rises, if release == kinematic\n");
    assert_contains(summary, "  release = dynamic, one of kinematic, dynamic, tunable  (when it is over)\n");
    assert_contains(summary, "  force [N] in contact\n");
    free(summary);
}

static void the_equations_tell_what_holds_in_each_mode(void **state) {
    (void)state;
    char *equations = written(CONTACT, list_equations);
    assert_string_equal(equations, "mode flight\n"
                                   "  der(x) = v\n"
                                   "  der(v) = F\n"
                                   "  force = 0\n"
                                   "  to contact where x falls through 0: hits = hits + 1\n"
                                   "\n"
                                   "mode contact\n"
                                   "  der(x) = v\n"
                                   "  der(v) = F - x*k\n"
                                   "  force = -x*k\n"
                                   "  update where v rises through 0: deepest = min(x, deepest)\n"
                                   "  to flight where x rises through 0, if release == kinematic\n"
                                   "  to flight where -x*k falls through 0, if release == dynamic: x = 0, v = 0.5*v\n");
    free(equations);
}

static void the_page_has_a_table_of_transitions(void **state) {
    (void)state;
    char *page = written(CONTACT, write_documentation);
    assert_well_formed(page);
    assert_contains(page, "<li><code>flight</code> nothing touches (initial)</li>\n");
    assert_contains(page, "<tr><td><code>contact</code></td><td><code>flight</code></td>"
                          "<td><code>-x*k falls through 0</code></td><td><code>release == dynamic</code></td>"
                          "<td><code>x = 0, v = 0.5*v</code></td><td></td></tr>\n");
    assert_contains(page, "<td>update of <code>contact</code></td>");
    assert_contains(page, "<td>it turns</td>");
    assert_contains(page, "1 <code>kinematic</code>, 2 <code>dynamic</code>");
    assert_contains(page, "Modes and transitions");
    assert_lacks(page, "truncation");
    free(page);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(variables_are_those_of_systems_with_modes),
        cmocka_unit_test(variables_have_the_units_and_starts_of_the_model),
        cmocka_unit_test(enumerations_have_types_of_their_own),
        cmocka_unit_test(names_of_types_are_names_of_nothing_else),
        cmocka_unit_test(the_description_has_types_and_variables),
        cmocka_unit_test(without_enumerations_there_are_no_types),
        cmocka_unit_test(outputs_name_the_inputs_of_any_mode),
        cmocka_unit_test(what_a_transition_at_the_start_may_change_depends_on_all_that_decides_on_it),
        cmocka_unit_test(what_no_transition_changes_depends_on_its_own_expression),
        cmocka_unit_test(modes_that_cannot_be_reached_do_not_count),
        cmocka_unit_test(every_mode_has_its_functions_and_its_transitions),
        cmocka_unit_test(the_descriptor_is_that_of_a_system_with_modes),
        cmocka_unit_test(settings_without_variables_have_their_defaults),
        cmocka_unit_test(a_mode_without_transitions_has_no_table),
        cmocka_unit_test(the_summary_tells_the_modes),
        cmocka_unit_test(the_equations_tell_what_holds_in_each_mode),
        cmocka_unit_test(the_page_has_a_table_of_transitions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
