# Faults (tests/faults/README.md): programs in which every allocation and every call of the solver can be made to fail.

# The linker turns these calls to ours: tests/faults/solver_calls.c has the same list.
set(faulty_calls
    CVodeSetErrHandlerFn CVodeInit CVodeSetUserData CVodeSVtolerances CVodeSetMaxErrTestFails
    CVodeSetNonlinearSolver CVodeSetLinearSolver CVodeSetJacFn CVodeReInit CVodeSetInitStep CVodeRootInit
    CVodeSetRootDirection CVodeSetNoInactiveRootWarn CVode CVodeGetRootInfo CVodeGetNumSteps CVodeGetNumRhsEvals
    CVodeGetNumNonlinSolvConvFails CVodeGetCurrentTime CVodeGetDky CVodeCreate N_VNewEmpty_Serial
    SUNNonlinSol_FixedPoint SUNDenseMatrix SUNLinSol_Dense)
list(TRANSFORM faulty_calls PREPEND "LINKER:--wrap=")

add_custom_target(faults) # all programs, for tests/faults/run

# A sanitizer has an allocator of its own, before which ours can't be put but by the linker.
add_library(faulty_allocations OBJECT tests/faults/allocations.c tests/faults/trial.c)
target_include_directories(faulty_allocations PUBLIC tests/faults)
target_link_libraries(faulty_allocations PRIVATE zeno_flags)
if(CMAKE_C_FLAGS MATCHES "--coverage")
    target_compile_definitions(faulty_allocations PRIVATE FAULTS_COVERAGE)
endif()
if(CMAKE_C_FLAGS MATCHES "-fsanitize")
    target_compile_definitions(faulty_allocations PRIVATE FAULTS_WRAPPED)
    foreach(function IN ITEMS malloc calloc realloc free strdup)
        target_link_options(faulty_allocations INTERFACE "LINKER:--wrap=${function}")
    endforeach()
endif()

# A share of the places where a fault can be, of memory and of the solver; sanitizers are slow.
if(CMAKE_BUILD_TYPE STREQUAL Release)
    set(places memory:5 solver:500)
else()
    set(places memory:20 solver:3000)
endif()

# A model, and the words that the log must have of a life without faults.
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
    add_dependencies(faults ${program})
    foreach(kind_and_places IN LISTS places)
        string(REPLACE ":" ";" kind_and_places "${kind_and_places}")
        list(GET kind_and_places 0 kind)
        add_test(NAME "faults/${kind}/${name}" COMMAND ${program} ${kind_and_places} ${ARGN})
    endforeach()
endfunction()

zenofmu_faulty_fmu(Slope impact "Zeno truncation" "sliding on" release "BDF takes over")
zenofmu_faulty_fmu(Switch "transition from" "BDF takes over")
if(CMAKE_BUILD_TYPE STREQUAL Release) # its life is long
    set(places memory:5 solver:10000)
else()
    set(places memory:25)
endif()
zenofmu_faulty_fmu(Relay "transition from" "start of sliding" "end of sliding")

# The model compiler, its main function under another name.
add_library(compiler_main OBJECT src/compiler/main.c)
target_compile_definitions(compiler_main PRIVATE main=compiler_main)
target_link_libraries(compiler_main PRIVATE zeno_flags zenofmu_compiler)
add_executable(faults_compiler tests/faults/compiler.c tests/faults/file_calls.c)
target_link_libraries(faults_compiler PRIVATE zeno_flags compiler_main zenofmu_compiler faulty_allocations)
foreach(function IN ITEMS fopen fwrite fclose mkdir rename exit)
    target_link_options(faults_compiler PRIVATE "LINKER:--wrap=${function}")
endforeach()

add_dependencies(faults faults_compiler)

foreach(kind_and_places IN ITEMS memory:100 files:1)
    string(REPLACE ":" ";" kind_and_places "${kind_and_places}")
    list(GET kind_and_places 0 kind)
    foreach(name IN ITEMS Slope Switch)
        add_test(NAME "faults/compiler/${kind}/${name}"
                 COMMAND faults_compiler ${kind_and_places} generate
                         "${PROJECT_SOURCE_DIR}/tests/faults/models/${name}.xml" --output %F/generated)
    endforeach()
endforeach()
