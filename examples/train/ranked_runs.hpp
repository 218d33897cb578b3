// One run of each model on the ranks of MPI. Each is compiled in a file of its own (CMakeLists.txt).
#pragma once

#include <cstdint>

#include <edgewise/distributed/ownership.hpp>
#include <edgewise/vendor/mpi.hpp>

#include "train/options.hpp"
#include "train/record.hpp"
#include "train/task.hpp"

namespace edgewise::train {

/// Trains once, as `ranks::train` does (on_mpi.cpp).
template <class Architecture>
run_record run_on_ranks(mpi_communicator& comm, ownership const& owners, task const& data, options const& options,
                        std::uint64_t seed, epoch_observer const& observe);

}  // namespace edgewise::train
