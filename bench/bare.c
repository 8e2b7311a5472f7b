// Runs a system of bare.h and prints what came of it:
//
//     bare BallOnSine|DoublePendulum serial|small TOLERANCE LEAST_SPEED STOP STEP REPETITIONS
//
// Vectors are SUNDIALS' serial ones, or those of the engine, made for a handful of elements.
//
// The event logic is the FMUs': Adams with fixed-point iteration, roots of the carried gap and of the contact force,
// impacts, a cascade cut below the impact speed LEAST_SPEED, contact, release; communication points are read from the
// dense output. Prints the last coordinates and rates; impacts, Zeno points, releases, solver steps and evaluations;
// and the nanoseconds of processor time of each repetition.

#include "bare.h"

#include <cvode/cvode.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "stopwatch.h"
#include "vector.h"

typedef struct asked {
    const bare_system *system;
    bool small_vectors;
    double tolerance, least_speed, stop, step;
} asked;

typedef struct loop {
    const bare_system *system;
    double tolerance, least_speed, stop;
    SUNContext context;
    zeno_vectors vectors; // small ones
    N_Vector y, absolute_tolerance, seen;
    SUNNonlinearSolver fixed_point;
    void *solver;
    double reached; // by the solver, or the time of the pending event
    bool pending, closed;
    long impacts, zeno_points, releases;
    long steps, evaluations; // of earlier starts
} loop;

static int rate(realtype t, N_Vector state, N_Vector derivative, void *user) {
    (void)t;
    const loop *l = user;
    (l->closed ? l->system->contact : l->system->flight)(NV_DATA_S(state), NV_DATA_S(derivative));
    return 0;
}

static int root(realtype t, N_Vector state, realtype *value, void *user) {
    (void)t;
    const loop *l = user;
    const double *y = NV_DATA_S(state);
    *value = l->closed ? l->system->force(y) : y[GAP];
    return 0;
}

static void require(int flag) {
    if (flag < 0) exit(EXIT_FAILURE);
}

static const zeno_host memory = {.allocate = calloc, .release = free};

static N_Vector first_vector(loop *l, bool small) {
    if (!small) return N_VNew_Serial(SIZE, l->context);
    if (!zeno_vectors_create(&l->vectors, SIZE, l->context, &memory)) exit(EXIT_FAILURE);
    return zeno_vectors_take(&l->vectors);
}

static void create(loop *l, const asked *a) {
    *l = (loop){.system = a->system, .tolerance = a->tolerance, .least_speed = a->least_speed, .stop = a->stop};
    require(SUNContext_Create(NULL, &l->context));
    l->y = first_vector(l, a->small_vectors);
    l->absolute_tolerance = N_VClone(l->y);
    l->seen = N_VClone(l->y);
    l->solver = CVodeCreate(CV_ADAMS, l->context);
    l->fixed_point = SUNNonlinSol_FixedPoint(l->y, 0, l->context);
    double *y = NV_DATA_S(l->y);
    memcpy(y, l->system->start, sizeof l->system->start);
    y[GAP] = l->system->gap;
    y[GAP_RATE] = l->system->gap_rate;
    N_VConst(l->tolerance, l->absolute_tolerance);
    require(CVodeInit(l->solver, rate, 0, l->y));
    require(CVodeSVtolerances(l->solver, l->tolerance, l->absolute_tolerance));
    require(CVodeSetUserData(l->solver, l));
    require(CVodeSetNonlinearSolver(l->solver, l->fixed_point));
}

static void destroy(loop *l) {
    CVodeFree(&l->solver);
    SUNNonlinSolFree(l->fixed_point);
    N_VDestroy(l->y);
    N_VDestroy(l->absolute_tolerance);
    N_VDestroy(l->seen);
    zeno_vectors_release(&l->vectors, &memory);
    SUNContext_Free(&l->context);
}

// Short flights are integrated as accurately, relative to their size, as long ones.
static void set_tolerances(loop *l) {
    const double *y = NV_DATA_S(l->y);
    double *absolute = NV_DATA_S(l->absolute_tolerance), height = 1, speed = 1;
    const double pull = l->closed ? 0 : fabs(l->system->gap_acceleration(y));
    if (pull > 0 && (y[GAP] > 0 || y[GAP_RATE] != 0)) {
        height = fmax(y[GAP], y[GAP_RATE] * y[GAP_RATE] / (2 * pull));
        speed = fmax(fabs(y[GAP_RATE]), sqrt(2 * pull * height));
    }
    absolute[GAP] = l->tolerance * fmin(height, 1);
    absolute[GAP_RATE] = l->tolerance * fmin(speed, 1);
    require(CVodeSVtolerances(l->solver, l->tolerance, l->absolute_tolerance));
}

static void count_work(loop *l) {
    long steps = 0, evaluations = 0;
    CVodeGetNumSteps(l->solver, &steps);
    CVodeGetNumRhsEvals(l->solver, &evaluations);
    l->steps += steps;
    l->evaluations += evaluations;
}

// From the present time and y on.
static void start(loop *l) {
    int down = -1;
    set_tolerances(l);
    require(CVodeReInit(l->solver, l->reached, l->y));
    require(CVodeRootInit(l->solver, 0, NULL));
    require(CVodeRootInit(l->solver, 1, root));
    require(CVodeSetRootDirection(l->solver, &down));
    require(CVodeSetNoInactiveRootWarn(l->solver));
    l->pending = false;
}

static void add(double factor, const double *direction, double *to) {
    to[0] += factor * direction[0];
    to[1] += factor * direction[1];
}

// Puts the coordinates onto the constraint.
static void project(const loop *l, double *y) {
    const bare_normal n = l->system->normal(y);
    add(-l->system->height(y) / n.W, n.w, y + Q);
}

static void strike(loop *l) {
    double *y = NV_DATA_S(l->y);
    project(l, y);
    const bare_normal n = l->system->normal(y);
    const double approach = n.J[0] * y[V] + n.J[1] * y[V + 1];
    const bool ends = -approach < l->least_speed;
    const double e = ends ? 0 : l->system->restitution;
    add(-(1 + e) * approach / n.W, n.w, y + V);
    y[GAP] = 0;
    y[GAP_RATE] = -e * approach;
    l->closed = ends;
    ++l->impacts;
    l->zeno_points += ends;
}

static void release(loop *l) {
    double *y = NV_DATA_S(l->y);
    project(l, y);
    y[GAP] = y[GAP_RATE] = 0;
    l->closed = false;
    ++l->releases;
}

static void pass_event(loop *l) {
    count_work(l);
    if (l->closed)
        release(l);
    else
        strike(l);
    start(l);
}

static void take_step(loop *l) {
    const int flag = CVode(l->solver, l->stop, l->y, &l->reached, CV_ONE_STEP);
    require(flag);
    l->pending = flag == CV_ROOT_RETURN;
}

static void advance(loop *l, double time) {
    while (l->reached < time)
        if (l->pending)
            pass_event(l);
        else
            take_step(l);
    require(CVodeGetDky(l->solver, time, 0, l->seen));
}

// Not inlined: callgrind counts inside this function only. What is read in the end goes to `last`.
__attribute__((noinline)) void measured(loop *l, const asked *a, double *last) {
    create(l, a);
    start(l);
    const long points = lround(a->stop / a->step);
    for (long i = 1; i <= points; ++i)
        advance(l, (double)i * a->step);
    count_work(l);
    memcpy(last, NV_DATA_S(l->seen), SIZE * sizeof *last);
    destroy(l);
}

int main(int argc, char **argv) {
    if (argc != 8) return EXIT_FAILURE;
    const asked a = {.system = strcmp(argv[1], "BallOnSine") == 0 ? &bare_ball_on_sine : &bare_double_pendulum,
                     .small_vectors = strcmp(argv[2], "small") == 0,
                     .tolerance = strtod(argv[3], NULL),
                     .least_speed = strtod(argv[4], NULL),
                     .stop = strtod(argv[5], NULL),
                     .step = strtod(argv[6], NULL)};
    const long repetitions = strtol(argv[7], NULL, 10);
    double *nanoseconds = calloc((size_t)repetitions, sizeof *nanoseconds);
    if (!nanoseconds) return EXIT_FAILURE;
    loop l = {0};
    double y[SIZE] = {0};
    for (long i = 0; i < repetitions; ++i) {
        const double begin = seconds();
        measured(&l, &a, y);
        nanoseconds[i] = 1e9 * (seconds() - begin);
    }
    printf("%.17g %.17g %.17g %.17g\n", y[Q], y[Q + 1], y[V], y[V + 1]);
    printf("%ld %ld %ld %ld %ld\n", l.impacts, l.zeno_points, l.releases, l.steps, l.evaluations);
    for (long i = 0; i < repetitions; ++i)
        printf("%.0f ", nanoseconds[i]);
    printf("\n");
    free(nanoseconds);
    return EXIT_SUCCESS;
}
