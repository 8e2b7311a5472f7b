# Soak (tests/soak/README.md): long runs of all FMUs in one process, here a share of each.

file(GLOB soak_files CONFIGURE_DEPENDS tests/soak/*.c)
add_executable(soak ${soak_files} tests/fmu/host/fmu.c tests/fmu/host/host.c)
target_include_directories(soak PRIVATE tests/fmu/host)
target_include_directories(soak SYSTEM PRIVATE "${fmpy}/c-code")
target_link_libraries(soak PRIVATE zeno_flags m ${CMAKE_DL_LIBS})
add_custom_target(soaking DEPENDS soak ${libraries}) # what tests/soak/run needs

# What the share of a run counts: steps, impacts, days, trials, changes. Sanitizers are slow.
if(CMAKE_BUILD_TYPE STREQUAL Release)
    set(runs steps:1000000 impacts:10000 year:30 edges:300 inputs:1200)
else()
    set(runs steps:10000 inputs:60)
endif()

# The FMUs; and of the test models the thermostat, for the year.
set(soaked)
file(GLOB model_files CONFIGURE_DEPENDS modelDescription/*.xml)
foreach(model_file IN LISTS model_files)
    cmake_path(GET model_file STEM name)
    list(APPEND soaked "$<TARGET_FILE:${name}>" "${PROJECT_BINARY_DIR}/generated/${name}/modelDescription.xml")
endforeach()
set(thermostat "$<TARGET_FILE:Thermostat>" "${PROJECT_BINARY_DIR}/generated/Thermostat/modelDescription.xml")

foreach(run_and_count IN LISTS runs)
    string(REPLACE ":" ";" words "${run_and_count}")
    list(GET words 0 run)
    set(more)
    if(run STREQUAL year)
        set(more ${thermostat})
    endif()
    add_test(NAME "soak/${run}" COMMAND soak ${words} ${soaked} ${more})
endforeach()
