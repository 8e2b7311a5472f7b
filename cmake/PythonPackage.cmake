# zenofmu_python_package(name): sets ${name} to the folder of an installed Python package.

function(zenofmu_python_package name)
    execute_process(
        COMMAND "${ZENOFMU_PYTHON}" -c "from importlib.util import find_spec; print(find_spec('${name}').submodule_search_locations[0])"
        OUTPUT_VARIABLE folder OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    set(${name} "${folder}" PARENT_SCOPE)
endfunction()
