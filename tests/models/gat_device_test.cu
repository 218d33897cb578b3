#include "gat_device_test.hpp"

#include "device_training.cuh"
#include "models/gat.hpp"

namespace edgewise::testing {

device_training_result gat_training_on_device(test_graph const& edges, int num_steps) {
  return device_training<models::gat<float, device_context>>(edges, num_steps);
}

std::vector<float> gat_training_by_replay(test_graph const& edges, int num_steps) {
  return device_training_by_replay<models::gat<float, device_context>>(edges, num_steps);
}

}  // namespace edgewise::testing
