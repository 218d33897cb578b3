// What a training on the device leaves for the host to judge.
#pragma once

#include <cstddef>
#include <vector>

namespace edgewise::testing {

/// The losses of a training, and how often memory was asked for after its construction.
struct device_training_result {
  std::vector<float> losses;
  std::size_t num_allocations;
};

}  // namespace edgewise::testing
