// The edges: values far from the ordinary, and what must hold there too.

#include "integrator.h"
#include "playground.h"

// ---- A guard that comes to rest at zero

// Two tanks: upper' = flow - upper, lower' = upper - lower - demand, and an update where the lower level turns. Both
// tend to rest, and the guard, which is the rate of the lower level, to zero: in the end it is nothing but the solver's
// error.
enum { TANKS_FLOW, TANKS_DRAIN };

static double lower_rate(const zeno_point *x) {
    return x->q[0] - x->p[TANKS_DRAIN] * x->q[1] - x->u[0];
}

static void tanks_rates(const zeno_point *x, const double *input_rates, double *states, double *guards) {
    states[0] = x->p[TANKS_FLOW] - x->q[0];
    states[1] = lower_rate(x);
    guards[0] = -(states[0] - x->p[TANKS_DRAIN] * states[1] - input_rates[0]);
}

static void tanks_tangent(const zeno_point *x, const zeno_direction *d, double *states, double *guards) {
    states[0] = -d->q[0];
    states[1] = d->q[0] - x->p[TANKS_DRAIN] * d->q[1] - d->u[0];
    guards[0] = -(states[0] - x->p[TANKS_DRAIN] * states[1]);
}

static void tanks_guards(const zeno_point *x, double *g, double *rounding) {
    g[0] = -lower_rate(x);
    rounding[0] = fabs(x->q[0]) + 2 * fabs(x->p[TANKS_DRAIN] * x->q[1]) + fabs(x->u[0]);
}

static void tanks_outputs(const zeno_point *x, double *y) {
    (void)x, (void)y;
}

static void note_lowest(const zeno_point *x, double *states, double *held) {
    (void)states;
    held[0] = fmin(held[0], x->q[1]);
}

static const zeno_transition tanks_transitions[] = {{.guard = "the level turns", .update = true, .reset = note_lowest}};
static const zeno_mode tanks_modes[] = {{.name = "running",
                                         .transitions = 1,
                                         .transition = tanks_transitions,
                                         .rates = tanks_rates,
                                         .rates_tangent = tanks_tangent,
                                         .guards = tanks_guards,
                                         .outputs = tanks_outputs}};
static const zeno_hybrid tanks_hybrid = {.modes = 1, .mode = tanks_modes};
static const char *const tanks_parameters[] = {"flow", "drain"}, *const tanks_states[] = {"upper", "lower"},
                         *const tanks_held[] = {"lowest"}, *const tanks_inputs[] = {"demand"};
static const double tanks_values[] = {1, 1}, tanks_starts[] = {0.5, 1}, zeros[] = {0, 0};
static const zeno_range tanks_ranges[] = {{0, HUGE_VAL, true, false}, {0, HUGE_VAL, true, false}};
static const zeno_model tanks = {.name = "Tanks",
                                 .guid = "{tanks}",
                                 .parameters = 2,
                                 .inputs = 1,
                                 .states = 2,
                                 .held = 1,
                                 .guards = 1,
                                 .parameter_start = tanks_values,
                                 .parameter_range = tanks_ranges,
                                 .parameter_name = tanks_parameters,
                                 .input_start = zeros,
                                 .input_name = tanks_inputs,
                                 .state_start = tanks_starts,
                                 .state_nominal = tanks_values,
                                 .state_name = tanks_states,
                                 .held_start = tanks_values,
                                 .held_name = tanks_held,
                                 .setting_start = {1e-4, 1e-4, 1e-4, ZENO_KINETIC, 0, 0, 0},
                                 .tolerance = 1e-8,
                                 .step_size = 0.01,
                                 .hybrid = &tanks_hybrid};

// Where the guard stays, the solver's root finder finds a crossing every microsecond; passed over, there are a few
// starts in a time constant.
static void a_guard_that_comes_to_rest_at_zero_holds_nothing_up(void **state) {
    (void)state;
    for (int k = 0; k < 200; ++k) {
        playground *p = playground_create(&tanks);
        const double flow = 0.5 + 0.01 * k, drain = 0.3 + 0.017 * k, demand = 0.4 * sin(k);
        put(p, ZENO_PARAMETER, TANKS_FLOW, flow);
        put(p, ZENO_PARAMETER, TANKS_DRAIN, drain);
        put(p, ZENO_INPUT, 0, demand);
        begin(p, 1e-8);
        for (int i = 1; i <= 1000; ++i) {
            go_to(p, i);
            assert_true(zeno_work(p->engine).starts < 20000);
        }
        assert_near(get(p, ZENO_STATE, 0), flow, 1e-8);
        assert_near(get(p, ZENO_STATE, 1), (flow - demand) / drain, 1e-7);
        playground_destroy(p);
    }
}

// A clock beside it, which strikes where cos(CLOCK time) falls; the count of strokes is a second held variable.
#define CLOCK 9.0

static void clocked_rates(const zeno_point *x, const double *input_rates, double *states, double *guards) {
    tanks_rates(x, input_rates, states, guards);
    guards[1] = -CLOCK * sin(CLOCK * x->t);
}

static void clocked_tangent(const zeno_point *x, const zeno_direction *d, double *states, double *guards) {
    tanks_tangent(x, d, states, guards);
    guards[1] = 0;
}

static void clocked_guards(const zeno_point *x, double *g, double *rounding) {
    tanks_guards(x, g, rounding);
    g[1] = cos(CLOCK * x->t);
    rounding[1] = fabs(g[1]) + CLOCK * fabs(x->t);
}

static void strike(const zeno_point *x, double *states, double *held) {
    (void)states;
    held[1] = x->v[1] + 1;
}

static const zeno_transition clocked_transitions[] = {
    {.guard = "the level turns", .update = true, .reset = note_lowest},
    {.guard = "the clock strikes", .update = true, .reset = strike}};
static const zeno_mode clocked_modes[] = {{.name = "running",
                                           .transitions = 2,
                                           .transition = clocked_transitions,
                                           .rates = clocked_rates,
                                           .rates_tangent = clocked_tangent,
                                           .guards = clocked_guards,
                                           .outputs = tanks_outputs}};
static const zeno_hybrid clocked_hybrid = {.modes = 1, .mode = clocked_modes};

static void a_guard_at_rest_hides_no_other(void **state) {
    (void)state;
    static const char *const held_names[] = {"lowest", "strokes"};
    zeno_model model = tanks;
    model.held = model.guards = 2;
    model.held_start = zeros;
    model.held_name = held_names;
    model.hybrid = &clocked_hybrid;
    for (int k = 0; k < 20; ++k) {
        playground *p = playground_create(&model);
        put(p, ZENO_PARAMETER, TANKS_FLOW, 0.5 + 0.1 * k);
        put(p, ZENO_PARAMETER, TANKS_DRAIN, 0.3 + 0.17 * k);
        begin(p, 1e-6);
        for (int i = 1; i <= 60; ++i) {
            go_to(p, i);
            assert_near(get(p, ZENO_HELD, 1), floor(CLOCK * i / (2 * acos(-1)) + 0.75), 0);
        }
        playground_destroy(p);
    }
}

// ---- A damper so strong that nothing moves

// Pulled off the floor from t = pi/6 to 5 pi/6, the mass creeps by some 1e-9 m, its acceleration being the solver's
// noise.
static void a_mass_in_a_strong_damper_does_not_chatter_on_the_floor(void **state) {
    (void)state;
    for (double damping = 1e6; damping < 1e16; damping *= 10) {
        playground *p = playground_create(&mass_on_floor);
        put(p, ZENO_COORDINATE, 0, 0);
        put(p, ZENO_PARAMETER, MASS_C, damping);
        put(p, ZENO_PARAMETER, MASS_AMPLITUDE, 20);
        begin(p, 1e-8);
        for (int i = 1; i <= 300; ++i) {
            go_to(p, 0.01 * i);
            assert_near(get(p, ZENO_COORDINATE, 0), 0, 20 / damping + 1e-8);
            assert_true(zeno_work(p->engine).starts < 20000);
        }
        playground_destroy(p);
    }
}

// ---- A force that begins softly

// x'' = -1000 x^9: at x = 0 there is no curvature to be seen from which a step size could be told.
static int soft_rates(void *context, double s, const double *y, double *dy) {
    (void)context, (void)s;
    dy[0] = y[1];
    dy[1] = -1000 * pow(y[0], 9);
    return 0;
}

static void ignore(void *environment, zeno_category category, const char *message) {
    (void)environment, (void)category, (void)message;
}

static void a_force_that_begins_softly_is_met_with_a_step_that_can_shrink(void **state) {
    (void)state;
    const zeno_host host = {.allocate = calloc, .release = free, .log = ignore};
    const zeno_field field = {.dimension = 2, .derivative = soft_rates};
    for (double tolerance = 1e-3; tolerance > 1e-13; tolerance /= 10) {
        zeno_integrator *it = zeno_integrator_create(&field, &host);
        double y[] = {0, -1}, s = 0;
        const double absolute[] = {0.01 * tolerance, tolerance};
        const zeno_start start = {.y = y, .relative_tolerance = tolerance, .absolute_tolerance = absolute};
        assert_int_equal(zeno_integrator_start(it, &start), ZENO_OK);
        while (s < 3)
            assert_int_equal(zeno_integrator_step(it, &s, y, NULL), ZENO_STEPPED);
        assert_near(y[1] * y[1] / 2 + 100 * pow(y[0], 10), 0.5, 1000 * tolerance);
        zeno_integrator_destroy(it);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_guard_that_comes_to_rest_at_zero_holds_nothing_up),
        cmocka_unit_test(a_guard_at_rest_hides_no_other),
        cmocka_unit_test(a_mass_in_a_strong_damper_does_not_chatter_on_the_floor),
        cmocka_unit_test(a_force_that_begins_softly_is_met_with_a_step_that_can_shrink),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
