// How the learning rate changes from epoch to epoch.
#pragma once

#include <cmath>
#include <numbers>
#include <string>

#include <edgewise/core/error.hpp>

namespace edgewise::models {

/// A schedule of `num_epochs` epochs, counted from 0:
/// - constant: `initial` throughout;
/// - cosine: initial * (1 + cos(pi * epoch / num_epochs)) / 2, which falls towards 0 (Loshchilov and Hutter 2017,
///   arXiv:1608.03983, equation 5, without restarts);
/// - step: initial * step_factor^k, k being the number of whole `step_epochs` that are over.
struct learning_rate_schedule {
  enum class shape { constant, cosine, step };

  shape kind = shape::constant;
  double initial = 0.01;
  int num_epochs = 1;
  int step_epochs = 1;
  double step_factor = 0.1;

  double at(int epoch) const {
    switch (kind) {
      case shape::cosine:
        return initial * 0.5 * (1.0 + std::cos(std::numbers::pi * epoch / num_epochs));
      case shape::step:
        return initial * std::pow(step_factor, epoch / step_epochs);
      case shape::constant:
        break;
    }
    return initial;
  }
};

/// The schedule of a name: "constant", "cosine" or "step". Throws `invalid_argument` for another.
inline learning_rate_schedule::shape schedule_named(std::string const& name) {
  if (name == "constant") return learning_rate_schedule::shape::constant;
  if (name == "cosine") return learning_rate_schedule::shape::cosine;
  if (name == "step") return learning_rate_schedule::shape::step;
  throw invalid_argument("learning rate: there is no schedule " + name);
}

}  // namespace edgewise::models
