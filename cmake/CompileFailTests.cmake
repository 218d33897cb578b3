# A file tests/compile_fail/X.cpp or X.cu is a mistake that a user makes. Its test passes when the compiler refuses it AND says
# every text that the file names in a line `// expected-error: text`, in the first N lines where it has a line
# `// first-lines: N`. Its line `// flags: ...` has flags for the end of the command.
function(edgewise_add_compile_fail_tests)
  file(GLOB files CONFIGURE_DEPENDS compile_fail/*.cpp)
  set(cxx_command ${CMAKE_CXX_COMPILER} -std=c++20 -fsyntax-only)
  if(EDGEWISE_HAS_CUDA)
    file(GLOB cuda_files CONFIGURE_DEPENDS compile_fail/*.cu)
    if(NOT TARGET edgewise::vendor)
      list(FILTER cuda_files EXCLUDE REGEX "/vendor_")
    endif()
    list(APPEND files ${cuda_files})
    set(cuda_command ${CMAKE_CUDA_COMPILER} -std=c++20 -arch=sm_90 -c -o /dev/null)
  endif()
  foreach(file IN LISTS files)
    cmake_path(GET file STEM name)
    set(command ${cxx_command})
    if(file MATCHES "\\.cu$")
      set(command ${cuda_command})
      string(APPEND name _cuda)
    endif()
    add_test(NAME compile_fail.${name} COMMAND ${CMAKE_COMMAND}
      "-DCOMMAND=${command};-I${PROJECT_SOURCE_DIR}/include" -DFILE=${file}
      -P ${PROJECT_SOURCE_DIR}/cmake/expect_compile_error.cmake)
    set_tests_properties(compile_fail.${name} PROPERTIES LABELS compile_fail)
  endforeach()
endfunction()
