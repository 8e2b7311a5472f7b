# A test: the host in C runs one library; its GUID stands in the description that was generated with it.
# Usage: cmake -DHOST=... -DLIBRARY=... -DDESCRIPTION=... -DSEQUENCES=... -P RunHost.cmake

file(READ "${DESCRIPTION}" description)
string(REGEX MATCH " guid=\"([^\"]*)\"" found "${description}")
execute_process(COMMAND "${HOST}" "${LIBRARY}" "${CMAKE_MATCH_1}" "${SEQUENCES}" COMMAND_ERROR_IS_FATAL ANY)
