// The solver's functions that the engine calls, and the model's that the solver calls: every call is counted, and any
// can be made to return any of its errors.

#ifndef SOLVER_CALLS_H
#define SOLVER_CALLS_H

#include <stdbool.h>

// The functions count from 0.
int solver_functions(void);
const char *solver_function_name(int function);
// The errors of a function count from 0 too.
int solver_errors(int function);

typedef struct solver_fault {
    int function, error;
    long which;    // call, from 1; 0: none
    bool for_ever; // this call and all after it
} solver_fault;

// Counts from 0 again; from here on calls fail as told.
void solver_watch(const solver_fault *fault);
// They no longer do.
void solver_relent(void);

long solver_calls_made(int function); // since the watch began
bool solver_call_failed(void);        // since the watch began

#endif
