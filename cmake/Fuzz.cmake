# The fuzz targets (tests/fuzz/README.md), by clang with libFuzzer: preset `fuzz`.

enable_testing()

set(fuzz_folder "${PROJECT_SOURCE_DIR}/tests/fuzz")
set(fuzz_seeds "${PROJECT_BINARY_DIR}/seeds")

add_library(fuzz_common STATIC "${fuzz_folder}/fuzz.c" "${fuzz_folder}/mutate_expression.c")
target_include_directories(fuzz_common PUBLIC "${fuzz_folder}")
target_link_libraries(fuzz_common PRIVATE zeno_flags)

# zenofmu_fuzz_target(name RUNS <in the share of ./test> OPTIONS <of libFuzzer> LINK <libraries> WRAP <functions>):
# references to the wrapped functions go to the target's own __wrap_ functions.
file(WRITE "${PROJECT_BINARY_DIR}/fuzz_options" "") # for tests/fuzz/run
function(zenofmu_fuzz_target name)
    cmake_parse_arguments(PARSE_ARGV 1 fuzz "" RUNS "OPTIONS;LINK;WRAP;SOURCES")
    add_executable(fuzz_${name} "${fuzz_folder}/${name}.c" ${fuzz_SOURCES})
    target_link_libraries(fuzz_${name} PRIVATE zeno_flags fuzz_common ${fuzz_LINK})
    list(TRANSFORM fuzz_WRAP PREPEND "LINKER:--wrap=")
    target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer ${fuzz_WRAP})
    if(EXISTS "${fuzz_folder}/${name}.dict")
        list(APPEND fuzz_OPTIONS "-dict=${fuzz_folder}/${name}.dict")
    endif()
    list(JOIN fuzz_OPTIONS " " words)
    file(APPEND "${PROJECT_BINARY_DIR}/fuzz_options" "${name} ${words}\n")

    # The share is the same each time: what it finds is due to what was changed.
    add_test(NAME fuzz/${name}
             COMMAND fuzz_${name} ${fuzz_OPTIONS} -runs=${fuzz_RUNS} -seed=1 -timeout=60 -verbosity=0
                     "-seed_inputs=@${fuzz_seeds}/${name}.list")
    file(GLOB regressions CONFIGURE_DEPENDS "${fuzz_folder}/regressions/${name}/*")
    if(regressions)
        add_test(NAME fuzz/regressions/${name} COMMAND fuzz_${name} -timeout=60 ${regressions})
    endif()
endfunction()

zenofmu_fuzz_target(expression RUNS 20000 OPTIONS -max_len=400 LINK zenofmu_compiler)
zenofmu_fuzz_target(model_file RUNS 2000 OPTIONS -max_len=3000 -mutate_depth=2 LINK zenofmu_compiler
    SOURCES "${fuzz_folder}/mutate_xml.c"
    WRAP xmlReadIO xmlFreeDoc xmlSchemaParse xmlSchemaFree)

# The FMI layer with several models, each with its descriptor under a name of its own.
set(fuzz_models BouncingBall DoublePendulum Toolbox Pronker TwoTanks Switchboard)
list(TRANSFORM fuzz_models REPLACE "(.+)" "MODEL(\\1)" OUTPUT_VARIABLE rows)
list(JOIN rows " " rows)
file(CONFIGURE OUTPUT fuzz_models.h CONTENT "#define FUZZ_MODELS(MODEL) @rows@\n")
add_library(fuzz_subject OBJECT "${fuzz_folder}/subject.c")
target_include_directories(fuzz_subject PRIVATE "${PROJECT_BINARY_DIR}")
target_link_libraries(fuzz_subject PRIVATE zeno_flags fuzz_common zeno_fmi)

add_library(fuzz_models OBJECT)
target_include_directories(fuzz_models PRIVATE src/engine)
target_compile_options(fuzz_models PRIVATE ${ZENO_NUMERIC_FLAGS})
foreach(name IN LISTS fuzz_models)
    file(GLOB model_file modelDescription/${name}.xml tests/models/${name}.xml tests/fuzz/models/${name}.xml)
    set(generated "${PROJECT_BINARY_DIR}/generated/${name}")
    add_custom_command(
        OUTPUT "${generated}/model.c"
        COMMAND zenofmu-compiler generate "${model_file}" --output "${generated}"
        DEPENDS "${model_file}" zenofmu-compiler modelDescription/zenofmu.xsd
        VERBATIM)
    set_source_files_properties("${generated}/model.c" PROPERTIES COMPILE_DEFINITIONS "zeno_fmu_model=fuzz_${name}")
    target_sources(fuzz_models PRIVATE "${generated}/model.c")
endforeach()

foreach(name IN ITEMS saved_state calls)
    zenofmu_fuzz_target(${name} RUNS 3000 OPTIONS -max_len=150 -len_control=0 LINK zeno_fmi fuzz_subject fuzz_models
        WRAP CVode zeno_end_glide zeno_end_strip zeno_rebound)
endforeach()

file(GLOB seed_models CONFIGURE_DEPENDS modelDescription/*.xml tests/models/*.xml tests/certificates/models/*.xml tests/fuzz/models/*.xml)
file(GLOB kept CONFIGURE_DEPENDS "${fuzz_folder}/corpus/*.txt")
add_custom_command(
    OUTPUT "${fuzz_seeds}/calls.list"
    COMMAND "${ZENOFMU_PYTHON}" "${fuzz_folder}/seeds.py" "${fuzz_seeds}" ${seed_models}
    DEPENDS "${fuzz_folder}/seeds.py" ${kept} ${seed_models}
    VERBATIM)
add_custom_target(fuzz_seeds ALL DEPENDS "${fuzz_seeds}/calls.list")
