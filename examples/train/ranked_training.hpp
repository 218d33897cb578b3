// One training run of one model on ranks, whose memory has a resource to count it over.
#pragma once

#include <cstdint>

#include <edgewise/distributed/ownership.hpp>

#include "models/ranked_context.hpp"
#include "train/options.hpp"
#include "train/record.hpp"
#include "train/task.hpp"
#include "train/trained_model.hpp"
#include "train/training.hpp"

namespace edgewise::train {

template <class Architecture, class Comm>
run_record run_on_ranks(typename Comm::exec_type const& exec, Comm& comm, ownership const& owners, task const& data,
                        options const& options, std::uint64_t seed, epoch_observer const& observe) {
  using model = trained_model<Architecture, models::ranked_context<Comm>>;
  return train_once<model>(exec, exec.memory, data, options, seed, observe, comm, owners);
}

}  // namespace edgewise::train
