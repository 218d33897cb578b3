# A user's functor, forward and backward, compiles in a bounded time and into a bounded number of kernels
# (docs/compile_times.md). Limits are six times what the page promises: CI machines are slow and busy, a blow-up is not.
function(edgewise_add_compile_time_tests)
  set(folder ${CMAKE_CURRENT_SOURCE_DIR}/compile_time)
  set(cxx_command ${CMAKE_CXX_COMPILER} -std=c++20 -O2)
  edgewise_add_compile_time_test(functor "${cxx_command}" ${folder}/functor.cpp 30 "")
  if(EDGEWISE_HAS_CUDA)
    set(cuda_command ${CMAKE_CUDA_COMPILER} -std=c++20 -arch=sm_90)
    edgewise_add_compile_time_test(functor_cuda "${cuda_command}" ${folder}/functor.cu 90 "forward_pass=14;backward_pass=14")
    edgewise_add_compile_time_test(functor_of_few_geometries "${cuda_command};-DEDGEWISE_FEW_GEOMETRIES" ${folder}/functor.cu 60 "forward_pass=1;backward_pass=1")
    edgewise_add_compile_time_test(functor_of_one_width "${cuda_command}" ${folder}/functor_of_one_width.cu 90 "forward_pass=2;backward_pass=2")
  endif()
endfunction()

# kernels: `pass=most` for each kind of pass, the most kernels `traverse_rows` that may be instantiated for it.
function(edgewise_add_compile_time_test name command file seconds kernels)
  add_test(NAME compile_time.${name} COMMAND ${CMAKE_COMMAND}
    "-DCOMMAND=${command};-I${PROJECT_SOURCE_DIR}/include;-I${PROJECT_SOURCE_DIR}/tests" -DFILE=${file}
    -DOBJECT=${CMAKE_CURRENT_BINARY_DIR}/compile_time_${name}.o -DSECONDS=${seconds} "-DKERNELS=${kernels}" -DNM=${CMAKE_NM}
    -P ${PROJECT_SOURCE_DIR}/cmake/measure_compile.cmake)
  set_tests_properties(compile_time.${name} PROPERTIES LABELS compile_time RUN_SERIAL ON)
endfunction()
