include(CodeChecks)

# Catch2 3 is taken where there is one, else 2.13 (tests/support/catch.hpp does the same).
find_package(Catch2 3 QUIET)
if(NOT Catch2_FOUND)
  find_package(Catch2 2.13 REQUIRED)
endif()

# From 3.9 the default order is random. A program that runs no test fails; version 3 does so without being asked.
set(edgewise_test_options --order decl)
if(Catch2_VERSION VERSION_LESS 3)
  list(APPEND edgewise_test_options --warn NoTests)
endif()

# Tests that run for a second or more, and ten times as long where they are not optimised. For the others g++ takes longer
# to optimise than that saves.
set(edgewise_long_tests core.elementary plan.attention_weights plan.coo_edge_softmax plan.edge_plan plan.long_rows plan.coo
  plan.coo_softmax plan.training_memory mapping.degree_aware mapping.edge_balanced mapping.feature_adaptive_group
  mapping.vertex_balanced mapping.work_queue models.agnn models.gat models.gatv2 models.gt models.monet models.unimp
  program.attention program.bindings program.concat program.dropout program.edge_feature program.edge_program
  program.edge_softmax program.epilogue
  program.float16_attention program.float16_edges program.float16_gathers program.hand_over program.head_sum program.hoisted
  program.per_channel program.stash program.sum_over)

# Where building counts, the others compile few geometries (EDGEWISE_FEW_GEOMETRIES): rows of channels and of heads have
# every geometry of the host in one test each.
set(edgewise_tests_of_all_geometries engine.cuda_geometries gather.sum program.attention)

# Where building counts, these alone of the tests that need a device are linked, one of each kind; the others are checked
# (CodeChecks.cmake).
set(edgewise_linked_device_tests core.float16_device emulation.exchanges_device format.convert_device gather.max_device
  models.context plan.plan_device plan.coo_device support.device tuning.autotune_device
  vendor.vendor_spmm_device)

# edgewise_reuse_headers(target file): where building counts, what nearly all tests include is parsed once, for those that
# g++ compiles with the same options. It takes a tenth of what all tests take. Files that define macros parse it themselves.
function(edgewise_reuse_headers target file)
  file(STRINGS ${file} macros REGEX "^#(define|undef)" LIMIT_COUNT 1)
  get_target_property(all_geometries ${target} EDGEWISE_ALL_GEOMETRIES)
  if(macros OR all_geometries OR NOT TARGET edgewise::openmp OR NOT CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    return()
  endif()
  if(NOT TARGET edgewise_test_headers)
    file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/tests/test_headers.cpp CONTENT "")  # written once
    add_library(edgewise_test_headers OBJECT ${CMAKE_BINARY_DIR}/tests/test_headers.cpp)
    target_include_directories(edgewise_test_headers PRIVATE ${PROJECT_SOURCE_DIR}/tests)
    target_link_libraries(edgewise_test_headers PRIVATE edgewise_test_main edgewise::openmp)
    target_precompile_headers(edgewise_test_headers PRIVATE
      $<$<COMPILE_LANGUAGE:CXX>:${PROJECT_SOURCE_DIR}/tests/support/catch.hpp>
      $<$<COMPILE_LANGUAGE:CXX>:${PROJECT_SOURCE_DIR}/include/edgewise/edgewise.hpp>)
  endif()
  target_precompile_headers(${target} REUSE_FROM edgewise_test_headers)
endfunction()

# edgewise_add_program_test(file [library...]): one test executable per X_test.cpp.
# X_test.cpp alone is a CPU test. With X_test.cu beside it (the .cu runs, the .cpp asserts) it is a GPU test: built where
# there is nvcc, label `gpu`, and skipped where the program finds no device and exits with 77 (tests/support/device.hpp).
function(edgewise_add_program_test file)
  cmake_path(REMOVE_EXTENSION file LAST_ONLY OUTPUT_VARIABLE stem)
  cmake_path(RELATIVE_PATH stem BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE name)
  string(REGEX REPLACE "(^|/)tests/" "\\1" name ${name})
  string(REGEX REPLACE "_test$" "" name ${name})
  string(REPLACE / . name ${name})  # tests/format/csr_test.cpp: format.csr

  set(sources ${stem}.cpp)
  set(label cpu)
  if(EXISTS ${stem}.cu)
    if(NOT EDGEWISE_HAS_CUDA)
      return()
    endif()
    list(APPEND sources ${stem}.cu)
    set(label gpu)
  endif()

  set(target test_${name})
  if(label STREQUAL gpu AND EDGEWISE_QUICK_BUILD AND NOT name IN_LIST edgewise_linked_device_tests)
    set(libraries edgewise_test_main edgewise::cuda ${ARGN})
    if(TARGET edgewise::openmp)
      list(APPEND libraries edgewise::openmp)
    endif()
    edgewise_check_code(${target} SOURCES ${sources} LIBRARIES ${libraries})
    foreach(part ${target}_host ${target}_device)
      target_include_directories(${part} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
    endforeach()
    edgewise_reuse_headers(${target}_host ${stem}.cpp)
    return()
  endif()
  add_executable(${target} ${sources})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(${target} PRIVATE edgewise_test_main ${ARGN})
  if(TARGET edgewise::openmp)
    target_link_libraries(${target} PRIVATE edgewise::openmp)
  endif()
  if(label STREQUAL gpu)
    target_link_libraries(${target} PRIVATE edgewise::cuda)
  endif()
  if(name IN_LIST edgewise_tests_of_all_geometries)
    set_target_properties(${target} PROPERTIES EDGEWISE_ALL_GEOMETRIES ON)
  endif()
  if(name IN_LIST edgewise_long_tests)
    set_target_properties(${target} PROPERTIES EDGEWISE_OPTIMISED ON)
  elseif(EDGEWISE_QUICK_BUILD)
    edgewise_reuse_headers(${target} ${stem}.cpp)
  endif()

  add_test(NAME ${name} COMMAND ${target} ${edgewise_test_options})
  # Many short parallel regions, and other tests on the same cores: threads that spin while they wait made all CPU tests
  # together take 37 s on 2 cores, threads that sleep 4 s. OpenBLAS has threads of its own, which spin.
  set_tests_properties(${name} PROPERTIES LABELS ${label} SKIP_RETURN_CODE 77
    ENVIRONMENT "OMP_WAIT_POLICY=passive;OPENBLAS_NUM_THREADS=1")
endfunction()
