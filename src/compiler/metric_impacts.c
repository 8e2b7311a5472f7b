// The glued space of a hybrid Lagrangian: one domain, and the impact law of each constraint as a gluing [TAC, Eq. (4)]:
//
//     (q, v) ~ (q, v - s w)   where h = 0, dh/dt <= 0,   w = M^-1 J', W = J w, s = (1 + e)(dh/dt)/W

#include <math.h>
#include <string.h>

#include "../engine/linear.h"
#include "metric_model_impl.h"

// A constraint's expressions and their values, n coordinates: the places in one array.
typedef struct layout {
    int n;
    int h, rate, e;    // one each
    int J;             // [n]
    int rate_gradient; // [n] in q
    int M;             // [n x n]
    int J_change;      // [n x n] row j: along q_j
    int M_change;      // [n x n x n] block j: along q_j
    int count;
} layout;

static layout layout_of(int n) {
    layout l = {.n = n, .h = 0, .rate = 1, .e = 2, .J = 3};
    l.rate_gradient = l.J + n;
    l.M = l.rate_gradient + n;
    l.J_change = l.M + n * n;
    l.M_change = l.J_change + n * n;
    l.count = l.M_change + n * n * n;
    return l;
}

// ---- values

// The impact's Jacobian, rows of v, columns of q: d(v - s w)/dq_j, with dw = M^-1 (dJ' - dM w).
static void differentiate_in_q(const layout *l, const double *values, const double *L, const double *w, double W,
                               double *change, double *jacobian) {
    const int n = l->n;
    const double *J = values + l->J, factor = 1 + values[l->e];
    const double s = factor * values[l->rate] / W;
    for (int j = 0; j < n; j++) {
        const double *dJ = values + l->J_change + j * n, *dM = values + l->M_change + j * n * n;
        for (int i = 0; i < n; i++)
            change[i] = dJ[i] - zeno_dot(n, dM + i * n, w);
        zeno_cholesky_solve(n, L, change);
        const double dW = zeno_dot(n, dJ, w) + zeno_dot(n, J, change);
        const double ds = (factor * values[l->rate_gradient + j] - s * dW) / W;
        for (int i = 0; i < n; i++)
            jacobian[(n + i) * 2 * n + j] = -ds * w[i] - s * change[i];
    }
}

// q stays; v - s w with the gradient 1 - (1 + e) w J'/W in v.
static void apply_impact(const layout *l, const double *values, const double *x, const double *w, double W,
                         metric_crossing *crossing) {
    const int n = l->n;
    const double *J = values + l->J, factor = (1 + values[l->e]) / W;
    memcpy(crossing->image, x, sizeof(double) * 2 * (size_t)n);
    zeno_add(n, -factor * values[l->rate], w, crossing->image + n);
    memset(crossing->jacobian, 0, sizeof(double) * 4 * (size_t)n * (size_t)n);
    for (int i = 0; i < n; i++) {
        crossing->jacobian[i * 2 * n + i] = 1;
        for (int j = 0; j < n; j++)
            crossing->jacobian[(n + i) * 2 * n + n + j] = (i == j) - factor * w[i] * J[j];
    }
}

// w and W with the factor L of M. False where M isn't positive definite.
static bool solve(const layout *l, const double *values, double *L, double *w, double *W) {
    memcpy(L, values + l->M, sizeof(double) * (size_t)(l->n * l->n));
    memcpy(w, values + l->J, sizeof(double) * (size_t)l->n);
    if (!zeno_cholesky_factor(l->n, L)) return false;
    zeno_cholesky_solve(l->n, L, w);
    *W = zeno_dot(l->n, values + l->J, w);
    return *W > 0;
}

static void cross(void *context, int gluing, const metric_situation *at, const double *x, metric_crossing *crossing) {
    const metric_model *metric = context;
    const gluing_expressions *e = &metric->expressions[gluing];
    const layout l = layout_of(metric->model->coordinate_count);
    const int n = l.n;
    double *values = metric->scratch, *L = values + l.count, *w = L + n * n, *change = w + n, W;
    metric_place place = {metric, at, x};
    expr_program_run(e->program, metric_value, &place, values);
    crossing->guard = values[l.h];
    crossing->rate = values[l.rate];
    memset(crossing->guard_gradient, 0, sizeof(double) * 2 * (size_t)n);
    memcpy(crossing->guard_gradient, values + l.J, sizeof(double) * (size_t)n);
    memcpy(crossing->rate_gradient, values + l.rate_gradient, sizeof(double) * (size_t)n);
    memcpy(crossing->rate_gradient + n, values + l.J, sizeof(double) * (size_t)n);
    if (!solve(&l, values, L, w, &W)) {
        crossing->guard = NAN;
        return;
    }
    apply_impact(&l, values, x, w, W, crossing);
    differentiate_in_q(&l, values, L, w, W, change, crossing->jacobian);
}

// ---- expressions

typedef struct unit {
    expr_graph *graph;
    int coordinate;
} unit;

static expr unit_seed(void *context, expr_symbol symbol) {
    const unit *along = context;
    if (symbol.class != SYMBOL_COORDINATE || symbol.index != along->coordinate) return EXPR_NONE;
    return expr_constant(along->graph, 1);
}

static void derive(const metric_model *metric, const model_equations *equations, int constraint, expr *all) {
    expr_graph *graph = metric->model->graph;
    const layout l = layout_of(equations->n);
    const int n = l.n;
    all[l.h] = equations->h[constraint];
    all[l.e] = metric->model->constraints[constraint].restitution;
    memcpy(all + l.J, equations->J + constraint * n, sizeof(expr) * (size_t)n);
    memcpy(all + l.M, equations->M, sizeof(expr) * (size_t)(n * n));
    all[l.rate] = equations->drift[constraint];
    for (int i = 0; i < n; i++) {
        const expr velocity = expr_symbol_node(graph, SYMBOL_RATE, i);
        all[l.rate] = expr_binary(graph, EXPR_ADD, all[l.rate], expr_binary(graph, EXPR_MUL, all[l.J + i], velocity));
    }
    for (int j = 0; j < n; j++) {
        unit along = {graph, j};
        expr_directional(graph, &all[l.rate], 1, unit_seed, &along, &all[l.rate_gradient + j]);
        expr_directional(graph, all + l.J, n, unit_seed, &along, all + l.J_change + j * n);
        expr_directional(graph, all + l.M, n * n, unit_seed, &along, all + l.M_change + j * n * n);
    }
}

// Affine on the guard: h is affine, and M doesn't depend on q there. `M` becomes what it is there.
static bool is_affine(metric_model *metric, const expr *all, expr *M) {
    const layout l = layout_of(metric->model->coordinate_count);
    expr *gradient = memory_take(&metric->memory, 2 * (size_t)l.n, sizeof *gradient);
    if (!gradient || !metric_is_affine(metric, all[l.h])) return false;
    metric_differentiate(metric, all[l.h], gradient);
    const metric_elimination elimination = metric_eliminate(metric, all[l.h], gradient);
    for (int i = 0; i < l.n * l.n; i++) {
        M[i] = metric_on_guard(metric, &elimination, all[l.M + i]);
        if (M[i] == EXPR_NONE || expr_depends_on_class(metric->model->graph, M[i], SYMBOL_COORDINATE)) return false;
    }
    return true;
}

// An affine impact that is orthogonal in the Euclidean norm: w is parallel to J. Nothing here depends on the state.
static bool is_reflection(const metric_model *metric, const expr *all, const expr *M) {
    const layout l = layout_of(metric->model->coordinate_count);
    expr_graph *graph = metric->model->graph;
    double *values = metric->scratch, *L = values + l.count, *w = L + l.n * l.n, W;
    metric_place nowhere = {.metric = metric};
    values[l.e] = expr_evaluate(graph, all[l.e], metric_value, &nowhere);
    expr_evaluate_all(graph, all + l.J, l.n, metric_value, &nowhere, values + l.J);
    expr_evaluate_all(graph, M, l.n * l.n, metric_value, &nowhere, values + l.M);
    if (!(values[l.e] >= 0 && values[l.e] <= 1) || !solve(&l, values, L, w, &W)) return false;
    const double *J = values + l.J, size = zeno_norm(l.n, w);
    zeno_add(l.n, -W / zeno_dot(l.n, J, J), J, w);
    return zeno_norm(l.n, w) <= 1e-12 * size;
}

void metric_glue_impacts(metric_model *metric, const model_equations *equations) {
    const layout l = layout_of(equations->n);
    const size_t count = (size_t)metric->space.gluings;
    metric_gluing *gluings = memory_take(&metric->memory, count + 1, sizeof *gluings);
    metric->expressions = memory_take(&metric->memory, count + 1, sizeof *metric->expressions);
    metric->scratch = memory_take(&metric->memory, (size_t)(l.count + l.n * l.n + 2 * l.n), sizeof(double));
    expr *M = memory_take(&metric->memory, (size_t)(l.n * l.n), sizeof *M);
    for (int i = 0; !metric->memory.failed && i < metric->space.gluings; i++) {
        gluing_expressions *e = &metric->expressions[i];
        *e = (gluing_expressions){.when = EXPR_NONE, .count = l.count};
        e->all = memory_take(&metric->memory, (size_t)l.count, sizeof *e->all);
        gluings[i].name = memory_text(&metric->memory, "impact on %s", metric->model->constraints[i].about.name);
        if (!e->all) return;
        derive(metric, equations, i, e->all);
        gluings[i].affine = is_affine(metric, e->all, M);
        metric_prepare(metric, e);
        gluings[i].reflection = gluings[i].affine && is_reflection(metric, e->all, M);
    }
    metric->space.gluing = gluings;
    metric->space.cross = cross;
}
