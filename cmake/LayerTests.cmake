# No header includes one of a room further down, by the table of docs/design.md (tests/layers/check.py); and the check
# finds each kind of fault in headers that have them. The faults of scripts/mutants.tsv are where it says.
function(edgewise_add_layer_tests)
  find_package(Python3 QUIET COMPONENTS Interpreter)
  if(NOT Python3_Interpreter_FOUND)
    message(STATUS "edgewise: no test of the layers (it takes python3)")
    return()
  endif()
  set(check ${PROJECT_SOURCE_DIR}/tests/layers/check.py)
  set(wrong ${PROJECT_SOURCE_DIR}/tests/layers/wrong)
  add_test(NAME layers
    COMMAND Python3::Interpreter ${check} ${PROJECT_SOURCE_DIR}/docs/design.md ${PROJECT_SOURCE_DIR}/include/edgewise)
  add_test(NAME layers.of_wrong_headers COMMAND Python3::Interpreter ${check} ${wrong}/design.md ${wrong}/include)
  add_test(NAME mutants.check COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/scripts/mutants --check)
  set_tests_properties(layers layers.of_wrong_headers mutants.check PROPERTIES LABELS headers)
  string(CONCAT found "core/upwards.hpp includes core/device.cuh, which takes nvcc"
    ".*core/upwards.hpp includes plan/plan.hpp, of a room further down"
    ".*odd/stray.hpp: odd/ is no room of design.md"
    ".*the column .includes. is not up to date")
  set_tests_properties(layers.of_wrong_headers PROPERTIES PASS_REGULAR_EXPRESSION "${found}")
endfunction()
