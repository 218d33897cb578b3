# edgewise_launch_ranks(name ranks command...): a test that runs a command on so many MPI processes. There may be more of them
# than cores, and the user may be root, as in containers, where Open MPI cannot read other processes' memory either.
function(edgewise_launch_ranks name ranks)
  add_test(NAME ${name} COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${ranks} ${MPIEXEC_PREFLAGS} ${ARGN})
  set_tests_properties(${name} PROPERTIES LABELS cpu PROCESSORS 2 ENVIRONMENT
    "OMP_WAIT_POLICY=passive;OMP_NUM_THREADS=2;OMPI_ALLOW_RUN_AS_ROOT=1;OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1;OMPI_MCA_btl_vader_single_copy_mechanism=none;OMPI_MCA_rmaps_base_oversubscribe=1")
endfunction()
