// The distance between two sampled executions of one model: the greatest distance of their states over the times that
// can be compared [Burden, Def. 22, with epsilon = 0].

#ifndef ZENOFMU_DISTANCE_H
#define ZENOFMU_DISTANCE_H

#include "metric_model.h"
#include "trajectory.h"

typedef struct execution_distance {
    metric_result greatest; // its distance is the result
    double time;            // where it was found
    double from, to;        // the interval that both executions cover
    int compared;           // times at which both states are known
    int interpolated;       // of these, times at which one of the states is interpolated
    int left_out;           // times at which one isn't known: it lies between two samples with an event between them
} execution_distance;

// Compares at all sample times of either execution within the interval that both cover. Between two samples a state is
// interpolated linearly, if the execution's counters (impacts and releases, or transitions) tell that there was no
// event between; without counters it isn't known there. Times that agree to 1e-9 of time and step count as the same.
// `each`, which may be NULL, sees every time that is compared. False on error, which is reported.
bool distance_of_executions(const metric_model *metric, const trajectory *a, const trajectory *b, int transitions,
                            void (*each)(void *context, double time, double distance), void *context,
                            execution_distance *result, diagnostics *d);

#endif
