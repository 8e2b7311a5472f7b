// What is derived for the modes of a hybrid system: guards, their rates along the motion and all tangents, against
// difference quotients.

#define _POSIX_C_SOURCE 200809L

#include "equations.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sample_model.h"

// Every kind of symbol stands in a guard, a derivative or an output.
static const char MODEL[] =
    "<hybridSystem xmlns='urn:zenofmu:model:1' name='S'>\n"
    "<parameter name='k' value='2'/><parameter name='way' value='far'><choice name='near'/><choice name='far'/></parameter>\n"
    "<input name='F'/><input name='G'/><state name='x'/><state name='v'/><held name='n'/>\n"
    "<mode name='m' initial='true'>\n"
    "<derivative of='x'>v*cos(x) + n*time</derivative>\n"
    "<derivative of='v'>F - k*x*v^2 + sin(G*n)</derivative>\n"
    "<output name='y'>x^2*v + F*n - exp(-time)</output><output name='z'>if(x &gt; 0, x^3, F)</output>\n"
    "<transition to='m' falling='x - G*sin(time) - n' when='way == far'/>\n"
    "<transition to='m' rising='v*x + F' when='way == near'/>\n"
    "<update rising='v^2 - 0.1'><reset of='n'>1</reset></update>\n"
    "</mode>\n" SYSTEM_END;

// A place, or a direction.
typedef struct place {
    double t, p[2], u[2], q[2], v[1];
} place;

typedef struct bench {
    sample sample;
    model_equations *equations;
    place at, along; // `along` gives the seeds, its u also the inputs' rates
} bench;

static double value_at(void *context, expr_symbol symbol) {
    const bench *b = context;
    const place *at = &b->at, *along = &b->along;
    switch (symbol.class) {
    case SYMBOL_TIME:
        return at->t;
    case SYMBOL_PARAMETER:
        return at->p[symbol.index];
    case SYMBOL_INPUT:
        return at->u[symbol.index];
    case SYMBOL_STATE:
        return at->q[symbol.index];
    case SYMBOL_HELD:
        return at->v[symbol.index];
    case SYMBOL_TIME_SEED:
        return along->t;
    case SYMBOL_INPUT_SEED:
    case SYMBOL_INPUT_RATE:
        return along->u[symbol.index];
    case SYMBOL_STATE_SEED:
        return along->q[symbol.index];
    case SYMBOL_HELD_SEED:
        return along->v[symbol.index];
    default:
        return NAN;
    }
}

static double value_of(const bench *b, expr x) {
    return expr_evaluate(b->sample.model->graph, x, value_at, (void *)b);
}

static bench make_bench(void) {
    bench b = {
        .sample = read_good(MODEL),
        .at = {0.7, {2, 2}, {0.3, -0.8}, {0.6, -1.1}, {0.4}},
        .along = {0.9, {0, 0}, {-0.5, 1.3}, {0.2, 0.7}, {-1.2}},
    };
    diagnostics d = {.file = "m.xml"};
    b.equations = equations_derive(b.sample.model, &d);
    assert_non_null(b.equations);
    return b;
}

static void free_bench(bench *b) {
    equations_free(b->equations);
    sample_free(&b->sample);
}

static place moved(const place *from, const place *along, double step) {
    place to = *from;
    to.t += step * along->t;
    for (int i = 0; i < 2; i++) {
        to.u[i] += step * along->u[i];
        to.q[i] += step * along->q[i];
    }
    to.v[0] += step * along->v[0];
    return to;
}

// The central difference quotient of `x` along a direction; its error is of the order 1e-10 here.
static double slope(const bench *b, expr x, const place *along) {
    const double step = 1e-5;
    bench before = *b, after = *b;
    before.at = moved(&b->at, along, -step);
    after.at = moved(&b->at, along, step);
    return (value_of(&after, x) - value_of(&before, x)) / (2 * step);
}

static void assert_near(double actual, double expected) {
    if (fabs(actual - expected) > 1e-8) fail_msg("%.17g, expected %.17g", actual, expected);
}

// Where the system moves in its mode, with inputs that change or stay.
static place motion(const bench *b, bool inputs_change) {
    const expr *f = b->sample.model->modes[0].derivatives;
    place along = {.t = 1, .q = {value_of(b, f[0]), value_of(b, f[1])}};
    if (inputs_change) memcpy(along.u, b->along.u, sizeof along.u);
    return along;
}

static void guards_change_along_the_motion_with_time_and_inputs(void **state) {
    (void)state;
    bench b = make_bench();
    const model_mode *mode = &b.sample.model->modes[0];
    const place along = motion(&b, true);
    for (int way = 1; way <= 2; way++) {
        b.at.p[1] = way;
        for (int k = 0; k < mode->transition_count; k++) {
            const bool enabled = k == 2 || (k == 0) == (way == 2);
            assert_near(value_of(&b, b.equations->modes[0].guard_rates[k]),
                        enabled ? slope(&b, mode->transitions[k].guard, &along) : 0);
        }
    }
    free_bench(&b);
}

static void a_guard_that_is_not_enabled_is_1(void **state) {
    (void)state;
    bench b = make_bench();
    const mode_equations *e = &b.equations->modes[0];
    assert_near(value_of(&b, e->guards[0]), 0.6 + 0.8 * sin(0.7) - 0.4);
    assert_same_double(value_of(&b, e->guards[1]), 1);
    assert_same_double(value_of(&b, e->rounding[1]), 0);
    assert_near(value_of(&b, e->guards[2]), 0.1 - 1.1 * 1.1);
    b.at.p[1] = 1;
    assert_same_double(value_of(&b, e->guards[0]), 1);
    assert_near(value_of(&b, e->guards[1]), -(-1.1 * 0.6 + 0.3));
    assert_true(value_of(&b, e->rounding[1]) > 0);
    free_bench(&b);
}

// The descriptor's words for them: "with input rates 0".
static void the_rates_of_guards_change_as_with_inputs_that_stay(void **state) {
    (void)state;
    bench b = make_bench();
    const mode_equations *e = &b.equations->modes[0];
    const place direction = b.along;
    for (int k = 0; k < 3; k += 2) {
        bench still = b;
        memset(still.along.u, 0, sizeof still.along.u); // the rates in guard_rates
        assert_near(value_of(&b, e->guard_rates_tangent[k]), slope(&still, e->guard_rates[k], &direction));
    }
    assert_same_double(value_of(&b, e->guard_rates_tangent[1]), 0);
    free_bench(&b);
}

static void derivatives_and_outputs_have_their_tangents(void **state) {
    (void)state;
    bench b = make_bench();
    const model_mode *mode = &b.sample.model->modes[0];
    const mode_equations *e = &b.equations->modes[0];
    for (int i = 0; i < 2; i++) {
        assert_near(value_of(&b, e->rate_tangent[i]), slope(&b, mode->derivatives[i], &b.along));
        assert_near(value_of(&b, e->output_tangent[i]), slope(&b, mode->outputs[i], &b.along));
    }
    b.at.q[0] = -0.6;
    assert_near(value_of(&b, e->output_tangent[1]), slope(&b, mode->outputs[1], &b.along));
    free_bench(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(guards_change_along_the_motion_with_time_and_inputs),
        cmocka_unit_test(a_guard_that_is_not_enabled_is_1),
        cmocka_unit_test(the_rates_of_guards_change_as_with_inputs_that_stay),
        cmocka_unit_test(derivatives_and_outputs_have_their_tangents),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
