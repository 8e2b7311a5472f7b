// Faults in the life of an FMU: memory that runs short, a solver that fails.
//
//     faults_<Model> memory|solver PLACES [WORD ...]
//
// PLACES: 7 for every seventh place where the fault can be, =7 for the seventh alone. WORDs must be in the log of the
// undisturbed life.

#include <stdio.h>
#include <string.h>

#include "allocations.h"
#include "life.h"
#include "solver_calls.h"
#include "trial.h"

// ---- Memory

typedef struct shortage {
    long which;
    bool for_ever;
} shortage;

static void run_short(const void *fault) {
    const shortage *s = fault;
    const life_fault life = {allocation_failed, allocations_relent, false};
    allocations_watch(s->which, s->for_ever);
    life_with(&life);
}

static void fail_allocations(const places *where) {
    const long count = allocations_made();
    for (long which = where->first; which <= count; which += where->step)
        for (int for_ever = 0; for_ever < 2; for_ever++)
            trial(run_short, &(shortage){which, for_ever}, "allocation %ld%s", which, for_ever ? " and all after" : "");
}

// ---- The solver

static void fail_call(const void *fault) {
    const life_fault life = {solver_call_failed, solver_relent, true};
    solver_watch(fault);
    life_with(&life);
}

static void fail_function(int function, const places *where) {
    const long count = solver_calls_made(function);
    for (long which = where->first; which <= count; which += where->step)
        for (int error = 0; error < solver_errors(function); error++)
            for (int for_ever = 0; for_ever < 2; for_ever++)
                trial(fail_call, &(solver_fault){function, error, which, for_ever}, "%s, error %d, call %ld%s",
                      solver_function_name(function), error, which, for_ever ? " and all after" : "");
}

static void fail_solver(const places *where) {
    for (int function = 0; function < solver_functions(); function++)
        fail_function(function, where);
}

int main(int count, char **arguments) {
    places where;
    if (count < 3 || !read_places(arguments[2], &where)) {
        fprintf(stderr, "usage: %s memory|solver PLACES [WORD ...]\n", arguments[0]);
        return 2;
    }
    allocations_watch(0, false);
    solver_watch(&(solver_fault){0});
    if (!life_record((const char *const *)arguments + 3)) return 1;
    if (strcmp(arguments[1], "memory") == 0)
        fail_allocations(&where);
    else
        fail_solver(&where);
    return trials_verdict();
}
