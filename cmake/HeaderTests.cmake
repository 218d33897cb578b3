# Every header compiles alone and links twice, so that a missing #include or a forgotten `inline` is found here.
# Alone: each .hpp with the host compiler, each .cuh with nvcc (an nvcc call costs 1.6 s before it reads a header). Each .hpp
# with nvcc: one source file per folder, since g++ has shown already that they stand alone. Twice: a second set of sources
# includes all of them.

# Writes `content` only when it changed, so that configuring does not rebuild.
function(edgewise_write_header_test path)
  list(TRANSFORM ARGN REPLACE "(.+)" "#include <\\1>" OUTPUT_VARIABLE lines)
  list(JOIN lines "\n" content)
  file(CONFIGURE OUTPUT ${path} CONTENT "${content}\n" @ONLY)
endfunction()

function(edgewise_add_header_tests)
  set(include ${PROJECT_SOURCE_DIR}/include)
  set(out ${CMAKE_CURRENT_BINARY_DIR}/headers)
  file(GLOB_RECURSE host_headers RELATIVE ${include} CONFIGURE_DEPENDS ${include}/*.hpp)
  file(GLOB_RECURSE cuda_headers RELATIVE ${include} CONFIGURE_DEPENDS ${include}/*.cuh)
  if(NOT TARGET edgewise::vendor)
    list(FILTER cuda_headers EXCLUDE REGEX "/vendor_")
  endif()

  set(sources)
  edgewise_write_header_test(${out}/all.cpp ${host_headers})
  foreach(header IN LISTS host_headers)
    edgewise_write_header_test(${out}/${header}.cpp ${header} ${header})
    list(APPEND sources ${out}/${header}.cpp)
  endforeach()

  if(EDGEWISE_HAS_CUDA)
    foreach(header IN LISTS cuda_headers)
      edgewise_write_header_test(${out}/${header}.cu ${header} ${header})
      list(APPEND sources ${out}/${header}.cu)
    endforeach()
    set(folders ${host_headers})
    list(TRANSFORM folders REPLACE "/[^/]*$" "")
    list(REMOVE_DUPLICATES folders)
    foreach(folder IN LISTS folders)
      set(in_folder ${host_headers})
      list(FILTER in_folder INCLUDE REGEX "^${folder}/[^/]*$")
      edgewise_write_header_test(${out}/${folder}/folder.cu ${in_folder})
      list(APPEND sources ${out}/${folder}/folder.cu)
    endforeach()
    edgewise_write_header_test(${out}/all.cu ${host_headers} ${cuda_headers})
    list(APPEND sources ${out}/all.cu)
  endif()

  # All of them in one file, which a second compiler can build alone.
  add_library(test_all_headers OBJECT ${out}/all.cpp)
  target_compile_options(test_all_headers PRIVATE -O0)
  target_link_libraries(test_all_headers PRIVATE edgewise::edgewise)

  file(CONFIGURE OUTPUT ${out}/main.cpp CONTENT "int main() {}\n")
  add_executable(test_headers ${out}/main.cpp ${sources} $<TARGET_OBJECTS:test_all_headers>)
  target_compile_options(test_headers PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-O0>)
  target_link_libraries(test_headers PRIVATE edgewise::edgewise)
  if(EDGEWISE_HAS_CUDA)
    target_link_libraries(test_headers PRIVATE edgewise::cuda)
  endif()
  add_test(NAME headers COMMAND test_headers)
  set_tests_properties(headers PROPERTIES LABELS headers)
endfunction()
