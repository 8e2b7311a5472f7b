// CVODE: Adams with fixed-point iteration, BDF with Newton's method, root finding, dense output.
//
// Two of CVODE's ways shape this file. CVodeReInit leaves the root finder's inactive flags as they were, so the root
// finder is made anew at each start; and a guard that is zero at the start and wakes below zero is never reported, so
// callers look at the guards' signs after a step themselves.

#include "integrator.h"

#include <cvode/cvode.h>
#include <float.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

// SUNDIALS' own, for create_context and dense_output.
#include <../cvode/cvode_impl.h>
#include <sundials_context_impl.h>
#include <sundials_logger_impl.h>

#include "message.h"
#include "vector.h"

// Where CVode is told to go; with CV_ONE_STEP only the direction counts.
#define FAR_AHEAD 1e300
// Error test failures in one step: the first step of a flight may have to shrink by many orders.
enum { ERROR_TEST_FAILURES = 40 };

struct zeno_integrator {
    zeno_field field;
    zeno_host host;
    struct _SUNContext context;
    struct SUNLogger_ logger;
    zeno_vectors vectors;
    N_Vector y, absolute_tolerance, scratch, ahead;
    void *adams, *bdf; // CVODE's memory for each method
    void *running;     // one of the two, NULL before the first start
    bool lost;         // it could not be started or refuses to be read
    SUNNonlinearSolver fixed_point;
    SUNMatrix matrix, spare; // the spare one goes to CVODE with the first step of `bdf`
    SUNLinearSolver dense;
    int *roots; // [field.roots] which guards CVODE found
    zeno_statistics work;
    long steps, evaluations; // of the present start, as CVODE counts them
};

static double *values(N_Vector v) {
    return NV_DATA_S(v);
}

static int call_derivative(realtype s, N_Vector y, N_Vector dy, void *user) {
    const zeno_field *field = &((zeno_integrator *)user)->field;
    return field->derivative(field->context, s, values(y), values(dy));
}

static int call_guard(realtype s, N_Vector y, realtype *g, void *user) {
    const zeno_field *field = &((zeno_integrator *)user)->field;
    return field->guard(field->context, s, values(y), g);
}

static int call_jacobian(realtype s, N_Vector y, N_Vector dy, SUNMatrix matrix, void *user, N_Vector t1, N_Vector t2,
                         N_Vector t3) {
    (void)dy, (void)t1, (void)t2, (void)t3;
    const zeno_field *field = &((zeno_integrator *)user)->field;
    return field->jacobian(field->context, s, values(y), SM_COLS_D(matrix));
}

// CVODE's own words go to the solver log, never to stderr.
static void pass_message(int code, const char *module, const char *function, char *message, void *user) {
    const zeno_integrator *it = user;
    zeno_log(&it->host, ZENO_LOG_SOLVER, "%s %s (%d): %s", module, function, code, message);
}

// ---- Life
//
// SUNDIALS (6.4.1) does not survive everywhere that memory is short: SUNContext_Create reads through a null pointer
// when there is none for its logger's table of files, N_VClone and SUNMatClone when there is none for the clone, and
// CVodeFree frees again what a CVodeInit that failed has freed. So the context is made here, with a logger that has no
// files, and all vectors and matrices before any is needed.

static void create_context(zeno_integrator *it) {
    it->logger = (struct SUNLogger_){0};
    it->context = (struct _SUNContext){.logger = &it->logger};
}

static bool create_vectors(zeno_integrator *it) {
    if (!zeno_vectors_create(&it->vectors, it->field.dimension, &it->context, &it->host)) return false;
    it->y = zeno_vectors_take(&it->vectors);
    it->absolute_tolerance = zeno_vectors_take(&it->vectors);
    it->scratch = zeno_vectors_take(&it->vectors);
    it->ahead = zeno_vectors_take(&it->vectors);
    N_VConst(1, it->absolute_tolerance);
    return true;
}

static void *create_solver(zeno_integrator *it, int method) {
    void *solver = CVodeCreate(method, &it->context);
    if (!solver) return NULL;
    // The handler first, so that nothing that follows can print.
    bool ok = CVodeSetErrHandlerFn(solver, pass_message, it) == CV_SUCCESS;
    if (ok && CVodeInit(solver, call_derivative, 0, it->y) != CV_SUCCESS) {
        free(solver); // all else is freed
        return NULL;
    }
    ok = ok && CVodeSetUserData(solver, it) == CV_SUCCESS &&
         CVodeSVtolerances(solver, 1e-6, it->absolute_tolerance) == CV_SUCCESS &&
         CVodeSetMaxErrTestFails(solver, ERROR_TEST_FAILURES) == CV_SUCCESS;
    if (!ok) CVodeFree(&solver);
    return solver;
}

static bool create_adams(zeno_integrator *it) {
    it->adams = create_solver(it, CV_ADAMS);
    it->fixed_point = SUNNonlinSol_FixedPoint(it->y, 0, &it->context);
    return it->adams && it->fixed_point && CVodeSetNonlinearSolver(it->adams, it->fixed_point) == CV_SUCCESS;
}

static SUNMatrix hand_out_spare(SUNMatrix like) {
    zeno_integrator *it = (zeno_integrator *)((char *)like->sunctx - offsetof(zeno_integrator, context));
    SUNMatrix spare = it->spare;
    it->spare = NULL;
    return spare;
}

static bool create_bdf(zeno_integrator *it) {
    const sunindextype n = it->field.dimension;
    it->bdf = create_solver(it, CV_BDF);
    it->matrix = SUNDenseMatrix(n, n, &it->context);
    it->spare = SUNDenseMatrix(n, n, &it->context);
    if (!it->bdf || !it->matrix || !it->spare) return false;
    it->matrix->ops->clone = hand_out_spare;
    it->dense = SUNLinSol_Dense(it->y, it->matrix, &it->context);
    return it->dense && CVodeSetLinearSolver(it->bdf, it->dense, it->matrix) == CV_SUCCESS &&
           CVodeSetJacFn(it->bdf, call_jacobian) == CV_SUCCESS;
}

zeno_integrator *zeno_integrator_create(const zeno_field *field, const zeno_host *host) {
    zeno_integrator *it = host->allocate(1, sizeof *it);
    if (!it) return NULL;
    it->field = *field;
    it->host = *host;
    it->roots = host->allocate((size_t)field->roots + 1, sizeof *it->roots);
    create_context(it);
    if (it->roots && create_vectors(it) && create_adams(it) && create_bdf(it)) return it;
    zeno_integrator_destroy(it);
    return NULL;
}

void zeno_integrator_destroy(zeno_integrator *it) {
    if (!it) return;
    if (it->adams) CVodeFree(&it->adams);
    if (it->bdf) CVodeFree(&it->bdf);
    if (it->fixed_point) SUNNonlinSolFree(it->fixed_point);
    if (it->dense) SUNLinSolFree(it->dense);
    if (it->matrix) SUNMatDestroy(it->matrix);
    if (it->spare) SUNMatDestroy(it->spare);
    zeno_vectors_release(&it->vectors, &it->host);
    if (it->roots) it->host.release(it->roots);
    it->host.release(it);
}

// Root mean square of `x` weighted by the tolerances at `y`.
static double weighted_norm(const zeno_integrator *it, const zeno_start *start, const double *x) {
    const int n = it->field.dimension;
    double sum = 0;
    for (int i = 0; i < n; ++i) {
        const double weight = start->relative_tolerance * fabs(start->y[i]) + start->absolute_tolerance[i];
        const double ratio = x[i] / weight;
        sum += ratio * ratio;
    }
    return sqrt(sum / n);
}

// A first step whose error at order 1, s^2 |y''| / 2, is a hundredth of the tolerance; y'' comes from a difference
// along the field. The step size can grow at once, so this costs no step, and flights begin more accurately (both
// measured). CVODE's own estimate depends on the end of the integration, which ours must not.
static double estimate_first_step(zeno_integrator *it, const zeno_start *start) {
    const zeno_field *field = &it->field;
    double *slope = values(it->scratch), *ahead = values(it->ahead);
    if (field->derivative(field->context, 0, start->y, slope) != 0) return 0;
    ++it->work.evaluations;
    const double bound = start->first_step > 0 ? start->first_step : HUGE_VAL;
    const double speed = weighted_norm(it, start, slope);
    // A trial step over which y changes by a thousandth of its own size, or at most by a few tolerances when y is
    // small.
    const double size = weighted_norm(it, start, start->y);
    const double trial = fmin(bound, speed > 0 ? fmax(1e-3 * size, 1.0) / speed : 1e-3);
    for (int i = 0; i < field->dimension; ++i)
        ahead[i] = start->y[i] + trial * slope[i];
    double *bend = values(it->y);
    if (field->derivative(field->context, trial, ahead, bend) != 0) return trial * 1e-3;
    ++it->work.evaluations;
    for (int i = 0; i < field->dimension; ++i)
        bend[i] = (bend[i] - slope[i]) / trial;
    const double curvature = weighted_norm(it, start, bend);
    // Beyond a hundred trial steps a curvature that is hardly there at the start says nothing: a contact can begin so
    // softly that CVODE could not come back from the step that follows from it.
    const double step = curvature > 0 ? 0.1 * sqrt(2 / curvature) : HUGE_VAL;
    return fmin(bound, fmin(step, 100 * trial));
}

static bool make_root_finder(zeno_integrator *it) {
    const int n = it->field.roots;
    if (CVodeRootInit(it->running, 0, NULL) != CV_SUCCESS) return false;
    if (n == 0) return true;
    if (CVodeRootInit(it->running, n, call_guard) != CV_SUCCESS) return false;
    for (int i = 0; i < n; ++i)
        it->roots[i] = -1;
    return CVodeSetRootDirection(it->running, it->roots) == CV_SUCCESS &&
           CVodeSetNoInactiveRootWarn(it->running) == CV_SUCCESS;
}

zeno_status zeno_integrator_start(zeno_integrator *it, const zeno_start *start) {
    const size_t size = (size_t)it->field.dimension * sizeof(double);
    double first_step = estimate_first_step(it, start);
    it->lost = true;
    if (!(first_step > 0)) {
        zeno_log(&it->host, ZENO_LOG_SOLVER, "the equations of motion can't be evaluated at the start of a flight");
        return ZENO_REFUSED;
    }
    memcpy(values(it->y), start->y, size);
    memcpy(values(it->absolute_tolerance), start->absolute_tolerance, size);
    it->running = start->stiff ? it->bdf : it->adams;
    ++it->work.starts;
    it->steps = it->evaluations = 0;
    it->lost = !(CVodeReInit(it->running, 0, it->y) == CV_SUCCESS &&
                 CVodeSVtolerances(it->running, start->relative_tolerance, it->absolute_tolerance) == CV_SUCCESS &&
                 CVodeSetInitStep(it->running, first_step) == CV_SUCCESS && make_root_finder(it));
    if (it->lost)
        zeno_log(&it->host, ZENO_LOG_ERROR, "the solver can't be started: most likely there is not enough memory");
    return it->lost ? ZENO_FAILED : ZENO_OK;
}

bool zeno_integrator_is_lost(const zeno_integrator *it) {
    return it->lost;
}

// What CVODE answers when something is read from it.
static void expect_success(zeno_integrator *it, int flag) {
    if (flag != CV_SUCCESS) it->lost = true;
}

static void count_work(zeno_integrator *it) {
    long steps = it->steps, evaluations = it->evaluations;
    CVodeGetNumSteps(it->running, &steps);
    CVodeGetNumRhsEvals(it->running, &evaluations);
    it->work.steps += steps - it->steps;
    it->work.evaluations += evaluations - it->evaluations;
    it->steps = steps;
    it->evaluations = evaluations;
}

zeno_progress zeno_integrator_step(zeno_integrator *it, double *s, double *y, bool *fell) {
    realtype reached = 0;
    const int flag = CVode(it->running, FAR_AHEAD, it->y, &reached, CV_ONE_STEP);
    count_work(it);
    if (flag < 0) return ZENO_STALLED;
    *s = reached;
    memcpy(y, values(it->y), (size_t)it->field.dimension * sizeof *y);
    if (flag != CV_ROOT_RETURN) return ZENO_STEPPED;
    expect_success(it, CVodeGetRootInfo(it->running, it->roots));
    for (int i = 0; i < it->field.roots; ++i)
        fell[i] = it->roots[i] < 0;
    return ZENO_CROSSED;
}

double zeno_integrator_end(zeno_integrator *it) {
    realtype end = 0;
    expect_success(it, CVodeGetCurrentTime(it->running, &end));
    return end;
}

bool zeno_integrator_read(zeno_integrator *it, double s, double *y) {
    if (it->lost) return false;
    expect_success(it, CVodeGetDky(it->running, s, 0, it->scratch));
    memcpy(y, values(it->scratch), (size_t)it->field.dimension * sizeof *y);
    return !it->lost;
}

// One component of the dense output, or its derivative, as a polynomial in x = (s - origin) / unit: the solver's last
// step is -1 <= x <= 0. Taken from CVODE's history array, since each call of CVodeGetDky goes through all components.
typedef struct polynomial {
    double origin, unit;
    int degree;
    double coefficient[ADAMS_Q_MAX + 1];
} polynomial;

static polynomial dense_output(const zeno_integrator *it, int i, int order) {
    const struct CVodeMemRec *solver = it->running;
    polynomial p = {.origin = solver->cv_tn, .unit = solver->cv_h, .degree = solver->cv_q - order};
    for (int k = 0; k <= p.degree; ++k) {
        const double coefficient = values(solver->cv_zn[k + order])[i];
        p.coefficient[k] = order == 0 ? coefficient : (k + 1) * coefficient / p.unit;
    }
    return p;
}

static double polynomial_at(const polynomial *p, double x) {
    double sum = 0;
    for (int k = p->degree; k >= 0; --k)
        sum = sum * x + p->coefficient[k];
    return sum;
}

// The place between `above` and `below` at which the polynomial's sign changes, to the last digit.
static double bisect(const polynomial *p, double above, double below) {
    for (;;) {
        const double middle = above + (below - above) / 2;
        if (!(middle > above && middle < below)) return below;
        if (polynomial_at(p, middle) < 0)
            below = middle;
        else
            above = middle;
    }
}

// |p(x) - p(0)| <= sum of |c_k| |x|^k
bool zeno_integrator_may_fall(const zeno_integrator *it, int i, int order, double from) {
    const polynomial p = dense_output(it, i, order);
    const double x = fabs((from - p.origin) / p.unit);
    double sum = 0;
    for (int k = p.degree; k > 0; --k)
        sum = (sum + fabs(p.coefficient[k])) * x;
    return !(p.coefficient[0] > sum);
}

// The coefficients of p in Bernstein's basis over [x, x + width]: on that interval p lies between the least and the
// largest of them, and has no more zeros than their signs change. b_i = sum over k <= i of C(i, k) / C(d, k) a_k, with
// a_k the coefficients in powers of (x' - x) / width.
static void bernstein(const polynomial *p, double x, double width, double *b) {
    const int d = p->degree;
    memcpy(b, p->coefficient, (size_t)(d + 1) * sizeof *b);
    for (int k = 0; k < d; ++k) // Taylor's expansion around x
        for (int j = d - 1; j >= k; --j)
            b[j] += x * b[j + 1];
    double scale = 1;
    for (int k = 1; k <= d; ++k) { // width^k / C(d, k)
        scale *= width * k / (d - k + 1);
        b[k] *= scale;
    }
    for (int k = 0; k < d; ++k) // sums with C(i, k), as in Pascal's triangle
        for (int i = d; i > k; --i)
            b[i] += b[i - 1];
}

typedef struct signs {
    bool any_below;
    int changes;
} signs;

static signs signs_of(const double *b, int degree) {
    signs s = {.any_below = b[0] < 0};
    for (int i = 1; i <= degree; ++i) {
        s.any_below |= b[i] < 0;
        s.changes += (b[i] < 0) != (b[i - 1] < 0);
    }
    return s;
}

// From left to right over intervals that are halved until they tell: no coefficient below zero, or one zero.
bool zeno_integrator_falls(const zeno_integrator *it, int i, int order, double from, double to, zeno_fall *fall) {
    const polynomial p = dense_output(it, i, order);
    const double end = (to - p.origin) / p.unit, least = ldexp((to - from) / p.unit, -20);
    double b[ADAMS_Q_MAX + 1], x = (from - p.origin) / p.unit, width = end - x;
    if (!(polynomial_at(&p, x) > 0)) return false; // nothing to fall from
    while (width > 0) {
        bernstein(&p, x, width, b);
        const signs found = signs_of(b, p.degree);
        const bool below = b[p.degree] < 0, last = width >= end - x;
        if (below && found.changes == 1) {
            fall->s = p.origin + p.unit * bisect(&p, x, x + width);
            fall->below = p.origin + p.unit * (x + width);
            return !last;
        }
        if (found.any_below && width > least) {
            width /= 2;
            continue;
        }
        x += width;
        width = fmin(2 * width, end - x);
    }
    return false;
}

// A few failures are ordinary; when one step in ten needs them, the step size is limited by the iteration, not by
// accuracy, and Newton's method pays.
bool zeno_integrator_is_struggling(zeno_integrator *it) {
    enum { TOLERATED = 8, ONE_STEP_IN = 10 };
    long failures = 0;
    if (it->running != it->adams) return false;
    expect_success(it, CVodeGetNumNonlinSolvConvFails(it->running, &failures));
    return failures > TOLERATED && failures * ONE_STEP_IN > it->steps;
}

zeno_statistics zeno_integrator_work(const zeno_integrator *it) {
    return it->work;
}

void zeno_integrator_forget_work(zeno_integrator *it) {
    it->work = (zeno_statistics){0};
}
