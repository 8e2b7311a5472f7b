// What the engine needs of a mode: its guards with their rates along the motion, and how all of it changes.
//
//     dg/dt = dg/dx f + dg/du u' + dg/dt    along    x' = f(x, u, t)

#include "equations.h"

// The direction of the motion in a mode, with or without the inputs' rates.
typedef struct motion {
    expr_graph *graph;
    const expr *derivatives;
    bool inputs_change;
} motion;

static expr motion_seed(void *context, expr_symbol symbol) {
    const motion *along = context;
    switch (symbol.class) {
    case SYMBOL_TIME:
        return expr_constant(along->graph, 1);
    case SYMBOL_STATE:
        return along->derivatives[symbol.index];
    case SYMBOL_INPUT:
        return along->inputs_change ? expr_symbol_node(along->graph, SYMBOL_INPUT_RATE, symbol.index) : EXPR_NONE;
    default:
        return EXPR_NONE;
    }
}

// A direction that the caller of the emitted code gives.
static expr caller_seed(void *context, expr_symbol symbol) {
    switch (symbol.class) {
    case SYMBOL_TIME:
        return expr_symbol_node(context, SYMBOL_TIME_SEED, 0);
    case SYMBOL_INPUT:
        return expr_symbol_node(context, SYMBOL_INPUT_SEED, symbol.index);
    case SYMBOL_STATE:
        return expr_symbol_node(context, SYMBOL_STATE_SEED, symbol.index);
    case SYMBOL_HELD:
        return expr_symbol_node(context, SYMBOL_HELD_SEED, symbol.index);
    default:
        return EXPR_NONE;
    }
}

static expr along_motion(const model_file *model, const model_mode *mode, bool inputs_change, expr x) {
    motion along = {model->graph, mode->derivatives, inputs_change};
    expr rate;
    expr_directional(model->graph, &x, 1, motion_seed, &along, &rate);
    return rate;
}

static expr tangent(const model_file *model, expr x) {
    expr change;
    expr_directional(model->graph, &x, 1, caller_seed, model->graph, &change);
    return change;
}

// `x` while the transition is enabled.
static expr while_enabled(const model_file *model, const model_transition *t, expr x, double otherwise) {
    return t->when == EXPR_NONE ? x : expr_if(model->graph, t->when, x, expr_constant(model->graph, otherwise));
}

static void derive_guard(const model_file *model, const model_mode *mode, int k, mode_equations *e) {
    const model_transition *t = &mode->transitions[k];
    const expr steady = along_motion(model, mode, false, t->guard);
    e->guards[k] = while_enabled(model, t, t->guard, 1);
    e->rounding[k] = while_enabled(model, t, expr_rounding(model->graph, t->guard), 0);
    e->guard_rates[k] = while_enabled(model, t, along_motion(model, mode, true, t->guard), 0);
    e->guard_rates_tangent[k] = while_enabled(model, t, tangent(model, steady), 0);
}

static bool derive_mode(const model_file *model, const model_mode *mode, mode_equations *e, memory *m) {
    const int states = model->state_count, outputs = model->output_count, guards = mode->transition_count;
    expr *arrays = memory_take(m, (size_t)(states + outputs + 4 * guards), sizeof *arrays);
    if (!arrays) return false;
    e->rate_tangent = arrays;
    e->output_tangent = e->rate_tangent + states;
    e->guards = e->output_tangent + outputs;
    e->rounding = e->guards + guards;
    e->guard_rates = e->rounding + guards;
    e->guard_rates_tangent = e->guard_rates + guards;
    for (int i = 0; i < states; i++)
        e->rate_tangent[i] = tangent(model, mode->derivatives[i]);
    for (int i = 0; i < outputs; i++)
        e->output_tangent[i] = tangent(model, mode->outputs[i]);
    for (int k = 0; k < guards; k++)
        derive_guard(model, mode, k, e);
    return true;
}

mode_equations *mode_equations_derive(const model_file *model, memory *m) {
    mode_equations *modes = memory_take(m, (size_t)model->mode_count, sizeof *modes);
    for (int i = 0; modes && i < model->mode_count; i++)
        if (!derive_mode(model, &model->modes[i], &modes[i], m)) return NULL;
    return modes;
}
