// How calls that name variables by their value references begin.

#ifndef ZENO_FMU_VARIABLES_H
#define ZENO_FMU_VARIABLES_H

#include "instance.h"

// The instance, or NULL when the call is not allowed or one of its arguments is wrong; `value` is the array that goes
// with the references.
zeno_fmu_instance *zeno_fmu_begin_get(fmi2Component component, zeno_fmu_call call, zeno_type type,
                                      const fmi2ValueReference reference[], size_t count, const void *value);
// The same, and all the variables may be set in the present state.
zeno_fmu_instance *zeno_fmu_begin_set(fmi2Component component, zeno_fmu_call call, zeno_type type,
                                      const fmi2ValueReference reference[], size_t count, const void *value);

#endif
