# What goes into every FMU: CVODE, the engine, the FMI layer. Built for this machine, and by CrossRuntimes.cmake for others.

include(cmake/PythonPackage.cmake)
zenofmu_python_package(fmpy) # brings the FMI headers

add_subdirectory(cmake/cvode)

file(GLOB engine_files CONFIGURE_DEPENDS src/engine/*.c src/engine/*.h)
add_library(zeno_engine STATIC ${engine_files})
target_include_directories(zeno_engine PUBLIC src/engine)
target_link_libraries(zeno_engine PRIVATE zeno_flags PUBLIC SUNDIALS::cvode_static)
if(NOT WIN32)
    target_link_libraries(zeno_engine PUBLIC m)
endif()

# Objects, not an archive: a linker drops from an archive what nobody calls, and only the host calls these.
file(GLOB fmi_files CONFIGURE_DEPENDS fmu/*.c fmu/*.h)
add_library(zeno_fmi OBJECT ${fmi_files})
target_include_directories(zeno_fmi PUBLIC fmu)
target_include_directories(zeno_fmi SYSTEM PUBLIC "${fmpy}/c-code")
target_link_libraries(zeno_fmi PRIVATE zeno_flags PUBLIC zeno_engine)

# All that `cc` needs beside a model's C file to make its FMI library; fmu/export.py uses the one of each platform.
string(TOUPPER "CMAKE_C_FLAGS_${CMAKE_BUILD_TYPE}" optimization)
list(JOIN ZENO_NUMERIC_FLAGS " " numeric_flags)
file(GENERATE OUTPUT runtime.rsp CONTENT "${${optimization}} ${numeric_flags} -fPIC
-I\"${PROJECT_SOURCE_DIR}/src/engine\"
\"$<JOIN:$<TARGET_OBJECTS:zeno_fmi>,\"\n\">\"
\"$<TARGET_FILE:zeno_engine>\"
\"$<TARGET_FILE:SUNDIALS::cvode_static>\"
-lm
")
