// A fake engine behind engine.h, with a tiny model: values lie in an array, time goes where it is told, and every
// answer can be ordered beforehand.

#ifndef FAKE_ENGINE_H
#define FAKE_ENGINE_H

#include "engine.h"

// Value references of the fake model: the access and the type are in the names.
enum {
    START_REAL,
    FIXED_REAL,
    TUNABLE_REAL,
    INPUT_REAL,
    OUTPUT_REAL,
    OUTPUT_INTEGER,
    TUNABLE_INTEGER,
    OUTPUT_BOOLEAN,
    FIXED_BOOLEAN,
    FAKE_VARIABLES
};

// What the next calls answer, and what the last ones were given. fake_engine_restore puts the defaults back.
typedef struct fake_engine_orders {
    zeno_status initialize, advance, get;
    double start_time, tolerance; // seen by zeno_initialize
    double output;                // what OUTPUT_* read
    int resets;                   // seen
} fake_engine_orders;

extern fake_engine_orders fake_engine;
void fake_engine_restore(void);

// Says something as the engine of the last instance would.
void fake_engine_say(zeno_category category, const char *message);

#endif
