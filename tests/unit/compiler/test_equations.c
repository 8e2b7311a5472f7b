// The equations of motion: closed forms, checks of the energies, tangents, and size.

#include "equations.h"
#include "expect.h"

#include <stdlib.h>

enum { MOST_COORDINATES = 32 };

// A model built by hand, its diagnostics, and the point at which its equations are evaluated.
typedef struct bench {
    model_file model;
    model_parameter parameters[4]; // m, L, g, c of the known names
    model_coordinate coordinates[MOST_COORDINATES];
    model_constraint constraint;
    model_equations *equations;
    diagnostics d;
    char message[500]; // the first error
    double t, u, q[MOST_COORDINATES], v[MOST_COORDINATES], a[MOST_COORDINATES], force;
    double dt, du, dq[MOST_COORDINATES], dv[MOST_COORDINATES]; // a direction
} bench;

static bench *bench_create(int n) {
    static char *const names[] = {"m", "L", "g", "c"};
    static const double values[] = {1.5, 0.75, 9.5, 0};
    static char *const coordinates[] = {"x", "y", "z"}, *const rates[] = {"vx", "vy", "vz"};
    bench *b = calloc(1, sizeof *b);
    b->model = (model_file){.graph = expr_graph_create(),
                            .parameters = b->parameters,
                            .coordinates = b->coordinates,
                            .constraints = &b->constraint,
                            .parameter_count = 4,
                            .coordinate_count = n,
                            .constraint_count = 1,
                            .kinetic_line = 7,
                            .potential_line = 8};
    const expr zero = expr_constant(b->model.graph, 0);
    for (int i = 0; i < 4; i++) {
        b->parameters[i] = (model_parameter){{.name = names[i]}, values[i], .min = -INFINITY, .max = INFINITY};
    }
    for (int i = 0; i < n; i++) {
        b->coordinates[i] = (model_coordinate){{.name = i < 3 ? coordinates[i] : "q"},
                                               .rate = i < 3 ? rates[i] : "w",
                                               .start = 0.25 + 0.1 * i,
                                               .nominal = 1,
                                               .force = zero};
        b->q[i] = 0.3 + 0.07 * i;
        b->v[i] = 0.7 - 0.11 * i;
        b->a[i] = -0.4 + 0.3 * i;
        b->dq[i] = 0.9 - 0.2 * i;
        b->dv[i] = -0.6 + 0.5 * i;
    }
    b->t = 0.375, b->u = -0.625, b->force = 3.25, b->dt = 1.25, b->du = 0.5;
    b->constraint.h = expr_symbol_node(b->model.graph, SYMBOL_COORDINATE, 0);
    b->model.potential_energy = zero;
    return b;
}

static void bench_destroy(bench *b) {
    equations_free(b->equations);
    expr_graph_destroy(b->model.graph);
    free(b);
}

static void derive(bench *b) {
    b->d = (diagnostics){.file = "bench.xml", .stream = tmpfile()};
    b->equations = equations_derive(&b->model, &b->d);
    rewind(b->d.stream);
    if (!fgets(b->message, sizeof b->message, b->d.stream)) b->message[0] = '\0';
    fclose(b->d.stream);
}

static bench *derived(int n, const char *kinetic, const char *potential, const char *h) {
    bench *b = bench_create(n);
    b->model.kinetic_energy = parsed(b->model.graph, kinetic);
    b->model.potential_energy = parsed(b->model.graph, potential);
    b->constraint.h = parsed(b->model.graph, h);
    derive(b);
    return b;
}

static double bench_value(void *context, expr_symbol symbol) {
    const bench *b = context;
    const double *const values[SYMBOL_CLASSES] = {
        [SYMBOL_TIME] = &b->t,       [SYMBOL_INPUT] = &b->u,       [SYMBOL_COORDINATE] = b->q,
        [SYMBOL_RATE] = b->v,        [SYMBOL_ACCELERATION] = b->a, [SYMBOL_FORCE] = &b->force,
        [SYMBOL_TIME_SEED] = &b->dt, [SYMBOL_INPUT_SEED] = &b->du, [SYMBOL_COORDINATE_SEED] = b->dq,
        [SYMBOL_RATE_SEED] = b->dv,
    };
    return symbol.class == SYMBOL_PARAMETER ? b->parameters[symbol.index].value : values[symbol.class][symbol.index];
}

static double value_of(const bench *b, expr x) {
    return expr_evaluate(b->model.graph, x, bench_value, (void *)b);
}

static void expect_derived(const bench *b) {
    if (!b->equations) fail_msg("%s", b->message);
}

// ---- equations

static void a_ball_above_a_surface(void **state) {
    (void)state;
    bench *b = derived(2, "m/2*(vx^2 + vy^2)", "m*g*y", "y - sin(x)");
    expect_derived(b);
    const model_equations *e = b->equations;
    expect_printed(b->model.graph, e->M[0], "m");
    expect_printed(b->model.graph, e->M[1], "0");
    expect_printed(b->model.graph, e->M[3], "m");
    expect_printed(b->model.graph, e->b[0], "0");
    expect_printed(b->model.graph, e->b[1], "m*g");
    expect_printed(b->model.graph, e->J[0], "-cos(x)");
    expect_printed(b->model.graph, e->J[1], "1");
    expect_printed(b->model.graph, e->drift[0], "0");
    expect_near(value_of(b, e->curvature[0]), sin(b->q[0]) * b->v[0] * b->v[0], 1e-15);
    bench_destroy(b);
}

// Two point masses on massless rods, angles from the vertical.
// M = m L^2 [2, cos d; cos d, 1], b = m L^2 sin d (w2^2, -w1^2) + m g L (2 sin q1, sin q2), d = q1 - q2
static void a_double_pendulum_written_with_der(void **state) {
    (void)state;
    bench *b =
        derived(2, "m/2*(der(L*sin(x))^2 + der(L*cos(x))^2 + der(L*sin(x) + L*sin(y))^2 + der(L*cos(x) + L*cos(y))^2)",
                "-m*g*L*(2*cos(x) + cos(y))", "y - x");
    expect_derived(b);
    const model_equations *e = b->equations;
    const double k = 1.5 * 0.75 * 0.75, w = 1.5 * 9.5 * 0.75, d = b->q[0] - b->q[1];
    expect_near(value_of(b, e->M[0]), 2 * k, 1e-14);
    expect_near(value_of(b, e->M[1]), k * cos(d), 1e-14);
    expect_near(value_of(b, e->M[2]), k * cos(d), 1e-14);
    expect_near(value_of(b, e->M[3]), k, 1e-14);
    expect_near(value_of(b, e->b[0]), k * sin(d) * b->v[1] * b->v[1] + 2 * w * sin(b->q[0]), 1e-14);
    expect_near(value_of(b, e->b[1]), -k * sin(d) * b->v[0] * b->v[0] + w * sin(b->q[1]), 1e-14);
    bench_destroy(b);
}

static void a_mass_that_changes_with_time_and_place(void **state) {
    (void)state;
    bench *b = derived(1, "(1 + x^2 + time)*vx^2/2", "0", "x");
    expect_derived(b);
    // d/dt (mu v) - mu_x v^2/2 = mu a + mu_t v + mu_x v^2/2
    expect_near(value_of(b, b->equations->b[0]), b->v[0] + b->q[0] * b->v[0] * b->v[0], 1e-15);
    bench_destroy(b);
}

static void generalized_forces_act_against_b(void **state) {
    (void)state;
    bench *b = bench_create(1);
    b->model.kinetic_energy = parsed(b->model.graph, "m*vx^2/2");
    b->coordinates[0].force = parsed(b->model.graph, "u - g*vx");
    derive(b);
    expect_derived(b);
    expect_near(value_of(b, b->equations->b[0]), -(b->u - 9.5 * b->v[0]), 1e-15);
    bench_destroy(b);
}

// M a + b - J' lambda, and J a + v'Hv.
static void residuals(const bench *b, double *residual, double *curvature) {
    const model_equations *e = b->equations;
    *curvature = value_of(b, e->curvature[0]);
    for (int i = 0; i < e->n; i++) {
        const double J = value_of(b, e->J[i]);
        residual[i] = value_of(b, e->b[i]) - J * b->force;
        for (int j = 0; j < e->n; j++)
            residual[i] += value_of(b, e->M[i * e->n + j]) * b->a[j];
        *curvature += J * b->a[i];
    }
}

static bench moved(const bench *b, double step) {
    bench there = *b;
    there.t += step * b->dt;
    there.u += step * b->du;
    for (int i = 0; i < MOST_COORDINATES; i++) {
        there.q[i] += step * b->dq[i];
        there.v[i] += step * b->dv[i];
    }
    return there;
}

static void tangents_agree_with_difference_quotients(void **state) {
    (void)state;
    bench *b = bench_create(3);
    expr_graph *graph = b->model.graph;
    b->model.kinetic_energy = parsed(graph, "m/2*(der(x*cos(y))^2 + der(x*sin(y))^2 + (1 + time)*vz^2) + vx*vz*sin(y)");
    b->model.potential_energy = parsed(graph, "m*g*x*cos(z) + exp(y)*u");
    b->constraint.h = parsed(graph, "x*sin(y + z) - z^2");
    b->coordinates[1].force = parsed(graph, "u*x - vy^3*sin(time)");
    for (int i = 0; i < 3; i++)
        b->coordinates[i].start = 0.5;
    derive(b);
    expect_derived(b);
    const double step = 1e-5;
    const bench up = moved(b, step), down = moved(b, -step);
    double above[3], below[3], h_above, h_below;
    residuals(&up, above, &h_above);
    residuals(&down, below, &h_below);
    // The quotient errs by step^2 times a third derivative of order 10, and by rounding over step: 1e-9.
    for (int i = 0; i < 3; i++) {
        expect_near(value_of(b, b->equations->residual_tangent[i]), (above[i] - below[i]) / (2 * step), 1e-8);
    }
    expect_near(value_of(b, b->equations->curvature_tangent[0]), (h_above - h_below) / (2 * step), 1e-8);
    bench_destroy(b);
}

// ---- what is accepted and what is refused

static void quadratic_forms_pass_however_they_are_written(void **state) {
    (void)state;
    static const char *const forms[] = {
        "(vx + vy)^2 + vy^2",
        "m/2*(vx^2 + vy^2) + x*vx*vy/9",
        "vx*vx + (2*vy)^2",
        "exp(log(vx^2 + 1)) - 1 + vy^2",        // not seen from the expression, but from its values
        "sqrt((1 + vx^2)^2) - 1 + vy^2",        // likewise
        "sqrt(x)*vx^2 + log(x + y)*0 + vy^2/x", // parts of a sample's surroundings lie outside of sqrt's domain
        "((vx + vy)^3 - (vx - vy)^3)/(2*vy)*0 + vx^2 + vy^2",
        "1e-30*vx^2 + 1e30*vy^2",
    };
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        bench *b = derived(2, forms[i], "0", "x");
        expect_derived(b);
        for (int k = 0; k < 4; k++)
            assert_false(expr_depends_on_class(b->model.graph, b->equations->M[k], SYMBOL_RATE));
        bench_destroy(b);
    }
}

#define NOT_QUADRATIC "bench.xml:7: kineticEnergy is not a quadratic form in the rates: "

static void other_kinetic_energies_are_refused_with_the_reason(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"vx^2 + vy^2 + 1", NOT_QUADRATIC "it is not zero when all rates are; expected products of two rates only\n"},
        {"vx^2 + vy^2 + x", NOT_QUADRATIC "it is not zero when all rates are; expected products of two rates only\n"},
        {"vx^2 + vy^2 + vy*x", NOT_QUADRATIC "it has a part linear in 'vy'; expected products of two rates only\n"},
        {"vx^2 + vy^2 + sin(vx)", NOT_QUADRATIC "it has a part linear in 'vx'; expected products of two rates only\n"},
        {"vx^2 + vy^2 + c*vx", // linear for another value of c, which is 0
         NOT_QUADRATIC "it has a part linear in 'vx'; expected products of two rates only\n"},
        {"vx^2 + vy^2 + vx^2*vy",
         NOT_QUADRATIC "its second derivative in 'vx' and 'vx' depends on 'vy'; expected products of two rates only\n"},
        {"m*(sqrt(1 + vx^2) - 1) + vy^2",
         NOT_QUADRATIC "its second derivative in 'vx' and 'vx' depends on 'vx'; expected products of two rates only\n"},
        {"vy^2",
         "bench.xml:7: the mass matrix is singular at the start values: coordinate 'x' has no inertia of its own\n"},
        {"(vx + vy)^2",
         "bench.xml:7: the mass matrix is singular at the start values: coordinate 'y' has no inertia of its own\n"},
        {"x*0",
         "bench.xml:7: the mass matrix is singular at the start values: coordinate 'x' has no inertia of its own\n"},
        {"vx^2 - vy^2", "bench.xml:7: the mass matrix is not positive definite at the start values: coordinate 'y' has "
                        "negative inertia (-2)\n"},
        {"vx^2 + vy^2/(x - 1/4)",
         "bench.xml:7: the mass matrix is not finite at the start values, at coordinate 'y'\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        bench *b = derived(2, cases[i][0], "0", "x");
        assert_null(b->equations);
        assert_int_equal(b->d.errors, 1);
        assert_string_equal(b->message, cases[i][1]);
        bench_destroy(b);
    }
}

static void a_potential_energy_that_depends_on_a_rate_is_refused(void **state) {
    (void)state;
    bench *b = derived(2, "vx^2 + vy^2", "x*vy", "x");
    assert_null(b->equations);
    assert_string_equal(b->message, "bench.xml:8: potentialEnergy depends on the rate 'vy'; expected a function of the "
                                    "coordinates (what depends on rates is a generalizedForce)\n");
    bench_destroy(b);
}

// ---- size

// A pendulum of n links with relative angles, each link's end built on the one before.
static bench *chain(int n) {
    bench *b = bench_create(n);
    expr_graph *graph = b->model.graph;
    const expr two = expr_constant(graph, 2), length = parsed(graph, "L");
    expr angle = expr_constant(graph, 0), x = angle, y = angle, T = angle, V = angle;
    for (int i = 0; i < n; i++) {
        angle = expr_binary(graph, EXPR_ADD, angle, expr_symbol_node(graph, SYMBOL_COORDINATE, i));
        const expr across = expr_binary(graph, EXPR_MUL, length, expr_unary(graph, EXPR_SIN, angle));
        const expr down = expr_binary(graph, EXPR_MUL, length, expr_unary(graph, EXPR_COS, angle));
        x = expr_binary(graph, EXPR_ADD, x, across);
        y = expr_binary(graph, EXPR_SUB, y, down);
        V = expr_binary(graph, EXPR_ADD, V, y);
        const expr ends[] = {x, y};
        for (int k = 0; k < 2; k++) {
            expr rate;
            expr_directional(graph, &ends[k], 1, motion, graph, &rate);
            T = expr_binary(graph, EXPR_ADD, T, expr_binary(graph, EXPR_POW, rate, two));
        }
    }
    b->model.kinetic_energy = T;
    b->model.potential_energy = V;
    b->constraint.h = x;
    derive(b);
    return b;
}

static int size_of_graph(const bench *b) {
    return expr_symbol_node(b->model.graph, SYMBOL_INPUT_SEED, 99);
}

static void a_chain_of_32_links_grows_with_the_square_of_its_length(void **state) {
    (void)state;
    bench *half = chain(16), *whole = chain(32);
    expect_derived(half);
    expect_derived(whole);
    assert_in_range(size_of_graph(whole), 1, 4 * size_of_graph(half));
    assert_in_range(size_of_graph(whole), 1, 20000);
    bench_destroy(half);
    bench_destroy(whole);
}

// d(T + V)/dt = v'(M a + b) for all v and a: what is left of b does no work.
static void energy_changes_with_the_power_of_the_residual(void **state) {
    (void)state;
    bench *b = chain(8);
    expect_derived(b);
    const model_equations *e = b->equations;
    expr T = b->model.kinetic_energy, V = b->model.potential_energy, energy, power;
    energy = expr_binary(b->model.graph, EXPR_ADD, T, V);
    expr_directional(b->model.graph, &energy, 1, motion, b->model.graph, &power);
    double expected = 0;
    for (int i = 0; i < e->n; i++) {
        double force = value_of(b, e->b[i]);
        for (int j = 0; j < e->n; j++)
            force += value_of(b, e->M[i * e->n + j]) * b->a[j];
        expected += b->v[i] * force;
    }
    expect_near(value_of(b, power), expected, 1e-12);
    bench_destroy(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_above_a_surface),
        cmocka_unit_test(a_double_pendulum_written_with_der),
        cmocka_unit_test(a_mass_that_changes_with_time_and_place),
        cmocka_unit_test(generalized_forces_act_against_b),
        cmocka_unit_test(tangents_agree_with_difference_quotients),
        cmocka_unit_test(quadratic_forms_pass_however_they_are_written),
        cmocka_unit_test(other_kinetic_energies_are_refused_with_the_reason),
        cmocka_unit_test(a_potential_energy_that_depends_on_a_rate_is_refused),
        cmocka_unit_test(a_chain_of_32_links_grows_with_the_square_of_its_length),
        cmocka_unit_test(energy_changes_with_the_power_of_the_residual),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
