// Model files of hybrid systems: what is read of a good one, and what each kind of bad one is told.

#define _POSIX_C_SOURCE 200809L

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sample_model.h"

static double start_value(const model_file *model, expr x) {
    return expr_evaluate(model->graph, x, model_start_value, (void *)model);
}

#define IN_UP(element) SYSTEM(element, "", "")
#define OF_SYSTEM(element) SYSTEM("", "", element)

// ---- good models

static void states_and_held_variables_are_read_as_they_stand(void **state) {
    (void)state;
    sample s =
        read_good("<hybridSystem xmlns='urn:zenofmu:model:1' name='One' description='of one mode'>\n"
                  "<state name='y' unit='rad' displayUnit='deg' start='2*pi' nominal='10' description='a  place'/>"
                  "<state name='z'/>\n"
                  "<held name='h' unit='m' start='-3'/>\n"
                  "<mode name='only' initial='1' description='all there is'>\n"
                  "<derivative of='z'>h</derivative><derivative of='y'>z^2 + time</derivative></mode>\n"
                  "<experiment startTime='1' stopTime='2' tolerance='1e-9'/>\n" SYSTEM_END);
    const model_file *model = s.model;
    assert_int_equal(model->kind, MODEL_HYBRID);
    assert_string_equal(model->name, "One");
    assert_int_equal(model->state_count, 2);
    assert_string_equal(model->states[0].about.name, "y");
    assert_string_equal(model->states[0].about.display_unit, "deg");
    assert_string_equal(model->states[0].about.description, "a place");
    assert_int_equal(model->states[0].about.line, 2);
    assert_same_double(model->states[0].start, 6.283185307179586);
    assert_same_double(model->states[0].nominal, 10);
    assert_true(model->states[0].has_nominal);
    assert_same_double(model->states[1].start, 0);
    assert_same_double(model->states[1].nominal, 1);
    assert_false(model->states[1].has_nominal);
    assert_int_equal(model->held_count, 1);
    assert_same_double(model->held[0].start, -3);
    assert_int_equal(model->mode_count, 1);
    assert_int_equal(model->initial_mode, 0);
    assert_true(model->modes[0].reachable);
    assert_int_equal(model->modes[0].transition_count, 0);
    assert_string_equal(model->modes[0].about.description, "all there is");
    assert_same_double(start_value(model, model->modes[0].derivatives[0]), 1);
    assert_same_double(start_value(model, model->modes[0].derivatives[1]), -3);
    assert_string_equal(model_symbol_name(model, (expr_symbol){SYMBOL_STATE, 1}), "z");
    assert_string_equal(model_symbol_name(model, (expr_symbol){SYMBOL_HELD, 0}), "h");
    sample_free(&s);
}

static void transitions_are_read_in_their_order_with_guards_that_fall(void **state) {
    (void)state;
    sample s = read_good(IN_UP("<update rising='v' description='at the  lowest'><reset of='n'>n + 1</reset></update>\n"
                               "<transition to='up' rising='x  - k' when='n == 1 and k > 0'>"
                               "<reset of='v'>-v</reset><reset of='n'>max(n, x)</reset></transition>"));
    const model_file *model = s.model;
    const model_mode *up = &model->modes[0];
    assert_int_equal(up->transition_count, 3);

    const model_transition *first = &up->transitions[0];
    assert_int_equal(first->to, 1);
    assert_false(first->update);
    assert_false(first->rising);
    assert_false(first->resets);
    assert_string_equal(first->guard_text, "x falls");
    assert_int_equal(first->guard, expr_symbol_node(model->graph, SYMBOL_STATE, 0));
    assert_int_equal(first->when, EXPR_NONE);
    assert_string_equal(first->when_text, "");
    assert_int_equal(first->line, 7);

    const model_transition *update = &up->transitions[1];
    assert_true(update->update);
    assert_int_equal(update->to, 0);
    assert_string_equal(update->guard_text, "v rises");
    assert_string_equal(update->description, "at the lowest");
    assert_same_double(start_value(model, update->held[0]), 1);
    assert_int_equal(update->states[0], EXPR_NONE);
    assert_int_equal(update->states[1], EXPR_NONE);

    const model_transition *last = &up->transitions[2];
    assert_int_equal(last->to, 0);
    assert_true(last->rising);
    assert_true(last->resets);
    assert_string_equal(last->guard_text, "x - k rises");
    assert_same_double(start_value(model, last->guard), 1); // k - x
    assert_same_double(start_value(model, last->when), 0);
    assert_string_equal(last->when_text, "n == 1 and k > 0");
    assert_int_equal(last->states[0], EXPR_NONE);
    assert_int_equal(last->states[1],
                     expr_unary(model->graph, EXPR_NEG, expr_symbol_node(model->graph, SYMBOL_STATE, 1)));
    assert_same_double(start_value(model, last->held[0]), 1);
    sample_free(&s);
}

static void an_output_is_the_systems_or_the_modes(void **state) {
    (void)state;
    sample s = read_good(SYSTEM("<output name='push'>k*x</output>",
                                "<output name='push' unit='N' description='late'>3*k</output>\n"
                                "<output name='pull'>abs(v - 4)</output>",
                                "<output name='place' unit='m'>if(x > 0, x, 0)</output>"));
    const model_file *model = s.model;
    const model_mode *up = &model->modes[0], *down = &model->modes[1];
    assert_int_equal(model->output_count, 3);
    assert_string_equal(model->outputs[0].about.unit, "N");
    assert_string_equal(model->outputs[0].about.description, "late");
    assert_true(model->outputs[0].of_modes);
    assert_int_equal(model->outputs[0].value, EXPR_NONE);
    assert_same_double(start_value(model, up->outputs[0]), 2);
    assert_same_double(start_value(model, down->outputs[0]), 6);
    assert_true(expr_is_constant(model->graph, up->outputs[1], 0));
    assert_same_double(start_value(model, down->outputs[1]), 4);
    assert_false(model->outputs[2].of_modes);
    assert_same_double(start_value(model, up->outputs[2]), 1);
    assert_int_equal(up->outputs[2], down->outputs[2]);
    sample_free(&s);
}

#define RELEASE                                                                                                        \
    "<parameter name='release' value='dynamic' description='how'>\n"                                                   \
    "<choice name='kinematic' description='by place'/><choice name='dynamic'/></parameter>\n"

static void choices_are_constants_from_1(void **state) {
    (void)state;
    sample s = read_good(SYSTEM("<transition to='down' falling='v' when='release == dynamic'/>", "",
                                RELEASE "<output name='o'>10*kinematic + dynamic + 100*release</output>"));
    const model_parameter *release = &s.model->parameters[1];
    assert_int_equal(release->choice_count, 2);
    assert_string_equal(release->choices[0].name, "kinematic");
    assert_string_equal(release->choices[0].description, "by place");
    assert_string_equal(release->choices[1].description, "");
    assert_same_double(release->value, 2);
    assert_same_double(release->min, 1);
    assert_same_double(release->max, 2);
    assert_same_double(start_value(s.model, s.model->outputs[0].value), 212);
    assert_same_double(start_value(s.model, s.model->modes[0].transitions[1].when), 1);
    sample_free(&s);
}

static void definitions_may_be_piecewise_where_nothing_smooth_uses_them(void **state) {
    (void)state;
    sample s = read_good(SYSTEM("<output name='o'>high</output>\n"
                                "<transition to='up' falling='v'><reset of='x'>high</reset></transition>",
                                "", "<define name='high'>max(x, 5)</define>"));
    assert_same_double(start_value(s.model, s.model->modes[0].outputs[0]), 5);
    sample_free(&s);
}

// What is decided by parameters and held variables stays as it is while the mode lasts.
static void a_guard_may_choose_by_parameters_and_held_variables(void **state) {
    (void)state;
    sample s = read_good(IN_UP("<transition to='down' falling='if(n == 1, x, 0)'/>\n"
                               "<transition to='down' falling='x - max(k, n)'/>"));
    assert_same_double(start_value(s.model, s.model->modes[0].transitions[2].guard), -1);
    sample_free(&s);
}

static void a_mode_that_cannot_be_reached_is_a_warning(void **state) {
    (void)state;
    sample s = sample_read(OF_SYSTEM("<mode name='island'>" SYSTEM_MODE "<transition to='up' falling='x'/>\n</mode>"));
    assert_non_null(s.model);
    assert_string_equal(s.messages, "m.xml:15: warning: mode 'island' can't be reached from the initial mode 'up'\n");
    assert_false(s.model->modes[2].reachable);
    assert_true(s.model->modes[1].reachable);
    sample_free(&s);
}

static void modes_may_have_names_that_others_have(void **state) {
    (void)state;
    sample s = read_good("<hybridSystem xmlns='urn:zenofmu:model:1' name='S'>\n<state name='x'/>\n"
                         "<mode name='x' initial='true'><derivative of='x'>1</derivative>"
                         "<transition to='time' rising='x'/></mode>\n"
                         "<mode name='time'><derivative of='x'>1</derivative></mode>\n" SYSTEM_END);
    assert_int_equal(s.model->modes[0].transitions[0].to, 1);
    sample_free(&s);
}

// There are no such variables beside those of this kind's FMUs.
static void what_only_the_other_kind_has_is_not_reserved(void **state) {
    (void)state;
    sample s = read_good(OF_SYSTEM("<output name='energy' unit='J'>v^2/2</output><define name='stability'>x</define>"));
    sample_free(&s);
}

// ---- modes

static void exactly_one_mode_is_the_initial_one(void **state) {
    (void)state;
    assert_refused(SYSTEM_BEGIN SYSTEM_MODES("", "", "") SYSTEM_END,
                   "m.xml:1: no mode is the initial one; expected initial=\"true\" for one\n");
    assert_refused(SYSTEM_BEGIN SYSTEM_MODES(" initial='false'", "", "") SYSTEM_END,
                   "m.xml:1: no mode is the initial one; expected initial=\"true\" for one\n");
    assert_refused(OF_SYSTEM("<mode name='other' initial='true'>" SYSTEM_MODE "</mode>"),
                   "m.xml:15: mode 'other' is a second initial mode; expected one, and 'up' in line 5 is the first\n");
    assert_refused(SYSTEM_BEGIN SYSTEM_MODES(" initial='yes'", "", "") SYSTEM_END,
                   "m.xml:5: mode: 'yes' is neither 'true' nor 'false'\n");
}

static void a_system_has_states_and_modes(void **state) {
    (void)state;
    assert_refused(SYSTEM_BEGIN SYSTEM_END, "m.xml:1: the model has no mode; expected at least one\n");
    assert_refused("<hybridSystem xmlns='urn:zenofmu:model:1' name='S'>\n<mode name='a' initial='true'/>\n" SYSTEM_END,
                   "m.xml:1: the model has no state; expected at least one\n");
}

static void every_mode_has_one_derivative_of_every_state(void **state) {
    (void)state;
    assert_refused(OF_SYSTEM("<state name='y'/>"),
                   "m.xml:5: mode 'up' has no derivative of 'y'; expected one of every state\n"
                   "m.xml:10: mode 'down' has no derivative of 'y'; expected one of every state\n");
    assert_refused(IN_UP("<derivative of='v'>1</derivative>"),
                   "m.xml:8: a second derivative of 'v'; expected one, and the first is in line 6\n");
    assert_refused(SYSTEM("<derivative of='n'>1</derivative>\n<derivative of='vv'>1</derivative>", "", ""),
                   "m.xml:8: derivative of 'n', which is the held variable of line 4; expected a state\n"
                   "m.xml:9: derivative of 'vv': unknown name 'vv'; expected a state; did you mean 'v'?\n");
}

static void a_derivative_that_is_wrong_is_not_missing_too(void **state) {
    (void)state;
    assert_refused(SYSTEM("", "",
                          "<state name='y'/>\n<mode name='m'><derivative of='x'>1</derivative>\n"
                          "<derivative of='v'>1</derivative><derivative of='y'>wrong</derivative></mode>"),
                   "m.xml:5: mode 'up' has no derivative of 'y'; expected one of every state\n"
                   "m.xml:10: mode 'down' has no derivative of 'y'; expected one of every state\n"
                   "m.xml:17: derivative of 'y': unknown name 'wrong'\n");
}

static void names_of_modes_are_taken_once(void **state) {
    (void)state;
    assert_refused(OF_SYSTEM("<mode name='down'>" SYSTEM_MODE "</mode>"),
                   "m.xml:15: the name 'down' of this mode is taken: it is the mode of line 10\n");
}

// ---- transitions

static void a_transition_leads_to_a_mode(void **state) {
    (void)state;
    assert_refused(IN_UP("<transition to='dwn' falling='v'/>\n<transition to='x' falling='v'/>"),
                   "m.xml:8: transition to 'dwn': there is no such mode; did you mean 'down'?\n"
                   "m.xml:9: transition to 'x': there is no such mode\n");
    assert_refused(IN_UP("<transition falling='v'/>"), "m.xml:8: transition needs the attribute 'to'\n");
}

static void a_transition_has_one_direction(void **state) {
    (void)state;
    assert_refused(IN_UP("<transition to='down'/>\n<transition to='down' falling='x' rising='x'/>\n"
                         "<update><reset of='n'>1</reset></update>"),
                   "m.xml:8: transition to 'down' has no guard; expected one of 'falling' and 'rising'\n"
                   "m.xml:9: transition to 'down' has both; expected one of 'falling' and 'rising'\n"
                   "m.xml:10: update has no guard; expected one of 'falling' and 'rising'\n");
}

static void resets_are_of_states_and_held_variables(void **state) {
    (void)state;
    assert_refused(IN_UP("<transition to='down' falling='v'>\n"
                         "<reset of='k'>1</reset>\n<reset of='F'>1</reset>\n<reset of='nn'>1</reset>\n"
                         "<reset of='n'>wrong</reset></transition>"),
                   "m.xml:9: reset of 'k', which is the parameter of line 2; expected a state or held variable\n"
                   "m.xml:10: reset of 'F', which is the input of line 2; expected a state or held variable\n"
                   "m.xml:11: reset of 'nn': unknown name 'nn'; expected a state or held variable; did you mean 'n'?\n"
                   "m.xml:12: reset of 'n': unknown name 'wrong'\n");
}

static void a_transition_resets_a_variable_once(void **state) {
    (void)state;
    assert_refused(IN_UP("<transition to='down' falling='v'>\n"
                         "<reset of='n'>1</reset>\n<reset of='v'>1</reset>\n<reset of='n'>1</reset></transition>\n"
                         "<transition to='down' rising='v'><reset of='n'>2</reset></transition>"),
                   "m.xml:11: a second reset of 'n'; expected one, and the first is in line 9\n");
}

static void an_update_sets_held_variables(void **state) {
    (void)state;
    assert_refused(IN_UP("<update falling='v'>\n<reset of='v'>1</reset></update>\n<update falling='v'/>\n"
                         "<update to='down' falling='v'><reset of='n'>1</reset></update>"),
                   "m.xml:11: update has no attribute 'to'\n");
    assert_refused(IN_UP("<update falling='v'>\n<reset of='v'>1</reset></update>\n<update falling='v'/>"),
                   "m.xml:9: an update resets the state 'v'; expected held variables only (a transition may reset "
                   "states)\n"
                   "m.xml:10: an update without reset does nothing; expected a held variable's reset\n");
}

// ---- guards and conditions

static void a_guard_changes_its_sign(void **state) {
    (void)state;
    assert_refused(
        IN_UP("<transition to='down' falling='x - x'/>\n<transition to='down' rising='(x + 1)^2 - x^2 - 2*x - 1'/>\n"
              "<transition to='down' falling='0'/>\n<update falling='sin(v)^2 + cos(v)^2 - 1'>"
              "<reset of='n'>1</reset></update>"),
        "m.xml:8: the guard of transition to 'down' is 0 everywhere; expected a function that changes its sign\n"
        "m.xml:9: the guard of transition to 'down' is 0 everywhere; expected a function that changes its sign\n"
        "m.xml:10: the guard of transition to 'down' is 0 everywhere; expected a function that changes its sign\n"
        "m.xml:11: the guard of update is 0 everywhere; expected a function that changes its sign\n");
    assert_refused(IN_UP("<transition to='down' falling='3'/>\n<transition to='down' falling='k - n'/>"),
                   "m.xml:8: the guard of transition to 'down' never crosses 0, for it doesn't change while the mode "
                   "lasts; expected a function of states, inputs or time\n"
                   "m.xml:9: the guard of transition to 'down' never crosses 0, for it doesn't change while the mode "
                   "lasts; expected a function of states, inputs or time\n");
    sample s = read_good(IN_UP("<transition to='down' falling='time - 1'/><transition to='down' falling='F'/>\n"
                               "<transition to='down' falling='1e-30*x'/><transition to='down' rising='log(-x)'/>"));
    sample_free(&s);
}

static void what_must_be_smooth_is_told_why(void **state) {
    (void)state;
    sample s = sample_read(SYSTEM("<transition to='down' falling='abs(x) - 1'/>\n"
                                  "<transition to='down' falling='high - 1'/>\n"
                                  "<update falling='if(v > 0, x, v)'><reset of='n'>1</reset></update>",
                                  "",
                                  "<define name='high'>max(x, 0)</define>\n<state name='y'/>\n"
                                  "<mode name='m'>" SYSTEM_MODE "<derivative of='y'>min(x, 1)</derivative></mode>"));
    assert_null(s.model);
    static const char *const expected[] = {
        "m.xml:8: guard of transition to 'down': 'abs' is not smooth",
        "m.xml:9: guard of transition to 'down': 'high' uses 'max', which is not smooth",
        "m.xml:10: guard of update: 'if' is not smooth",
        "m.xml:20: derivative of 'y': 'min' is not smooth",
    };
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
        if (!strstr(s.messages, expected[i])) fail_msg("'%s' is not in\n%s", expected[i], s.messages);
    sample_free(&s);
}

#define WHEN(condition) "<transition to='down' falling='x' when='" condition "'/>\n"
#define NOT_THIS "; expected only parameters and held variables (a guard is what the motion changes)\n"

static void a_condition_stays_while_the_mode_lasts(void **state) {
    (void)state;
    assert_refused(
        SYSTEM(WHEN("x > 1") WHEN("F == 0") WHEN("not time > 1") WHEN("low"), "", "<define name='low'>n + v</define>"),
        "m.xml:8: when of transition to 'down': 'x' is a state" NOT_THIS
        "m.xml:9: when of transition to 'down': 'F' is an input" NOT_THIS
        "m.xml:10: when of transition to 'down': 'time' is the time" NOT_THIS
        "m.xml:11: when of transition to 'down': 'low' depends on 'v', a state" NOT_THIS);
}

static void conditions_and_numbers_are_not_the_same(void **state) {
    (void)state;
    assert_refused(IN_UP(WHEN("n") WHEN("") "<transition to='down' falling='x > 1'/>\n"),
                   "m.xml:8: when of transition to 'down': expected a condition such as 'x < y', not a number\n"
                   "m.xml:9: when of transition to 'down': the expression is empty\n"
                   "m.xml:10: guard of transition to 'down': expected a number, not a condition\n");
}

// ---- names, outputs, choices

static void reserved_and_doubled_names_are_refused(void **state) {
    (void)state;
    assert_refused(OF_SYSTEM("<output name='mode'>x</output>\n<held name='transitions'/>\n"
                             "<parameter name='lastTransitionTime' value='1'/>\n<input name='if'/>\n"
                             "<define name='relaxation'>1</define>\n<output name='x'>x</output>\n<held name='k'/>"),
                   "m.xml:15: the name 'mode' of this output is reserved; expected another name\n"
                   "m.xml:16: the name 'transitions' of this held variable is reserved; expected another name\n"
                   "m.xml:17: the name 'lastTransitionTime' of this parameter is reserved; expected another name\n"
                   "m.xml:18: the name 'if' of this input is reserved; expected another name\n"
                   "m.xml:19: the name 'relaxation' of this definition is reserved; expected another name\n"
                   "m.xml:20: the name 'x' of this output is taken: it is the state of line 3\n"
                   "m.xml:21: the name 'k' of this held variable is taken: it is the parameter of line 2\n");
}

static void an_output_has_one_unit_and_one_place_per_mode(void **state) {
    (void)state;
    assert_refused(SYSTEM("<output name='o' unit='m'>x</output>", "<output name='o' unit='mm'>x</output>", ""),
                   "m.xml:13: output 'o' has the unit 'mm', but 'm' in line 8; expected the same in all modes\n");
    assert_refused(SYSTEM("<output name='o'>x</output>\n<output name='o'>v</output>", "", ""),
                   "m.xml:9: a second output 'o'; expected one, and the first is in line 8\n");
    assert_refused(SYSTEM("<output name='o'>x</output>", "", "<output name='o'>v</output>"),
                   "m.xml:15: the name 'o' of this output is taken: it is the output of line 8\n");
    assert_refused(SYSTEM_BEGIN
                   "<output name='o'>v</output>\n" SYSTEM_MODES(" initial='true'", "<output name='o'>x</output>", "")
                       SYSTEM_END,
                   "m.xml:9: the name 'o' of this output is taken: it is the output of line 5\n");
    sample s =
        read_good(SYSTEM("<output name='o' unit='m/s2'>x</output>", "<output name='o' unit='m/s^2'>x</output>", ""));
    sample_free(&s);
}

static void an_enumeration_has_one_of_its_choices(void **state) {
    (void)state;
    assert_refused(OF_SYSTEM("<parameter name='e' value='offf'><choice name='on'/><choice name='off'/></parameter>\n"
                             "<parameter name='f' value='1'><choice name='one'/></parameter>"),
                   "m.xml:15: parameter 'e': its value 'offf' is none of its choices; did you mean 'off'?\n"
                   "m.xml:16: parameter 'f': its value '1' is none of its choices\n");
    assert_refused(OF_SYSTEM("<parameter name='e' value='on' unit='m' min='1'><choice name='on'/></parameter>\n"
                             "<parameter name='f' value='on'><choice name='x'/>\n<choice name='on'/></parameter>"),
                   "m.xml:15: parameter 'e' has choices and 'unit'; expected that of numbers only\n"
                   "m.xml:15: parameter 'e' has choices and 'min'; expected that of numbers only\n"
                   "m.xml:16: the name 'x' of this choice is taken: it is the state of line 3\n"
                   "m.xml:17: the name 'on' of this choice is taken: it is the choice of line 15\n");
}

static void der_has_no_meaning_across_modes(void **state) {
    (void)state;
    assert_refused(OF_SYSTEM("<define name='d'>der(x)</define>"),
                   "m.xml:15: define 'd': der() can't be used in a hybridSystem, where derivatives change with the "
                   "mode; expected the derivative's expression\n");
}

// ---- the form

static void what_does_not_belong_there_is_told(void **state) {
    (void)state;
    assert_refused(IN_UP("<transitoin to='down' falling='x'/>"),
                   "m.xml:8: unknown element 'transitoin' in mode; did you mean 'transition'?\n");
    assert_refused(OF_SYSTEM("<coordinate name='q' rate='w'/>"),
                   "m.xml:15: unknown element 'coordinate' in hybridSystem\n");
    assert_refused(IN_UP("<transition to='down' fallng='x'/>"),
                   "m.xml:8: transition has no attribute 'fallng'; did you mean 'falling'?\n");
    assert_refused(IN_UP("<transition to='down' falling='x'>x</transition>"),
                   "m.xml:8: text between the elements of transition; expected elements only\n");
    assert_refused(IN_UP("<derivative>1</derivative>"), "m.xml:8: derivative needs the attribute 'of'\n");
    assert_refused(SAMPLE("<state name='s'/>"), "m.xml:7: unknown element 'state' in hybridLagrangian\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states_and_held_variables_are_read_as_they_stand),
        cmocka_unit_test(transitions_are_read_in_their_order_with_guards_that_fall),
        cmocka_unit_test(an_output_is_the_systems_or_the_modes),
        cmocka_unit_test(choices_are_constants_from_1),
        cmocka_unit_test(definitions_may_be_piecewise_where_nothing_smooth_uses_them),
        cmocka_unit_test(a_guard_may_choose_by_parameters_and_held_variables),
        cmocka_unit_test(a_mode_that_cannot_be_reached_is_a_warning),
        cmocka_unit_test(modes_may_have_names_that_others_have),
        cmocka_unit_test(what_only_the_other_kind_has_is_not_reserved),
        cmocka_unit_test(exactly_one_mode_is_the_initial_one),
        cmocka_unit_test(a_system_has_states_and_modes),
        cmocka_unit_test(every_mode_has_one_derivative_of_every_state),
        cmocka_unit_test(a_derivative_that_is_wrong_is_not_missing_too),
        cmocka_unit_test(names_of_modes_are_taken_once),
        cmocka_unit_test(a_transition_leads_to_a_mode),
        cmocka_unit_test(a_transition_has_one_direction),
        cmocka_unit_test(resets_are_of_states_and_held_variables),
        cmocka_unit_test(a_transition_resets_a_variable_once),
        cmocka_unit_test(an_update_sets_held_variables),
        cmocka_unit_test(a_guard_changes_its_sign),
        cmocka_unit_test(what_must_be_smooth_is_told_why),
        cmocka_unit_test(a_condition_stays_while_the_mode_lasts),
        cmocka_unit_test(conditions_and_numbers_are_not_the_same),
        cmocka_unit_test(reserved_and_doubled_names_are_refused),
        cmocka_unit_test(an_output_has_one_unit_and_one_place_per_mode),
        cmocka_unit_test(an_enumeration_has_one_of_its_choices),
        cmocka_unit_test(der_has_no_meaning_across_modes),
        cmocka_unit_test(what_does_not_belong_there_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
