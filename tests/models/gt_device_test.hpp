// What gt_device_test.cu runs on the device for gt_device_test.cpp to judge.
#pragma once

#include <vector>

#include "device_training.hpp"
#include "support/test_graph.hpp"

namespace edgewise::testing {

/// A graph transformer's traced training, and the same by replays of a captured step.
device_training_result gt_training_on_device(test_graph const& edges, int num_steps);
std::vector<float> gt_training_by_replay(test_graph const& edges, int num_steps);

}  // namespace edgewise::testing
