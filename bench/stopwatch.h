// Seconds of processor time: others on the machine don't count.

#ifndef BENCH_STOPWATCH_H
#define BENCH_STOPWATCH_H

#include <time.h>

static inline double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
