# Where building counts, code that nothing runs is only checked.

# edgewise_check_code(name SOURCES source... [LIBRARIES library...] [DEFINITIONS definition...]): has compilers' front
# ends read the sources, nvcc's as the device sees them, instantiating all templates: a third of the time that objects take.
# Nothing is linked and no code is made; tests/arch and tests/geometries go all the way.
function(edgewise_check_code name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LIBRARIES;DEFINITIONS")
  set(device_sources ${arg_SOURCES})
  list(FILTER device_sources INCLUDE REGEX "\\.cu$")
  set(host_sources ${arg_SOURCES})
  list(FILTER host_sources EXCLUDE REGEX "\\.cu$")

  set(targets)
  if(device_sources)
    add_library(${name}_device OBJECT ${device_sources})
    set_target_properties(${name}_device PROPERTIES CUDA_PTX_COMPILATION ON)
    list(APPEND targets ${name}_device)
  endif()
  if(host_sources)
    add_library(${name}_host OBJECT ${host_sources})
    set_target_properties(${name}_host PROPERTIES CXX_COMPILER_LAUNCHER ${PROJECT_SOURCE_DIR}/cmake/check_syntax)
    list(APPEND targets ${name}_host)
  endif()
  foreach(target IN LISTS targets)
    target_link_libraries(${target} PRIVATE ${arg_LIBRARIES})
    target_compile_definitions(${target} PRIVATE ${arg_DEFINITIONS})
  endforeach()
endfunction()
