// Which inputs reach which outputs at once, without the motion in between: FMI's `dependencies`.

#ifndef ZENOFMU_DEPENDENCIES_H
#define ZENOFMU_DEPENDENCIES_H

#include "equations.h"
#include "variables.h"

typedef struct dependencies dependencies;

dependencies *dependencies_find(const model_file *model, const model_equations *equations); // NULL: memory is short
void dependencies_free(dependencies *d);                                                    // takes NULL

bool dependencies_has(const dependencies *d, const fmi_variable *output, int input);

#endif
