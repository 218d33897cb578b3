// The ranks of MPI as those that cases run over.
#pragma once

#include <chrono>

#include <edgewise/vendor/mpi.hpp>

#include "check_on_ranks.hpp"
#include "plan/host_machine.hpp"
#include "run_on_ranks.hpp"

namespace edgewise::testing {

/// The communicator of all tests of a process.
inline mpi_communicator& world() {
  static mpi_communicator comm(MPI_COMM_WORLD, std::chrono::seconds(30));
  return comm;
}

template <class Case, class T = float>
void check_on_mpi() {
  auto const run = [](run_request<T> const& request, ownership const& owners) {
    return run_on_ranks<Case>(host_machine{}, world(), request, owners);
  };
  check_on_ranks<Case, T>(run, world().rank(), world().size());
}

}  // namespace edgewise::testing
