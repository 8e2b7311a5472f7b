// The equations of motion, of a hybrid Lagrangian from T, V, F and h [TAC, Eq. (1)-(5)]:
//
//     d/dt dT/dv - dT/dq + dV/dq = F + J' lambda,    that is    M a + b = J' lambda
//
// With the momenta p = dT/dv, d/dt p is their directional derivative along the motion q' = v, v' = a, t' = 1.

#include "equations.h"

#include "mass_matrix.h"

#include <stdlib.h>

// The direction of the motion, with or without the accelerations.
typedef struct motion {
    expr_graph *graph;
    bool accelerated;
} motion;

static expr motion_seed(void *context, expr_symbol symbol) {
    const motion *along = context;
    switch (symbol.class) {
    case SYMBOL_TIME:
        return expr_constant(along->graph, 1);
    case SYMBOL_COORDINATE:
        return expr_symbol_node(along->graph, SYMBOL_RATE, symbol.index);
    case SYMBOL_RATE:
        return along->accelerated ? expr_symbol_node(along->graph, SYMBOL_ACCELERATION, symbol.index) : EXPR_NONE;
    default:
        return EXPR_NONE;
    }
}

// A direction that the caller of the emitted code gives.
static expr full_seed(void *context, expr_symbol symbol) {
    static const symbol_class seeds[] = {
        [SYMBOL_TIME] = SYMBOL_TIME_SEED,
        [SYMBOL_INPUT] = SYMBOL_INPUT_SEED,
        [SYMBOL_COORDINATE] = SYMBOL_COORDINATE_SEED,
        [SYMBOL_RATE] = SYMBOL_RATE_SEED,
        [SYMBOL_ACCELERATION] = SYMBOL_ACCELERATION_SEED,
        [SYMBOL_FORCE] = SYMBOL_FORCE_SEED,
    };
    if (symbol.class > SYMBOL_FORCE || symbol.class == SYMBOL_PARAMETER) return EXPR_NONE;
    return expr_symbol_node(context, seeds[symbol.class], symbol.index);
}

// The same with accelerations and forces held.
static expr caller_seed(void *context, expr_symbol symbol) {
    return symbol.class > SYMBOL_RATE ? EXPR_NONE : full_seed(context, symbol);
}

// d/dt of x[0..count) along the motion.
static void along_motion(expr_graph *graph, bool accelerated, const expr *x, int count, expr *derivative) {
    motion along = {graph, accelerated};
    expr_directional(graph, x, count, motion_seed, &along, derivative);
}

// Intermediate results, n of each.
typedef struct workspace {
    expr_symbol *symbols; // rates, then coordinates
    expr *momentum;       // p = dT/dv; with dT/dq behind it a gradient
    expr *inertial;       // dT/dq
    expr *dissipative;    // dV/dv, which must be 0; with dV/dq behind it a gradient
    expr *conservative;   // dV/dq
    expr *residual;       // M a + b - J' lambda
} workspace;

static bool workspace_allocate(workspace *w, int n) {
    *w = (workspace){.symbols = malloc((size_t)(2 * n + 1) * sizeof *w->symbols),
                     .momentum = malloc((size_t)(5 * n + 1) * sizeof *w->momentum)};
    if (!w->momentum || !w->symbols) return false;
    w->inertial = w->momentum + n;
    w->dissipative = w->inertial + n;
    w->conservative = w->dissipative + n;
    w->residual = w->conservative + n;
    for (int i = 0; i < n; i++) {
        w->symbols[i] = (expr_symbol){SYMBOL_RATE, i};
        w->symbols[n + i] = (expr_symbol){SYMBOL_COORDINATE, i};
    }
    return true;
}

static void workspace_free(workspace *w) {
    free(w->symbols);
    free(w->momentum);
}

// The gradients of T and V, each in one reverse sweep. False, and reported, when V depends on a rate.
static bool derive_gradients(const model_file *model, workspace *w, diagnostics *d) {
    const int n = model->coordinate_count;
    expr_gradient(model->graph, model->kinetic_energy, w->symbols, 2 * n, w->momentum);
    expr_gradient(model->graph, model->potential_energy, w->symbols, 2 * n, w->dissipative);
    for (int i = 0; i < n; i++) {
        if (expr_is_constant(model->graph, w->dissipative[i], 0) || expr_graph_failed(model->graph)) continue;
        report_error(d, model->potential_line,
                     "potentialEnergy depends on the rate '%s'; expected a function of the coordinates "
                     "(what depends on rates is a generalizedForce)",
                     model->coordinates[i].rate);
        return false;
    }
    return true;
}

// h and its derivatives: dh/dt = J v + drift, d2h/dt2 = J a + curvature.
static void derive_constraint(const model_file *model, const workspace *w, int k, model_equations *e) {
    expr_graph *graph = model->graph;
    const expr_symbol time = {SYMBOL_TIME, 0};
    const expr h = model->constraints[k].h;
    expr h_dot, h_dot_dot;
    e->h[k] = h;
    e->rounding[k] = expr_rounding(graph, h);
    expr_gradient(graph, h, w->symbols + e->n, e->n, &e->J[k * e->n]);
    expr_gradient(graph, h, &time, 1, &e->drift[k]);
    along_motion(graph, false, &h, 1, &h_dot);
    along_motion(graph, false, &h_dot, 1, &e->curvature[k]);
    along_motion(graph, true, &h_dot, 1, &h_dot_dot);
    expr_directional(graph, &h_dot_dot, 1, caller_seed, graph, &e->curvature_tangent[k]);
}

// b, and the tangent of M a + b - J' lambda, which needs no M.
static void derive_motion(const model_file *model, const workspace *w, model_equations *e) {
    expr_graph *graph = model->graph;
    along_motion(graph, false, w->momentum, e->n, e->b);
    along_motion(graph, true, w->momentum, e->n, w->residual);
    for (int i = 0; i < e->n; i++) {
        const expr slope = expr_binary(graph, EXPR_SUB, w->conservative[i], w->inertial[i]);
        const expr rest = expr_binary(graph, EXPR_SUB, slope, model->coordinates[i].force);
        e->b[i] = expr_binary(graph, EXPR_ADD, e->b[i], rest);
        w->residual[i] = expr_binary(graph, EXPR_ADD, w->residual[i], rest);
        for (int k = 0; k < e->m; k++) {
            const expr lambda = expr_symbol_node(graph, SYMBOL_FORCE, k);
            const expr force = expr_binary(graph, EXPR_MUL, e->J[k * e->n + i], lambda);
            w->residual[i] = expr_binary(graph, EXPR_SUB, w->residual[i], force);
        }
    }
    expr_directional(graph, w->residual, e->n, caller_seed, graph, e->residual_tangent);
}

// How energies and outputs change.
static void derive_output_tangents(const model_file *model, model_equations *e) {
    const expr energies[] = {model->kinetic_energy, model->potential_energy};
    expr_directional(model->graph, energies, 2, caller_seed, model->graph, e->energy_tangent);
    for (int i = 0; i < model->output_count; i++)
        expr_directional(model->graph, &model->outputs[i].value, 1, full_seed, model->graph, &e->output_tangent[i]);
}

static bool derive(const model_file *model, workspace *w, model_equations *e, diagnostics *d) {
    if (!derive_gradients(model, w, d) || !mass_matrix_derive(model, w->momentum, e->M, d)) return false;
    for (int k = 0; k < e->m; k++)
        derive_constraint(model, w, k, e);
    derive_motion(model, w, e);
    derive_output_tangents(model, e);
    if (expr_graph_failed(model->graph)) report_error(d, 0, "out of memory");
    return !expr_graph_failed(model->graph);
}

// All arrays lie behind one another in one piece of memory that begins with M.
static model_equations *allocate(int n, int m, int outputs) {
    model_equations *e = malloc(sizeof *e);
    expr *arrays = malloc((size_t)(n * n + 2 * n + m * n + 5 * m + outputs + 1) * sizeof *arrays);
    if (!e || !arrays) {
        free(e);
        free(arrays);
        return NULL;
    }
    *e = (model_equations){.n = n, .m = m, .M = arrays};
    e->b = e->M + n * n;
    e->residual_tangent = e->b + n;
    e->J = e->residual_tangent + n;
    e->h = e->J + m * n;
    e->rounding = e->h + m;
    e->drift = e->rounding + m;
    e->curvature = e->drift + m;
    e->curvature_tangent = e->curvature + m;
    e->output_tangent = e->curvature_tangent + m;
    return e;
}

void equations_free(model_equations *equations) {
    if (!equations) return;
    memory_release(&equations->of_modes);
    free(equations->M);
    free(equations);
}

static model_equations *derive_modes(const model_file *model, diagnostics *d) {
    model_equations *e = calloc(1, sizeof *e);
    if (e) e->modes = mode_equations_derive(model, &e->of_modes);
    if (e && e->modes && !expr_graph_failed(model->graph)) return e;
    report_error(d, 0, "out of memory");
    equations_free(e);
    return NULL;
}

static model_equations *derive_lagrangian(const model_file *model, diagnostics *d) {
    workspace w;
    const bool ready = workspace_allocate(&w, model->coordinate_count);
    model_equations *e = ready ? allocate(model->coordinate_count, model->constraint_count, model->output_count) : NULL;
    if (!e) report_error(d, 0, "out of memory");
    if (e && !derive(model, &w, e, d)) {
        equations_free(e);
        e = NULL;
    }
    workspace_free(&w);
    return e;
}

model_equations *equations_derive(const model_file *model, diagnostics *d) {
    return model->kind == MODEL_HYBRID ? derive_modes(model, d) : derive_lagrangian(model, d);
}
