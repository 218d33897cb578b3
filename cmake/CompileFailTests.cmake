# A file tests/compile_fail/X.cpp or X.cu is a mistake that a user makes. Its test passes when the compiler refuses it AND says
# every text that the file names in a line `// expected-error: text`, after at most 15 lines; where the file has a line
# `// first-lines: N`, in the first N. Its line `// flags: ...` has flags for the end of the command. A mistake that many make
# has a line `// every-compiler`: nvcc and, where it is here, clang++ refuse it as well.
function(edgewise_add_compile_fail_tests)
  file(GLOB files CONFIGURE_DEPENDS compile_fail/*.cpp)
  set(cxx_flags -std=c++20 -fsyntax-only)
  find_program(EDGEWISE_CLANG clang++)
  if(EDGEWISE_HAS_CUDA)
    file(GLOB cuda_files CONFIGURE_DEPENDS compile_fail/*.cu)
    if(NOT TARGET edgewise::vendor)
      list(FILTER cuda_files EXCLUDE REGEX "/vendor_")
    endif()
    list(APPEND files ${cuda_files})
    set(cuda_command ${CMAKE_CUDA_COMPILER} -std=c++20 -arch=sm_90 -c -o /dev/null -x cu)
  endif()
  foreach(file IN LISTS files)
    cmake_path(GET file STEM name)
    file(STRINGS ${file} every_compiler REGEX "^// every-compiler$")
    if(file MATCHES "\\.cu$")
      edgewise_add_compile_fail_test(${name}_cuda ${file} ${cuda_command})
      continue()
    endif()
    edgewise_add_compile_fail_test(${name} ${file} ${CMAKE_CXX_COMPILER} ${cxx_flags})
    if(every_compiler AND EDGEWISE_HAS_CUDA)
      edgewise_add_compile_fail_test(${name}_nvcc ${file} ${cuda_command})
    endif()
    if(every_compiler AND EDGEWISE_CLANG)
      edgewise_add_compile_fail_test(${name}_clang ${file} ${EDGEWISE_CLANG} ${cxx_flags})
    endif()
  endforeach()
endfunction()

function(edgewise_add_compile_fail_test name file)
  add_test(NAME compile_fail.${name} COMMAND ${CMAKE_COMMAND}
    "-DCOMMAND=${ARGN};-I${PROJECT_SOURCE_DIR}/include" -DFILE=${file}
    -P ${PROJECT_SOURCE_DIR}/cmake/expect_compile_error.cmake)
  set_tests_properties(compile_fail.${name} PROPERTIES LABELS compile_fail)
endfunction()
