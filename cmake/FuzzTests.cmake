# Fuzzers of whatever takes untrusted input: fuzz_X for each tests/fuzz/X.cpp, with tests/fuzz/corpus/X as corpus. They need
# Clang and the flags of the preset `fuzz`. Without them, the test fuzz.corpus runs the same functions over the corpus.
function(edgewise_add_fuzz_tests)
  file(GLOB files CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/*.cpp)
  list(FILTER files EXCLUDE REGEX "(_test|/fuzz_main)[.]cpp$")

  add_library(edgewise_fuzzed OBJECT ${files})
  target_link_libraries(edgewise_fuzzed PUBLIC edgewise::edgewise)
  target_include_directories(edgewise_fuzzed PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  target_link_libraries(test_fuzz.corpus PRIVATE edgewise_fuzzed)
  target_compile_definitions(test_fuzz.corpus
    PRIVATE EDGEWISE_FUZZ_CORPUS="${CMAKE_CURRENT_SOURCE_DIR}/fuzz/corpus")
  if(EXISTS /dev/shm)  # thousands of small files, which take 20 times as long on some disks
    set_property(TEST fuzz.corpus APPEND PROPERTY ENVIRONMENT TMPDIR=/dev/shm)
  endif()

  if(NOT EDGEWISE_BUILD_FUZZERS)
    return()
  endif()
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "EDGEWISE_BUILD_FUZZERS: libFuzzer comes with Clang alone; use the preset `fuzz`")
  endif()
  add_custom_target(fuzzers)
  foreach(file IN LISTS files)
    cmake_path(GET file STEM name)
    add_executable(fuzz_${name} ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/fuzz_main.cpp ${file})
    target_include_directories(fuzz_${name} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
    target_compile_definitions(fuzz_${name} PRIVATE EDGEWISE_FUZZ_TARGET=fuzz_${name})
    target_link_libraries(fuzz_${name} PRIVATE edgewise::edgewise)
    target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
    add_dependencies(fuzzers fuzz_${name})
  endforeach()
endfunction()
