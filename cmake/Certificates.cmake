# The campaign on certified bounds (tests/certificates/README.md): the engine against the motion in quadruple precision.

enable_language(CXX)

file(GLOB studies CONFIGURE_DEPENDS tests/certificates/*.cpp)
add_executable(certificates ${studies} tests/certificates/trial.c)
set_source_files_properties(tests/certificates/trial.c PROPERTIES COMPILE_OPTIONS "-Wconversion;-Wshadow;-Werror")
target_compile_options(certificates PRIVATE -Wall -Wextra -ffp-contract=off)
target_compile_features(certificates PRIVATE cxx_std_17 c_std_11)
set_target_properties(certificates PROPERTIES CXX_EXTENSIONS ON) # __float128
find_package(Threads REQUIRED)
target_link_libraries(certificates PRIVATE zeno_engine quadmath Threads::Threads)

# The models under test, each with its descriptor under a name of its own.
function(zenofmu_certified_model model_file)
    cmake_path(GET model_file STEM name)
    set(generated "${PROJECT_BINARY_DIR}/certified/${name}")
    add_custom_command(
        OUTPUT "${generated}/model.c"
        COMMAND zenofmu-compiler generate "${model_file}" --output "${generated}"
        DEPENDS "${model_file}" zenofmu-compiler modelDescription/zenofmu.xsd
        VERBATIM)
    set_source_files_properties("${generated}/model.c"
        PROPERTIES COMPILE_DEFINITIONS "zeno_fmu_model=certificates_${name}")
    target_sources(certificates PRIVATE "${generated}/model.c")
endfunction()

file(GLOB other_models CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/certificates/models/*.xml")
foreach(model_file IN ITEMS BallOnSine DoublePendulum SphericalPendulum BouncingRod ImpactOscillator)
    zenofmu_certified_model("${PROJECT_SOURCE_DIR}/modelDescription/${model_file}.xml")
endforeach()
foreach(model_file IN LISTS other_models)
    zenofmu_certified_model("${model_file}")
endforeach()

# A seeded share of the studies.
foreach(study IN ITEMS truncation:400 inputs:400 endurance:800 stability:50 relaxation)
    string(REPLACE ":" ";--runs;" words "${study}")
    list(GET words 0 name)
    add_test(NAME certificates/${name} COMMAND certificates ${words})
endforeach()
