// Saved states: the anchor, the time reached and the values that the host has set. The solver's insides are not saved;
// they follow from the anchor.
//
// One function names all fields in order; what happens to them (counting, writing, checking, comparing, reading)
// depends on the stream that it is given.

#include <math.h>
#include <string.h>

#include "engine_impl.h"
#include "hash.h"
#include "message.h"

enum { FORMAT = 1 };
static const char MAGIC[8] = "zenofmu";

// At the front of a saved state. The fields that follow are doubles; integers up to 2^53 are exact in them.
typedef struct header {
    char magic[8];
    uint64_t format;
    uint64_t size;     // of the whole
    uint64_t model;    // hash of the GUID
    uint64_t checksum; // of what follows the header
} header;

typedef enum stream_mode { COUNT, WRITE, CHECK, COMPARE, READ } stream_mode;

typedef struct stream {
    stream_mode mode;
    unsigned char *write;
    const unsigned char *read;
    size_t position;
    bool valid; // CHECK: all fields are in range; COMPARE: all are equal to the engine's
} stream;

static bool same_bits(double x, double y) {
    uint64_t a, b;
    memcpy(&a, &x, sizeof a);
    memcpy(&b, &y, sizeof b);
    return a == b;
}

// The next field, whose present value is `value`; *incoming is the one in the stream.
static bool exchange(stream *s, double value, double *incoming) {
    const size_t position = s->position;
    s->position += sizeof value;
    if (s->mode == WRITE) memcpy(s->write + position, &value, sizeof value);
    if (s->mode == COUNT || s->mode == WRITE) return false;
    memcpy(incoming, s->read + position, sizeof *incoming);
    if (s->mode == CHECK && isnan(*incoming)) s->valid = false;
    if (s->mode == COMPARE && !same_bits(*incoming, value)) s->valid = false;
    return s->mode == READ;
}

static void number(stream *s, double *field) {
    double incoming;
    if (exchange(s, *field, &incoming)) *field = incoming;
}

static void numbers(stream *s, double *fields, int count) {
    for (int i = 0; i < count; ++i)
        number(s, &fields[i]);
}

// A whole number from 0 to `most`.
static double whole(stream *s, double value, double most) {
    double incoming = 0;
    const bool take = exchange(s, value, &incoming);
    if (s->mode == CHECK && !(incoming >= 0 && incoming <= most && incoming == floor(incoming))) s->valid = false;
    return take ? incoming : value;
}

static void flag(stream *s, bool *field) {
    *field = whole(s, *field, 1) != 0;
}

static void count(stream *s, long *field) {
    *field = (long)whole(s, (double)*field, 2147483647.0);
}

static void small_count(stream *s, int *field) {
    *field = (int)whole(s, *field, 1000);
}

static void signals(stream *s, zeno_signal *fields, int count_of_them) {
    for (int i = 0; i < count_of_them; ++i) {
        number(s, &fields[i].origin);
        numbers(s, fields[i].derivative, ZENO_INPUT_ORDERS);
        if (s->mode == READ) zeno_signal_measure(&fields[i]);
    }
}

static void proof_fields(stream *s, const zeno_model *model, zeno_proof *proof) {
    number(s, &proof->time);
    number(s, &proof->approach);
    number(s, &proof->restitution);
    flag(s, &proof->orthogonal);
    number(s, &proof->first_jump);
    numbers(s, proof->q, model->coordinates);
    numbers(s, proof->v, model->coordinates);
    numbers(s, proof->parameters, model->parameters);
    for (int i = 0; i < model->inputs; ++i) {
        number(s, &proof->inputs[i].lo);
        number(s, &proof->inputs[i].hi);
    }
}

static void contact_fields(stream *s, const zeno_model *model, zeno_contact *contact) {
    flag(s, &contact->closed);
    flag(s, &contact->hanging);
    count(s, &contact->impacts);
    count(s, &contact->releases);
    number(s, &contact->last_impact_time);
    number(s, &contact->last_impact_speed);
    number(s, &contact->last_impulse);
    count(s, &contact->zeno_count);
    number(s, &contact->zeno_time);
    number(s, &contact->zeno_time_bound);
    number(s, &contact->zeno_position_bound);
    number(s, &contact->zeno_velocity_bound);
    flag(s, &contact->zeno_certified);
    proof_fields(s, model, &contact->proof);
    number(s, &contact->gap_scale);
    number(s, &contact->rate_scale);
}

static void mode_fields(stream *s, const zeno_model *model, zeno_mode_state *mode) {
    mode->present = (int)whole(s, mode->present, zeno_modes(model) - 1);
    mode->pending = (int)whole(s, mode->pending, model->guards > 0 ? model->guards - 1 : 0);
    count(s, &mode->transitions);
    number(s, &mode->last_time);
    number(s, &mode->reach);
    flag(s, &mode->gliding);
    count(s, &mode->glides);
    numbers(s, mode->held, model->held);
    numbers(s, mode->last_dwell, zeno_modes(model));
    numbers(s, mode->taken, model->guards);
}

static void anchor_fields(stream *s, const zeno_model *model, zeno_state *anchor) {
    number(s, &anchor->time);
    number(s, &anchor->time_tail);
    number(s, &anchor->flight_age);
    count(s, &anchor->bounces);
    number(s, &anchor->last_flight);
    count(s, &anchor->shrinking);
    number(s, &anchor->strip);
    number(s, &anchor->first_step);
    small_count(s, &anchor->stiff);
    small_count(s, &anchor->flips);
    number(s, &anchor->dissipated);
    numbers(s, anchor->y, zeno_dimension(model));
    numbers(s, anchor->parameters, model->parameters);
    numbers(s, anchor->settings, ZENO_SETTINGS);
    signals(s, anchor->inputs, model->inputs);
    for (int j = 0; j < model->constraints; ++j)
        contact_fields(s, model, &anchor->contact[j]);
    if (model->hybrid) mode_fields(s, model, &anchor->mode);
}

// What the host has set may be anything, NaN too: it is carried as bits, not judged.
static void set_fields(stream *s, zeno_engine *engine) {
    const zeno_model *model = engine->model;
    const bool valid = s->valid;
    numbers(s, engine->parameters, model->parameters);
    numbers(s, engine->settings, ZENO_SETTINGS);
    numbers(s, engine->start, zeno_start_values(model));
    signals(s, engine->inputs, model->inputs);
    s->valid = valid;
}

static void all_fields(stream *s, zeno_engine *engine) {
    flag(s, &engine->initialized);
    number(s, &engine->tolerance);
    number(s, &engine->time);
    set_fields(s, engine);
    if (s->mode == READ && !engine->initialized) return; // the start makes its own anchor
    anchor_fields(s, engine->model, &engine->anchor);
    flag(s, &engine->touched); // a signal that was found to go on, but for rounding, isn't compared again later
}

// Only a stream that reads changes the engine.
static size_t pass(stream *s, const zeno_engine *engine) {
    all_fields(s, (zeno_engine *)engine);
    return s->position;
}

size_t zeno_saved_size(const zeno_engine *engine) {
    stream s = {.mode = COUNT};
    return sizeof(header) + pass(&s, engine);
}

void zeno_save(const zeno_engine *engine, void *bytes) {
    unsigned char *fields = (unsigned char *)bytes + sizeof(header);
    stream s = {.mode = WRITE, .write = fields};
    const size_t size = pass(&s, engine);
    const char *guid = engine->model->guid;
    header front = {.format = FORMAT,
                    .size = sizeof front + size,
                    .model = zeno_hash(guid, strlen(guid)),
                    .checksum = zeno_hash(fields, size)};
    memcpy(front.magic, MAGIC, sizeof MAGIC);
    memcpy(bytes, &front, sizeof front);
}

// What is wrong with the bytes; NULL if nothing is.
static const char *fault(const zeno_engine *engine, const void *bytes, size_t size) {
    header front;
    const char *guid = engine->model->guid;
    if (size < sizeof front) return "it is too short";
    memcpy(&front, bytes, sizeof front);
    const unsigned char *fields = (const unsigned char *)bytes + sizeof front;
    if (memcmp(front.magic, MAGIC, sizeof MAGIC) != 0) return "it is not a saved state";
    if (front.format != FORMAT) return "it is of another version";
    if (front.model != zeno_hash(guid, strlen(guid))) return "it is of another model";
    if (front.size != size || size != zeno_saved_size(engine)) return "its length is wrong";
    if (front.checksum != zeno_hash(fields, size - sizeof front)) return "its checksum is wrong";
    double initialized;
    memcpy(&initialized, fields, sizeof initialized);
    if (initialized == 0) return NULL; // nothing is used of it that the start doesn't judge
    stream s = {.mode = CHECK, .read = fields, .valid = true};
    pass(&s, engine);
    return s.valid ? NULL : "a value in it is out of range";
}

// Whether the saved anchor is the one that the solver has started from.
static bool same_anchor(const zeno_engine *engine, const unsigned char *fields) {
    stream s = {.mode = COUNT, .read = fields};
    zeno_engine *unchanged = (zeno_engine *)engine;
    flag(&s, &unchanged->initialized);
    number(&s, &unchanged->tolerance);
    number(&s, &unchanged->time);
    set_fields(&s, unchanged);
    s.mode = COMPARE;
    s.valid = true;
    anchor_fields(&s, engine->model, &unchanged->anchor);
    return s.valid;
}

zeno_status zeno_check_saved(const zeno_engine *engine, const void *bytes, size_t size) {
    const char *wrong = fault(engine, bytes, size);
    if (!wrong) return ZENO_OK;
    zeno_log(&engine->host, ZENO_LOG_ERROR, "the state can't be restored: %s", wrong);
    return ZENO_REFUSED;
}

zeno_status zeno_restore(zeno_engine *engine, const void *bytes, size_t size) {
    if (zeno_check_saved(engine, bytes, size) != ZENO_OK) return ZENO_REFUSED;
    const unsigned char *fields = (const unsigned char *)bytes + sizeof(header);
    const double tolerance = engine->tolerance;
    const bool running = engine->initialized && same_anchor(engine, fields);
    stream s = {.mode = READ, .read = fields};
    pass(&s, engine);
    zeno_view_spoil(engine);
    if (!engine->initialized) return ZENO_OK;
    if (running && tolerance == engine->tolerance && zeno_solver_covers_present(engine)) return ZENO_OK;
    return zeno_resume(engine);
}
