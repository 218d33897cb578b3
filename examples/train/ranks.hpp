// The processes that train together, behind plain functions: only mpi_ranks.cpp needs MPI, only nccl_ranks.cu NCCL.
#pragma once

#include <cstdint>
#include <memory>

#include "train/options.hpp"
#include "train/record.hpp"
#include "train/task.hpp"

namespace edgewise::train {

/// This process as one of those that were started together. A process makes one of these, once, and all of them make
/// the same calls.
class ranks {
public:
  ranks() = default;
  ranks(ranks const&) = delete;
  ranks& operator=(ranks const&) = delete;
  virtual ~ranks() = default;

  /// This process among them, from 0.
  virtual int rank() const = 0;
  /// Lets them exchange rows, before they train. On GPUs each process takes its own. Throws `invalid_argument` where a
  /// machine has fewer GPUs than processes, `io_error` and `communication_error` where a process does not come.
  virtual void connect() = 0;
  /// Ends all of them, as one has to that fails alone: the others wait for it.
  virtual void abort() const = 0;

  /// Trains once, each process with its part of the graph, all with the same parameters, which the first one saves.
  /// Losses and scores are of the whole graph, the same on all. Throws `invalid_argument` for a model that this program
  /// has no ranks for and a partition that it has not, and `communication_error`.
  virtual run_record train(task const& data, options const& options, std::uint64_t seed,
                           epoch_observer const& observe) = 0;
};

/// Ranks on hosts, which `mpirun` started. Throws `invalid_argument` where this program was built without MPI, or
/// scripts/launch-ranks started it.
std::unique_ptr<ranks> ranks_on_cpu();
/// Ranks on GPUs, which scripts/launch-ranks or `mpirun` started. Throws `invalid_argument` where this program was
/// built without NCCL, or neither started it that this program knows.
std::unique_ptr<ranks> ranks_on_cuda();

}  // namespace edgewise::train
