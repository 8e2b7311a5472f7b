// One engine on trial: what it was given, and what it said and held at each event.
//
// The studies are in C++; this is their one way to the engine's insides, the proof record above all.

#ifndef TRIAL_H
#define TRIAL_H

#include "model.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TRIAL_COORDINATES = 8, TRIAL_REASON = 128 };
// A Zeno point with a gap acceleration beyond this must be certified.
#define TRIAL_PLAIN_ACCELERATION 1e-3

// A Zeno truncation as the engine's own records have it at that very moment.
typedef struct trial_truncation {
    double time;                                       // of the truncating impact
    double approach;                                   // dh/dt before it
    double q[TRIAL_COORDINATES], v[TRIAL_COORDINATES]; // the candidate (q*, v*)
    double zeno_time, time_bound, position_bound, velocity_bound;
    bool certified;
    char reason[TRIAL_REASON]; // why it is not certified
} trial_truncation;

typedef struct trial trial;

trial *trial_create(const zeno_model *model); // NULL when memory is short
void trial_destroy(trial *t);
// From now on all that the engine logs is printed.
void trial_speak(trial *t);

// Back to the model's start values.
void trial_reset(trial *t);
void trial_put(trial *t, zeno_quantity quantity, int index, double value);
double trial_get(trial *t, zeno_quantity quantity, int index);

// Each returns false when the engine refused or failed; trial_message then has its last words.
bool trial_begin(trial *t, double start_time, double tolerance);
bool trial_go(trial *t, double time);
const char *trial_message(const trial *t);

// The first truncation since trial_begin, or NULL.
const trial_truncation *trial_first_truncation(const trial *t);
// Zeno points since trial_begin that are not certified though they must be.
long trial_uncertified(const trial *t);
// The time of the first release after that truncation, or a NaN.
double trial_first_release(const trial *t);

#ifdef __cplusplus
}
#endif

#endif
