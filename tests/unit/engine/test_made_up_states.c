// Saved states that somebody has made up: what is out of range is refused, and what is in range is carried in bounded
// work, whatever comes of it.

#include "hash.h"
#include "mode_models.h"
#include "playground.h"

// How saved states begin, as snapshot.c writes them.
enum { SIZE_AT = 16, CHECKSUM_AT = 32, FIELDS_AT = 40 };
// Fields.
enum { INITIALIZED, TOLERANCE, TIME };

typedef struct saved_state {
    size_t size;
    unsigned char *bytes;
} saved_state;

static saved_state save(const playground *p) {
    saved_state saved = {.size = zeno_saved_size(p->engine)};
    saved.bytes = malloc(saved.size);
    assert_non_null(saved.bytes);
    zeno_save(p->engine, saved.bytes);
    return saved;
}

static size_t field_count(const saved_state *saved) {
    return (saved->size - FIELDS_AT) / sizeof(double);
}

static double read_field(const saved_state *saved, size_t i) {
    double value;
    memcpy(&value, saved->bytes + FIELDS_AT + i * sizeof value, sizeof value);
    return value;
}

// Writes a field, with a checksum that fits.
static void write_field(saved_state *saved, size_t i, double value) {
    memcpy(saved->bytes + FIELDS_AT + i * sizeof value, &value, sizeof value);
    const uint64_t checksum = zeno_hash(saved->bytes + FIELDS_AT, saved->size - FIELDS_AT);
    memcpy(saved->bytes + CHECKSUM_AT, &checksum, sizeof checksum);
}

static playground *sliding_relay(void) {
    playground *p = playground_create(&relay);
    begin(p, 1e-6);
    go_to(p, 1.000001); // slides from 1 on
    assert_true(says(p, "start of sliding"));
    return p;
}

static playground *relaxed_spring(void) {
    playground *p = playground_create(&spring);
    put(p, ZENO_SETTING, ZENO_RELAXATION, 1e-2);
    put(p, ZENO_STATE, 0, 0.01);
    put(p, ZENO_STATE, 1, -1);
    begin(p, 1e-6);
    go_to(p, 0.015); // on the strip
    return p;
}

static playground *sliding_ball(void) {
    playground *p = playground_create(&ball_on_sine);
    begin(p, 1e-3);
    go_to(p, 4);
    return p;
}

// Every field in turn, with values that no field expects: a few are refused, and no engine hangs or breaks over the
// others. (Sanitizers look on.)
static void play_all(playground *p, const zeno_model *model, double step) {
    static const double values[] = {NAN, -1, 0.5, 1, 3, 1000, 2147483647, 1e300};
    saved_state saved = save(p);
    int refused = 0;
    for (size_t i = 0; i < field_count(&saved); ++i) {
        const double honest = read_field(&saved, i);
        for (size_t k = 0; k < sizeof values / sizeof *values; ++k) {
            playground *other = playground_create(model);
            write_field(&saved, i, values[k]);
            const zeno_status status = zeno_restore(other->engine, saved.bytes, saved.size);
            if (status == ZENO_REFUSED) ++refused;
            if (status == ZENO_REFUSED) assert_true(says(other, "a value in it is out of range"));
            if (status == ZENO_FAILED) assert_true(other->logged > 0);
            const double time = zeno_time(other->engine);
            if (status == ZENO_OK) zeno_advance(other->engine, time + step + 1e-12 * fabs(time));
            zeno_reset(other->engine);
            begin(other, 1e-3); // whatever it was, a reset mends it
            playground_destroy(other);
        }
        write_field(&saved, i, honest);
    }
    assert_true(refused > 20);
    assert_int_equal(zeno_restore(p->engine, saved.bytes, saved.size), ZENO_OK);
    free(saved.bytes);
    playground_destroy(p);
}

static void no_value_in_a_saved_state_breaks_an_engine(void **state) {
    (void)state;
    play_all(sliding_ball(), &ball_on_sine, 1e-3);
    play_all(relaxed_spring(), &spring, 0.02);
    play_all(sliding_relay(), &relay, 1e-7);
}

// A flag must be 0 or 1, a count whole and not negative.
static void a_flag_or_count_that_is_none_is_refused(void **state) {
    (void)state;
    const double wrong[] = {-1, 0.5, 2, NAN};
    playground *p = sliding_ball();
    saved_state saved = save(p);
    for (int k = 0; k < 4; ++k) {
        write_field(&saved, INITIALIZED, wrong[k]);
        assert_int_equal(zeno_check_saved(p->engine, saved.bytes, saved.size), ZENO_REFUSED);
    }
    free(saved.bytes);
    playground_destroy(p);
}

static void a_length_that_only_its_header_believes_is_refused(void **state) {
    (void)state;
    playground *p = sliding_ball();
    saved_state saved = save(p);
    const uint64_t shorter = saved.size - sizeof(double);
    memcpy(saved.bytes + SIZE_AT, &shorter, sizeof shorter);
    assert_int_equal(zeno_restore(p->engine, saved.bytes, (size_t)shorter), ZENO_REFUSED);
    assert_true(says(p, "its length is wrong"));
    free(saved.bytes);
    playground_destroy(p);
}

// A restore repeats at most a stretch of steps; a time far from the anchor's would take for ever.
static void a_time_far_from_its_anchor_fails_in_bounded_work(void **state) {
    (void)state;
    playground *p = playground_create(&mass_on_floor);
    put(p, ZENO_PARAMETER, MASS_AMPLITUDE, 20);
    put(p, ZENO_PARAMETER, MASS_FREQUENCY, 100);
    put(p, ZENO_COORDINATE, 0, 1e9);
    begin(p, 1e-8);
    go_to(p, 0.1);
    saved_state saved = save(p);
    write_field(&saved, TIME, 1000);
    assert_int_equal(zeno_restore(p->engine, saved.bytes, saved.size), ZENO_FAILED);
    assert_true(says(p, "solver steps; t ="));
    assert_true(zeno_work(p->engine).steps < 20000);
    write_field(&saved, TIME, 0.1);
    assert_int_equal(zeno_restore(p->engine, saved.bytes, saved.size), ZENO_OK);
    go_to(p, 0.2);
    free(saved.bytes);
    playground_destroy(p);
}

// Another tolerance takes other steps from the same anchor.
static void a_state_of_another_tolerance_is_carried_with_its_own(void **state) {
    (void)state;
    playground *fine = playground_create(&mass_on_floor), *coarse = playground_create(&mass_on_floor);
    put(fine, ZENO_PARAMETER, MASS_C, 1);
    put(coarse, ZENO_PARAMETER, MASS_C, 1);
    begin(fine, 1e-10);
    begin(coarse, 1e-3);
    go_to(fine, 0.01);
    go_to(coarse, 0.01);
    saved_state saved = save(fine);
    assert_int_equal(zeno_restore(coarse->engine, saved.bytes, saved.size), ZENO_OK);
    go_to(fine, 3);
    go_to(coarse, 3);
    assert_near(get(coarse, ZENO_LAST_IMPACT_TIME, 0), get(fine, ZENO_LAST_IMPACT_TIME, 0), 0);
    assert_near(get(coarse, ZENO_ZENO_TIME, 0), get(fine, ZENO_ZENO_TIME, 0), 0);
    free(saved.bytes);
    playground_destroy(fine);
    playground_destroy(coarse);
}

// ---- A cascade whose budget of impacts is said to be spent

// Of a mass: behind what the host has set lie time, its tail, the flight's age, bounces, the last flight, and this.
enum { SHRINKING = 3 + 6 + ZENO_SETTINGS + 2 + 1 + ZENO_INPUT_ORDERS + 5 };

// A mass that has bounced four times, its next impact counted as the millionth.
static playground *tired_mass(double epsilon_q, double epsilon_v) {
    playground *p = playground_create(&mass_on_floor);
    put(p, ZENO_PARAMETER, MASS_E, 0.9);
    put(p, ZENO_SETTING, ZENO_EPSILON_Q, epsilon_q);
    put(p, ZENO_SETTING, ZENO_EPSILON_V, epsilon_v);
    put(p, ZENO_SETTING, ZENO_EPSILON_T, 1e-12); // nothing can be proven
    begin(p, 1e-6);
    go_to(p, 2.8);
    assert_near(get(p, ZENO_IMPACTS, 0), 4, 0);
    saved_state saved = save(p);
    assert_near(read_field(&saved, SHRINKING), 3, 0); // flights since the first impact
    write_field(&saved, SHRINKING, 1e6);
    assert_int_equal(zeno_restore(p->engine, saved.bytes, saved.size), ZENO_OK);
    free(saved.bytes);
    return p;
}

static bool is_cut(playground *p) {
    go_to(p, 3.3);
    const bool cut = get(p, ZENO_CLOSED, 0) == 1;
    assert_true(get(p, ZENO_IMPACTS, 0) >= 5);
    assert_int_equal(cut, says(p, "not certified: the budget of impacts is spent"));
    playground_destroy(p);
    return cut;
}

// Flights rise by 0.5 m and more, at 3 m/s.
static void a_cascade_is_cut_only_where_that_hardly_shows(void **state) {
    (void)state;
    assert_true(is_cut(tired_mass(10, 10)));
    assert_false(is_cut(tired_mass(0.01, 10)));
    assert_false(is_cut(tired_mass(10, 0.01)));
    playground *p = tired_mass(10, 10);
    go_to(p, 3.1);
    put(p, ZENO_INPUT, 0, 11); // it falls, but is pulled up: no cascade
    assert_false(is_cut(p));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_value_in_a_saved_state_breaks_an_engine),
        cmocka_unit_test(a_flag_or_count_that_is_none_is_refused),
        cmocka_unit_test(a_length_that_only_its_header_believes_is_refused),
        cmocka_unit_test(a_time_far_from_its_anchor_fails_in_bounded_work),
        cmocka_unit_test(a_state_of_another_tolerance_is_carried_with_its_own),
        cmocka_unit_test(a_cascade_is_cut_only_where_that_hardly_shows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
