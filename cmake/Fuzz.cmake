# The fuzz targets (tests/fuzz/README.md), by clang with libFuzzer: preset `fuzz`.

enable_testing()

set(fuzz_folder "${PROJECT_SOURCE_DIR}/tests/fuzz")
add_library(fuzz_common STATIC "${fuzz_folder}/fuzz.c")
target_include_directories(fuzz_common PUBLIC "${fuzz_folder}")
target_link_libraries(fuzz_common PRIVATE zeno_flags)

function(zenofmu_fuzz_target name)
    add_executable(fuzz_${name} "${fuzz_folder}/${name}.c")
    target_link_libraries(fuzz_${name} PRIVATE zeno_flags fuzz_common ${ARGN})
    target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
endfunction()

# References to these functions go to the target's own __wrap_ functions.
function(zenofmu_fuzz_wraps name)
    list(TRANSFORM ARGN PREPEND "LINKER:--wrap=" OUTPUT_VARIABLE wraps)
    target_link_options(fuzz_${name} PRIVATE ${wraps})
endfunction()

zenofmu_fuzz_target(expression zenofmu_compiler)
zenofmu_fuzz_target(model_file zenofmu_compiler)
target_sources(fuzz_model_file PRIVATE "${fuzz_folder}/mutate_xml.c")
zenofmu_fuzz_wraps(model_file xmlReadFile xmlFreeDoc xmlSchemaParse xmlSchemaFree)

# The FMI layer with several models, each with its descriptor under a name of its own.
set(fuzz_models BouncingBall BallOnSine DoublePendulum KelvinVoigtImpact DigitalControl Pronker TwoTanks)
add_library(fuzz_subject OBJECT "${fuzz_folder}/subject.c")
target_include_directories(fuzz_subject PRIVATE "${PROJECT_BINARY_DIR}")
target_link_libraries(fuzz_subject PRIVATE zeno_flags fuzz_common zeno_fmi)
list(TRANSFORM fuzz_models REPLACE "(.+)" "MODEL(\\1)" OUTPUT_VARIABLE rows)
list(JOIN rows " " rows)
file(CONFIGURE OUTPUT fuzz_models.h CONTENT "#define FUZZ_MODELS(MODEL) @rows@\n")
add_library(fuzz_models OBJECT)
target_include_directories(fuzz_models PRIVATE src/engine)
target_compile_options(fuzz_models PRIVATE ${ZENO_NUMERIC_FLAGS})
foreach(name IN LISTS fuzz_models)
    file(GLOB model_file modelDescription/${name}.xml tests/models/${name}.xml)
    set(generated "${PROJECT_BINARY_DIR}/generated/${name}")
    add_custom_command(
        OUTPUT "${generated}/model.c"
        COMMAND zenofmu-compiler generate "${model_file}" --output "${generated}"
        DEPENDS "${model_file}" zenofmu-compiler modelDescription/zenofmu.xsd
        VERBATIM)
    set_source_files_properties("${generated}/model.c" PROPERTIES COMPILE_DEFINITIONS "zeno_fmu_model=fuzz_${name}")
    target_sources(fuzz_models PRIVATE "${generated}/model.c")
endforeach()
foreach(target IN ITEMS saved_state calls)
    zenofmu_fuzz_target(${target} zeno_fmi fuzz_subject fuzz_models)
    zenofmu_fuzz_wraps(${target} CVode zeno_end_glide zeno_end_strip zeno_rebound)
endforeach()
