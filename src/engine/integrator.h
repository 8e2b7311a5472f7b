// The integrator: CVODE behind an interface of plain doubles. integrator.c and vector.c are the only files that know
// SUNDIALS.
//
// It runs in local time s, from 0 at each start, one solver step at a time, and can be read anywhere inside its last
// step. What it does depends on nothing but what zeno_integrator_start was given.

#ifndef ZENO_INTEGRATOR_H
#define ZENO_INTEGRATOR_H

#include "engine.h"

// y' = f(s, y) with root functions g(s, y). All return 0, or 1 where they can't be evaluated (the solver then tries a
// smaller step).
typedef struct zeno_field {
    int dimension;
    int roots;
    int (*derivative)(void *context, double s, const double *y, double *dy);
    int (*guard)(void *context, double s, const double *y, double *g);
    // df/dy, column[j][i] = df_i/dy_j; used by the stiff method only.
    int (*jacobian)(void *context, double s, const double *y, double *const *column);
    void *context;
} zeno_field;

typedef struct zeno_start {
    const double *y;
    double relative_tolerance;
    const double *absolute_tolerance; // [dimension]
    double first_step;                // an upper bound for the first step; 0 for none
    bool stiff;                       // BDF with Newton's method in place of Adams with fixed-point iteration
} zeno_start;

typedef enum zeno_progress {
    ZENO_STEPPED, // a step was taken
    ZENO_CROSSED, // a guard fell through zero inside the step; `s` and `y` are there
    ZENO_STALLED, // no step with these tolerances; what was reached before can still be read
} zeno_progress;

typedef struct zeno_integrator zeno_integrator;

// NULL when memory is short. SUNDIALS takes its own memory from the C library.
zeno_integrator *zeno_integrator_create(const zeno_field *field, const zeno_host *host);
void zeno_integrator_destroy(zeno_integrator *integrator); // takes NULL

// ZENO_REFUSED where the field can't be evaluated at the start; ZENO_FAILED, and the log says so, when the solver can't
// be started.
zeno_status zeno_integrator_start(zeno_integrator *integrator, const zeno_start *start);

// One solver step. On ZENO_CROSSED, fell[i] tells which guards fell through zero at *s.
zeno_progress zeno_integrator_step(zeno_integrator *integrator, double *s, double *y, bool *fell);

// Whether the last start failed, or the solver has refused to be read since: then nothing that was read counts, and
// only another start helps.
bool zeno_integrator_is_lost(const zeno_integrator *integrator);

// Where the last step ends; a crossing may lie before.
double zeno_integrator_end(zeno_integrator *integrator);

// The solution at `s` inside the last step. False when the integrator is lost.
bool zeno_integrator_read(zeno_integrator *integrator, double s, double *y);

// Whether component i (order 0) or its derivative (order 1) can have been below zero between `from`, inside the last
// step, and its end: a quick test before the next.
bool zeno_integrator_may_fall(const zeno_integrator *integrator, int i, int order, double from);
// Where something falls through zero, and a place soon after at which it is below.
typedef struct zeno_fall {
    double s, below;
} zeno_fall;
// Whether it falls below zero between `from` and `to`, both inside the last step, and comes back; and where it falls
// first. The solver's own root finder sees only the ends of a step, and a motion that it integrates exactly (constant
// or ramped forces) takes steps of any length. Dips shorter than a millionth of that are passed over.
bool zeno_integrator_falls(const zeno_integrator *integrator, int i, int order, double from, double to,
                           zeno_fall *fall);

// Whether the fixed-point iteration has failed so often since the start that the problem is stiff for it.
bool zeno_integrator_is_struggling(zeno_integrator *integrator);

zeno_statistics zeno_integrator_work(const zeno_integrator *integrator);
void zeno_integrator_forget_work(zeno_integrator *integrator);

#endif
