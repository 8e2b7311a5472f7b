// Prints the nanoseconds of one right-hand side of the free motion of the model that it is linked with: the least of
// several rounds, each long enough for the clock.

#define _POSIX_C_SOURCE 199309L

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "motion.h"

extern const zeno_model zeno_fmu_model;

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// Seconds of `count` evaluations. The point moves a little each time, so that nothing can be kept.
static double time_evaluations(const zeno_model *model, double *q, zeno_motion *motion, long count) {
    const double begin = seconds();
    for (long i = 0; i < count; ++i) {
        q[0] += 1e-9;
        const zeno_point x = {.t = 0, .p = model->parameter_start, .u = model->input_start, .q = q, .v = q};
        if (!zeno_motion_free(model, &x, motion)) exit(EXIT_FAILURE);
    }
    return seconds() - begin;
}

int main(void) {
    enum { ROUNDS = 7 };
    const zeno_model *model = &zeno_fmu_model;
    void *memory = calloc(1, zeno_motion_memory(model));
    double *q = calloc((size_t)model->coordinates, sizeof *q);
    if (!memory || !q) return EXIT_FAILURE;
    zeno_motion motion;
    zeno_motion_place(&motion, model, memory);
    for (int i = 0; i < model->coordinates; ++i)
        q[i] = model->coordinate_start[i];
    long count = 1;
    while (time_evaluations(model, q, &motion, count) < 0.02)
        count *= 2;
    double least = 1e300;
    for (int round = 0; round < ROUNDS; ++round) {
        const double time = time_evaluations(model, q, &motion, count);
        if (time < least) least = time;
    }
    printf("%.3f\n", least / (double)count * 1e9);
    free(memory);
    free(q);
    return EXIT_SUCCESS;
}
