// What FMI allows when: which function may be called, and which variable set, in which state of an instance.
//
// The states are those of a co-simulation slave [FMI 2.0.4, 4.2.4]. Three of them never occur: a step is done when
// fmi2DoStep returns, so none is in progress or canceled, and none is discarded, so none has failed.

#ifndef ZENO_FMU_LIFE_CYCLE_H
#define ZENO_FMU_LIFE_CYCLE_H

#include <stdbool.h>
#include <stddef.h>

#include "model.h"

typedef enum zeno_fmu_state {
    ZENO_INSTANTIATED,
    ZENO_INITIALIZATION_MODE,
    ZENO_STEP_COMPLETE,
    ZENO_TERMINATED,
    ZENO_ERROR,
    ZENO_STATES // how many there are
} zeno_fmu_state;

extern const char *const zeno_fmu_state_name[ZENO_STATES];

// The functions of the interface that deal with an instance.
typedef enum zeno_fmu_call {
    ZENO_CALL_INSTANTIATE,
    ZENO_CALL_SET_DEBUG_LOGGING,
    ZENO_CALL_SETUP_EXPERIMENT,
    ZENO_CALL_ENTER_INITIALIZATION_MODE,
    ZENO_CALL_EXIT_INITIALIZATION_MODE,
    ZENO_CALL_TERMINATE,
    ZENO_CALL_RESET,
    ZENO_CALL_GET_REAL,
    ZENO_CALL_GET_INTEGER,
    ZENO_CALL_GET_BOOLEAN,
    ZENO_CALL_GET_STRING,
    ZENO_CALL_SET_REAL,
    ZENO_CALL_SET_INTEGER,
    ZENO_CALL_SET_BOOLEAN,
    ZENO_CALL_SET_STRING,
    ZENO_CALL_DO_STEP,
    ZENO_CALL_CANCEL_STEP,
    ZENO_CALL_GET_STATUS,
    ZENO_CALL_GET_REAL_STATUS,
    ZENO_CALL_GET_INTEGER_STATUS,
    ZENO_CALL_GET_BOOLEAN_STATUS,
    ZENO_CALL_GET_STRING_STATUS,
    ZENO_CALL_GET_FMU_STATE,
    ZENO_CALL_SET_FMU_STATE,
    ZENO_CALL_FREE_FMU_STATE,
    ZENO_CALL_SERIALIZED_FMU_STATE_SIZE,
    ZENO_CALL_SERIALIZE_FMU_STATE,
    ZENO_CALL_DESERIALIZE_FMU_STATE,
    ZENO_CALL_GET_DIRECTIONAL_DERIVATIVE,
    ZENO_CALL_SET_REAL_INPUT_DERIVATIVES,
    ZENO_CALL_GET_REAL_OUTPUT_DERIVATIVES,
    ZENO_CALLS // how many there are
} zeno_fmu_call;

// One row of the tables: what it speaks of, and the states in which that is allowed.
typedef struct zeno_fmu_rule {
    const char *subject;
    bool allowed[ZENO_STATES];
} zeno_fmu_rule;

extern const zeno_fmu_rule zeno_fmu_call_rule[ZENO_CALLS]; // subject: the C function
extern const zeno_fmu_rule zeno_fmu_set_rule[];            // by zeno_access; subject: what such a variable is

// Writes the names of the states that a rule allows, or "none".
void zeno_fmu_list_states(const zeno_fmu_rule *rule, char *text, size_t size);

#endif
