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
    OTHER_INPUT_REAL,
    RADIUS_REAL, // an output without derivatives
    FAKE_VARIABLES
};

enum { FAKE_INPUTS = 2 };

// What the next calls answer, and what the last ones were given. fake_engine_restore puts the defaults back.
typedef struct fake_engine_orders {
    zeno_status initialize, advance, get, restore, along;
    double start_time, tolerance;                            // seen by zeno_initialize
    double output;                                           // what OUTPUT_* read
    int resets;                                              // seen
    double input_derivative[FAKE_INPUTS][ZENO_INPUT_ORDERS]; // seen
} fake_engine_orders;

extern fake_engine_orders fake_engine;
void fake_engine_restore(void);

// What the derivative of a variable is: along the motion, and along the changes du of the inputs.
double fake_rate(int reference);
double fake_change(int reference, const double du[FAKE_INPUTS]);

// Says something as the engine of the last instance would.
void fake_engine_say(zeno_category category, const char *message);

#endif
