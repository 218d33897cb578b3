// The ranks of --device cuda: processes of scripts/launch-ranks or of mpirun, each with a GPU, whose rows NCCL moves.
#include <edgewise/core/device_memory.cuh>
#include <edgewise/vendor/nccl.cuh>

#include <chrono>
#include <cstdlib>
#include <memory>
#include <optional>
#include <utility>

#include <edgewise/core/error.hpp>

#include "train/launched_rank.hpp"
#include "train/own_stream.cuh"
#include "train/ranked_runs.hpp"
#include "train/ranks.hpp"
#ifdef EDGEWISE_TRAINS_WITH_MPI
#include "train/mpi_processes.hpp"
#endif

namespace edgewise::train {
namespace {

/// A process among those that were started with it: in all, and on its machine.
struct process_place {
  int rank;
  int num_ranks;
  int local_rank;
  int num_local_ranks;
};

/// Who started the processes, which know one another by that.
class starter {
public:
  virtual ~starter() = default;
  virtual process_place place() const = 0;
  /// Rank 0's new id. Collective.
  virtual nccl_id share_id() = 0;
  virtual void abort() const = 0;
};

class script final : public starter {
public:
  explicit script(launched_rank launched) : launched_(std::move(launched)) {}
  process_place place() const override {
    return {launched_.rank, launched_.num_ranks, launched_.rank, launched_.num_ranks};
  }
  nccl_id share_id() override { return share_nccl_id(launched_.meeting_file, launched_.rank); }
  // The script ends the others. Nothing is destroyed: that may wait for kernels, which wait for other ranks.
  void abort() const override { std::_Exit(1); }

private:
  launched_rank launched_;
};

#ifdef EDGEWISE_TRAINS_WITH_MPI
class mpirun final : public starter {
public:
  process_place place() const override {
    process_place found{processes_.comm.rank(), processes_.comm.size(), 0, 1};
    MPI_Comm machine = MPI_COMM_NULL;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, found.rank, MPI_INFO_NULL, &machine);
    MPI_Comm_rank(machine, &found.local_rank);
    MPI_Comm_size(machine, &found.num_local_ranks);
    MPI_Comm_free(&machine);
    return found;
  }
  nccl_id share_id() override { return share_nccl_id(processes_.comm, cpu{}); }
  void abort() const override { mpi_library::abort(); }

private:
  mpi_processes processes_;
};
#endif

std::unique_ptr<starter> find_starter() {
  if (auto launched = read_launched_rank()) return std::make_unique<script>(*std::move(launched));
#ifdef EDGEWISE_TRAINS_WITH_MPI
  return std::make_unique<mpirun>();
#else
  throw invalid_argument(
      "--ranks --device cuda: start this program by scripts/launch-ranks; it was built without MPI, so that it "
      "does not know mpirun");
#endif
}

class nccl_ranks final : public ranks {
public:
  nccl_ranks() : starter_(find_starter()), place_(starter_->place()) {}

  int rank() const override { return place_.rank; }

  void connect() override {
    int num_gpus = 0;
    check_cuda(cudaGetDeviceCount(&num_gpus), "--ranks --device cuda: GPUs of this machine");
    if (num_gpus < place_.num_local_ranks) {
      throw invalid_argument(edgewise::detail::text("--ranks --device cuda: this machine has ", num_gpus, " GPUs for ",
                                                    place_.num_local_ranks, " processes, of which each takes one"));
    }
    check_cuda(cudaSetDevice(place_.local_rank), "--ranks --device cuda: take a GPU");
    comm_.emplace(starter_->share_id(), place_.rank, place_.num_ranks);
    // Data may take one process far longer to read than another; one that dies is found sooner, by who started it.
    comm_->set_timeout(std::chrono::minutes(10));
  }

  void abort() const override { starter_->abort(); }

  run_record train(task const& data, options const& options, std::uint64_t seed,
                   epoch_observer const& observe) override {
    own_stream const stream;
    return train_on_ranks({.stream = stream.get(), .memory = device_memory()}, *comm_, data, options, seed, observe);
  }

private:
  std::unique_ptr<starter> starter_;
  process_place place_;
  std::optional<nccl_communicator> comm_;
};

}  // namespace

std::unique_ptr<ranks> ranks_on_cuda() { return std::make_unique<nccl_ranks>(); }

}  // namespace edgewise::train
