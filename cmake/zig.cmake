# Toolchain file: compiles with ZENOFMU_ZIG for the platform ZENOFMU_TARGET (like x86_64-linux-gnu.2.17), on any machine.

set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES ZENOFMU_ZIG ZENOFMU_TARGET)

if(ZENOFMU_TARGET MATCHES "windows")
    set(CMAKE_SYSTEM_NAME Windows)
elseif(ZENOFMU_TARGET MATCHES "macos")
    set(CMAKE_SYSTEM_NAME Darwin)
else()
    set(CMAKE_SYSTEM_NAME Linux)
endif()
string(REGEX MATCH "^[^-]+" CMAKE_SYSTEM_PROCESSOR "${ZENOFMU_TARGET}")

set(CMAKE_C_COMPILER "${ZENOFMU_ZIG}" cc -target "${ZENOFMU_TARGET}")

# CMake wants archivers that are one word.
foreach(tool ar ranlib)
    string(TOUPPER "CMAKE_${tool}" variable)
    set(${variable} "${CMAKE_BINARY_DIR}/zig-${tool}")
    file(CONFIGURE OUTPUT "${${variable}}" @ONLY CONTENT "#!/bin/sh\nexec '@ZENOFMU_ZIG@' @tool@ \"$@\"\n")
    file(CHMOD "${${variable}}" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
endforeach()

# A link makes zig compile the platform's C runtime first, anew for other options: CMake's try-outs do without, and what
# they would find out is said here.
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_TRY_COMPILE_CONFIGURATION Release)
set(CMAKE_C_COMPILER_ID_RUN TRUE)
set(CMAKE_C_COMPILER_ID Clang)
set(CMAKE_C_COMPILER_VERSION 22)
set(CMAKE_C_COMPILER_FRONTEND_VARIANT GNU)
set(CMAKE_C_STANDARD_COMPUTED_DEFAULT 17)
set(CMAKE_C_EXTENSIONS_COMPUTED_DEFAULT ON)

# Nothing of the machine that compiles is meant for the machine that runs; zig brings all headers and libraries itself.
set(CMAKE_FIND_ROOT_PATH "${CMAKE_BINARY_DIR}")
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(CMAKE_OSX_SYSROOT "")
set(CMAKE_OSX_DEPLOYMENT_TARGET "")
