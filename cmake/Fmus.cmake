# The FMUs of all models in modelDescription/, into build/fmus/. What fmu/export.py needs lies in the build folder.

set(ZENOFMU_FMU_FOLDER "${PROJECT_SOURCE_DIR}/build/fmus" CACHE PATH "Where the FMUs are put")

find_program(ZENOFMU_LIPO NAMES llvm-lipo llvm-lipo-14 lipo REQUIRED)
file(CREATE_LINK "${ZENOFMU_LIPO}" "${PROJECT_BINARY_DIR}/llvm-lipo" SYMBOLIC)

# Whose code is in the libraries; resources/licenses.txt says which is whose.
set(licenses "${PROJECT_BINARY_DIR}/licenses")
configure_file(resources/licenses.txt "${licenses}/README.txt" COPYONLY)
configure_file(LICENSE "${licenses}/zenofmu.txt" COPYONLY)
configure_file("${ZENOFMU_SUNDIALS_SOURCE}/LICENSE" "${licenses}/sundials.txt" COPYONLY)
configure_file("${ZENOFMU_SUNDIALS_SOURCE}/NOTICE" "${licenses}/sundials-notice.txt" COPYONLY)
configure_file("${ziglang}/LICENSE" "${licenses}/zig.txt" COPYONLY)
configure_file("${ziglang}/lib/libc/glibc/LICENSES" "${licenses}/glibc.txt" COPYONLY)
configure_file("${ziglang}/lib/libc/mingw/COPYING" "${licenses}/mingw-w64.txt" COPYONLY)

get_property(runtime_stamps TARGET runtimes PROPERTY stamps)
file(GLOB model_files CONFIGURE_DEPENDS modelDescription/*.xml)
file(GLOB export_files CONFIGURE_DEPENDS fmu/*.py modelDescription/*.xsd resources/* "${licenses}/*")

# An export runs a compiler per target side by side: a few exports at a time keep a small machine alive.
set_property(GLOBAL APPEND PROPERTY JOB_POOLS exports=2)

set(fmus)
foreach(model_file IN LISTS model_files)
    cmake_path(GET model_file STEM name)
    set(fmu "${ZENOFMU_FMU_FOLDER}/${name}.fmu")
    add_custom_command(
        OUTPUT "${fmu}"
        COMMAND "${CMAKE_COMMAND}" -E make_directory "${ZENOFMU_FMU_FOLDER}"
        COMMAND "${ZENOFMU_PYTHON}" "${PROJECT_SOURCE_DIR}/fmu/export.py" --quiet --build "${PROJECT_BINARY_DIR}"
                --output "${fmu}" "${model_file}"
        DEPENDS "${model_file}" zenofmu-compiler ${runtime_stamps} ${export_files}
        COMMENT "Exporting ${name}.fmu"
        JOB_POOL exports VERBATIM)
    list(APPEND fmus "${fmu}")
endforeach()
add_custom_target(fmus ALL DEPENDS ${fmus})

# What ./zenofmu export needs. The first export makes zig compile the platforms' C runtimes, a minute's work that no
# user's export should wait for: so one is made here.
list(GET fmus 0 first_fmu)
add_custom_target(exporter DEPENDS "${first_fmu}")
