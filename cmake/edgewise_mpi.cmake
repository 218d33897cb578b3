# Defines edgewise::mpi where MPI is found: the headers with the communicator of vendor/mpi.hpp.
if(NOT TARGET edgewise::mpi)
  set(MPI_CXX_SKIP_MPICXX TRUE)  # its old C++ bindings
  find_package(MPI QUIET COMPONENTS CXX GLOBAL)
  if(MPI_CXX_FOUND)
    add_library(edgewise::mpi INTERFACE IMPORTED GLOBAL)
    target_link_libraries(edgewise::mpi INTERFACE edgewise::edgewise MPI::MPI_CXX)
  endif()
endif()
