// Many instances of several FMUs in many threads: each step of an instance is done by whichever thread is free, and the
// bits are those of a run alone.

#include <pthread.h>
#include <stdio.h>

#include "host.h"

enum { THREADS = 16, INSTANCES = 64, STEPS = 60 };

typedef struct worker_instance {
    const loaded_fmu *fmu;
    fmi2Component component;
    listener ear;
    int steps; // done
    uint64_t seen;
} worker_instance;

// Instances wait in a ring for the next thread.
typedef struct ring {
    pthread_mutex_t lock;
    worker_instance *waiting[INSTANCES];
    int first, count;
} ring;

static const double STEP = 0.0625;

// One step, with an input that changes, and now and then a rollback.
static void advance(worker_instance *w) {
    const library *call = &w->fmu->call;
    const double time = w->steps * STEP, force = (w->steps % 7 - 3) * 0.5;
    fmi2FMUstate saved = NULL;
    if (w->fmu->inputs > 0) call->SetReal(w->component, w->fmu->input, 1, &force);
    if (w->steps % 5 == 0) check(call->GetFMUstate(w->component, &saved) == fmi2OK, "a state can be saved");
    check(call->DoStep(w->component, time, STEP, fmi2True) == fmi2OK, "a step can be done");
    if (saved) {
        check(call->SetFMUstate(w->component, saved) == fmi2OK, "a state can be restored");
        check(call->DoStep(w->component, time, STEP, fmi2True) == fmi2OK, "a step can be repeated");
        call->FreeFMUstate(w->component, &saved);
    }
    w->seen = fold(w->seen, fingerprint(w->fmu, w->component));
    w->steps++;
}

// The whole life of an instance, the first part done before any step, the last after all.
static void begin(worker_instance *w, const loaded_fmu *fmu) {
    *w = (worker_instance){.fmu = fmu};
    w->component = instantiate(fmu, &w->ear);
    check(initialize(fmu, w->component) == fmi2OK, "a run can start");
}

static void end(worker_instance *w) {
    w->fmu->call.Terminate(w->component);
    w->fmu->call.FreeInstance(w->component);
    w->component = NULL;
}

static uint64_t run_alone(const loaded_fmu *fmu) {
    worker_instance w;
    begin(&w, fmu);
    while (w.steps < STEPS)
        advance(&w);
    end(&w);
    return w.seen;
}

static worker_instance *take(ring *r) {
    worker_instance *taken = NULL;
    pthread_mutex_lock(&r->lock);
    if (r->count > 0) {
        taken = r->waiting[r->first];
        r->first = (r->first + 1) % INSTANCES;
        r->count--;
    }
    pthread_mutex_unlock(&r->lock);
    return taken;
}

static void put_back(ring *r, worker_instance *w) {
    pthread_mutex_lock(&r->lock);
    r->waiting[(r->first + r->count++) % INSTANCES] = w;
    pthread_mutex_unlock(&r->lock);
}

// Instances are made, stepped and freed by any thread.
static void *work(void *shared) {
    ring *r = shared;
    for (worker_instance *w = take(r); w; w = take(r)) {
        if (!w->component) begin(w, w->fmu);
        advance(w);
        if (w->steps < STEPS)
            put_back(r, w);
        else
            end(w);
    }
    return NULL;
}

void play_threads(const loaded_fmu *fmu, int fmus) {
    static worker_instance instances[INSTANCES];
    static ring r = {.lock = PTHREAD_MUTEX_INITIALIZER};
    pthread_t threads[THREADS];
    for (int i = 0; i < INSTANCES; i++) {
        instances[i].fmu = &fmu[i % fmus];
        put_back(&r, &instances[i]);
    }
    for (int i = 0; i < THREADS; i++)
        check(pthread_create(&threads[i], NULL, work, &r) == 0, "a thread can start");
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < INSTANCES; i++) {
        check(instances[i].steps == STEPS, "every instance has done its steps");
        check(instances[i].seen == run_alone(instances[i].fmu), "in many threads the bits are those of a run alone");
    }
    printf("%d instances of %d FMUs in %d threads\n", INSTANCES, fmus, THREADS);
}
