# Where building counts and nothing can run device code, most of it is only checked.

# edgewise_check_device_code(name SOURCES source... [LIBRARIES library...] [DEFINITIONS definition...]): compiles what is
# not CUDA, and has nvcc's front end read the rest as the device sees it, instantiating all templates: a third of the time
# that an object takes. Nothing is linked and no device code is made; tests/arch and tests/geometries go all the way.
function(edgewise_check_device_code name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LIBRARIES;DEFINITIONS")
  set(device_sources ${arg_SOURCES})
  list(FILTER device_sources INCLUDE REGEX "\\.cu$")
  set(host_sources ${arg_SOURCES})
  list(FILTER host_sources EXCLUDE REGEX "\\.cu$")

  add_library(${name}_device OBJECT ${device_sources})
  set_target_properties(${name}_device PROPERTIES CUDA_PTX_COMPILATION ON)
  set(targets ${name}_device)
  if(host_sources)
    add_library(${name}_host OBJECT ${host_sources})
    list(APPEND targets ${name}_host)
  endif()
  foreach(target IN LISTS targets)
    target_link_libraries(${target} PRIVATE ${arg_LIBRARIES})
    target_compile_definitions(${target} PRIVATE ${arg_DEFINITIONS})
  endforeach()
endfunction()
