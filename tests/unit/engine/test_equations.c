// Equations that can't be evaluated: whichever evaluation it is that fails, once or from then on, an engine gets over
// it or says so; and after a reset it moves as if nothing had been.

#include <limits.h>

#include "mode_models.h"
#include "playground.h"

// ---- Models that fail

static long evaluations;   // of the model, so far
static long first_to_fail; // counted from 1; 0 for none
static long failures;      // in a row

static double doubt(void) {
    ++evaluations;
    const bool fails = first_to_fail > 0 && evaluations >= first_to_fail && evaluations - first_to_fail < failures;
    return fails ? NAN : 0;
}

static void inflict(long which, long how_many) {
    evaluations = 0;
    first_to_fail = which;
    failures = how_many;
}

static const zeno_lagrangian *sound;

static void dynamics(const zeno_point *x, double *M, double *b, double *J, double *curvature) {
    sound->dynamics(x, M, b, J, curvature);
    b[0] += doubt();
}

static void constraints(const zeno_point *x, double *h, double *rounding, double *J, double *drift) {
    sound->constraints(x, h, rounding, J, drift);
    const double unsure = doubt();
    h[0] += unsure;
    drift[0] += unsure;
}

static zeno_model failing_lagrangian(const zeno_model *model, zeno_lagrangian *lagrangian) {
    zeno_model failing = *model;
    sound = model->lagrangian;
    *lagrangian = *sound;
    lagrangian->dynamics = dynamics;
    lagrangian->constraints = constraints;
    failing.lagrangian = lagrangian;
    return failing;
}

enum { MOST_MODES = 2 };
static const zeno_hybrid *sound_modes;

// The functions of mode k.
#define FAILING_MODE(k)                                                                                                \
    static void rates_##k(const zeno_point *x, const double *input_rates, double *states, double *guards) {            \
        sound_modes->mode[k].rates(x, input_rates, states, guards);                                                    \
        const double unsure = doubt();                                                                                 \
        states[0] += unsure;                                                                                           \
        if (sound_modes->mode[k].transitions > 0) guards[0] += unsure;                                                 \
    }                                                                                                                  \
    static void tangent_##k(const zeno_point *x, const zeno_direction *d, double *states, double *guards) {            \
        sound_modes->mode[k].rates_tangent(x, d, states, guards);                                                      \
        states[0] += doubt();                                                                                          \
    }                                                                                                                  \
    static void guards_##k(const zeno_point *x, double *g, double *rounding) {                                         \
        sound_modes->mode[k].guards(x, g, rounding);                                                                   \
        if (sound_modes->mode[k].transitions > 0) g[0] += doubt();                                                     \
    }
FAILING_MODE(0)
FAILING_MODE(1)

static zeno_model failing_modes(const zeno_model *model, zeno_hybrid *hybrid, zeno_mode modes[MOST_MODES]) {
    zeno_model failing = *model;
    sound_modes = model->hybrid;
    *hybrid = *sound_modes;
    assert_true(hybrid->modes <= MOST_MODES);
    memcpy(modes, sound_modes->mode, (size_t)hybrid->modes * sizeof *modes);
    for (int k = 0; k < hybrid->modes; ++k) {
        modes[k].rates = k == 0 ? rates_0 : rates_1;
        modes[k].rates_tangent = k == 0 ? tangent_0 : tangent_1;
        modes[k].guards = k == 0 ? guards_0 : guards_1;
    }
    hybrid->mode = modes;
    failing.hybrid = hybrid;
    return failing;
}

// ---- Lives: what a host does with an engine, until something fails

static bool missed; // something could not be seen

// Adds what is seen to `seen`.
static void look(playground *p, const zeno_quantity *quantities, double *seen) {
    for (; *quantities != ZENO_PARAMETER; ++quantities) {
        const zeno_variable variable = {.name = "test", .quantity = *quantities};
        double value = 0;
        missed |= zeno_get(p->engine, &variable, &value) != ZENO_OK;
        *seen += value;
    }
}

static zeno_status save_and_restore(playground *p) {
    static unsigned char bytes[10000];
    const size_t size = zeno_saved_size(p->engine);
    assert_true(size <= sizeof bytes);
    zeno_save(p->engine, bytes);
    return zeno_restore(p->engine, bytes, size);
}

// A mass falls, bounces, rests, is lifted by a ramp and falls again.
static zeno_status life_of_mass(playground *p, double *seen) {
    static const zeno_quantity visible[] = {ZENO_COORDINATE, ZENO_GAP, ZENO_FORCE, ZENO_KINETIC_ENERGY, ZENO_PARAMETER};
    put(p, ZENO_PARAMETER, MASS_E, 0.1);
    put(p, ZENO_COORDINATE, 0, 0.1);
    look(p, visible + 2, seen); // a gap that can't be evaluated is seen as it is before the start
    zeno_status status = zeno_initialize(p->engine, 0, 1e-3);
    for (int i = 1; i <= 16 && status == ZENO_OK; ++i) {
        if (i == 8) put(p, ZENO_INPUT, 0, 8);
        if (i == 8) assert_int_equal(zeno_set_input_derivative(p->engine, 0, 1, 20), ZENO_OK);
        if (i == 11) put(p, ZENO_INPUT, 0, 0);
        if (i % 4 == 0) put(p, ZENO_PARAMETER, MASS_C, 0.01 * i);
        status = zeno_advance(p->engine, 0.05 * i);
        if (status == ZENO_OK && i % 5 == 0) status = save_and_restore(p);
        look(p, visible, seen);
        if (status == ZENO_OK && i % 7 == 0) status = zeno_along_motion(p->engine);
    }
    return status;
}

// A ball slides, with inputs that change, and is thrown off.
static zeno_status life_of_ball(playground *p, double *seen) {
    static const zeno_quantity visible[] = {ZENO_COORDINATE, ZENO_GAP, ZENO_FORCE, ZENO_PARAMETER};
    put(p, ZENO_PARAMETER, BALL_E, 0);
    put(p, ZENO_COORDINATE, 1, 0.1);
    zeno_status status = zeno_initialize(p->engine, 0, 1e-3);
    for (int i = 1; i <= 8 && status == ZENO_OK; ++i) {
        put(p, ZENO_INPUT, 0, 0.1 * i);
        status = zeno_advance(p->engine, 0.2 * i);
        look(p, visible, seen);
    }
    return status;
}

// With the strip of a relaxed execution.
static zeno_status life_of_relaxed_mass(playground *p, double *seen) {
    put(p, ZENO_SETTING, ZENO_RELAXATION, 0.01);
    return life_of_mass(p, seen);
}

// So stiff that BDF takes over.
static zeno_status life_of_stiff_mass(playground *p, double *seen) {
    put(p, ZENO_PARAMETER, MASS_C, 1e5);
    put(p, ZENO_PARAMETER, MASS_AMPLITUDE, 1e4);
    zeno_status status = zeno_initialize(p->engine, 0, 1e-3);
    if (status == ZENO_OK) status = zeno_advance(p->engine, 0.1);
    static const zeno_quantity visible[] = {ZENO_COORDINATE, ZENO_PARAMETER};
    look(p, visible, seen);
    return status;
}

static const zeno_quantity states_and_mode[] = {ZENO_STATE, ZENO_MODE, ZENO_PARAMETER};

static zeno_status life_of_spring(playground *p, double *seen) {
    put(p, ZENO_STATE, 0, 0.05);
    put(p, ZENO_STATE, 1, -1);
    zeno_status status = zeno_initialize(p->engine, 0, 1e-3);
    for (int i = 1; i <= 12 && status == ZENO_OK; ++i) {
        put(p, ZENO_INPUT, 0, i % 3 == 0 ? -1 : -2);
        status = zeno_advance(p->engine, 0.02 * i);
        if (status == ZENO_OK && i % 5 == 0) status = save_and_restore(p);
        look(p, states_and_mode, seen);
    }
    return status;
}

static zeno_status life_of_relaxed_spring(playground *p, double *seen) {
    put(p, ZENO_SETTING, ZENO_RELAXATION, 0.01);
    return life_of_spring(p, seen);
}

// Begins beyond the guard of its mode, at the guard, and on its way through.
static zeno_status life_of_spring_at_its_guard(playground *p, double *seen) {
    zeno_status status = ZENO_OK;
    for (int i = -1; i <= 1 && status == ZENO_OK; ++i) {
        zeno_reset(p->engine);
        put(p, ZENO_STATE, 0, i < 0 ? -0.1 : 0);
        put(p, ZENO_STATE, 1, i > 0 ? -1 : 0);
        put(p, ZENO_INPUT, 0, -1);
        status = zeno_initialize(p->engine, 0, 1e-3);
        if (status == ZENO_OK) status = zeno_advance(p->engine, 0.01);
        look(p, states_and_mode, seen);
    }
    return status;
}

// Slides, with a change of input in the middle of a dwell, and leaves.
static zeno_status life_of_relay(playground *p, double *seen) {
    put(p, ZENO_STATE, 0, 1e-3);
    zeno_status status = zeno_initialize(p->engine, 0, 1e-3);
    if (status == ZENO_OK) status = zeno_advance(p->engine, 1.0e-3);
    for (int i = 1; i <= 40 && status == ZENO_OK; ++i) {
        if (i % 10 == 0) put(p, ZENO_INPUT, 0, 0.01 * i);
        status = zeno_advance(p->engine, 1.0001e-3 + 2.5e-9 * i);
        static const zeno_quantity visible[] = {ZENO_STATE, ZENO_PARAMETER}; // in one mode as much as in the other
        look(p, visible, seen);
    }
    put(p, ZENO_INPUT, 0, 3);
    if (status == ZENO_OK) status = zeno_advance(p->engine, 1.001e-3);
    return status;
}

static zeno_status life_of_decay(playground *p, double *seen) {
    put(p, ZENO_PARAMETER, DECAY_K, 1e6);
    zeno_status status = zeno_initialize(p->engine, 0, 1e-3);
    if (status == ZENO_OK) status = zeno_advance(p->engine, 0.1);
    look(p, states_and_mode, seen);
    return status;
}

// ---- Trials

typedef zeno_status (*life)(playground *p, double *seen);

// Only errors are kept.
static void keep_errors(void *environment, zeno_category category, const char *message) {
    if (category == ZENO_LOG_ERROR) collect(environment, category, message);
}

// A life that failed says why.
static void expect_reason(const playground *p, zeno_status status) {
    static const char *const reasons[] = {"can't be evaluated", "can't go on", "can't be read", "its gap is nan"};
    bool given = status == ZENO_OK;
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; ++i)
        given |= says(p, reasons[i]);
    if (!given) print_error("no reason is given: %s\n", p->log);
    assert_true(given);
}

// One evaluation in `stride` fails, once or for ever; few lives survive the latter.
static void live_through(const zeno_model *model, life live, long stride) {
    double expected = 0;
    playground *p = calloc(1, sizeof *p);
    assert_non_null(p);
    const zeno_host host = {.allocate = calloc, .release = free, .log = keep_errors, .environment = p};
    p->engine = zeno_create(model, &host);
    assert_non_null(p->engine);
    inflict(0, 0);
    assert_int_equal(live(p, &expected), ZENO_OK);
    const long all = evaluations;
    long survived = 0, failed = 0;
    for (long which = 1; which <= all; which += stride) {
        for (int lasting = 0; lasting < 2; ++lasting) {
            double seen = 0;
            zeno_reset(p->engine);
            p->logged = 0;
            p->log[0] = '\0';
            missed = false;
            inflict(which, lasting ? LONG_MAX : 1);
            const zeno_status status = live(p, &seen);
            inflict(0, 0);
            expect_reason(p, status);
            if (lasting) failed += status != ZENO_OK;
            if (!lasting) survived += status == ZENO_OK;
            if (status == ZENO_OK && !missed) assert_near(seen, expected, 0.05 * fabs(expected) + 1e-5);
        }
    }
    assert_true(survived > 0);
    assert_true(failed > 0);
    double again = 0;
    zeno_reset(p->engine);
    assert_int_equal(live(p, &again), ZENO_OK);
    assert_near(again, expected, 0); // to the bit
    playground_destroy(p);
}

static void a_ball_survives_every_evaluation_that_fails(void **state) {
    (void)state;
    zeno_lagrangian lagrangian;
    const zeno_model model = failing_lagrangian(&ball_on_sine, &lagrangian);
    live_through(&model, life_of_ball, 1);
}

static void a_mass_survives_every_evaluation_that_fails(void **state) {
    (void)state;
    zeno_lagrangian lagrangian;
    const zeno_model model = failing_lagrangian(&mass_on_floor, &lagrangian);
    live_through(&model, life_of_mass, 1);
    live_through(&model, life_of_relaxed_mass, 1);
    live_through(&model, life_of_stiff_mass, 1);
}

static void a_system_with_modes_survives_every_evaluation_that_fails(void **state) {
    (void)state;
    zeno_hybrid hybrid;
    zeno_mode modes[MOST_MODES];
    zeno_model model = failing_modes(&spring, &hybrid, modes);
    live_through(&model, life_of_spring, 3);
    live_through(&model, life_of_relaxed_spring, 3);
    live_through(&model, life_of_spring_at_its_guard, 1);
    model = failing_modes(&decay, &hybrid, modes);
    live_through(&model, life_of_decay, 1);
}

static void sliding_survives_every_evaluation_that_fails(void **state) {
    (void)state;
    zeno_hybrid hybrid;
    zeno_mode modes[MOST_MODES];
    const zeno_model model = failing_modes(&relay, &hybrid, modes);
    live_through(&model, life_of_relay, 7);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mass_survives_every_evaluation_that_fails),
        cmocka_unit_test(a_ball_survives_every_evaluation_that_fails),
        cmocka_unit_test(a_system_with_modes_survives_every_evaluation_that_fails),
        cmocka_unit_test(sliding_survives_every_evaluation_that_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
