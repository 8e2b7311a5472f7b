# The runtime of each platform of FMI: this project again, its runtime part only, with zig as the compiler.
# They lie in runtimes/<FMI platform>/<zig target>/; fmu/export.py reads platforms and targets from there.

include(ExternalProject)
include(cmake/PythonPackage.cmake)

zenofmu_python_package(ziglang)
set(zig_cache "${PROJECT_SOURCE_DIR}/build/zig-cache")
file(CONFIGURE OUTPUT zig @ONLY CONTENT [[
#!/bin/sh
# zig, with its cache in the build folder.
export ZIG_GLOBAL_CACHE_DIR='@zig_cache@' ZIG_LOCAL_CACHE_DIR="${ZIG_LOCAL_CACHE_DIR-@zig_cache@}"
exec '@ziglang@/zig' "$@"
]])
file(CHMOD "${PROJECT_BINARY_DIR}/zig" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)

set(runtime_cmake_files CMakeLists.txt cmake/zig.cmake cmake/Flags.cmake cmake/Runtime.cmake cmake/cvode/CMakeLists.txt)
list(TRANSFORM runtime_cmake_files PREPEND "${PROJECT_SOURCE_DIR}/")
add_custom_target(runtimes)

function(zenofmu_cross_runtime platform target)
    set(name "runtime-${target}")
    ExternalProject_Add(${name}
        PREFIX "${PROJECT_BINARY_DIR}/cross/${target}"
        SOURCE_DIR "${PROJECT_SOURCE_DIR}"
        BINARY_DIR "${PROJECT_BINARY_DIR}/runtimes/${platform}/${target}"
        CMAKE_ARGS
            -DCMAKE_TOOLCHAIN_FILE=${PROJECT_SOURCE_DIR}/cmake/zig.cmake
            -DCMAKE_BUILD_TYPE=Release
            -DCMAKE_C_FLAGS= # not what the environment says for this machine
            "-DCMAKE_C_FLAGS_RELEASE=-O2 -DNDEBUG -g0"
            -DZENOFMU_RUNTIME_ONLY=ON
            -DZENOFMU_ZIG=${PROJECT_BINARY_DIR}/zig
            -DZENOFMU_TARGET=${target}
            -DZENOFMU_PYTHON=${ZENOFMU_PYTHON}
            -DZENOFMU_SUNDIALS_SOURCE=${ZENOFMU_SUNDIALS_SOURCE}
        INSTALL_COMMAND ""
        LOG_CONFIGURE ON LOG_OUTPUT_ON_FAILURE ON
        USES_TERMINAL_BUILD ON)
    ExternalProject_Add_StepDependencies(${name} build ${engine_files} ${fmi_files} ${runtime_cmake_files})
    ExternalProject_Get_Property(${name} STAMP_DIR)
    set_property(TARGET runtimes APPEND PROPERTY stamps "${STAMP_DIR}/${name}-build")
    add_dependencies(runtimes ${name})
endfunction()

zenofmu_cross_runtime(linux64 x86_64-linux-gnu.2.17)
zenofmu_cross_runtime(win64 x86_64-windows-gnu)
zenofmu_cross_runtime(darwin64 x86_64-macos.11.0)
zenofmu_cross_runtime(darwin64 aarch64-macos.11.0)
