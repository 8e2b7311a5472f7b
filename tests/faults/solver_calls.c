// The linker turns the engine's calls of these functions to ours (--wrap, cmake/Faults.cmake); some are calls of the
// solver's own as well. A call that fails does nothing but return its error.

#include "solver_calls.h"

#include <cvode/cvode.h>
#include <cvode/cvode_ls.h>
#include <nvector/nvector_serial.h>
#include <stddef.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

// ---- Functions and their errors

// As the headers of CVODE list them; those of projections, constraints and stop times can't come here.
static const int STEP[] = {
    CV_TOO_MUCH_WORK, CV_TOO_MUCH_ACC,      CV_ERR_FAILURE,      CV_CONV_FAILURE,      CV_LINIT_FAIL,
    CV_LSETUP_FAIL,   CV_LSOLVE_FAIL,       CV_RHSFUNC_FAIL,     CV_FIRST_RHSFUNC_ERR, CV_REPTD_RHSFUNC_ERR,
    CV_RTFUNC_FAIL,   CV_UNREC_RHSFUNC_ERR, CV_NLS_INIT_FAIL,    CV_NLS_SETUP_FAIL,    CV_NLS_FAIL,
    CV_MEM_FAIL,      CV_MEM_NULL,          CV_ILL_INPUT,        CV_NO_MALLOC,         CV_TOO_CLOSE,
    CV_VECTOROP_ERR,  CV_CONTEXT_ERR,       CV_UNRECOGNIZED_ERR,
};
static const int SET[] = {CV_MEM_NULL, CV_MEM_FAIL, CV_ILL_INPUT, CV_NO_MALLOC};
static const int GET[] = {CV_MEM_NULL, CV_NO_MALLOC};
static const int READ[] = {CV_MEM_NULL, CV_BAD_K, CV_BAD_T, CV_BAD_DKY, CV_VECTOROP_ERR};
static const int LINEAR[] = {CVLS_MEM_NULL, CVLS_LMEM_NULL, CVLS_ILL_INPUT, CVLS_MEM_FAIL, CVLS_SUNLS_FAIL};
static const int MAKE[] = {-1};        // any: the function returns NULL
static const int EVALUATE[] = {1, -1}; // a smaller step may help; nothing does

// F(errors, function, parameters, arguments): functions that return a flag.
#define FLAGS(F)                                                                                                       \
    F(SET, CVodeSetErrHandlerFn, (void *solver, CVErrHandlerFn f, void *data), (solver, f, data))                      \
    F(SET, CVodeInit, (void *solver, CVRhsFn f, realtype t, N_Vector y), (solver, watch_derivative(f), t, y))          \
    F(SET, CVodeSetUserData, (void *solver, void *data), (solver, data))                                               \
    F(SET, CVodeSVtolerances, (void *solver, realtype r, N_Vector a), (solver, r, a))                                  \
    F(SET, CVodeSetMaxErrTestFails, (void *solver, int most), (solver, most))                                          \
    F(SET, CVodeSetNonlinearSolver, (void *solver, SUNNonlinearSolver s), (solver, s))                                 \
    F(LINEAR, CVodeSetLinearSolver, (void *solver, SUNLinearSolver s, SUNMatrix m), (solver, s, m))                    \
    F(LINEAR, CVodeSetJacFn, (void *solver, CVLsJacFn f), (solver, watch_jacobian(f)))                                 \
    F(SET, CVodeReInit, (void *solver, realtype t, N_Vector y), (solver, t, y))                                        \
    F(SET, CVodeSetInitStep, (void *solver, realtype step), (solver, step))                                            \
    F(SET, CVodeRootInit, (void *solver, int count, CVRootFn f), (solver, count, watch_guard(f)))                      \
    F(SET, CVodeSetRootDirection, (void *solver, int *direction), (solver, direction))                                 \
    F(SET, CVodeSetNoInactiveRootWarn, (void *solver), (solver))                                                       \
    F(STEP, CVode, (void *solver, realtype end, N_Vector y, realtype *t, int task), (solver, end, y, t, task))         \
    F(GET, CVodeGetRootInfo, (void *solver, int *roots), (solver, roots))                                              \
    F(GET, CVodeGetNumSteps, (void *solver, long *steps), (solver, steps))                                             \
    F(GET, CVodeGetNumRhsEvals, (void *solver, long *evaluations), (solver, evaluations))                              \
    F(GET, CVodeGetNumNonlinSolvConvFails, (void *solver, long *failures), (solver, failures))                         \
    F(GET, CVodeGetCurrentTime, (void *solver, realtype *t), (solver, t))                                              \
    F(READ, CVodeGetDky, (void *solver, realtype t, int order, N_Vector y), (solver, t, order, y))

// F(type, function, parameters, arguments): functions that make something, or return NULL. N_VClone is none of them:
// all its vectors are made before (vector.c).
#define MAKERS(F)                                                                                                      \
    F(void *, CVodeCreate, (int method, SUNContext context), (method, context))                                        \
    F(N_Vector, N_VNewEmpty_Serial, (sunindextype size, SUNContext context), (size, context))                          \
    F(SUNNonlinearSolver, SUNNonlinSol_FixedPoint, (N_Vector like, int m, SUNContext context), (like, m, context))     \
    F(SUNMatrix, SUNDenseMatrix, (sunindextype m, sunindextype n, SUNContext context), (m, n, context))                \
    F(SUNLinearSolver, SUNLinSol_Dense, (N_Vector y, SUNMatrix m, SUNContext context), (y, m, context))

#define NUMBER_OF_FLAG(errors, name, parameters, arguments) NUMBER_##name,
#define NUMBER_OF_MAKER(type, name, parameters, arguments) NUMBER_##name,
enum { FLAGS(NUMBER_OF_FLAG) MAKERS(NUMBER_OF_MAKER) DERIVATIVE, GUARD, JACOBIAN, FUNCTIONS };

#define WITH_ERRORS(errors, name)                                                                                      \
    { name, errors, (int)(sizeof errors / sizeof *errors) }
#define ROW_OF_FLAG(errors, name, parameters, arguments) [NUMBER_##name] = WITH_ERRORS(errors, #name),
#define ROW_OF_MAKER(type, name, parameters, arguments) [NUMBER_##name] = WITH_ERRORS(MAKE, #name),
static const struct {
    const char *name;
    const int *errors;
    int count;
} table[FUNCTIONS] = {FLAGS(ROW_OF_FLAG) MAKERS(ROW_OF_MAKER)[DERIVATIVE] = WITH_ERRORS(EVALUATE, "derivative"),
                      [GUARD] = WITH_ERRORS(EVALUATE, "guard"), [JACOBIAN] = WITH_ERRORS(EVALUATE, "jacobian")};

int solver_functions(void) {
    return FUNCTIONS;
}

const char *solver_function_name(int function) {
    return table[function].name;
}

int solver_errors(int function) {
    return table[function].count;
}

// ---- Who fails when

static long made[FUNCTIONS];
static solver_fault fault;
static bool failed;

void solver_watch(const solver_fault *next) {
    for (int i = 0; i < FUNCTIONS; i++)
        made[i] = 0;
    failed = false;
    fault = *next;
}

void solver_relent(void) {
    fault.which = 0;
}

long solver_calls_made(int function) {
    return made[function];
}

bool solver_call_failed(void) {
    return failed;
}

// Counts a call; the error that it must return, or 0.
static int error_of(int function) {
    const long now = ++made[function];
    if (fault.which == 0 || function != fault.function) return 0;
    if (fault.for_ever ? now < fault.which : now != fault.which) return 0;
    failed = true;
    return table[function].errors[fault.error];
}

// ---- The model's functions

static CVRhsFn derivative;
static CVRootFn guard;
static CVLsJacFn jacobian;

static int faulty_derivative(realtype t, N_Vector y, N_Vector dy, void *data) {
    const int error = error_of(DERIVATIVE);
    return error ? error : derivative(t, y, dy, data);
}

static int faulty_guard(realtype t, N_Vector y, realtype *g, void *data) {
    const int error = error_of(GUARD);
    return error ? error : guard(t, y, g, data);
}

static int faulty_jacobian(realtype t, N_Vector y, N_Vector dy, SUNMatrix matrix, void *data, N_Vector t1, N_Vector t2,
                           N_Vector t3) {
    const int error = error_of(JACOBIAN);
    return error ? error : jacobian(t, y, dy, matrix, data, t1, t2, t3);
}

static CVRhsFn watch_derivative(CVRhsFn f) {
    derivative = f;
    return faulty_derivative;
}

static CVRootFn watch_guard(CVRootFn f) {
    guard = f;
    return f ? faulty_guard : NULL;
}

static CVLsJacFn watch_jacobian(CVLsJacFn f) {
    jacobian = f;
    return faulty_jacobian;
}

// ---- The solver's functions

#define DEFINE_FLAG(errors, name, parameters, arguments)                                                               \
    int __real_##name parameters;                                                                                      \
    int __wrap_##name parameters;                                                                                      \
    int __wrap_##name parameters {                                                                                     \
        const int error = error_of(NUMBER_##name);                                                                     \
        return error ? error : __real_##name arguments;                                                                \
    }
FLAGS(DEFINE_FLAG)

#define DEFINE_MAKER(type, name, parameters, arguments)                                                                \
    type __real_##name parameters;                                                                                     \
    type __wrap_##name parameters;                                                                                     \
    type __wrap_##name parameters {                                                                                    \
        return error_of(NUMBER_##name) ? NULL : __real_##name arguments;                                               \
    }
MAKERS(DEFINE_MAKER)
