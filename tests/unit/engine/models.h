// Models written by hand against the descriptor, for the engine's tests: no compiler in between.

#ifndef MODELS_H
#define MODELS_H

#include "engine.h"

// A mass over a floor: m y'' = F - m g - c y' + amplitude sin(frequency t), h = y.
extern const zeno_model mass_on_floor;
enum { MASS_M, MASS_G, MASS_E, MASS_C, MASS_AMPLITUDE, MASS_FREQUENCY };

// The ball on the sine of TAC, Example 1: h = y - sin x.
extern const zeno_model ball_on_sine;
enum { BALL_M, BALL_G, BALL_E };

#endif
