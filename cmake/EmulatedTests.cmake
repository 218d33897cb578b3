# Tests of the CUDA side that run without a GPU: the kernels of X_device_test.cu, translated to C++ and run by
# tests/emulation, where threads are fibers. Test `emulated.X` beside the GPU test `X_device`.
#
# What this finds: wrong results, exchanges that a thread misses, words at addresses that a device refuses, accesses out
# of bounds (under the sanitize preset), what is right in one order of threads and blocks alone. What it does not: races
# on memory within an instruction, times, and what nvcc makes of the code.
find_package(Python3 COMPONENTS Interpreter)
if(NOT Python3_Interpreter_FOUND OR NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  message(STATUS "edgewise: no emulated device tests (they take g++ and python3)")
  function(edgewise_add_emulated_tests)
  endfunction()
  return()
endif()

set(edgewise_emulation_dir ${PROJECT_SOURCE_DIR}/tests/emulation)
set(edgewise_translated_dir ${PROJECT_BINARY_DIR}/translated)

# What every build runs: the emulated device itself, and kernels of most kinds. narrow_rows, softmax_threads and tensor_core
# compile for two to three minutes of one core each, the others for half a minute at most.
set(edgewise_short_emulated_tests emulation/exchanges plan/many_rows plan/same_edges format/convert format/self_loops
  format/wsb distributed/halo_plan mapping/workload mapping/narrow_rows mapping/softmax_threads mapping/tensor_core
  program/attention_layer)

# Those whose rows are walked by few geometries: tiles and dense products have their own, scattering compiles for minutes.
set(edgewise_emulated_of_few_geometries mapping/tensor_core plan/coo_automatic_plan program/linear)

# Those that need what is not emulated: cuBLAS, cuSPARSE, more than 2^31 elements, or a second device.
set(edgewise_not_emulated models/gat models/gt train/ranked_training vendor/vendor_spmm vendor/vendor_cublas plan/large
  plan/far_edges plan/far_edge_ids plan/two_devices)

# edgewise_add_emulated_program(target source...): of translated sources.
function(edgewise_add_emulated_program target)
  add_executable(${target} ${ARGN})
  add_dependencies(${target} edgewise_translated)
  set_target_properties(${target} PROPERTIES EDGEWISE_ALL_GEOMETRIES ON)  # those that a device has
  set_source_files_properties(${ARGN} PROPERTIES GENERATED TRUE LANGUAGE CXX)
  # All of a program sees the device's side, so that its functions are the same everywhere. Warnings are other builds'
  # matter.
  # alignment: a device refuses words at other addresses than multiples of their size.
  target_compile_options(${target} PRIVATE -x c++ -include cuda_runtime.h -fno-ipa-reference -w -O1 -fsanitize=alignment
    -fno-sanitize-recover=alignment)
  target_link_options(${target} PRIVATE -fsanitize=alignment)
  target_compile_definitions(${target} PRIVATE __CUDACC__ __CUDA_ARCH__=900)
  target_include_directories(${target} BEFORE PRIVATE ${edgewise_emulation_dir}/include
    ${edgewise_translated_dir}/include ${edgewise_translated_dir}/tests)
  target_link_libraries(${target} PRIVATE edgewise_emulation edgewise::edgewise)
  if(TARGET edgewise::openmp)
    target_link_libraries(${target} PRIVATE edgewise::openmp)
  endif()
endfunction()

# edgewise_add_emulated_tests(): the short ones, or all with EDGEWISE_EMULATE_ALL.
function(edgewise_add_emulated_tests)
  set(names ${edgewise_short_emulated_tests})
  if(EDGEWISE_EMULATE_ALL)
    file(GLOB_RECURSE files CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/tests *_device_test.cu)
    list(TRANSFORM files REPLACE "_device_test.cu$" "" OUTPUT_VARIABLE names)
    list(REMOVE_ITEM names ${edgewise_not_emulated})
  endif()

  file(GLOB_RECURSE sources CONFIGURE_DEPENDS
    ${PROJECT_SOURCE_DIR}/include/*.hpp ${PROJECT_SOURCE_DIR}/include/*.cuh ${PROJECT_SOURCE_DIR}/tests/*.hpp
    ${PROJECT_SOURCE_DIR}/tests/*.cuh)
  list(APPEND sources ${edgewise_emulation_dir}/stuck.cu)
  foreach(name IN LISTS names)
    list(APPEND sources ${PROJECT_SOURCE_DIR}/tests/${name}_device_test.cu
      ${PROJECT_SOURCE_DIR}/tests/${name}_device_test.cpp)
  endforeach()
  # Headers, too: what a changed one is translated to has to be known before it is, or a build would stop at that.
  string(REPLACE ${PROJECT_SOURCE_DIR}/ ${edgewise_translated_dir}/ translated "${sources}")
  add_custom_command(
    OUTPUT ${edgewise_translated_dir}/stamp
    BYPRODUCTS ${translated}
    COMMAND ${Python3_EXECUTABLE} ${edgewise_emulation_dir}/translate.py --out ${edgewise_translated_dir} include tests
    COMMAND ${CMAKE_COMMAND} -E touch ${edgewise_translated_dir}/stamp
    DEPENDS ${sources} ${edgewise_emulation_dir}/translate.py
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
    COMMENT "Translating CUDA sources for the emulated device")
  add_custom_target(edgewise_translated DEPENDS ${edgewise_translated_dir}/stamp)

  add_library(edgewise_emulation OBJECT ${edgewise_emulation_dir}/emulation.cpp)
  target_include_directories(edgewise_emulation PUBLIC ${edgewise_emulation_dir}/include)
  target_link_libraries(edgewise_emulation PRIVATE edgewise::edgewise)
  target_compile_options(edgewise_emulation PRIVATE -O2)

  foreach(name IN LISTS names)
    string(REPLACE / . test_name ${name})
    set(target test_emulated.${test_name})
    set(stem ${edgewise_translated_dir}/tests/${name}_device_test)
    edgewise_add_emulated_program(${target} ${stem}.cu ${stem}.cpp)
    target_link_libraries(${target} PRIVATE edgewise_test_main)
    if(name IN_LIST edgewise_emulated_of_few_geometries)
      set_target_properties(${target} PROPERTIES EDGEWISE_ALL_GEOMETRIES OFF)
    endif()
    add_test(NAME emulated.${test_name} COMMAND ${target} ${edgewise_test_options})
    set_tests_properties(emulated.${test_name} PROPERTIES LABELS "cpu;emulated" ENVIRONMENT
      "OMP_WAIT_POLICY=passive;EDGEWISE_TEST_SAMPLE=8")
  endforeach()

  if(TARGET test_emulated.pass.thread_score_variants)
    # That the threads of these tests split scores, and do not each compute their own.
    add_test(NAME emulated.pass.thread_score_variants.kernels COMMAND test_emulated.pass.thread_score_variants
      "*bfloat16*")
    set_tests_properties(emulated.pass.thread_score_variants.kernels PROPERTIES LABELS "cpu;emulated" ENVIRONMENT
      EDGEWISE_EMULATION_TRACE=1 PASS_REGULAR_EXPRESSION "cuda_geometry<32, 1, 8, [^>]*scores::by_thread>")
  endif()

  # Kernels that are wrong: a message is what passes.
  edgewise_add_emulated_program(test_emulated.stuck ${edgewise_translated_dir}/tests/emulation/stuck.cu)
  foreach(fault "places:wait in vain" "block:wait in vain" "returned:reads lane 7, which takes no part")
    string(REGEX REPLACE ":.*" "" kind ${fault})
    string(REGEX REPLACE ".*:" "" message ${fault})
    add_test(NAME emulated.stuck.${kind} COMMAND test_emulated.stuck ${kind})
    set_tests_properties(emulated.stuck.${kind} PROPERTIES LABELS "cpu;emulated" PASS_REGULAR_EXPRESSION ${message})
  endforeach()
endfunction()
