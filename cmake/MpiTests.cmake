include(ProgramTests)

# The main function of tests on several processes.
if(TARGET edgewise::mpi)
  add_library(edgewise_mpi_test_main OBJECT distributed/mpi_main.cpp)
  target_compile_options(edgewise_mpi_test_main PRIVATE -O0)
  target_include_directories(edgewise_mpi_test_main PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  target_link_libraries(edgewise_mpi_test_main PUBLIC Catch2::Catch2 edgewise::mpi)
endif()

# edgewise_launch_ranks(name ranks command...): a test that runs a command on so many processes. There may be more of them
# than cores, and the user may be root, as in containers, where Open MPI cannot read other processes' memory either.
function(edgewise_launch_ranks name ranks)
  set(flags ${MPIEXEC_PREFLAGS})
  if(MPI_CXX_LIBRARY_VERSION_STRING MATCHES "Open MPI" OR MPIEXEC_EXECUTABLE MATCHES "openmpi|orterun|mpirun|mpiexec")
    list(APPEND flags --oversubscribe)
  endif()
  add_test(NAME ${name} COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${ranks} ${flags} ${ARGN})
  set_tests_properties(${name} PROPERTIES LABELS cpu PROCESSORS 2
    ENVIRONMENT "OMP_WAIT_POLICY=passive;OMP_NUM_THREADS=2;OMPI_ALLOW_RUN_AS_ROOT=1;OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1;OMPI_MCA_btl_vader_single_copy_mechanism=none;OMPI_MCA_rmaps_base_oversubscribe=1")
endfunction()

# A rank that dies ends the others.
function(edgewise_add_killed_rank_test)
  if(NOT TARGET edgewise::mpi)
    return()
  endif()
  add_executable(test_killed_rank distributed/killed_rank.cpp)
  target_link_libraries(test_killed_rank PRIVATE edgewise::mpi)
  edgewise_launch_ranks(distributed.killed_rank 3 $<TARGET_FILE:test_killed_rank>)
  set_tests_properties(distributed.killed_rank PROPERTIES TIMEOUT 60
    PASS_REGULAR_EXPRESSION "all ranks have exchanged" FAIL_REGULAR_EXPRESSION "went on without")
endfunction()

# edgewise_add_mpi_test(file library...): mpi_X_test.cpp, run on 1 to 4 processes.
function(edgewise_add_mpi_test file)
  cmake_path(REMOVE_EXTENSION file LAST_ONLY OUTPUT_VARIABLE stem)
  cmake_path(RELATIVE_PATH stem BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} OUTPUT_VARIABLE name)
  string(REGEX REPLACE "_test$" "" name ${name})
  string(REPLACE / . name ${name})
  set(target test_${name})
  add_executable(${target} ${file})
  target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  target_link_libraries(${target} PRIVATE edgewise_mpi_test_main ${ARGN})
  if(TARGET edgewise::openmp)
    target_link_libraries(${target} PRIVATE edgewise::openmp)
  endif()
  foreach(ranks RANGE 1 4)
    edgewise_launch_ranks(${name}.ranks_${ranks} ${ranks} $<TARGET_FILE:${target}> --order decl)
  endforeach()
endfunction()
