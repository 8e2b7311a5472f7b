// An impact as it is judged and carried out.

#ifndef ZENO_IMPACT_H
#define ZENO_IMPACT_H

#include "certificate.h"

// The state in which a constraint is struck: q on h = 0, and J v = approach to the last digit.
typedef struct zeno_strike {
    int j;           // the constraint
    double approach; // dh/dt before the impact, < 0
    double restitution;
    const double *v;         // [n] before the impact
    const double *w;         // [n] M^-1 J'
    double W;                // J w
    const double *v_star;    // [n] where the re-initialisation map would leave the velocity: J v* = 0
    double gap_acceleration; // of the free motion at (q, v*)
    const double *free;      // [n] free acceleration at (q, v*)
    bool orthogonal;         // v* is from TAC's map, not from the kinetic one
} zeno_strike;

// What is to be done at an impact, and what is known of the Zeno point when the cascade is truncated there.
typedef struct zeno_verdict {
    bool truncate;
    bool certified;
    double zeno_time;   // after the impact
    zeno_bounds bounds; // of the distance from the candidate to the true Zeno point
    const char *reason; // why it is not certified
} zeno_verdict;

// The reliable truncation conditions [TAC, Definition 6, Theorem 3]. (truncation.c)
zeno_verdict zeno_truncation(zeno_engine *engine, const zeno_strike *strike);

#endif
