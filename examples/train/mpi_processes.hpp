// The processes that mpirun started.
#pragma once

#include <chrono>
#include <cstdlib>

#include <edgewise/vendor/mpi.hpp>

namespace edgewise::train {

/// MPI from here to the end of the process's part in it.
struct mpi_library {
  mpi_library() {
    int offered = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &offered);  // threads of loops call none of it
  }
  mpi_library(mpi_library const&) = delete;
  mpi_library& operator=(mpi_library const&) = delete;
  ~mpi_library() { MPI_Finalize(); }

  [[noreturn]] static void abort() {
    MPI_Abort(MPI_COMM_WORLD, 1);
    std::abort();
  }
};

/// Data may take one process far longer to read than another; one that dies is found sooner, by who started it.
inline constexpr std::chrono::minutes longest_wait{10};

struct mpi_processes {
  mpi_library library;
  mpi_communicator comm{MPI_COMM_WORLD, longest_wait};
};

}  // namespace edgewise::train
