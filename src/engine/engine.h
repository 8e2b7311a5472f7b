// The engine: carries a model through impacts, past Zeno points, along its constraint and off again.
//
// An engine is one instance of a model. It has no globals: engines may run in any threads, one thread at a time each.

#ifndef ZENO_ENGINE_H
#define ZENO_ENGINE_H

#include <stddef.h>

#include "model.h"
#include "signal.h"

#define ZENO_ENGINE_VERSION "0.1.0"

// A message is shorter than this, its closing NUL included.
enum { ZENO_MESSAGE_SIZE = 1000 };

typedef enum zeno_status {
    ZENO_OK,
    ZENO_REFUSED, // something was asked that can't be: a message was logged, nothing has changed
    ZENO_FAILED   // the solver or the memory gave up: a message was logged; reset to go on
} zeno_status;

typedef enum zeno_category { ZENO_LOG_EVENTS, ZENO_LOG_SOLVER, ZENO_LOG_WARNING, ZENO_LOG_ERROR } zeno_category;

// What an engine asks of its surroundings. `allocate` and `release` work like calloc and free.
typedef struct zeno_host {
    void *(*allocate)(size_t count, size_t size);
    void (*release)(void *memory);
    void (*log)(void *environment, zeno_category category, const char *message);
    // Whether anybody listens to a category: what nobody hears is not written. NULL: all are heard.
    bool (*listens)(const void *environment, zeno_category category);
    void *environment; // handed to both
} zeno_host;

// Work done since zeno_initialize.
typedef struct zeno_statistics {
    long steps;       // solver steps
    long evaluations; // right-hand sides
    long starts;      // (re)starts of the solver
} zeno_statistics;

typedef struct zeno_engine zeno_engine;

// NULL when memory is short. All values are then the model's start values.
zeno_engine *zeno_create(const zeno_model *model, const zeno_host *host);
void zeno_destroy(zeno_engine *engine); // takes NULL

// Back to where zeno_create left it.
void zeno_reset(zeno_engine *engine);

// The time at which variables are evaluated until zeno_initialize; 0 if never called.
void zeno_set_start_time(zeno_engine *engine, double start_time);

// Checks parameters and start values and starts the motion. `tolerance` <= 0: the host gave none.
zeno_status zeno_initialize(zeno_engine *engine, double start_time, double tolerance);

// Carries the motion to `time` (>= zeno_time), in bounded work.
zeno_status zeno_advance(zeno_engine *engine, double time);

// The time reached.
double zeno_time(const zeno_engine *engine);

// Values of all types go as double: Booleans are 0 and 1. Outputs are evaluated with what was set last.
zeno_status zeno_get(zeno_engine *engine, const zeno_variable *variable, double *value);

// Any value is taken; whether it can be used is checked by zeno_initialize and zeno_advance. When the access allows
// setting is the caller's to know. Setting an input makes its derivatives 0.
void zeno_set(zeno_engine *engine, const zeno_variable *variable, double value);

// Derivatives of what can be got, at the present state and with the values set last. First one of these says along
// what: along the motion, that is with respect to time; or along a change of the inputs, which is written before into
// the zeros that zeno_input_change gives, [inputs] of them.
zeno_status zeno_along_motion(zeno_engine *engine);
double *zeno_input_change(zeno_engine *engine);
zeno_status zeno_along_inputs(zeno_engine *engine);
// Then this gives the derivative of a variable; 0 for what changes only at events.
double zeno_change_of(const zeno_engine *engine, const zeno_variable *variable);

// A saved state: everything that later results depend on, in a form that another process can read, with a version, the
// model's GUID and a checksum. Bytes that it takes:
size_t zeno_saved_size(const zeno_engine *engine);
void zeno_save(const zeno_engine *engine, void *bytes);
// Refuses what is not a whole saved state of this model.
zeno_status zeno_check_saved(const zeno_engine *engine, const void *bytes, size_t size);
// After a restore the same calls give the same bits.
zeno_status zeno_restore(zeno_engine *engine, const void *bytes, size_t size);

// A time derivative of an input, from the time reached on; to be set after the value. Orders from 1 to
// ZENO_INPUT_ORDERS - 1.
zeno_status zeno_set_input_derivative(zeno_engine *engine, int input, int order, double value);

zeno_statistics zeno_work(const zeno_engine *engine);

#endif
