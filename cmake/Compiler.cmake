# The model compiler: a library, so that its parts can be tested, and the program.

find_package(LibXml2 REQUIRED)

file(GLOB compiler_files CONFIGURE_DEPENDS src/compiler/*.c src/compiler/*.h)
list(FILTER compiler_files EXCLUDE REGEX "/main\\.c$")
list(APPEND compiler_files src/engine/linear.c src/engine/linear.h) # small matrices, for the metric

add_library(zenofmu_compiler STATIC ${compiler_files})
target_include_directories(zenofmu_compiler PUBLIC src/compiler src/engine)
target_compile_definitions(zenofmu_compiler PUBLIC ZENOFMU_SCHEMA="${PROJECT_SOURCE_DIR}/modelDescription/zenofmu.xsd")
target_link_libraries(zenofmu_compiler PRIVATE zeno_flags PUBLIC LibXml2::LibXml2 m)

add_executable(zenofmu-compiler src/compiler/main.c)
target_link_libraries(zenofmu-compiler PRIVATE zeno_flags zenofmu_compiler)
