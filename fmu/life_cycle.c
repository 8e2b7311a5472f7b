// The tables of the FMI life cycle. Every call looks itself up here; nothing else knows what is allowed when.
//
// More lenient than the standard where that does no harm: values can be read from the start, and the status of the
// last step after an error.

#include "life_cycle.h"

#include <stdio.h>

// clang-format off
const char *const zeno_fmu_state_name[ZENO_STATES] = {
    [ZENO_INSTANTIATED]        = "instantiated",
    [ZENO_INITIALIZATION_MODE] = "initialization mode",
    [ZENO_STEP_COMPLETE]       = "step complete",
    [ZENO_TERMINATED]          = "terminated",
    [ZENO_ERROR]               = "error",
};

// Columns: instantiated, initialization mode, step complete, terminated, error. fmi2GetTypesPlatform, fmi2GetVersion
// and fmi2FreeInstance are always allowed and have no row.
const zeno_fmu_rule zeno_fmu_call_rule[ZENO_CALLS] = {
    //                                                                          inst.   init.   step    term.   error
    // Life. fmi2Instantiate makes the instance: before it there is no state.
    [ZENO_CALL_INSTANTIATE]                 = {"fmi2Instantiate",              {0,      0,      0,      0,      0}},
    [ZENO_CALL_SET_DEBUG_LOGGING]           = {"fmi2SetDebugLogging",          {1,      1,      1,      1,      1}},
    [ZENO_CALL_SETUP_EXPERIMENT]            = {"fmi2SetupExperiment",          {1,      0,      0,      0,      0}},
    [ZENO_CALL_ENTER_INITIALIZATION_MODE]   = {"fmi2EnterInitializationMode",  {1,      0,      0,      0,      0}},
    [ZENO_CALL_EXIT_INITIALIZATION_MODE]    = {"fmi2ExitInitializationMode",   {0,      1,      0,      0,      0}},
    [ZENO_CALL_TERMINATE]                   = {"fmi2Terminate",                {0,      0,      1,      0,      0}},
    [ZENO_CALL_RESET]                       = {"fmi2Reset",                    {1,      1,      1,      1,      1}},
    // Variables. Which may be set is in the second table.
    [ZENO_CALL_GET_REAL]                    = {"fmi2GetReal",                  {1,      1,      1,      1,      1}},
    [ZENO_CALL_GET_INTEGER]                 = {"fmi2GetInteger",               {1,      1,      1,      1,      1}},
    [ZENO_CALL_GET_BOOLEAN]                 = {"fmi2GetBoolean",               {1,      1,      1,      1,      1}},
    [ZENO_CALL_GET_STRING]                  = {"fmi2GetString",                {1,      1,      1,      1,      1}},
    [ZENO_CALL_SET_REAL]                    = {"fmi2SetReal",                  {1,      1,      1,      0,      0}},
    [ZENO_CALL_SET_INTEGER]                 = {"fmi2SetInteger",               {1,      1,      1,      0,      0}},
    [ZENO_CALL_SET_BOOLEAN]                 = {"fmi2SetBoolean",               {1,      1,      1,      0,      0}},
    [ZENO_CALL_SET_STRING]                  = {"fmi2SetString",                {1,      1,      1,      0,      0}},
    // Steps. Canceling needs a step in progress, which never is.
    [ZENO_CALL_DO_STEP]                     = {"fmi2DoStep",                   {0,      0,      1,      0,      0}},
    [ZENO_CALL_CANCEL_STEP]                 = {"fmi2CancelStep",               {0,      0,      0,      0,      0}},
    [ZENO_CALL_GET_STATUS]                  = {"fmi2GetStatus",                {0,      0,      1,      1,      1}},
    [ZENO_CALL_GET_REAL_STATUS]             = {"fmi2GetRealStatus",            {0,      0,      1,      1,      1}},
    [ZENO_CALL_GET_INTEGER_STATUS]          = {"fmi2GetIntegerStatus",         {0,      0,      1,      1,      1}},
    [ZENO_CALL_GET_BOOLEAN_STATUS]          = {"fmi2GetBooleanStatus",         {0,      0,      1,      1,      1}},
    [ZENO_CALL_GET_STRING_STATUS]           = {"fmi2GetStringStatus",          {0,      0,      1,      1,      1}},
    // Saved states.
    [ZENO_CALL_GET_FMU_STATE]               = {"fmi2GetFMUstate",              {1,      1,      1,      1,      1}},
    [ZENO_CALL_SET_FMU_STATE]               = {"fmi2SetFMUstate",              {1,      1,      1,      1,      1}},
    [ZENO_CALL_FREE_FMU_STATE]              = {"fmi2FreeFMUstate",             {1,      1,      1,      1,      1}},
    [ZENO_CALL_SERIALIZED_FMU_STATE_SIZE]   = {"fmi2SerializedFMUstateSize",   {1,      1,      1,      1,      1}},
    [ZENO_CALL_SERIALIZE_FMU_STATE]         = {"fmi2SerializeFMUstate",        {1,      1,      1,      1,      1}},
    [ZENO_CALL_DESERIALIZE_FMU_STATE]       = {"fmi2DeSerializeFMUstate",      {1,      1,      1,      1,      1}},
    // Derivatives.
    [ZENO_CALL_GET_DIRECTIONAL_DERIVATIVE]  = {"fmi2GetDirectionalDerivative", {0,      1,      1,      1,      1}},
    [ZENO_CALL_SET_REAL_INPUT_DERIVATIVES]  = {"fmi2SetRealInputDerivatives",  {1,      1,      1,      0,      0}},
    [ZENO_CALL_GET_REAL_OUTPUT_DERIVATIVES] = {"fmi2GetRealOutputDerivatives", {0,      0,      1,      1,      1}},
};

const zeno_fmu_rule zeno_fmu_set_rule[] = {
    //                                                   inst.   init.   step    term.   error
    [ZENO_READ_ONLY] = {"is computed by the FMU",       {0,      0,      0,      0,      0}},
    [ZENO_START]     = {"is a start value",             {1,      1,      0,      0,      0}},
    [ZENO_FIXED]     = {"is a fixed parameter",         {1,      1,      0,      0,      0}},
    [ZENO_TUNABLE]   = {"is a tunable parameter",       {1,      1,      1,      0,      0}},
    [ZENO_LIVE]      = {"is an input",                  {1,      1,      1,      0,      0}},
};
// clang-format on

void zeno_fmu_list_states(const zeno_fmu_rule *rule, char *text, size_t size) {
    const char *separator = "";
    snprintf(text, size, "none");
    for (int state = 0; state < ZENO_STATES; state++) {
        if (!rule->allowed[state]) continue;
        const int length = snprintf(text, size, "%s%s", separator, zeno_fmu_state_name[state]);
        if (length < 0 || (size_t)length >= size) return;
        text += length;
        size -= (size_t)length;
        separator = ", ";
    }
}
