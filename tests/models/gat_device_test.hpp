// What gat_device_test.cu runs on the device for gat_device_test.cpp to judge.
#pragma once

#include <vector>

#include "device_training.hpp"
#include "support/test_graph.hpp"

namespace edgewise::testing {

/// A GAT's traced training, and the same by replays of a captured step.
device_training_result gat_training_on_device(test_graph const& edges, int num_steps);
std::vector<float> gat_training_by_replay(test_graph const& edges, int num_steps);

}  // namespace edgewise::testing
