// Model files: what is read of a good one, and what each kind of bad one is told.

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

// The value of an expression at the start of its model.
static double start_value(const model_file *model, expr x) {
    return expr_evaluate(model->graph, x, model_start_value, (void *)model);
}

// ---- good models

static void a_model_is_read_as_it_stands(void **state) {
    (void)state;
    sample s =
        read_good(SAMPLE("<parameter name='m' value='2*pi' unit='kg' above='0' max='10' description='a  mass'/>\n"
                         "<input name='u' unit='N' start='-3'/>\n"
                         "<experiment startTime='1' stopTime='4*pi' stepSize='1e-3' tolerance='1e-9'/>"));
    const model_file *model = s.model;
    assert_string_equal(model->name, "Sample");
    assert_int_equal(model->coordinate_count, 2);
    assert_string_equal(model->coordinates[1].about.name, "y");
    assert_string_equal(model->coordinates[1].rate, "vy");
    assert_same_double(model->coordinates[1].start, 2);
    assert_same_double(model->coordinates[1].nominal, 1);
    assert_false(model->coordinates[1].has_nominal);
    const model_parameter *m = &model->parameters[0];
    assert_same_double(m->value, 2 * acos(-1));
    assert_string_equal(m->about.unit, "kg");
    assert_string_equal(m->about.description, "a mass");
    assert_int_equal(m->about.line, 7);
    assert_same_double(m->min, 0);
    assert_true(m->min_excluded);
    assert_same_double(m->max, 10);
    assert_false(m->max_excluded);
    assert_int_equal(model->inputs[0].on, -1);
    assert_same_double(model->inputs[0].start, -3);
    assert_same_double(model->start_time, 1);
    assert_same_double(model->stop_time, 4 * acos(-1));
    assert_same_double(model->step_size, 1e-3);
    assert_same_double(model->tolerance, 1e-9);
    sample_free(&s);
}

static void what_is_not_given_has_defaults(void **state) {
    (void)state;
    sample s = read_good(SAMPLE("<parameter name='p' value='1'/>"));
    assert_same_double(s.model->start_time, 0);
    assert_same_double(s.model->stop_time, 10);
    assert_same_double(s.model->step_size, 0.01);
    assert_same_double(s.model->tolerance, 1e-8);
    assert_same_double(s.model->coordinates[0].start, 0);
    assert_string_equal(s.model->description, "");
    assert_true(isinf(s.model->parameters[0].min) && isinf(s.model->parameters[0].max));
    sample_free(&s);
}

static void the_order_of_declarations_does_not_matter(void **state) {
    (void)state;
    sample s = read_good(SAMPLE_BEGIN
                         "<force name='F' on='x'/>\n"
                         "<define name='height'>scale*y</define>\n" SAMPLE_CONSTRAINT SAMPLE_ENERGIES SAMPLE_COORDINATES
                         "<parameter name='scale' value='3'/>\n" SAMPLE_END);
    assert_int_equal(s.model->inputs[0].on, 0);
    assert_same_double(start_value(s.model, s.model->definitions[0].value), 6);
    sample_free(&s);
}

static void forces_on_a_coordinate_add_up(void **state) {
    (void)state;
    sample s = read_good(SAMPLE("<input name='u' start='5'/><force name='F' on='x'/>\n"
                                "<generalizedForce on='x'>3*u</generalizedForce>\n"
                                "<generalizedForce on='x'>y + time</generalizedForce>"));
    assert_same_double(start_value(s.model, s.model->coordinates[0].force), 17);
    assert_true(expr_is_constant(s.model->graph, s.model->coordinates[1].force, 0));
    expr_symbol F = {SYMBOL_INPUT, 1};
    assert_string_equal(model_symbol_name(s.model, F), "F");
    sample_free(&s);
}

static void der_follows_the_motion(void **state) {
    (void)state;
    sample s = read_good(SAMPLE("<define name='r2'>x^2 + y^2</define>\n"
                                "<define name='clock'>time^2</define>\n"
                                "<output name='a'>der(r2) - 2*(x*vx + y*vy)</output>\n"
                                "<output name='b'>der(der(y))</output>\n"
                                "<output name='c'>der(clock) - 2*time</output>\n"
                                "<output name='d'>der(vx) + floor.force</output>"));
    const model_file *model = s.model;
    assert_same_double(start_value(model, model->outputs[0].value), 0);
    assert_int_equal(model->outputs[1].value, expr_symbol_node(model->graph, SYMBOL_ACCELERATION, 1));
    assert_same_double(start_value(model, model->outputs[2].value), 0);
    const expr force = expr_symbol_node(model->graph, SYMBOL_FORCE, 0);
    const expr acceleration = expr_symbol_node(model->graph, SYMBOL_ACCELERATION, 0);
    assert_int_equal(model->outputs[3].value, expr_binary(model->graph, EXPR_ADD, acceleration, force));
    sample_free(&s);
}

static void parameters_of_the_gap_are_fixed(void **state) {
    (void)state;
    sample s = read_good(SAMPLE_BEGIN SAMPLE_COORDINATES SAMPLE_ENERGIES
                         "<parameter name='level' value='1'/><parameter name='other' value='1'/>\n"
                         "<define name='above'>y - level</define>\n"
                         "<constraint name='floor' restitution='other'>above</constraint>\n" SAMPLE_END);
    assert_true(s.model->parameters[0].fixed);
    assert_false(s.model->parameters[1].fixed);
    sample_free(&s);
}

static void c_keywords_are_good_names(void **state) {
    (void)state;
    sample s = read_good(SAMPLE("<parameter name='double' value='1'/><parameter name='int' value='1'/>\n"
                                "<define name='return'>double + int</define>"));
    sample_free(&s);
}

static void comments_cdata_and_schema_locations_are_no_trouble(void **state) {
    (void)state;
    sample s = read_good("<?xml version='1.0'?>\n<!-- a comment -->\n" SAMPLE(
        "<define name='d'><![CDATA[x + 1]]><!-- another -->*2</define>\n"
        "<experiment xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' "
        "xsi:schemaLocation='urn:zenofmu:model:1 http://localhost/zenofmu.xsd' stopTime='1'/>"));
    assert_same_double(start_value(s.model, s.model->definitions[0].value), 2);
    sample_free(&s);
}

static void a_start_inside_the_obstacle_is_a_warning(void **state) {
    (void)state;
    sample s = sample_read(SAMPLE_BEGIN SAMPLE_COORDINATES SAMPLE_ENERGIES
                           "<constraint name='floor' restitution='0.5'>y - 3</constraint>\n" SAMPLE_END);
    assert_non_null(s.model);
    assert_string_equal(
        s.messages, "m.xml:6: warning: constraint 'floor' is violated at the start: the gap is -1; expected >= 0\n");
    sample_free(&s);
}

static void the_models_of_the_repository_are_read(void **state) {
    (void)state;
    static const char *const names[] = {"BouncingBall", "BallOnSine",        "BallOnSine3D", "DoublePendulum",
                                        "CartPendulum", "SphericalPendulum", "BouncingRod",  "ImpactOscillator"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[1000];
        snprintf(path, sizeof path, "%s/%s.xml", ZENOFMU_MODELS, names[i]);
        diagnostics d = {.file = path};
        model_file *model = model_file_read(path, ZENOFMU_SCHEMA, &d);
        assert_non_null(model);
        assert_string_equal(model->name, names[i]);
        model_file_free(model);
    }
}

// ---- files that are no XML

static void malformed_xml_is_refused_with_the_line(void **state) {
    (void)state;
    assert_refused("hello", "m.xml:1: not well-formed XML: Start tag expected, '<' not found\n");
    assert_refused("", "m.xml: the file is empty; expected a model\n");
    assert_refused("<a>\n<b>\n</a>", "m.xml:3: not well-formed XML: Opening and ending tag mismatch: b line 2 and a\n");
    assert_refused(SAMPLE("<parameter name='a' name='b' value='1'/>"),
                   "m.xml:7: not well-formed XML: Attribute name redefined\n");
    assert_refused(SAMPLE("<z:parameter/>"),
                   "m.xml:7: not well-formed XML: Namespace prefix z on parameter is not defined\n");
}

static void entities_are_never_expanded(void **state) {
    (void)state;
    assert_refused("<?xml version='1.0'?>\n<!DOCTYPE bomb [\n<!ENTITY a 'aa'>\n<!ENTITY b '&a;&a;'>\n]>\n" SAMPLE(
                       "<define name='d'>&b;</define>"),
                   "m.xml:2: a document type (<!DOCTYPE ...>) is refused, and entities with it; "
                   "expected the model's root element\n");
    assert_refused("<!DOCTYPE hybridLagrangian SYSTEM 'file:///etc/passwd'>\n" SAMPLE(""),
                   "m.xml:1: a document type (<!DOCTYPE ...>) is refused, and entities with it; "
                   "expected the model's root element\n");
    assert_refused(SAMPLE("<define name='d'>&unknown;</define>"),
                   "m.xml:7: not well-formed XML: Entity 'unknown' not defined\n");
}

static void nesting_without_end_is_refused(void **state) {
    (void)state;
    enum { DEPTH = 100000 };
    char *deep = malloc(3 * DEPTH + 1);
    for (int i = 0; i < DEPTH; i++)
        memcpy(deep + 3 * i, "<a>", 3);
    deep[3 * DEPTH] = '\0';
    sample s = sample_read(deep);
    assert_null(s.model);
    sample_free(&s);
    free(deep);
}

static void assert_unreadable(const char *path, const char *schema, const char *message) {
    char buffer[300] = "";
    diagnostics d = {.file = "m.xml", .stream = fmemopen(buffer, sizeof buffer, "w")};
    assert_null(model_file_read(path, schema, &d));
    fclose(d.stream);
    assert_int_equal(d.errors, 1);
    assert_string_equal(buffer, message);
}

static void a_file_that_can_not_be_read_is_told(void **state) {
    (void)state;
    assert_unreadable("/nonexistent/m.xml", ZENOFMU_SCHEMA, "m.xml: can't be opened: No such file or directory\n");
    assert_unreadable("/tmp", ZENOFMU_SCHEMA, "m.xml: can't be read: Is a directory\n");
    assert_unreadable("/dev/zero", ZENOFMU_SCHEMA, "m.xml: the file is larger than 16 MB; expected a model\n");
    assert_unreadable(ZENOFMU_MODELS "/BouncingBall.xml", "/nonexistent.xsd",
                      "m.xml: can't be checked: the schema '/nonexistent.xsd' can't be read\n");
}

// ---- files that don't follow the schema

static void a_wrong_root_is_refused(void **state) {
    (void)state;
    assert_refused("<hybridLagragian xmlns='urn:zenofmu:model:1'/>",
                   "m.xml:1: the root element is 'hybridLagragian'; expected 'hybridLagrangian' or "
                   "'hybridSystem'\n");
    assert_refused("<hybridLagrangian xmlns='urn:zenofmu:model:2' name='A'/>",
                   "m.xml:1: element 'hybridLagrangian' is in the namespace 'urn:zenofmu:model:2'; "
                   "expected xmlns=\"urn:zenofmu:model:1\"\n");
    assert_refused(
        "<hybridLagrangian name='A'/>",
        "m.xml:1: element 'hybridLagrangian' is in the namespace ''; expected xmlns=\"urn:zenofmu:model:1\"\n");
}

static void misspelt_elements_and_attributes_are_told_with_the_near_name(void **state) {
    (void)state;
    assert_refused(SAMPLE("<paramter name='q' value='1'/>\n<kineticenergy>1</kineticenergy>\n<foo/>\n"
                          "<parameter xmlns='' name='q' value='1'/>"),
                   "m.xml:7: unknown element 'paramter' in hybridLagrangian; did you mean 'parameter'?\n"
                   "m.xml:8: unknown element 'kineticenergy' in hybridLagrangian; did you mean 'kineticEnergy'?\n"
                   "m.xml:9: unknown element 'foo' in hybridLagrangian\n"
                   "m.xml:10: element 'parameter' is in the namespace ''; expected xmlns=\"urn:zenofmu:model:1\"\n");
    assert_refused(SAMPLE("<parameter name='q' valeu='1'/>\n<parameter name='r' value='1' colour='red'/>"),
                   "m.xml:7: parameter has no attribute 'valeu'; did you mean 'value'?\n"
                   "m.xml:8: parameter has no attribute 'colour'\n");
}

static void what_is_missing_or_misplaced_is_told(void **state) {
    (void)state;
    assert_refused(SAMPLE("<parameter name='q'/>\n<parameter value='1'/>\n<generalizedForce>1</generalizedForce>"),
                   "m.xml:7: parameter 'q' needs the attribute 'value'\n"
                   "m.xml:8: parameter needs the attribute 'name'\n"
                   "m.xml:9: generalizedForce needs the attribute 'on'\n");
    assert_refused(SAMPLE("<force name='a' on='x'>x</force>\n<define name='q'>1<b/></define>\n"
                          "<parameter name='b' value='1'>2</parameter>"),
                   "m.xml:7: force has content; expected an empty element\n"
                   "m.xml:8: define contains an element; expected an expression\n"
                   "m.xml:9: text between the elements of parameter; expected elements only\n");
    assert_refused(SAMPLE("stray\nwords"),
                   "m.xml:7: text between the elements of hybridLagrangian; expected elements only\n");
}

static void names_are_c_like_identifiers(void **state) {
    (void)state;
    assert_refused(SAMPLE("<parameter name='2x' value='1'/>\n<parameter name='a b' value='1'/>\n"
                          "<coordinate name='z' rate='der(z)'/>"),
                   "m.xml:7: parameter: '2x' is not a name; expected letters, digits and '_', no digit first\n"
                   "m.xml:8: parameter: 'a b' is not a name; expected letters, digits and '_', no digit first\n"
                   "m.xml:9: coordinate: 'der(z)' is not a name; expected letters, digits and '_', no digit first\n");
    assert_refused("<hybridLagrangian xmlns='urn:zenofmu:model:1' name='My Model'/>",
                   "m.xml:1: hybridLagrangian: 'My Model' is not a name; expected letters, digits and '_', "
                   "no digit first\n");
}

// ---- names, numbers, units

static void reserved_and_doubled_names_are_refused(void **state) {
    (void)state;
    assert_refused(SAMPLE("<parameter name='sin' value='1'/>\n<parameter name='time' value='1'/>\n"
                          "<define name='energy'>1</define>\n<define name='d'>energy</define>"),
                   "m.xml:7: the name 'sin' of this parameter is reserved; expected another name\n"
                   "m.xml:8: the name 'time' of this parameter is reserved; expected another name\n"
                   "m.xml:9: the name 'energy' of this definition is reserved; expected another name\n");
    assert_refused(SAMPLE("<parameter name='x' value='1'/>\n<input name='vy'/>\n<define name='floor'>1</define>\n"
                          "<coordinate name='z' rate='z'/>"),
                   "m.xml:7: the name 'x' of this parameter is taken: it is the coordinate of line 2\n"
                   "m.xml:8: the name 'vy' of this input is taken: it is the rate of line 3\n"
                   "m.xml:9: the name 'floor' of this definition is taken: it is the constraint of line 6\n"
                   "m.xml:10: the name 'z' of this rate is taken: it is the coordinate of line 10\n");
}

static void limits_must_hold_for_the_default(void **state) {
    (void)state;
    assert_refused(SAMPLE("<parameter name='a' value='1' min='2' max='0'/>\n<parameter name='b' value='1' min='2'/>\n"
                          "<parameter name='c' value='0' above='0'/>\n<parameter name='d' value='2' below='2'/>\n"
                          "<parameter name='f' value='3' max='2'/>\n<parameter name='h' value='3' min='1' above='1'/>\n"
                          "<parameter name='i' value='1' min='1' below='1'/>"),
                   "m.xml:7: parameter 'a': no value lies between its limits 2 and 0; expected min <= max\n"
                   "m.xml:8: parameter 'b': its value 1 is outside its own limits; expected at least 2\n"
                   "m.xml:9: parameter 'c': its value 0 is outside its own limits; expected above 0\n"
                   "m.xml:10: parameter 'd': its value 2 is outside its own limits; expected below 2\n"
                   "m.xml:11: parameter 'f': its value 3 is outside its own limits; expected at most 2\n"
                   "m.xml:12: parameter 'h' has 'min' and 'above'; expected one of them\n"
                   "m.xml:13: parameter 'i': no value lies between its limits 1 and 1; expected min < below\n");
}

static void numbers_are_finite_constant_expressions(void **state) {
    (void)state;
    assert_refused(SAMPLE("<parameter name='a' value='x'/>\n<parameter name='b' value='1/0' min='3'/>\n"
                          "<parameter name='c' value='2*(3'/>\n<parameter name='d' value=''/>\n"
                          "<parameter name='f' value='der(1)'/>\n<parameter name='h' value='exp(1000)'/>\n"
                          "<coordinate name='z' rate='vz' start='sqrt(-1)' nominal='0'/>"),
                   "m.xml:7: value of parameter 'a': 'x' can't be used here; "
                   "expected a constant expression: numbers, pi, functions\n"
                   "m.xml:8: value of parameter 'b': division by zero\n"
                   "m.xml:9: value of parameter 'c': expected ')' before the end of the expression\n"
                   "m.xml:10: value of parameter 'd': the expression is empty\n"
                   "m.xml:11: value of parameter 'f': der() can't be used here; "
                   "expected a constant expression: numbers, pi, functions\n"
                   "m.xml:12: value of parameter 'h': the result of 'exp' is not a finite number\n"
                   "m.xml:13: start of coordinate 'z': the result of 'sqrt' is not a finite number\n"
                   "m.xml:13: nominal of coordinate 'z' is 0; expected a positive size\n");
}

static void units_must_parse_and_fit(void **state) {
    (void)state;
    assert_refused(SAMPLE("<parameter name='a' value='1' unit='furlong'/>\n"
                          "<parameter name='b' value='1' unit='m' displayUnit='deg'/>\n"
                          "<parameter name='c' value='1' displayUnit='deg'/>\n"
                          "<parameter name='d' value='1' unit='rad' displayUnit='dg'/>\n"
                          "<parameter name='f' value='1' unit='m10'/>"),
                   "m.xml:7: parameter 'a': unit 'furlong': unknown unit 'furlong' at position 1; "
                   "products are written 'N.m', powers 'm/s2'\n"
                   "m.xml:8: parameter 'b': 'm' can't be displayed in 'deg'; expected units of the same kind\n"
                   "m.xml:9: parameter 'c' has a displayUnit but no unit; expected both\n"
                   "m.xml:10: parameter 'd': 'rad' can't be displayed in 'dg'; expected units of the same kind\n"
                   "m.xml:11: parameter 'f': unit 'm10': expected fewer factors and smaller exponents\n");
}

static void an_experiment_must_make_sense(void **state) {
    (void)state;
    assert_refused(SAMPLE("<experiment stopTime='-1' stepSize='0' tolerance='-1'/>\n"
                          "<experiment startTime='3' stopTime='3'/>"),
                   "m.xml:7: experiment: stopTime is -1; expected more than startTime, 0\n"
                   "m.xml:7: experiment: stepSize is 0; expected a positive number\n"
                   "m.xml:7: experiment: tolerance is -1; expected a positive number\n"
                   "m.xml:8: a second experiment; expected one, and the first is in line 7\n"
                   "m.xml:8: experiment: stopTime is 3; expected more than startTime, 3\n");
}

// ---- expressions

static void errors_in_expressions_are_told_with_their_own_line(void **state) {
    (void)state;
    assert_refused(SAMPLE("<define name='d'>\n  x +\n  (y + 1</define>\n<define name='f'>\n\n  x + * 3</define>\n"
                          "<define name='g'>abs(x)</define>\n<define name='h'>3x</define>"),
                   "m.xml:9: define 'd': expected ')' before the end of the expression\n"
                   "m.xml:12: define 'f': expected a number, a name or '(' before '*'\n"
                   "m.xml:13: define 'g': 'abs' is not smooth, and motion is derived by differentiation: "
                   "write sqrt(x^2 + d^2) with a small d instead\n"
                   "m.xml:14: define 'h': expected an operator after '3'; a product is written '3*x'\n");
}

static void unknown_names_are_told_with_the_near_name(void **state) {
    (void)state;
    assert_refused(
        SAMPLE("<define name='theta1'>x</define>\n<define name='d'>\nx + thet1</define>\n"
               "<output name='o'>floor.gap</output>\n<output name='p'>flor.force</output>\n"
               "<output name='q'>floor</output>\n<output name='r'>o</output>\n"
               "<output name='s'>X + quite_unlike</output>"),
        "m.xml:9: define 'd': unknown name 'thet1'; did you mean 'theta1'?\n"
        "m.xml:10: output 'o': unknown name 'floor.gap'; of a constraint expressions know 'floor.force' only\n"
        "m.xml:11: output 'p': unknown name 'flor.force': there is no constraint 'flor'; "
        "did you mean 'floor'?\n"
        "m.xml:12: output 'q': 'floor' is a constraint; its contact force is 'floor.force'\n"
        "m.xml:13: output 'r': 'o' is an output; expected a <define> where its expression is used\n"
        "m.xml:14: output 's': unknown name 'X'; did you mean 'x'?\n");
}

static void a_definition_uses_earlier_ones_only(void **state) {
    (void)state;
    assert_refused(SAMPLE("<define name='a'>b</define>\n<define name='b'>b + 1</define>\n<define name='c'>a</define>"),
                   "m.xml:7: define 'a': 'b' is defined in line 8, not before; "
                   "expected definitions in the order of their use\n"
                   "m.xml:8: define 'b': 'b' is defined in line 8, not before; "
                   "expected definitions in the order of their use\n");
}

static void der_needs_a_known_derivative(void **state) {
    (void)state;
    assert_refused(
        SAMPLE("<input name='u'/>\n<output name='o'>der(u*x)</output>\n<output name='p'>der(der(vx))</output>\n"
               "<output name='q'>der(floor.force)</output>\n<generalizedForce on='x'>der(vx)</generalizedForce>\n"
               "<output name='r'>der(x, y)</output>"),
        "m.xml:8: output 'o': der() of what depends on 'u': the derivative of an input is not known\n"
        "m.xml:9: output 'p': der() of what depends on 'der(vx)': the derivative of an acceleration is not known\n"
        "m.xml:10: output 'q': der() of what depends on 'floor.force': "
        "the derivative of a contact force is not known\n"
        "m.xml:11: generalizedForce on 'x': 'der()' depends on 'der(vx)', an acceleration; "
        "expected only parameters, coordinates, rates, inputs and time\n"
        "m.xml:12: output 'r': 'der' takes 1 argument, not 2\n");
}

static void energies_depend_on_the_motion_only(void **state) {
    (void)state;
    assert_refused(SAMPLE_BEGIN SAMPLE_COORDINATES SAMPLE_CONSTRAINT
                   "<input name='u'/>\n"
                   "<kineticEnergy>vx^2 + u*vy^2</kineticEnergy>\n"
                   "<potentialEnergy>y*time</potentialEnergy>\n" SAMPLE_END,
                   "m.xml:6: kineticEnergy: 'u' is an input; expected only parameters, coordinates and rates\n"
                   "m.xml:7: potentialEnergy: 'time' is the time; expected only parameters and coordinates\n");
    assert_refused(SAMPLE_BEGIN SAMPLE_COORDINATES SAMPLE_CONSTRAINT
                   "<kineticEnergy>der(vx)^2</kineticEnergy>\n<potentialEnergy>y*vx</potentialEnergy>\n" SAMPLE_END,
                   "m.xml:5: kineticEnergy: 'der()' depends on 'der(vx)', an acceleration; "
                   "expected only parameters, coordinates and rates\n"
                   "m.xml:6: potentialEnergy: 'vx' is a rate; expected only parameters and coordinates\n");
}

static void energies_stand_once(void **state) {
    (void)state;
    assert_refused(SAMPLE("<kineticEnergy>vx^2</kineticEnergy>\n<potentialEnergy>y</potentialEnergy>"),
                   "m.xml:7: a second kineticEnergy; expected one, and the first is in line 4\n"
                   "m.xml:8: a second potentialEnergy; expected one, and the first is in line 5\n");
    assert_refused(SAMPLE_BEGIN SAMPLE_END, "m.xml:1: the model has no coordinate; expected at least one\n"
                                            "m.xml:1: the model has no constraint; expected exactly one\n"
                                            "m.xml:1: the model has no kineticEnergy; expected one\n"
                                            "m.xml:1: the model has no potentialEnergy; expected one, if only "
                                            "<potentialEnergy>0</potentialEnergy>\n");
}

static void several_constraints_are_refused_for_now(void **state) {
    (void)state;
    assert_refused(
        SAMPLE("<constraint name='wall' restitution='1'>x + 5</constraint>\n"
               "<constraint name='roof' restitution='1'>5 - y</constraint>"),
        "m.xml:7: for now a model has exactly one constraint; 'wall' is the second, the first is in line 6\n");
}

static void refuse_constraint(const char *constraint, const char *messages) {
    char content[2000];
    snprintf(content, sizeof content,
             SAMPLE_BEGIN SAMPLE_COORDINATES SAMPLE_ENERGIES
             "<input name='u'/><parameter name='e' value='1.5'/><define name='d'>y + u</define>\n%s\n" SAMPLE_END,
             constraint);
    assert_refused(content, messages);
}

static void a_constraint_depends_on_coordinates_only(void **state) {
    (void)state;
    refuse_constraint("<constraint name='c' restitution='0'>y - time</constraint>",
                      "m.xml:7: constraint 'c': 'time' is the time; "
                      "expected only parameters and coordinates (for now neither time nor inputs)\n");
    refuse_constraint("<constraint name='c' restitution='0'>d</constraint>",
                      "m.xml:7: constraint 'c': 'd' depends on 'u', an input; "
                      "expected only parameters and coordinates (for now neither time nor inputs)\n");
    refuse_constraint("<constraint name='c' restitution='0'>y + der(y)</constraint>",
                      "m.xml:7: constraint 'c': 'der()' depends on 'vy', a rate; "
                      "expected only parameters and coordinates (for now neither time nor inputs)\n");
    refuse_constraint("<constraint name='c' restitution='0'>e + 3</constraint>",
                      "m.xml:7: constraint 'c' depends on no coordinate; expected a function of some\n");
}

static void restitution_is_a_number_from_0_to_1(void **state) {
    (void)state;
    refuse_constraint("<constraint name='c' restitution='x'>y</constraint>",
                      "m.xml:7: restitution of constraint 'c': 'x' is a coordinate; expected only parameters\n");
    refuse_constraint("<constraint name='c' restitution='e'>y</constraint>",
                      "m.xml:7: restitution of constraint 'c' is 1.5 by default; expected 0 to 1\n");
    refuse_constraint("<constraint name='c' restitution='-e'>y</constraint>",
                      "m.xml:7: restitution of constraint 'c' is -1.5 by default; expected 0 to 1\n");
    refuse_constraint("<constraint name='c' restitution='log(e - 1.5)'>y</constraint>",
                      "m.xml:7: restitution of constraint 'c' is -inf by default; expected 0 to 1\n");
}

static void forces_act_on_coordinates(void **state) {
    (void)state;
    assert_refused(SAMPLE("<force name='F' on='z9'/>\n<generalizedForce on='vx'>1</generalizedForce>\n"
                          "<generalizedForce on='X'>1</generalizedForce>"),
                   "m.xml:7: force acts on 'z9', which is no coordinate\n"
                   "m.xml:8: generalizedForce acts on 'vx', which is no coordinate; did you mean 'x'?\n"
                   "m.xml:9: generalizedForce acts on 'X', which is no coordinate; did you mean 'x'?\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_model_is_read_as_it_stands),
        cmocka_unit_test(what_is_not_given_has_defaults),
        cmocka_unit_test(the_order_of_declarations_does_not_matter),
        cmocka_unit_test(forces_on_a_coordinate_add_up),
        cmocka_unit_test(der_follows_the_motion),
        cmocka_unit_test(parameters_of_the_gap_are_fixed),
        cmocka_unit_test(c_keywords_are_good_names),
        cmocka_unit_test(comments_cdata_and_schema_locations_are_no_trouble),
        cmocka_unit_test(a_start_inside_the_obstacle_is_a_warning),
        cmocka_unit_test(the_models_of_the_repository_are_read),
        cmocka_unit_test(malformed_xml_is_refused_with_the_line),
        cmocka_unit_test(entities_are_never_expanded),
        cmocka_unit_test(nesting_without_end_is_refused),
        cmocka_unit_test(a_file_that_can_not_be_read_is_told),
        cmocka_unit_test(a_wrong_root_is_refused),
        cmocka_unit_test(misspelt_elements_and_attributes_are_told_with_the_near_name),
        cmocka_unit_test(what_is_missing_or_misplaced_is_told),
        cmocka_unit_test(names_are_c_like_identifiers),
        cmocka_unit_test(reserved_and_doubled_names_are_refused),
        cmocka_unit_test(limits_must_hold_for_the_default),
        cmocka_unit_test(numbers_are_finite_constant_expressions),
        cmocka_unit_test(units_must_parse_and_fit),
        cmocka_unit_test(an_experiment_must_make_sense),
        cmocka_unit_test(errors_in_expressions_are_told_with_their_own_line),
        cmocka_unit_test(unknown_names_are_told_with_the_near_name),
        cmocka_unit_test(a_definition_uses_earlier_ones_only),
        cmocka_unit_test(der_needs_a_known_derivative),
        cmocka_unit_test(energies_depend_on_the_motion_only),
        cmocka_unit_test(energies_stand_once),
        cmocka_unit_test(several_constraints_are_refused_for_now),
        cmocka_unit_test(a_constraint_depends_on_coordinates_only),
        cmocka_unit_test(restitution_is_a_number_from_0_to_1),
        cmocka_unit_test(forces_act_on_coordinates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
