// The C that is written for expressions and for a whole model.

#include "expect.h"
#include "write.h"

#include <stdlib.h>

static void expect_values_emitted(expr_graph *graph, const expr *values, int count, const char *expected) {
    expr_assignment assignments[8];
    for (int i = 0; i < count; i++) {
        snprintf(assignments[i].target, sizeof assignments[i].target, "y[%d]", i);
        assignments[i].value = values[i];
    }
    text out = {.data = NULL};
    expr_emit(graph, assignments, count, &expr_dialect_double, &out);
    assert_false(out.failed);
    assert_string_equal(out.data, expected);
    text_free(&out);
}

static void expect_emitted(expr_graph *graph, const char *const *sources, int count, const char *expected) {
    expr values[8];
    for (int i = 0; i < count; i++)
        values[i] = parsed(graph, sources[i]);
    expect_values_emitted(graph, values, count, expected);
}

static void an_expression_is_one_assignment(void **state) {
    static const char *const cases[][2] = {
        {"x", "    y[0] = x->q[0];\n"},
        {"3", "    y[0] = 3.0;\n"},
        {"-1e-20", "    y[0] = -1e-20;\n"},
        {"0*x", "    y[0] = 0.0;\n"},
        {"m*vx + time*u", "    y[0] = x->p[0] * x->v[0] + x->t * x->u[0];\n"},
        {"x - (y - z)", "    y[0] = x->q[0] - (x->q[1] - x->q[2]);\n"},
        {"x + (y + z)", "    y[0] = x->q[0] + (x->q[1] + x->q[2]);\n"},
        {"x - y - z", "    y[0] = x->q[0] - x->q[1] - x->q[2];\n"},
        {"x*(y/z)", "    y[0] = x->q[0] * (x->q[1] / x->q[2]);\n"},
        {"(x + y)/z", "    y[0] = (x->q[0] + x->q[1]) / x->q[2];\n"},
        {"-(x*y)", "    y[0] = -(x->q[0] * x->q[1]);\n"},
        {"-2*x", "    y[0] = -2.0 * x->q[0];\n"},
        {"-sin(x)", "    y[0] = -sin(x->q[0]);\n"},
        {"x^(-y)", "    y[0] = pow(x->q[0], -x->q[1]);\n"},
        {"atan2(x, y)*ax", "    y[0] = atan2(x->q[0], x->q[1]) * acceleration[0];\n"},
        {"floor.force/3", "    y[0] = force[0] / 3.0;\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        expect_emitted(*state, cases[i], 1, cases[i][1]);
}

static void small_powers_are_products(void **state) {
    static const char *const cases[][2] = {
        {"x^2", "    y[0] = x->q[0] * x->q[0];\n"},
        {"x^3", "    y[0] = x->q[0] * x->q[0] * x->q[0];\n"},
        {"y/x^2", "    y[0] = x->q[1] / (x->q[0] * x->q[0]);\n"},
        {"x^5", "    y[0] = (x->q[0] * x->q[0]) * (x->q[0] * x->q[0]) * x->q[0];\n"},
        {"x^-2", "    y[0] = 1.0 / (x->q[0] * x->q[0]);\n"},
        {"x^17", "    y[0] = pow(x->q[0], 17.0);\n"},
        {"x^2.5", "    y[0] = pow(x->q[0], 2.5);\n"},
        {"sin(x)^2", "    const double t1 = sin(x->q[0]);\n    y[0] = t1 * t1;\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        expect_emitted(*state, cases[i], 1, cases[i][1]);
}

static void states_and_held_variables_have_their_places(void **state) {
    expr_graph *graph = *state;
    static const char *const source = "s*held";
    expect_emitted(graph, &source, 1, "    y[0] = x->q[0] * x->v[0];\n");
    const expr others[] = {expr_symbol_node(graph, SYMBOL_INPUT_RATE, 1), expr_symbol_node(graph, SYMBOL_STATE_SEED, 2),
                           expr_symbol_node(graph, SYMBOL_HELD_SEED, 3)};
    expect_values_emitted(graph, others, 3, "    y[0] = input_rates[1];\n    y[1] = d->q[2];\n    y[2] = d->v[3];\n");
}

static void choices_are_those_of_c(void **state) {
    static const char *const cases[][2] = {
        {"min(s, 1)", "    y[0] = fmin(x->q[0], 1.0);\n"},
        {"max(s, held)/2", "    y[0] = 0.5 * fmax(x->q[0], x->v[0]);\n"},
        {"abs(s)", "    y[0] = fabs(x->q[0]);\n"},
        {"if(s < 1, m, 2)", "    y[0] = x->q[0] < 1.0 ? x->p[0] : 2.0;\n"},
        {"-if(s >= m + 1, m, 2)", "    y[0] = -(x->p[0] + 1.0 <= x->q[0] ? x->p[0] : 2.0);\n"},
        {"m*if(s == 1, m + 1, -L)", "    y[0] = x->p[0] * (x->q[0] == 1.0 ? x->p[0] + 1.0 : -x->p[1]);\n"},
        {"sin(if(s != 1, m, L))", "    y[0] = sin(x->q[0] == 1.0 ? x->p[1] : x->p[0]);\n"},
        {"if(s < 1, m, if(s < 2, L, 3))", "    y[0] = x->q[0] < 1.0 ? x->p[0] : (x->q[0] < 2.0 ? x->p[1] : 3.0);\n"},
        {"if(s < 1 and m < 2 or L < 3, 4, 5)",
         "    y[0] = (x->q[0] < 1.0 && x->p[0] < 2.0) || x->p[1] < 3.0 ? 4.0 : 5.0;\n"},
        {"if(m < 2 and (L < 3 or s < 1), 4, 5)",
         "    y[0] = x->p[0] < 2.0 && (x->p[1] < 3.0 || x->q[0] < 1.0) ? 4.0 : 5.0;\n"},
        {"if(m < 2 and not s < 1, 4, 5)", "    y[0] = x->p[0] < 2.0 && !(x->q[0] < 1.0) ? 4.0 : 5.0;\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        expect_emitted(*state, cases[i], 1, cases[i][1]);
}

static void conditions_are_written_as_such(void **state) {
    expr_graph *graph = *state;
    const expr values[] = {parsed_condition(graph, "s < 1"), parsed_condition(graph, "1 < 2"),
                           parsed(graph, "if(s < 1, m, L)"), parsed_condition(graph, "s != 1")};
    expect_values_emitted(graph, values, 4,
                          "    const bool t1 = x->q[0] < 1.0;\n"
                          "    y[0] = t1;\n"
                          "    y[1] = 1.0;\n"
                          "    y[2] = t1 ? x->p[0] : x->p[1];\n"
                          "    y[3] = !(x->q[0] == 1.0);\n");
}

static void there_are_no_choices_among_intervals(void **state) {
    static const char *const sources[] = {"min(x, y)", "if(x < y, x, y)", "x + max(x, 2)"};
    for (int i = 0; i < 3; i++) {
        const expr_assignment assignment = {"M[0]", parsed(*state, sources[i])};
        text out = {.data = NULL};
        expr_emit(*state, &assignment, 1, &expr_dialect_interval, &out);
        assert_true(out.failed);
        text_free(&out);
    }
}

static void what_is_used_twice_is_computed_once(void **state) {
    static const char *const sources[] = {"x + 1", "sin(x*y)*cos(x*y)", "sin(x*y)"};
    expect_emitted(*state, sources, 3,
                   "    y[0] = x->q[0] + 1.0;\n"
                   "    const double t1 = x->q[0] * x->q[1];\n"
                   "    const double t2 = sin(t1);\n"
                   "    y[1] = t2 * cos(t1);\n"
                   "    y[2] = t2;\n");
}

static void nothing_to_assign_is_nothing_to_write(void **state) {
    text out = {.data = NULL};
    expr_emit(*state, NULL, 0, &expr_dialect_double, &out);
    assert_false(out.failed);
    assert_null(out.data);
}

static void expect_readable_lines(expr_graph *graph, expr value) {
    const expr_assignment assignment = {"M[0]", value};
    text out = {.data = NULL};
    expr_emit(graph, &assignment, 1, &expr_dialect_double, &out);
    for (const char *line = out.data; *line;) {
        const char *end = strchr(line, '\n');
        assert_in_range(end - line, 1, 130);
        line = end + 1;
    }
    text_free(&out);
}

static void lines_stay_readable(void **state) {
    text sum = {.data = NULL}, choices = {.data = NULL};
    text_append(&sum, "x");
    for (int i = 1; i < 300; i++)
        text_append(&sum, "%c sin(%d*y + %d.5*x)", i % 3 ? '+' : '*', i, i);
    for (int i = 1; i < 100; i++)
        text_append(&choices, "if(y < %d and x < sin(x*%d) or not z < 1, max(sin(x) + %d, x) + y*z, %d) + ", i, i, i,
                    i);
    text_append(&choices, "1");
    expect_readable_lines(*state, parsed(*state, sum.data));
    expect_readable_lines(*state, parsed(*state, choices.data));
    text_free(&sum);
    text_free(&choices);
}

// ---- a whole model

typedef struct written {
    model_file model;
    model_equations equations;
    variable_table variables;
    text out;
} written;

// y'' = -g above a floor, with all that has a name.
static void write_ball(expr_graph *graph, const char *name, written *w) {
    static model_parameter g = {
        .about = {.name = "g"}, .value = 9.81, .min = -INFINITY, .max = 20, .max_excluded = true};
    static model_coordinate y = {.about = {.name = "y"}, .rate = "vy", .start = 1, .rate_start = -0.5, .nominal = 1};
    static model_constraint floor = {.about = {.name = "floor"}};
    static fmi_variable rows[] = {
        {.name = "y", .quantity = ZENO_COORDINATE, .access = ZENO_START},
        {.name = "floor.closed", .quantity = ZENO_CLOSED, .type = ZENO_BOOLEAN},
        {.name = "solver.tolerance",
         .quantity = ZENO_SETTING,
         .index = ZENO_TOLERANCE,
         .access = ZENO_FIXED,
         .start = 0.5},
    };
    expr zero = expr_constant(graph, 0), one = expr_constant(graph, 1), down = parsed(graph, "g"),
         at = parsed(graph, "x");
    floor.restitution = expr_constant(graph, 0.5);
    w->model = (model_file){.name = (char *)name,
                            .graph = graph,
                            .parameters = &g,
                            .coordinates = &y,
                            .constraints = &floor,
                            .parameter_count = 1,
                            .coordinate_count = 1,
                            .constraint_count = 1,
                            .kinetic_energy = parsed(graph, "vx^2/2"),
                            .potential_energy = parsed(graph, "g*x"),
                            .step_size = 0.01,
                            .tolerance = 1e-6};
    w->equations = (model_equations){.n = 1,
                                     .m = 1,
                                     .M = &one,
                                     .b = &down,
                                     .h = &at,
                                     .rounding = &at,
                                     .J = &one,
                                     .drift = &zero,
                                     .curvature = &zero,
                                     .residual_tangent = &zero,
                                     .curvature_tangent = &zero};
    w->variables = (variable_table){.rows = rows, .count = 3};
    w->out = (text){.data = NULL};
    write_c(&w->model, &w->equations, &w->variables, "{1-2\"\\??\n\xC3\xA9}", &w->out);
}

static void expect_contained(const text *out, const char *piece) {
    if (!strstr(out->data, piece)) fail_msg("'%s' is missing in:\n%s", piece, out->data);
}

static void a_model_is_written_with_its_tables(void **state) {
    written w;
    write_ball(*state, "Ball", &w);
    assert_false(w.out.failed);
    expect_contained(&w.out,
                     "static void dynamics(const zeno_point *x, double *M, double *b, double *J, double *curvature) {\n"
                     "    M[0] = 1.0;\n    b[0] = x->p[2];\n    J[0] = 1.0;\n    curvature[0] = 0.0;\n}\n");
    expect_contained(&w.out, "static const double parameter_start[] = {9.81};\n");
    expect_contained(&w.out, "    {-INFINITY, 20.0, false, true},\n");
    expect_contained(&w.out, "static const char *const rate_name[] = {\"vy\"};\n");
    expect_contained(&w.out, "    {\"floor.closed\", ZENO_CLOSED, 0, ZENO_BOOLEAN, ZENO_READ_ONLY},\n");
    expect_contained(&w.out, "[ZENO_TOLERANCE] = 0.5,\n");
    expect_contained(&w.out, "    .lagrangian = &lagrangian,\n};\n");
    text_free(&w.out);
}

static void what_a_function_does_not_need_is_made_quiet(void **state) {
    written w;
    write_ball(*state, "Ball", &w);
    expect_contained(&w.out, "    (void)x;\n    (void)acceleration;\n    (void)force;\n    (void)d;\n"
                             "    residual[0] = 0.0;\n");
    expect_contained(&w.out, "    (void)y;\n}\n");
    text_free(&w.out);
}

static void empty_tables_are_left_out(void **state) {
    written w;
    write_ball(*state, "Ball", &w);
    assert_null(strstr(w.out.data, "input_start"));
    assert_null(strstr(w.out.data, "input_name"));
    text_free(&w.out);
}

static void texts_are_escaped(void **state) {
    written w;
    write_ball(*state, "Ball", &w);
    expect_contained(&w.out, ".guid = \"{1-2\\\"\\\\\\?\\?\\012\\303\\251}\",\n");
    text_free(&w.out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        GRAPH_TEST(an_expression_is_one_assignment),
        GRAPH_TEST(small_powers_are_products),
        GRAPH_TEST(states_and_held_variables_have_their_places),
        GRAPH_TEST(choices_are_those_of_c),
        GRAPH_TEST(conditions_are_written_as_such),
        GRAPH_TEST(there_are_no_choices_among_intervals),
        GRAPH_TEST(what_is_used_twice_is_computed_once),
        GRAPH_TEST(nothing_to_assign_is_nothing_to_write),
        GRAPH_TEST(lines_stay_readable),
        GRAPH_TEST(a_model_is_written_with_its_tables),
        GRAPH_TEST(what_a_function_does_not_need_is_made_quiet),
        GRAPH_TEST(empty_tables_are_left_out),
        GRAPH_TEST(texts_are_escaped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
