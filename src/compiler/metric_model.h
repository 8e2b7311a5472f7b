// The glued space of a model (metric.h), for both kinds of systems.
//
// Of a system with modes: a domain per mode, a gluing per transition; the guard is where its expression is zero and
// falls along the motion of the mode, the inputs held. Updates glue nothing: the state goes on. Of a hybrid Lagrangian:
// one domain with the states (q, v); each constraint glues h = 0, dh/dt <= 0 by the impact law [TAC, Eq. (4)]. In
// contact, with dh/dt = 0, a state is its own image.

#ifndef ZENOFMU_METRIC_MODEL_H
#define ZENOFMU_METRIC_MODEL_H

#include "equations.h"
#include "metric.h"

typedef struct metric_model {
    metric_space space;
    memory memory;
    const model_file *model;
    const double *parameters; // [parameters] the caller's
    struct gluing_expressions *expressions;
    double *scratch;
} metric_model;

// NULL when memory is short, which is reported.
metric_model *metric_model_create(const model_file *model, const model_equations *equations, const double *parameters,
                                  diagnostics *d);
void metric_model_free(metric_model *metric); // takes NULL

// Whether a guard, its rate, a reset of states or a condition depends on a symbol.
bool metric_model_reads(const metric_model *metric, expr_symbol symbol);

// How many states there are, and their names in the order of metric_point's x.
int metric_model_states(const model_file *model);
const char *metric_model_state_name(const model_file *model, int state);

#endif
