// The shortest curve that takes given transitions in a given order (metric_chain.c).

#ifndef ZENOFMU_METRIC_CHAIN_H
#define ZENOFMU_METRIC_CHAIN_H

#include "metric.h"

typedef struct metric_chain {
    const metric_space *space;
    const double *begin;
    const double *end; // NULL: the curve ends where the last transition leads
    int steps;         // >= 1
    metric_step step[METRIC_MOST_TRANSITIONS];
    const metric_situation *at[METRIC_MOST_TRANSITIONS]; // what each transition sees
    // Guard points of the first and of the last step from which the way to the ends is shortest; NULL: not known.
    const double *near_begin, *near_end;
    double limit; // a curve that is known: the search ends when this chain turns out to have none that is shorter
} metric_chain;

typedef struct metric_length {
    double length; // INFINITY where there is no such curve, or none was found
    bool minimal;  // certainly the shortest of this chain, or the chain has none shorter than the limit: the problem is
                   // convex and its solution converged
} metric_length;

// `starts`: how many places a search begins at when the problem isn't convex. `points`, which may be NULL, become the
// guard points of the shortest curve [steps x dimension], if any. False when memory is short.
bool metric_chain_minimize(const metric_chain *chain, int starts, double *points, metric_length *result);

#endif
