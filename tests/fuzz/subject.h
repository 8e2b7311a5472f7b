// The FMU under test: the FMI layer and the engine, linked directly, with one of several models.

#ifndef ZENOFMU_FUZZ_SUBJECT_H
#define ZENOFMU_FUZZ_SUBJECT_H

#include <fmi2Functions.h>

#include "fuzz.h"
#include "model.h"

// How many models there are (cmake/Fuzz.cmake lists them): Lagrangians first, then systems with modes.
unsigned subject_models(void);
// From here on the FMU is that of this model.
const zeno_model *subject_choose(unsigned model);

// Steps that the solver takes, and events without a solver's step, until it fails and they do: extreme values ask for
// more of them than there is time for.
void subject_allow_work(long steps);
// As much as an input gets: one in eight many steps, the others few.
void subject_allow_usual_work(fuzz_input input);
// Whether that was enough so far.
bool subject_had_work_left(void);

fmi2Component subject_instantiate(void);
// Sets up an experiment from 0 on and goes through initialization mode.
fmi2Status subject_initialize(fmi2Component component);

// Whether the last error was one that only a reset mends.
bool subject_is_in_error(fmi2Component component);
double subject_time(fmi2Component component);

// All values of an instance, and whether they can be read, in one number: equal bits give equal numbers.
uint64_t subject_fingerprint(fmi2Component component);

// Whatever has happened to an instance, after a reset it runs like a fresh one. Looked at for one input in eight.
void subject_promise_reset(fmi2Component component, fuzz_input input);

#endif
