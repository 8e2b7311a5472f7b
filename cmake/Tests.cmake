# Unit tests (cmocka): tests/unit/<part>/test_*.c, one program each; other C files there are helpers of that part's tests.

find_package(PkgConfig REQUIRED)
pkg_check_modules(cmocka REQUIRED IMPORTED_TARGET cmocka)

function(zenofmu_unit_tests part)
    file(GLOB helpers CONFIGURE_DEPENDS tests/unit/*.c tests/unit/${part}/*.c)
    list(FILTER helpers EXCLUDE REGEX "/test_[^/]*$")
    file(GLOB sources CONFIGURE_DEPENDS tests/unit/${part}/test_*.c)
    foreach(source IN LISTS sources)
        cmake_path(GET source STEM stem)
        set(test "${part}_${stem}")
        add_executable(${test} "${source}" ${helpers})
        target_include_directories(${test} PRIVATE tests/unit)
        target_compile_definitions(${test} PRIVATE ZENOFMU_MODELS="${PROJECT_SOURCE_DIR}/modelDescription")
        target_link_libraries(${test} PRIVATE zeno_flags ${ARGN} PkgConfig::cmocka)
        add_test(NAME "${part}/${stem}" COMMAND ${test})
    endforeach()
endfunction()

zenofmu_unit_tests(compiler zenofmu_compiler)
zenofmu_unit_tests(engine zeno_engine)
zenofmu_unit_tests(fmu zeno_fmi)

# A share of the campaigns against exact arithmetic (tests/reference/interval/README.md); the number is how many cases.
pkg_check_modules(mpfr REQUIRED IMPORTED_TARGET mpfr)
foreach(campaign IN ITEMS functions:10000 systems:500)
    string(REGEX MATCH "^[a-z]+" name "${campaign}")
    string(REGEX MATCH "[0-9]+$" cases "${campaign}")
    add_executable(interval_${name} tests/reference/interval/${name}.c)
    target_link_libraries(interval_${name} PRIVATE zeno_flags zeno_engine PkgConfig::mpfr)
    add_test(NAME reference/interval_${name} COMMAND interval_${name} ${cases})
endforeach()

# The host in C: puts the library of an FMU through plays (tests/fmu/host/main.c).
find_package(Threads REQUIRED)
file(GLOB host_files CONFIGURE_DEPENDS tests/fmu/host/*.c)
add_executable(host ${host_files})
set_target_properties(host PROPERTIES ENABLE_EXPORTS ON) # its own SUNDIALS, to which no FMU may be bound
target_include_directories(host SYSTEM PRIVATE "${fmpy}/c-code")
target_link_libraries(host PRIVATE zeno_flags m Threads::Threads ${CMAKE_DL_LIBS})

# Every model as a library for this machine, with this build's sanitizers, in that host: a share of the plays.
if(CMAKE_BUILD_TYPE STREQUAL Release)
    set(plays instances calls:1000 rollback:300 damage memory:2000 steps:1000000)
else()
    set(plays instances calls:300 rollback:50 damage memory:50 steps:1000)
endif()
set(libraries)
set(library_files)
file(GLOB model_files CONFIGURE_DEPENDS modelDescription/*.xml tests/models/*.xml)
foreach(model_file IN LISTS model_files)
    cmake_path(GET model_file STEM name)
    set(generated "${PROJECT_BINARY_DIR}/generated/${name}")
    add_custom_command(
        OUTPUT "${generated}/model.c" "${generated}/modelDescription.xml"
        COMMAND zenofmu-compiler generate "${model_file}" --output "${generated}"
        DEPENDS "${model_file}" zenofmu-compiler modelDescription/zenofmu.xsd
        VERBATIM)
    add_library(${name} MODULE "${generated}/model.c")
    target_compile_options(${name} PRIVATE ${ZENO_NUMERIC_FLAGS})
    target_link_libraries(${name} PRIVATE zeno_fmi)
    set_target_properties(${name} PROPERTIES PREFIX "" LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/libraries")
    list(APPEND libraries ${name})
    list(APPEND library_files "$<TARGET_FILE:${name}>" "${generated}/modelDescription.xml")
    foreach(play IN LISTS plays)
        string(REPLACE ":" ";" words "${play}")
        list(POP_FRONT words play)
        add_test(NAME "host/${play}/${name}"
                 COMMAND host ${play} "$<TARGET_FILE:${name}>" "${generated}/modelDescription.xml" ${words})
    endforeach()
endforeach()

add_custom_target(threads DEPENDS host ${libraries}) # what host/threads needs
add_test(NAME host/threads COMMAND host threads ${library_files})
