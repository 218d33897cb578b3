#include "gt_device_test.hpp"

#include "device_training.cuh"
#include "models/gt.hpp"

namespace edgewise::testing {

device_training_result gt_training_on_device(test_graph const& edges, int num_steps) {
  return device_training<models::gt<float, device_context>>(edges, num_steps);
}

std::vector<float> gt_training_by_replay(test_graph const& edges, int num_steps) {
  return device_training_by_replay<models::gt<float, device_context>>(edges, num_steps);
}

}  // namespace edgewise::testing
