// What edge_feature_device_test.cu counts on the device for edge_feature_device_test.cpp to judge.
#pragma once

#include "support/launch_count.hpp"
#include "support/test_graph.hpp"

namespace edgewise::testing {

struct edge_feature_launches {
  launch_count forward;
  launch_count backward;  ///< of all six operands
};
edge_feature_launches count_edge_features(test_graph const& graph, int heads, int channels);

}  // namespace edgewise::testing
