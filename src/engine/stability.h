// Stability of a contact: from how far off every perturbed motion certainly returns to it.

#ifndef ZENO_STABILITY_H
#define ZENO_STABILITY_H

#include "engine_impl.h"

// The neighbourhood of the state (x->q, x->v) in contact with constraint j from which every motion comes back to the
// constraint by a Zeno execution within epsilon_t while it stays within epsilon_q, epsilon_v [TAC, Corollary 1]. Both
// radii are 0 where none can be proven.
zeno_radii zeno_stability_radii(zeno_engine *engine, const zeno_point *x, const double *settings, int j);

#endif
