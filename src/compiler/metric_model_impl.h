// What the two kinds of systems have in common as glued spaces.

#ifndef ZENOFMU_METRIC_MODEL_IMPL_H
#define ZENOFMU_METRIC_MODEL_IMPL_H

#include "metric_model.h"

// What a gluing evaluates. Arrays of expressions that are evaluated in one sweep follow one another in `all`.
typedef struct gluing_expressions {
    expr when; // EXPR_NONE: always
    expr *all;
    int count;
    expr_program *program; // that evaluates `all`
} gluing_expressions;

// Where expressions are evaluated; a context for metric_value.
typedef struct metric_place {
    const metric_model *metric;
    const metric_situation *at;
    const double *x;
} metric_place;

double metric_value(void *place, expr_symbol symbol);

// The state's symbols, as expr_gradient wants them.
expr_symbol metric_state_symbol(const model_file *model, int state);

// The value of the state `pivot` on a guard that is affine in the states, with constant factors: what to put in its
// place to see what an expression is on the guard.
typedef struct metric_elimination {
    expr_symbol pivot; // its class is SYMBOL_CLASSES where there is none
    expr value;
} metric_elimination;

metric_elimination metric_eliminate(const metric_model *metric, expr guard, const expr *gradient);
expr metric_on_guard(const metric_model *metric, const metric_elimination *elimination, expr x);

// The gradient in all states.
void metric_differentiate(const metric_model *metric, expr x, expr *gradient);
// Whether `x` is an affine function of the states.
bool metric_is_affine(const metric_model *metric, expr x);

// Makes the program of `e`; a shortage is remembered in the model's memory.
void metric_prepare(metric_model *metric, gluing_expressions *e);

// Both fill space.gluing, space.feeds and expressions.
void metric_glue_modes(metric_model *metric, const model_equations *equations);
void metric_glue_impacts(metric_model *metric, const model_equations *equations);

#endif
