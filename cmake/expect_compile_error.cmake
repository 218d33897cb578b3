# Script of the compile-fail tests: runs COMMAND on FILE and fails unless it is refused with the texts that FILE expects.
cmake_minimum_required(VERSION 3.24)

file(STRINGS ${FILE} expectations REGEX "^// expected-error: ")
if(NOT expectations)
  message(FATAL_ERROR "${FILE}: has no line `// expected-error: text`")
endif()

execute_process(COMMAND ${COMMAND} ${FILE} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(result EQUAL 0)
  message(FATAL_ERROR "${FILE}: compiles, but must be refused with\n  ${expectations}")
endif()
foreach(line IN LISTS expectations)
  string(REPLACE "// expected-error: " "" text "${line}")
  string(FIND "${output}" "${text}" place)
  if(place EQUAL -1)
    message(FATAL_ERROR "${FILE}: is refused, but the compiler does not say\n  ${text}\nIt says:\n${output}")
  endif()
endforeach()
