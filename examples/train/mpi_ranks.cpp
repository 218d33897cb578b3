// The ranks of --device cpu: processes of mpirun, whose rows MPI moves.
#include <memory>

#include <edgewise/core/error.hpp>
#include <edgewise/core/memory.hpp>
#include <edgewise/vendor/mpi.hpp>

#include "train/launched_rank.hpp"
#include "train/mpi_processes.hpp"
#include "train/ranked_runs.hpp"
#include "train/ranks.hpp"

namespace edgewise::train {
namespace {

class mpi_ranks final : public ranks {
public:
  int rank() const override { return processes_.comm.rank(); }
  void connect() override {}  // since it was made
  void abort() const override { mpi_library::abort(); }
  run_record train(task const& data, options const& options, std::uint64_t seed,
                   epoch_observer const& observe) override {
    return train_on_ranks({.threads = options.num_threads, .memory = host_memory()}, processes_.comm, data, options,
                          seed, observe);
  }

private:
  mpi_processes processes_;
};

}  // namespace

std::unique_ptr<ranks> ranks_on_cpu() {
  // To MPI each of the script's processes were alone.
  if (read_launched_rank()) {
    throw invalid_argument("--ranks --device cpu: mpirun starts these; scripts/launch-ranks is for --device cuda");
  }
  return std::make_unique<mpi_ranks>();
}

}  // namespace edgewise::train
