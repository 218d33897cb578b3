// One run of each model on the ranks of each communicator. Each is compiled in a file of its own (CMakeLists.txt).
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include <edgewise/distributed/ownership.hpp>

#include "train/model_runs.hpp"
#include "train/options.hpp"
#include "train/record.hpp"
#include "train/task.hpp"
#include "train/vertex_owners.hpp"

namespace edgewise::train {

/// Trains once, as `ranks::train` does, where passes of `exec` run (ranked_training.hpp).
template <class Architecture, class Comm>
run_record run_on_ranks(typename Comm::exec_type const& exec, Comm& comm, ownership const& owners, task const& data,
                        options const& options, std::uint64_t seed, epoch_observer const& observe);

/// The same for the model that the options name.
template <class Comm>
run_record train_on_ranks(typename Comm::exec_type const& exec, Comm& comm, task const& data, options const& options,
                          std::uint64_t seed, epoch_observer const& observe) {
  auto const owners = owners_of(data, options.partition, comm.size());
  std::optional<run_record> run;
#define EDGEWISE_TRAIN_MODEL(name) \
  if (options.model == #name)      \
    run.emplace(run_on_ranks<models::name##_architecture>(exec, comm, owners, data, options, seed, observe));
  EDGEWISE_RANKED_MODELS(EDGEWISE_TRAIN_MODEL)
#undef EDGEWISE_TRAIN_MODEL
  if (!run) refuse_for_ranks(options.model);
  return *std::move(run);
}

}  // namespace edgewise::train
