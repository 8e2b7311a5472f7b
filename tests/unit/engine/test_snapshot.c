// Saved states: the same calls give the same bits, at any point, and what is damaged is refused.

#include "mode_models.h"
#include "playground.h"

// All that a host can see, as bits.
static void look(playground *p, int coordinates, double seen[64]) {
    int k = 0;
    for (int i = 0; i < coordinates; ++i) {
        seen[k++] = get(p, ZENO_COORDINATE, i);
        seen[k++] = get(p, ZENO_RATE, i);
        seen[k++] = get(p, ZENO_ACCELERATION, i);
    }
    for (zeno_quantity q = ZENO_GAP; q <= ZENO_DISSIPATED_ENERGY; ++q)
        seen[k++] = get(p, q, 0);
    while (k < 64)
        seen[k++] = 0;
}

// Small pseudo-random numbers: the same on every platform.
static unsigned next(unsigned *seed) {
    return *seed = *seed * 1664525u + 1013904223u;
}

static double fraction(unsigned *seed) {
    return (next(seed) >> 8) / 16777216.0;
}

// One step of a random host: sometimes an input or a ramp changes, then time passes.
static void play(playground *p, unsigned *seed) {
    const double size = next(seed) % 4 == 0 ? 1e-4 : 0.3;
    if (next(seed) % 3 == 0) put(p, ZENO_INPUT, (int)(next(seed) >> 16) % 2, fraction(seed) - 0.5);
    if (next(seed) % 5 == 0)
        assert_int_equal(zeno_set_input_derivative(p->engine, 0, 1, fraction(seed) - 0.5), ZENO_OK);
    go_to(p, zeno_time(p->engine) + size * (0.1 + fraction(seed)));
}

static void *save(playground *p, size_t *size) {
    *size = zeno_saved_size(p->engine);
    void *bytes = malloc(*size);
    assert_non_null(bytes);
    zeno_save(p->engine, bytes);
    return bytes;
}

static void after_a_restore_the_same_calls_give_the_same_bits(void **state) {
    (void)state;
    playground *p = playground_create(&ball_on_sine), *other = playground_create(&ball_on_sine);
    begin(p, 1e-8);
    unsigned seed = 1;
    for (int round = 0; round < 150; ++round) {
        size_t size;
        void *bytes = save(p, &size);
        double first[64], again[64], elsewhere[64];
        unsigned replay = seed;
        for (int i = 0; i < 4; ++i)
            play(p, &seed);
        look(p, 2, first);
        assert_int_equal(zeno_restore(p->engine, bytes, size), ZENO_OK);
        assert_int_equal(zeno_restore(other->engine, bytes, size), ZENO_OK);
        unsigned in_other = replay;
        for (int i = 0; i < 4; ++i)
            play(p, &replay), play(other, &in_other);
        look(p, 2, again);
        look(other, 2, elsewhere);
        assert_memory_equal(again, first, sizeof first);
        assert_memory_equal(elsewhere, first, sizeof first);
        free(bytes);
    }
    playground_destroy(p);
    playground_destroy(other);
}

// A ramp that the host goes on with, but for rounding, is no news. Where it comes to zero, what was rounded is not
// small beside it; there, too, a restore doesn't make news of it.
static void after_a_restore_a_signal_that_went_on_still_goes_on(void **state) {
    (void)state;
    playground *p = playground_create(&ball_on_sine);
    put(p, ZENO_INPUT, 0, -1);
    begin(p, 1e-8);
    assert_int_equal(zeno_set_input_derivative(p->engine, 0, 1, 1), ZENO_OK);
    go_to(p, 0.5);
    put(p, ZENO_INPUT, 0, -0.5);
    assert_int_equal(zeno_set_input_derivative(p->engine, 0, 1, nextafter(1, 2)), ZENO_OK);
    go_to(p, 1);
    size_t size;
    void *bytes = save(p, &size);
    double first[64], again[64];
    go_to(p, 1.1);
    look(p, 2, first);
    assert_int_equal(zeno_restore(p->engine, bytes, size), ZENO_OK);
    go_to(p, 1.1);
    look(p, 2, again);
    assert_memory_equal(again, first, sizeof first);
    free(bytes);
    playground_destroy(p);
}

static void a_restore_integrates_nothing_while_the_last_step_covers_the_time(void **state) {
    (void)state;
    playground *p = playground_create(&mass_on_floor);
    begin(p, 1e-6);
    go_to(p, 0.2);
    const zeno_statistics before = zeno_work(p->engine);
    size_t size;
    void *bytes = save(p, &size);
    go_to(p, 0.2 + 1e-9);
    assert_int_equal(zeno_work(p->engine).steps, before.steps);
    assert_int_equal(zeno_restore(p->engine, bytes, size), ZENO_OK);
    assert_int_equal(zeno_work(p->engine).steps, before.steps);
    assert_int_equal(zeno_work(p->engine).starts, before.starts);
    go_to(p, 0.8); // past the first impact: another anchor
    const zeno_statistics later = zeno_work(p->engine);
    assert_int_equal(zeno_restore(p->engine, bytes, size), ZENO_OK);
    assert_int_equal(zeno_work(p->engine).steps, later.steps + before.steps);
    free(bytes);
    playground_destroy(p);
}

static void a_state_saved_before_the_start_holds_what_was_set(void **state) {
    (void)state;
    playground *p = playground_create(&mass_on_floor), *other = playground_create(&mass_on_floor);
    put(p, ZENO_PARAMETER, MASS_E, 0.25);
    put(p, ZENO_COORDINATE, 0, 7);
    put(p, ZENO_INPUT, 0, NAN); // no use, but the host's own word
    size_t size;
    void *bytes = save(p, &size);
    assert_int_equal(zeno_restore(other->engine, bytes, size), ZENO_OK);
    assert_near(get(other, ZENO_PARAMETER, MASS_E), 0.25, 0);
    assert_near(get(other, ZENO_COORDINATE, 0), 7, 0);
    assert_true(isnan(get(other, ZENO_INPUT, 0)));
    free(bytes);
    playground_destroy(p);
    playground_destroy(other);
}

static void any_flipped_byte_is_refused_and_changes_nothing(void **state) {
    (void)state;
    playground *p = playground_create(&ball_on_sine);
    begin(p, 1e-6);
    go_to(p, 3);
    size_t size;
    unsigned char *bytes = save(p, &size);
    double before[64], after[64];
    look(p, 2, before);
    for (size_t i = 0; i < size; ++i) {
        for (int bit = 0; bit < 8; bit += 7) {
            bytes[i] = (unsigned char)(bytes[i] ^ (1u << bit));
            assert_int_equal(zeno_restore(p->engine, bytes, size), ZENO_REFUSED);
            bytes[i] = (unsigned char)(bytes[i] ^ (1u << bit));
        }
    }
    for (size_t length = 0; length < size; length += 7)
        assert_int_equal(zeno_restore(p->engine, bytes, length), ZENO_REFUSED);
    look(p, 2, after);
    assert_memory_equal(after, before, sizeof before);
    assert_int_equal(zeno_restore(p->engine, bytes, size), ZENO_OK);
    free(bytes);
    playground_destroy(p);
}

static void the_state_of_another_model_is_refused(void **state) {
    (void)state;
    playground *p = playground_create(&ball_on_sine), *other = playground_create(&mass_on_floor);
    size_t size;
    void *bytes = save(p, &size);
    assert_int_equal(zeno_restore(other->engine, bytes, size), ZENO_REFUSED);
    assert_true(says(other, "another model"));
    free(bytes);
    playground_destroy(p);
    playground_destroy(other);
}

// ---- A solver that stumbles

static long guards_until_failure; // 0: none fails

// The guard of the spring's contact, which can't be evaluated once.
static void stumbling_guards(const zeno_point *x, double *g, double *rounding) {
    spring.hybrid->mode[CONTACT].guards(x, g, rounding);
    if (guards_until_failure > 0 && --guards_until_failure == 0) g[0] = NAN;
}

// The solver gives up where a guard can't be evaluated, and starts anew from there: before the time to be restored.
static void a_restore_over_which_the_solver_stumbles_still_comes_to_its_time(void **state) {
    (void)state;
    zeno_mode modes[] = {spring.hybrid->mode[FLIGHT], spring.hybrid->mode[CONTACT]};
    const zeno_hybrid hybrid = {2, FLIGHT, modes};
    zeno_model stumbling_spring = spring;
    modes[CONTACT].guards = stumbling_guards;
    stumbling_spring.hybrid = &hybrid;
    playground *p = playground_create(&stumbling_spring), *other = playground_create(&stumbling_spring);
    begin(p, 1e-8);
    go_to(p, 0.04); // of 0.1 s that the contact lasts
    size_t size;
    void *bytes = save(p, &size);
    int restored = 0;
    for (long which = 1; which < 200; ++which) {
        guards_until_failure = which;
        const zeno_status status = zeno_restore(other->engine, bytes, size);
        const bool stumbled = guards_until_failure == 0;
        guards_until_failure = 0;
        if (!stumbled) break;
        if (status != ZENO_OK) continue;
        assert_near(get(other, ZENO_STATE, 0), get(p, ZENO_STATE, 0), 1e-8);
        go_to(other, 0.05);
        ++restored;
    }
    assert_true(restored > 10);
    free(bytes);
    playground_destroy(p);
    playground_destroy(other);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(after_a_restore_the_same_calls_give_the_same_bits),
        cmocka_unit_test(after_a_restore_a_signal_that_went_on_still_goes_on),
        cmocka_unit_test(a_restore_integrates_nothing_while_the_last_step_covers_the_time),
        cmocka_unit_test(a_state_saved_before_the_start_holds_what_was_set),
        cmocka_unit_test(any_flipped_byte_is_refused_and_changes_nothing),
        cmocka_unit_test(the_state_of_another_model_is_refused),
        cmocka_unit_test(a_restore_over_which_the_solver_stumbles_still_comes_to_its_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
