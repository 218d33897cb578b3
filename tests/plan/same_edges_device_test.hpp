// What same_edges_device_test.cu plans on the device for same_edges_device_test.cpp to judge.
#pragma once

#include <string>

#include "support/test_graph.hpp"

namespace edgewise::testing {

/// The message with which a plan over both groupings refuses them, or "no error".
std::string refusal_of_weighted_sum(test_graph const& edges);
std::string refusal_of_plain_sum(test_graph const& edges);
std::string refusal_of_maximum(test_graph const& edges);
std::string refusal_of_wide_offsets(test_graph const& edges);

}  // namespace edgewise::testing
