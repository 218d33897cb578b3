// A run of one model on the host.
#pragma once

#include <cstdint>

#include "train/training.hpp"

namespace edgewise::train {

/// Trains `Model`, a template over the scalar and the context, once on the host.
template <template <class, class> class Model>
run_record run_on_cpu(task const& data, options const& options, std::uint64_t seed, epoch_observer const& observe) {
  return train_once<Model<float, models::context<cpu>>>({.threads = options.num_threads}, host_memory(), data, options,
                                                        seed, observe);
}

}  // namespace edgewise::train
