// The engine tells of its events through the log; at each message its anchor can be looked at as it is then.

#include "trial.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine_impl.h"

struct trial {
    zeno_engine *engine;
    bool speaks;
    bool truncated;
    long uncertified;
    trial_truncation first;
    double release;
    char message[ZENO_MESSAGE_SIZE];
};

// The anchor holds q*, v* already. Where the cascade was cut without an attempt to prove it, the proof record is an
// older impact's: time and approach are then taken from the counters.
static void note_truncation(trial *t, const char *message) {
    static const char excuse[] = "not certified: ";
    const zeno_model *model = t->engine->model;
    const zeno_state *anchor = &t->engine->anchor;
    const zeno_contact *contact = &anchor->contact[0];
    const size_t size = (size_t)model->coordinates * sizeof(double);
    const zeno_proof *proof = &contact->proof;
    t->truncated = true;
    t->first = (trial_truncation){.time = contact->zeno_certified ? proof->time : anchor->time,
                                  .approach = contact->zeno_certified ? proof->approach : -contact->last_impact_speed,
                                  .zeno_time = contact->zeno_time,
                                  .time_bound = contact->zeno_time_bound,
                                  .position_bound = contact->zeno_position_bound,
                                  .velocity_bound = contact->zeno_velocity_bound,
                                  .certified = contact->zeno_certified};
    memcpy(t->first.q, contact->zeno_certified ? proof->q : zeno_q(anchor->y), size);
    memcpy(t->first.v, contact->zeno_certified ? proof->v : zeno_v(model, anchor->y), size);
    const char *reason = strstr(message, excuse);
    if (reason) snprintf(t->first.reason, sizeof t->first.reason, "%s", reason + strlen(excuse));
}

// The motion that the engine has just evaluated is the free one at (q*, v*).
static bool lacks_a_certificate(const zeno_engine *engine) {
    return !engine->anchor.contact[0].zeno_certified &&
           fabs(engine->motion.gap_acceleration[0]) > TRIAL_PLAIN_ACCELERATION;
}

static void listen(void *environment, zeno_category category, const char *message) {
    trial *t = environment;
    if (t->speaks) puts(message);
    if (category == ZENO_LOG_ERROR) snprintf(t->message, sizeof t->message, "%s", message);
    if (category != ZENO_LOG_EVENTS) return;
    const bool truncation = strstr(message, ": Zeno truncation on ") != NULL;
    if (truncation && lacks_a_certificate(t->engine)) ++t->uncertified;
    if (truncation && !t->truncated) note_truncation(t, message);
    if (t->truncated && isnan(t->release) && strstr(message, ": release from ")) t->release = t->engine->anchor.time;
}

trial *trial_create(const zeno_model *model) {
    trial *t = calloc(1, sizeof *t);
    if (!t) return NULL;
    const zeno_host host = {.allocate = calloc, .release = free, .log = listen, .environment = t};
    t->engine = model->coordinates <= TRIAL_COORDINATES ? zeno_create(model, &host) : NULL;
    if (t->engine) return t;
    free(t);
    return NULL;
}

void trial_destroy(trial *t) {
    if (!t) return;
    zeno_destroy(t->engine);
    free(t);
}

void trial_speak(trial *t) {
    t->speaks = true;
}

void trial_reset(trial *t) {
    zeno_reset(t->engine);
}

void trial_put(trial *t, zeno_quantity quantity, int index, double value) {
    const zeno_variable variable = {.name = "trial", .quantity = quantity, .index = index};
    zeno_set(t->engine, &variable, value);
}

double trial_get(trial *t, zeno_quantity quantity, int index) {
    const zeno_variable variable = {.name = "trial", .quantity = quantity, .index = index};
    double value = NAN;
    return zeno_get(t->engine, &variable, &value) == ZENO_OK ? value : NAN;
}

bool trial_begin(trial *t, double start_time, double tolerance) {
    t->truncated = false;
    t->uncertified = 0;
    t->release = NAN;
    t->message[0] = '\0';
    return zeno_initialize(t->engine, start_time, tolerance) == ZENO_OK;
}

bool trial_go(trial *t, double time) {
    return zeno_advance(t->engine, time) == ZENO_OK;
}

const char *trial_message(const trial *t) {
    return t->message;
}

const trial_truncation *trial_first_truncation(const trial *t) {
    return t->truncated ? &t->first : NULL;
}

long trial_uncertified(const trial *t) {
    return t->uncertified;
}

double trial_first_release(const trial *t) {
    return t->release;
}
