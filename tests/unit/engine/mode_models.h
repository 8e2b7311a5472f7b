// Systems with modes, written by hand against the descriptor.

#ifndef MODE_MODELS_H
#define MODE_MODELS_H

#include "engine.h"

// A mass that flies at x > 0 and is on a spring at x < 0; input: a force. Held: speed at touch-down, restitution.
extern const zeno_model spring;
enum { SPRING_M, SPRING_K };
enum { FLIGHT, CONTACT };
enum { HELD_APPROACH, HELD_RESTITUTION, HELD_DEEPEST };

// Two thresholds at 0, four modes with constant rates [Burden, Fig. 1]; the second has its transitions in the other
// order.
extern const zeno_model thresholds, thresholds_reversed;

// x' = u - 1 in mode 0, left when x falls; x' = u + 2 in mode 1, left when x rises: slides at x = 0 while -2 < u < 1.
extern const zeno_model relay;

// A ball as a system with one mode: v becomes -e v when x falls through 0.
extern const zeno_model bouncer;
enum { BOUNCER_G, BOUNCER_E };

// Nothing moves; cos(time) + 0.999 dips below zero for 0.09 s once in 2 pi, and a held variable counts it.
extern const zeno_model pulse;

// x' = k (cos(time) - x) in one mode that is never left.
extern const zeno_model decay;
enum { DECAY_K };

#endif
