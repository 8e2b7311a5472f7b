// The certificate of a truncation: proven bounds of where the true Zeno point lies.

#ifndef ZENO_CERTIFICATE_H
#define ZENO_CERTIFICATE_H

#include "engine_impl.h"

// How far the true Zeno point can be from the candidate: its time after the truncating impact, and its distances.
typedef struct zeno_bounds {
    double time, position, velocity;
} zeno_bounds;

// Tries to prove the truncation that constraint j's proof record describes, with the parameters and settings in force.
// True only with bounds that lie within those that the settings ask for.
bool zeno_certify(zeno_engine *engine, int j, zeno_bounds *bounds);

// Takes the inputs in force up to the anchor into the hulls of the proofs, before others come into force.
void zeno_remember_inputs(zeno_engine *engine);

// Values from outside have changed at the anchor: certificates whose interval isn't over yet are checked with them too.
void zeno_check_certificates(zeno_engine *engine);

#endif
