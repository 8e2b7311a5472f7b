// The distance between two states of a hybrid system in the space that glues every guard point to its image
// [Burden, Def. 5 and 12]: the length of the shortest curve, where going from a guard point to its image, or back,
// costs nothing.
//
// Every domain is here the whole state space with the Euclidean norm of the states as the model counts them. That is
// Burden's space wherever the domains are convex; where one isn't (a ball over a hilly surface), a straight line may
// leave it, and the distance is then at most Burden's.

#ifndef ZENOFMU_METRIC_H
#define ZENOFMU_METRIC_H

#include <stdbool.h>

// What guards and resets may read besides the state. It belongs to a state and is no part of the distance.
typedef struct metric_situation {
    double time;
    const double *inputs, *held;
} metric_situation;

typedef struct metric_point {
    int domain;
    const double *x;
    metric_situation at;
} metric_point;

// A guard and a reset: each guard point of domain `from` is glued to its image in domain `to`.
typedef struct metric_gluing {
    const char *name; // for people: "flight -> contact (x falls)"
    int from, to;
    bool affine;     // guard, its rate and the reset are affine functions of the state on the guard
    bool identity;   // the reset leaves the state as it is
    bool reflection; // an orthogonal reflection at the rate's zero, with a restitution in [0, 1]: an impact
} metric_gluing;

// A gluing at one place.
typedef struct metric_crossing {
    double guard;           // 0 on the guard
    double rate;            // <= 0 on the guard: it falls along the motion
    double *guard_gradient; // [dimension]
    double *rate_gradient;  // [dimension]
    double *image;          // [dimension]
    double *jacobian;       // [dimension x dimension] of the image, row by row
} metric_crossing;

typedef struct metric_space {
    int dimension, domains, gluings;
    const metric_gluing *gluing;
    // [gluings x gluings] Whether the first sets a held variable that the second reads; NULL: none does.
    const bool *feeds;
    void *context;
    bool (*enabled)(void *context, int gluing, const metric_situation *at); // NULL: all are
    // Fills `crossing` at `x`, which need not be on the guard; what isn't finite is no guard point.
    void (*cross)(void *context, int gluing, const metric_situation *at, const double *x, metric_crossing *crossing);
} metric_space;

enum { METRIC_MOST_TRANSITIONS = 6 };

typedef enum metric_quality {
    METRIC_EXACT,        // no connecting curve is shorter
    METRIC_EXACT_WITHIN, // none of at most so many transitions is
    METRIC_UPPER_BOUND   // this curve connects; a search has found no shorter one
} metric_quality;

typedef struct metric_step {
    int gluing;
    bool backward; // from an image to its guard point
} metric_step;

typedef struct metric_result {
    double distance; // INFINITY where no curve of at most so many transitions was found
    metric_quality quality;
    int steps; // transitions of the curve that attains it
    metric_step step[METRIC_MOST_TRANSITIONS];
} metric_result;

// The distance over curves of at most `transitions` <= METRIC_MOST_TRANSITIONS transitions. A transition that the
// curve takes forward sees the situation of `p`, one that it takes backward that of `q`; a curve with a transition that
// reads a held variable set by an earlier one is left out. So the distance is symmetric. False when memory is short.
bool metric_distance(const metric_space *space, const metric_point *p, const metric_point *q, int transitions,
                     metric_result *result);

// Two transitions, or as many as it takes to connect all domains that can be connected.
int metric_default_transitions(const metric_space *space);

#endif
