// The glued spaces of models: guards, resets, what is affine, and distances against closed forms and dense sampling.

#include "expect.h"
#include "metric_model.h"
#include "sample_model.h"

#include <stdlib.h>

enum { MOST_STATES = 6 };

// A model, read and glued, with its default parameters.
typedef struct glued {
    sample sample;
    model_equations *equations;
    metric_model *metric;
    double parameters[8];
} glued;

static void glue(glued *g, const char *content) {
    diagnostics d = {.file = "m.xml"};
    g->sample = read_good(content);
    g->equations = equations_derive(g->sample.model, &d);
    assert_non_null(g->equations);
    for (int i = 0; i < g->sample.model->parameter_count; i++)
        g->parameters[i] = g->sample.model->parameters[i].value;
    g->metric = metric_model_create(g->sample.model, g->equations, g->parameters, &d);
    assert_non_null(g->metric);
}

static void glued_free(glued *g) {
    metric_model_free(g->metric);
    equations_free(g->equations);
    sample_free(&g->sample);
}

static metric_result distance_result(const glued *g, int a, const double *x, int b, const double *y, int transitions) {
    const double none[8] = {0};
    const metric_point p = {a, x, {0, none, none}}, q = {b, y, {0, none, none}};
    metric_result result;
    assert_true(metric_distance(&g->metric->space, &p, &q, transitions, &result));
    return result;
}

// A gluing at a place.
typedef struct crossed {
    metric_crossing at;
    double guard_gradient[MOST_STATES], rate_gradient[MOST_STATES], image[MOST_STATES];
    double jacobian[MOST_STATES * MOST_STATES];
} crossed;

static void cross(const glued *g, int gluing, const double *x, crossed *c) {
    static const double none[8] = {0};
    const metric_situation at = {0.25, none, none};
    c->at = (metric_crossing){.guard_gradient = c->guard_gradient,
                              .rate_gradient = c->rate_gradient,
                              .image = c->image,
                              .jacobian = c->jacobian};
    g->metric->space.cross(g->metric->space.context, gluing, &at, x, &c->at);
}

static double uniform(double low, double high) {
    return low + (high - low) * rand() / RAND_MAX;
}

// All derivatives against central differences.
static void expect_true_derivatives(const glued *g, int gluing, const double *x) {
    const int n = g->metric->space.dimension;
    const double step = 1e-6;
    crossed here, above, below;
    cross(g, gluing, x, &here);
    for (int j = 0; j < n; j++) {
        double shifted[MOST_STATES];
        memcpy(shifted, x, sizeof(double) * (size_t)n);
        shifted[j] = x[j] + step;
        cross(g, gluing, shifted, &above);
        shifted[j] = x[j] - step;
        cross(g, gluing, shifted, &below);
        expect_near(here.guard_gradient[j], (above.at.guard - below.at.guard) / (2 * step), 1e-7);
        expect_near(here.rate_gradient[j], (above.at.rate - below.at.rate) / (2 * step), 1e-7);
        for (int i = 0; i < n; i++)
            expect_near(here.jacobian[i * n + j], (above.image[i] - below.image[i]) / (2 * step), 1e-7);
    }
}

// ---- systems with modes

#define MODES_BEGIN "<hybridSystem xmlns='urn:zenofmu:model:1' name='Sample'>\n"
#define MODES_END "</hybridSystem>\n"

static const char DIGITAL_CONTROL[] = // [Burden, Fig. 1]
    MODES_BEGIN "<state name='xi1' start='-1'/><state name='xi2' start='-1'/>\n"
                "<mode name='below' initial='true'><derivative of='xi1'>1</derivative>\n"
                "<derivative of='xi2'>1</derivative>\n"
                "<transition to='first' rising='xi1'/><transition to='second' rising='xi2'/></mode>\n"
                "<mode name='first'><derivative of='xi1'>0.5</derivative><derivative of='xi2'>1</derivative>\n"
                "<transition to='both' rising='xi2'/></mode>\n"
                "<mode name='second'><derivative of='xi1'>1</derivative><derivative of='xi2'>0.5</derivative>\n"
                "<transition to='both' rising='xi1'/></mode>\n"
                "<mode name='both'><derivative of='xi1'>0.5</derivative><derivative of='xi2'>0.25</derivative>\n"
                "</mode>\n" MODES_END;

static void the_digital_control_system_has_the_distance_of_the_plane(void **state) {
    (void)state;
    glued g;
    glue(&g, DIGITAL_CONTROL);
    const metric_space *space = &g.metric->space;
    assert_int_equal(space->domains, 4);
    assert_int_equal(space->gluings, 4);
    assert_string_equal(space->gluing[0].name, "below -> first (xi1 rises)");
    for (int i = 0; i < space->gluings; i++)
        assert_true(space->gluing[i].affine && space->gluing[i].identity);
    for (int i = 0; i < 100; i++) {
        const double x[2] = {uniform(-1, 1), uniform(-1, 1)}, y[2] = {uniform(-1, 1), uniform(-1, 1)};
        const metric_result result =
            distance_result(&g, (x[0] >= 0) + 2 * (x[1] >= 0), x, (y[0] >= 0) + 2 * (y[1] >= 0), y, 2);
        expect_near(result.distance, hypot(x[0] - y[0], x[1] - y[1]), 1e-13);
        assert_int_equal(result.quality, METRIC_EXACT);
    }
    glued_free(&g);
}

// Where the guard is on its way up it glues nothing: the way leads over v = 0.
static void a_guard_is_where_it_falls_along_the_motion(void **state) {
    (void)state;
    glued g;
    glue(&g, MODES_BEGIN "<state name='x'/><state name='v'/>\n"
                         "<mode name='a' initial='true'><derivative of='x'>v</derivative>\n"
                         "<derivative of='v'>-1</derivative><transition to='b' falling='x'/></mode>\n"
                         "<mode name='b'><derivative of='x'>v</derivative><derivative of='v'>-1</derivative>\n"
                         "</mode>\n" MODES_END);
    const double x[2] = {0, 3}, y[2] = {0, 4}, down[2] = {0, -3};
    expect_near(distance_result(&g, 0, down, 1, down, 1).distance, 0, 0);
    const metric_result result = distance_result(&g, 0, x, 1, y, 1);
    expect_near(result.distance, 7, 1e-12);
    assert_int_equal(result.quality, METRIC_EXACT_WITHIN);
    glued_free(&g);
}

#define ONE_MODE(states, derivatives, rest)                                                                            \
    MODES_BEGIN states "<mode name='a' initial='true'>" derivatives rest "</mode>\n" MODES_END
#define XV "<state name='x'/><state name='v'/><held name='n'/>\n"
#define FALLS "<derivative of='x'>v</derivative><derivative of='v'>-1</derivative>\n"

static bool first_is_affine(const char *content) {
    glued g;
    glue(&g, content);
    const bool affine = g.metric->space.gluing[0].affine;
    glued_free(&g);
    return affine;
}

static void only_affine_guards_and_resets_are_called_affine(void **state) {
    (void)state;
    assert_true(first_is_affine(
        ONE_MODE(XV, FALLS, "<transition to='a' falling='x - 2*v + 1'><reset of='v'>3*x - v/2</reset></transition>")));
    // On the guard x = 0, x*v is 0.
    assert_true(first_is_affine(
        ONE_MODE(XV, FALLS, "<transition to='a' falling='x'><reset of='v'>x*v - cos(x)*v</reset></transition>")));
    assert_false(
        first_is_affine(ONE_MODE(XV, FALLS, "<transition to='a' falling='x'><reset of='x'>v^2</reset></transition>")));
    assert_false(first_is_affine(ONE_MODE(XV, FALLS, "<transition to='a' falling='x - sin(v)'/>")));
    // A rate that isn't affine: d/dt v = x v.
    assert_false(
        first_is_affine(ONE_MODE(XV, "<derivative of='x'>v</derivative><derivative of='v'>x*v - 1</derivative>",
                                 "<transition to='a' falling='x + v'/>")));
    // Piecewise: the derivative of the step is 0 on either side.
    assert_false(first_is_affine(
        ONE_MODE(XV, FALLS, "<transition to='a' falling='x'><reset of='v'>if(v &lt; 0, 1, 2)</reset></transition>")));
    assert_false(first_is_affine(
        ONE_MODE(XV, FALLS, "<transition to='a' falling='x'><reset of='v'>abs(v)</reset></transition>")));
}

static void derivatives_of_guards_and_resets_are_true(void **state) {
    (void)state;
    glued g;
    glue(&g, ONE_MODE(XV, "<derivative of='x'>v*x</derivative><derivative of='v'>-sin(x)*time</derivative>",
                      "<transition to='a' falling='x^2 + exp(v) - 3'><reset of='v'>-x*v^2</reset>"
                      "<reset of='x'>sin(x)*v</reset></transition>"));
    for (int i = 0; i < 20; i++)
        expect_true_derivatives(&g, 0, (const double[]){uniform(-1, 1), uniform(-1, 1)});
    assert_false(g.metric->space.gluing[0].identity);
    glued_free(&g);
}

static void an_update_glues_nothing(void **state) {
    (void)state;
    glued g;
    glue(&g, ONE_MODE(XV, FALLS, "<update falling='x'><reset of='n'>1</reset></update>"));
    assert_int_equal(g.metric->space.gluings, 0);
    glued_free(&g);
}

static void a_condition_is_asked_with_what_is_held(void **state) {
    (void)state;
    glued g;
    glue(&g, ONE_MODE(XV, FALLS, "<transition to='a' falling='x' when='n &gt; 1'/>"));
    const metric_space *space = &g.metric->space;
    const double one = 1, two = 2;
    assert_false(space->enabled(space->context, 0, &(metric_situation){.held = &one}));
    assert_true(space->enabled(space->context, 0, &(metric_situation){.held = &two}));
    assert_true(metric_model_reads(g.metric, (expr_symbol){SYMBOL_HELD, 0}));
    assert_false(metric_model_reads(g.metric, (expr_symbol){SYMBOL_TIME, 0}));
    glued_free(&g);
}

static void a_transition_feeds_one_that_reads_what_it_sets(void **state) {
    (void)state;
    glued g;
    glue(&g, ONE_MODE(XV, FALLS,
                      "<transition to='a' falling='x'><reset of='n'>v</reset></transition>\n"
                      "<transition to='a' falling='x - n'/><transition to='a' falling='v'/>"));
    static const bool expected[9] = {false, true, false, false, false, false, false, false, false};
    for (int i = 0; i < 9; i++)
        assert_int_equal(g.metric->space.feeds[i], expected[i]);
    glued_free(&g);
}

// ---- hybrid Lagrangians

static void a_ball_is_reflected_by_the_floor(void **state) {
    (void)state;
    glued g;
    glue(&g, SAMPLE(""));
    const metric_space *space = &g.metric->space;
    assert_int_equal(space->dimension, 4);
    assert_string_equal(metric_model_state_name(g.sample.model, 1), "y");
    assert_string_equal(metric_model_state_name(g.sample.model, 2), "vx");
    assert_string_equal(space->gluing[0].name, "impact on floor");
    assert_true(space->gluing[0].affine && space->gluing[0].reflection);
    const double before[4] = {1, 0, 2, -3}, after[4] = {1, 0, 2, 1.5}, resting[4] = {1, 0, 2, 0};
    assert_true(distance_result(&g, 0, before, 0, after, 2).distance == 0);
    expect_near(distance_result(&g, 0, before, 0, resting, 2).distance, 1.5, 1e-14);
    // Just before and just after: down to the floor, up again.
    const double falling[4] = {1, 1e-6, 2, -3}, rising[4] = {1, 1e-6, 2, 1.5};
    const metric_result result = distance_result(&g, 0, falling, 0, rising, 2);
    expect_near(result.distance * 1e6, 2, 1e-8);
    assert_int_equal(result.quality, METRIC_EXACT);
    glued_free(&g);
}

// Masses and inertias that depend on where the guard isn't: a double pendulum's knee [TAC, Example 2].
static const char KNEE[] = "<hybridLagrangian xmlns='urn:zenofmu:model:1' name='Sample'>\n"
                           "<coordinate name='a' rate='va' start='0.5'/>\n"
                           "<coordinate name='b' rate='vb' start='0.4'/>\n"
                           "<kineticEnergy>va^2*(1 + cos(b))/2 + (va + vb)^2/6 + va*vb*cos(b)/4</kineticEnergy>\n"
                           "<potentialEnergy>-cos(a)</potentialEnergy>\n"
                           "<constraint name='knee' restitution='1'>b</constraint>\n"
                           "</hybridLagrangian>\n";

static double kinetic_energy_of_knee(const double *x) {
    const double va = x[2], vb = x[3], c = cos(x[1]);
    return va * va * (1 + c) / 2 + (va + vb) * (va + vb) / 6 + va * vb * c / 4;
}

static void an_impact_keeps_energy_and_turns_the_gap(void **state) {
    (void)state;
    glued g;
    glue(&g, KNEE);
    assert_true(g.metric->space.gluing[0].affine); // the mass matrix is constant on b = 0
    assert_false(g.metric->space.gluing[0].reflection);
    const double x[4] = {0.3, 0, 0.7, -1.2};
    crossed c;
    cross(&g, 0, x, &c);
    assert_true(c.at.guard == 0 && c.at.rate == -1.2);
    assert_true(c.image[0] == 0.3 && c.image[1] == 0);
    expect_near(c.image[3], 1.2, 1e-15);
    expect_near(kinetic_energy_of_knee(c.image), kinetic_energy_of_knee(x), 1e-15);
    assert_true(distance_result(&g, 0, x, 0, c.image, 2).distance == 0);
    assert_int_equal(distance_result(&g, 0, x, 0, (const double[]){0.3, 0, 2, 1}, 2).quality, METRIC_EXACT_WITHIN);
    glued_free(&g);
}

// A bead on a curved surface whose mass depends on its place.
static const char BEAD[] = "<hybridLagrangian xmlns='urn:zenofmu:model:1' name='Sample'>\n"
                           "<parameter name='e' value='0.6' min='0' max='1'/>\n"
                           "<coordinate name='x' rate='vx'/><coordinate name='y' rate='vy' start='2'/>\n"
                           "<kineticEnergy>vx^2*(2 + sin(y)) + vy^2*exp(x)/2 + vx*vy*cos(x*y)</kineticEnergy>\n"
                           "<potentialEnergy>9.81*y</potentialEnergy>\n"
                           "<constraint name='bowl' restitution='e'>y - x^2</constraint>\n"
                           "</hybridLagrangian>\n";

static void derivatives_of_impacts_are_true(void **state) {
    (void)state;
    glued g;
    glue(&g, BEAD);
    assert_false(g.metric->space.gluing[0].affine);
    for (int i = 0; i < 20; i++) {
        const double x[4] = {uniform(-1, 1), uniform(-1, 1), uniform(-2, 2), uniform(-2, 2)};
        expect_true_derivatives(&g, 0, x);
    }
    glued_free(&g);
}

// A state near the surface, before its impact, and that image moved by as little: two small ways, and the distance goes
// to 0 with them.
static void states_around_an_impact_on_a_curved_surface_are_close(void **state) {
    (void)state;
    glued g;
    glue(&g, BEAD);
    const double guard[4] = {0.5, 0.25, 0.3, -1};
    crossed c;
    cross(&g, 0, guard, &c);
    assert_true(c.at.guard == 0 && c.at.rate < 0);
    for (double size = 1e-1; size > 1e-9; size /= 10) {
        double before[4], after[4];
        for (int i = 0; i < 4; i++) {
            before[i] = guard[i] + size * 0.3;
            after[i] = c.image[i] + size * (i % 2 ? 0.2 : -0.4);
        }
        const double distance = distance_result(&g, 0, before, 0, after, 2).distance;
        assert_true(distance > 0.01 * size && distance <= size * (0.6 + sqrt(0.4)) + 1e-14);
        expect_near(distance_result(&g, 0, after, 0, before, 2).distance / distance, 1, 1e-6);
    }
    glued_free(&g);
}

// A pendulum between two walls, cos(a) >= 0: the guard has branches. One transition against sampling of the speeds.
static const char WALLS[] = "<hybridLagrangian xmlns='urn:zenofmu:model:1' name='Sample'>\n"
                            "<coordinate name='a' rate='va'/>\n"
                            "<kineticEnergy>va^2</kineticEnergy><potentialEnergy>cos(a)</potentialEnergy>\n"
                            "<constraint name='wall' restitution='0.5'>cos(a)</constraint>\n"
                            "</hybridLagrangian>\n";

static void a_guard_with_branches_agrees_with_its_sampling(void **state) {
    (void)state;
    enum { SAMPLES = 100000 };
    glued g;
    glue(&g, WALLS);
    const double wall = acos(-1) / 2;
    for (int trial = 0; trial < 30; trial++) {
        const double x[2] = {uniform(-1.5, 1.5), uniform(-3, 3)}, y[2] = {uniform(-1.5, 1.5), uniform(-3, 3)};
        double reference = hypot(x[0] - y[0], x[1] - y[1]);
        for (int i = 0; i < 4 * SAMPLES; i++) {
            const double side = i % 2 ? 1 : -1, speed = side * 5 * (i / 4) / SAMPLES; // towards the wall
            const double *p = i % 4 < 2 ? x : y, *q = i % 4 < 2 ? y : x;
            reference = fmin(reference,
                             hypot(p[0] - side * wall, p[1] - speed) + hypot(q[0] - side * wall, q[1] + 0.5 * speed));
        }
        const double found = distance_result(&g, 0, x, 0, y, 1).distance;
        if (found > reference + 1e-9) fail_msg("%.17g, but a sampled curve has %.17g", found, reference);
        expect_near(found, reference, 5.0 / SAMPLES);
    }
    glued_free(&g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_digital_control_system_has_the_distance_of_the_plane),
        cmocka_unit_test(a_guard_is_where_it_falls_along_the_motion),
        cmocka_unit_test(only_affine_guards_and_resets_are_called_affine),
        cmocka_unit_test(derivatives_of_guards_and_resets_are_true),
        cmocka_unit_test(an_update_glues_nothing),
        cmocka_unit_test(a_condition_is_asked_with_what_is_held),
        cmocka_unit_test(a_transition_feeds_one_that_reads_what_it_sets),
        cmocka_unit_test(a_ball_is_reflected_by_the_floor),
        cmocka_unit_test(an_impact_keeps_energy_and_turns_the_gap),
        cmocka_unit_test(derivatives_of_impacts_are_true),
        cmocka_unit_test(states_around_an_impact_on_a_curved_surface_are_close),
        cmocka_unit_test(a_guard_with_branches_agrees_with_its_sampling),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
