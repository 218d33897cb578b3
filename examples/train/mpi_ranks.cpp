#include "train/ranks.hpp"

#include <edgewise/core/error.hpp>
#include <edgewise/core/type_list.hpp>
#include <edgewise/distributed/partition.hpp>
#include <edgewise/vendor/mpi.hpp>
#ifdef EDGEWISE_TRAINS_WITH_METIS
#include <edgewise/vendor/metis.hpp>
#endif

#include <chrono>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "train/model_runs.hpp"
#include "train/ranked_runs.hpp"

namespace edgewise::train {
namespace {

/// MPI from here to the end of the process's part in it.
struct mpi_library {
  mpi_library() {
    int offered = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &offered);  // threads of loops call none of it
  }
  ~mpi_library() { MPI_Finalize(); }
};

ownership owners_of(task const& data, std::string const& partition_by, int num_ranks) {
  if (partition_by == "edges") return partition(data.by_destination, num_ranks, by_edges{});
#ifdef EDGEWISE_TRAINS_WITH_METIS
  return partition(data.by_destination, num_ranks, metis{});
#else
  throw invalid_argument("--partition metis: this program was built without METIS");
#endif
}

[[noreturn]] void refuse(std::string const& model) {
  if (model == "rgcn") {
    throw invalid_argument("--ranks: rgcn reads types of edges, which parts of a graph do not have yet");
  }
  std::string names;
#define EDGEWISE_ADD_NAME(name) names += std::string(names.empty() ? "" : ", ") + #name;
  EDGEWISE_RANKED_MODELS(EDGEWISE_ADD_NAME)
#undef EDGEWISE_ADD_NAME
  throw invalid_argument("--ranks: of this program's models ranks train " + names + ", not " + model);
}

}  // namespace

struct ranks::world {
  mpi_library library;
  // Data may take one process far longer to read than another; of one that dies mpirun ends the others at once.
  mpi_communicator comm{MPI_COMM_WORLD, std::chrono::minutes(10)};
};

ranks::ranks() : world_(std::make_unique<world>()) {}
ranks::~ranks() = default;

int ranks::rank() const { return world_->comm.rank(); }

void ranks::abort() const {
  MPI_Abort(MPI_COMM_WORLD, 1);
  std::abort();
}

run_record ranks::train(task const& data, options const& options, std::uint64_t seed, epoch_observer const& observe) {
  auto const owners = owners_of(data, options.partition, world_->comm.size());
  std::optional<run_record> run;
#define EDGEWISE_TRAIN_MODEL(name) \
  if (options.model == #name)      \
    run.emplace(run_on_ranks<models::name##_architecture>(world_->comm, owners, data, options, seed, observe));
  EDGEWISE_RANKED_MODELS(EDGEWISE_TRAIN_MODEL)
#undef EDGEWISE_TRAIN_MODEL
  if (!run) refuse(options.model);
  return *std::move(run);
}

}  // namespace edgewise::train
