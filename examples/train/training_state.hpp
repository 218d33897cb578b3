// What a training goes on from.
#pragma once

#include <vector>

#include "models/adam.hpp"
#include "models/random_bits.hpp"
#include "models/saved_model.hpp"

namespace edgewise::train {

/// All that the next step depends on besides data and options, in host memory. Shapes: moments as `model.values`.
struct training_state {
  models::saved_model<float> model;
  std::vector<float> first_moments;
  std::vector<float> second_moments;
  models::adam_powers powers{};
  models::random_state random;
};

}  // namespace edgewise::train
