// What the engine's tests share: an engine with its log, short ways to set and get, comparisons that print all digits.

#ifndef PLAYGROUND_H
#define PLAYGROUND_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engine.h"
#include "models.h"

typedef struct playground {
    zeno_engine *engine;
    char log[1 << 18]; // all messages, a line each; the oldest are kept when it is full
    size_t logged;
} playground;

static inline void collect(void *environment, zeno_category category, const char *message) {
    playground *p = environment;
    (void)category;
    const size_t room = sizeof p->log - p->logged;
    const int length = snprintf(p->log + p->logged, room, "%s\n", message);
    if (length > 0 && (size_t)length < room) p->logged += (size_t)length;
}

static inline playground *playground_create(const zeno_model *model) {
    playground *p = calloc(1, sizeof *p);
    assert_non_null(p);
    const zeno_host host = {.allocate = calloc, .release = free, .log = collect, .environment = p};
    p->engine = zeno_create(model, &host);
    assert_non_null(p->engine);
    return p;
}

static inline void playground_destroy(playground *p) {
    zeno_destroy(p->engine);
    free(p);
}

static inline void put(playground *p, zeno_quantity quantity, int index, double value) {
    const zeno_variable variable = {.name = "test", .quantity = quantity, .index = index};
    zeno_set(p->engine, &variable, value);
}

static inline double get(playground *p, zeno_quantity quantity, int index) {
    const zeno_variable variable = {.name = "test", .quantity = quantity, .index = index};
    double value = NAN;
    assert_int_equal(zeno_get(p->engine, &variable, &value), ZENO_OK);
    return value;
}

static inline void begin(playground *p, double tolerance) {
    assert_int_equal(zeno_initialize(p->engine, 0, tolerance), ZENO_OK);
}

static inline void go_to(playground *p, double time) {
    assert_int_equal(zeno_advance(p->engine, time), ZENO_OK);
}

static inline int says(const playground *p, const char *words) {
    return strstr(p->log, words) != NULL;
}

static inline double total_energy(playground *p) {
    return get(p, ZENO_KINETIC_ENERGY, 0) + get(p, ZENO_POTENTIAL_ENERGY, 0) + get(p, ZENO_DISSIPATED_ENERGY, 0);
}

#define assert_near(actual, expected, tolerance) expect_near(actual, expected, tolerance, #actual, __FILE__, __LINE__)

static inline void expect_near(double actual, double expected, double tolerance, const char *what, const char *file,
                               int line) {
    if (fabs(actual - expected) <= tolerance) return;
    print_error("%s = %.17g, expected %.17g within %g\n", what, actual, expected, tolerance);
    _fail(file, line);
}

#endif
