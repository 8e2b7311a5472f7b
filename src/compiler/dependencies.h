// Which variables reach which others at once, without the motion in between: FMI's `dependencies`.

#ifndef ZENOFMU_DEPENDENCIES_H
#define ZENOFMU_DEPENDENCIES_H

#include "equations.h"
#include "variables.h"

typedef struct dependencies dependencies;

dependencies *dependencies_find(const model_file *model, const model_equations *equations); // NULL: memory is short
void dependencies_free(dependencies *d);                                                    // takes NULL

// While the system moves: whether the input `known` reaches the output `unknown`.
bool dependencies_at_once(const dependencies *d, const fmi_variable *unknown, const fmi_variable *known);

// At the start: whether the input, parameter or start value `known` may reach the output `unknown`, also by way of an
// impact or a transition that is due then.
bool dependencies_at_start(const dependencies *d, const fmi_variable *unknown, const fmi_variable *known);

#endif
