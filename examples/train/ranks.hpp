// The processes that train together, behind plain functions: only mpi_ranks.cpp needs MPI.
#pragma once

#include <cstdint>
#include <memory>

#include "train/options.hpp"
#include "train/record.hpp"
#include "train/task.hpp"

namespace edgewise::train {

/// Those that one `mpirun` started. A process makes one of these, once, and all of them make the same calls.
class ranks {
public:
  /// Joins them. Throws `invalid_argument` where this program was built without MPI.
  ranks();
  ranks(ranks const&) = delete;
  ranks& operator=(ranks const&) = delete;
  ~ranks();

  /// This process among them, from 0.
  int rank() const;
  /// Ends all of them, as one has to that fails alone: the others wait for it.
  [[noreturn]] void abort() const;

  /// Trains once on the host, each process with its part of the graph, all with the same parameters, which the first
  /// one saves. Losses and scores are of the whole graph, the same on all. Throws `invalid_argument` for a model that
  /// this program has no ranks for and a partition that it has not, and `communication_error`.
  run_record train(task const& data, options const& options, std::uint64_t seed, epoch_observer const& observe);

private:
  struct world;
  std::unique_ptr<world> world_;
};

}  // namespace edgewise::train
