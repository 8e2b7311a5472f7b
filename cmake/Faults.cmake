# Faults (tests/faults/README.md): programs in which every allocation and every call of the solver can be made to fail.

# The linker turns these calls to ours: tests/faults/solver_calls.c has the same list.
set(faulty_calls
    CVodeSetErrHandlerFn CVodeInit CVodeSetUserData CVodeSVtolerances CVodeSetMaxErrTestFails
    CVodeSetNonlinearSolver CVodeSetLinearSolver CVodeSetJacFn CVodeReInit CVodeSetInitStep CVodeRootInit
    CVodeSetRootDirection CVodeSetNoInactiveRootWarn CVode CVodeGetRootInfo CVodeGetNumSteps CVodeGetNumRhsEvals
    CVodeGetNumNonlinSolvConvFails CVodeGetCurrentTime CVodeGetLastOrder CVodeGetDky CVodeCreate N_VNewEmpty_Serial N_VClone
    SUNNonlinSol_FixedPoint SUNDenseMatrix SUNLinSol_Dense)
list(TRANSFORM faulty_calls PREPEND "LINKER:--wrap=")

# A sanitizer has an allocator of its own, before which ours can't be put but by the linker.
add_library(faulty_allocations OBJECT tests/faults/allocations.c tests/faults/trial.c)
target_include_directories(faulty_allocations PUBLIC tests/faults)
target_link_libraries(faulty_allocations PRIVATE zeno_flags)
if(CMAKE_C_FLAGS MATCHES "-fsanitize")
    target_compile_definitions(faulty_allocations PRIVATE FAULTS_WRAPPED)
    foreach(function IN ITEMS malloc calloc realloc free strdup)
        target_link_options(faulty_allocations INTERFACE "LINKER:--wrap=${function}")
    endforeach()
endif()

function(zenofmu_faulty_fmu name)
    set(model_file "${PROJECT_SOURCE_DIR}/tests/faults/models/${name}.xml")
    set(generated "${PROJECT_BINARY_DIR}/faults/${name}")
    set(program "faults_${name}")
    add_custom_command(
        OUTPUT "${generated}/model.c"
        COMMAND zenofmu-compiler generate "${model_file}" --output "${generated}"
        DEPENDS "${model_file}" zenofmu-compiler modelDescription/zenofmu.xsd
        VERBATIM)
    add_executable(${program} tests/faults/fmi.c tests/faults/life.c tests/faults/solver_calls.c "${generated}/model.c")
    target_link_libraries(${program} PRIVATE zeno_flags zeno_fmi faulty_allocations)
    target_link_options(${program} PRIVATE ${faulty_calls})
endfunction()

foreach(name IN ITEMS Slope Switch Relay)
    zenofmu_faulty_fmu(${name})
endforeach()
