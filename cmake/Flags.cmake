# How our own code is compiled: link a target with zeno_flags.

# These hold for every C file that computes, generated models included; runtimes carry them to the export of an FMU.
# No contraction to fused multiply-adds: the proven bounds rest on every operation being rounded by itself, and the
# same model must give the same bits on every platform.
set(ZENO_NUMERIC_FLAGS -std=c11 -ffp-contract=off -fvisibility=hidden)

add_library(zeno_flags INTERFACE)
target_compile_options(zeno_flags INTERFACE
    ${ZENO_NUMERIC_FLAGS} -Wall -Wextra -Wconversion -Wshadow -Werror
    -Wno-enum-float-conversion # anonymous enums are our integer constants
    "-ffile-prefix-map=${PROJECT_SOURCE_DIR}=."
    "-ffile-prefix-map=${PROJECT_BINARY_DIR}=build")

if(ZENOFMU_ANALYZER)
    # GCC 12 doesn't know which elements of an array were set; clang-tidy and the sanitizers look for those that weren't.
    target_compile_options(zeno_flags INTERFACE -fanalyzer -Wno-analyzer-use-of-uninitialized-value)
endif()

set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
