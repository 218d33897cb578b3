// What the running side of the device test of a softmax's numbers gives the judging side.
#pragma once

#include <vector>

namespace edgewise::testing {

struct softmax_numbers {
  std::vector<float> reciprocals;
};
softmax_numbers softmax_numbers_on_device(std::vector<float> const& weights);

}  // namespace edgewise::testing
