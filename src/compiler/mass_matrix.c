// The mass matrix of a kinetic energy T, and the checks that T = v'M(q)v/2 with M positive definite.
//
// T is a quadratic form in the rates when T and dT/dv vanish with the rates and its Hessian doesn't depend on them.
// Where that can't be seen from the expressions, it is decided by their values at sample points around the start
// values.

#include "mass_matrix.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#define NOT_QUADRATIC "kineticEnergy is not a quadratic form in the rates: "

// A point about `spread` away from the start values.
typedef struct sample {
    const model_file *model;
    uint64_t number;
    double spread;
} sample;

// A number in [-1, 1), the same each time for the same symbol at the same sample. [SplitMix64, Steele et al. 2014]
static double jitter(const sample *at, expr_symbol symbol) {
    const uint64_t key = (at->number * SYMBOL_CLASSES + (uint64_t)symbol.class) << 32 | (uint32_t)symbol.index;
    uint64_t z = (key + 1) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1;
}

static double value_at(void *context, expr_symbol symbol) {
    const sample *at = context;
    const double start = model_start_value((void *)at->model, symbol);
    const double away = at->spread * jitter(at, symbol);
    if (symbol.class == SYMBOL_COORDINATE) return start + away * at->model->coordinates[symbol.index].nominal;
    if (symbol.class != SYMBOL_PARAMETER) return start + away;
    const model_parameter *p = &at->model->parameters[symbol.index];
    return fmin(fmax(start + (start == 0 ? away : away * start), p->min), p->max);
}

// True when `x` is zero as an expression, or no more than its own rounding error at every sample. Samples outside the
// domain of a function like sqrt don't count.
static bool vanishes(const model_file *model, expr x) {
    if (x == EXPR_NONE || expr_is_constant(model->graph, x, 0)) return true;
    const expr both[] = {x, expr_rounding(model->graph, x)};
    enum { SAMPLES = 8 };
    for (uint64_t i = 0; i < SAMPLES; i++) {
        sample at = {model, i, 0.5 / (double)(i + 1)};
        double value[2];
        expr_evaluate_all(model->graph, both, 2, value_at, &at, value);
        // 64: the bound counts one rounding unit per operation, libm's functions may err by several.
        if (isfinite(value[0]) && isfinite(value[1]) && fabs(value[0]) > 64 * DBL_EPSILON * value[1]) return false;
    }
    return true;
}

static expr rate_to_zero(void *context, expr_symbol symbol) {
    return symbol.class == SYMBOL_RATE ? expr_constant(context, 0) : EXPR_NONE;
}

static expr at_rest(expr_graph *graph, expr x) {
    expr_substitute(graph, &x, 1, rate_to_zero, graph, &x);
    return x;
}

// The direction of one rate.
typedef struct unit_direction {
    expr_graph *graph;
    int rate;
} unit_direction;

static expr unit_seed(void *context, expr_symbol symbol) {
    const unit_direction *along = context;
    return symbol.class == SYMBOL_RATE && symbol.index == along->rate ? expr_constant(along->graph, 1) : EXPR_NONE;
}

// Column by column from the diagonal down, and mirrored.
static void derive_hessian(const model_file *model, const expr *momentum, expr *M) {
    const int n = model->coordinate_count;
    for (int j = 0; j < n; j++) {
        unit_direction along = {model->graph, j};
        expr *row = &M[j * n];
        expr_directional(model->graph, &momentum[j], n - j, unit_seed, &along, &row[j]);
        for (int i = j + 1; i < n; i++)
            M[i * n + j] = row[i];
    }
}

static bool check_momentum(const model_file *model, const expr *momentum, diagnostics *d) {
    if (!vanishes(model, at_rest(model->graph, model->kinetic_energy))) {
        report_error(d, model->kinetic_line,
                     NOT_QUADRATIC "it is not zero when all rates are; expected products of two rates only");
        return false;
    }
    for (int i = 0; i < model->coordinate_count; i++) {
        if (vanishes(model, at_rest(model->graph, momentum[i]))) continue;
        report_error(d, model->kinetic_line,
                     NOT_QUADRATIC "it has a part linear in '%s'; expected products of two rates only",
                     model->coordinates[i].rate);
        return false;
    }
    return true;
}

static void keep_first_rate(void *context, expr_symbol symbol) {
    int *rate = context;
    if (symbol.class == SYMBOL_RATE && *rate < 0) *rate = symbol.index;
}

// Puts the Hessian at rest in the place of the Hessian: for a quadratic form they are equal.
static bool free_of_rates(const model_file *model, expr *M, diagnostics *d) {
    const int n = model->coordinate_count;
    for (int k = 0; k < n * n; k++) {
        if (!expr_depends_on_class(model->graph, M[k], SYMBOL_RATE)) continue;
        const expr hessian = M[k];
        M[k] = at_rest(model->graph, hessian);
        const expr rest = expr_binary(model->graph, EXPR_SUB, hessian, M[k]);
        if (vanishes(model, rest)) continue;
        int rate = -1;
        expr_symbols(model->graph, rest, keep_first_rate, &rate);
        report_error(d, model->kinetic_line,
                     NOT_QUADRATIC "its second derivative in '%s' and '%s' depends on '%s'; expected products of two "
                                   "rates only",
                     model->coordinates[k / n].rate, model->coordinates[k % n].rate,
                     model->coordinates[rate < 0 ? 0 : rate].rate);
        return false;
    }
    return true;
}

// Cholesky's factorisation of the lower triangle in place. The first coordinate whose pivot is not positive, with the
// pivot, or n.
static int factorize(double *M, int n, double *pivot) {
    for (int j = 0; j < n; j++) {
        const double inertia = M[j * n + j];
        for (int i = j; i < n; i++) {
            for (int k = 0; k < j; k++)
                M[i * n + j] -= M[i * n + k] * M[j * n + k];
        }
        *pivot = M[j * n + j];
        if (!(*pivot > n * DBL_EPSILON * inertia)) return j; // also when it is NaN
        for (int i = j; i < n; i++)
            M[i * n + j] /= sqrt(*pivot);
    }
    return n;
}

static bool check_start(const model_file *model, const expr *M, diagnostics *d) {
    const int n = model->coordinate_count;
    double *values = malloc((size_t)(n * n + 1) * sizeof *values);
    if (!values) {
        report_error(d, 0, "out of memory");
        return false;
    }
    expr_evaluate_all(model->graph, M, n * n, model_start_value, (void *)model, values);
    double pivot = 0;
    const int failed = factorize(values, n, &pivot);
    free(values);
    if (failed == n) return true;
    const char *name = model->coordinates[failed].about.name;
    if (!isfinite(pivot)) {
        report_error(d, model->kinetic_line, "the mass matrix is not finite at the start values, at coordinate '%s'",
                     name);
    } else if (pivot < 0) {
        report_error(d, model->kinetic_line,
                     "the mass matrix is not positive definite at the start values: coordinate '%s' has negative "
                     "inertia (%.3g)",
                     name, pivot);
    } else {
        report_error(d, model->kinetic_line,
                     "the mass matrix is singular at the start values: coordinate '%s' has no inertia of its own",
                     name);
    }
    return false;
}

bool mass_matrix_derive(const model_file *model, const expr *momentum, expr *M, diagnostics *d) {
    derive_hessian(model, momentum, M);
    if (expr_graph_failed(model->graph)) return true; // out of memory: the caller looks for it at the end
    return check_momentum(model, momentum, d) && free_of_rates(model, M, d) && check_start(model, M, d);
}
