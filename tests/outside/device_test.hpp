// What device_test.cu runs on the device for device_test.cpp to judge.
#pragma once

#include "programs.hpp"

namespace outside {

results device_distances(edgewise::testing::test_graph const& graph, operands const& in);
results device_smooth_maximum(edgewise::testing::test_graph const& graph, operands const& in);

/// Both programs with the mapping from outside.
results device_distances_in_pieces(edgewise::testing::test_graph const& graph, operands const& in);
results device_smooth_maximum_in_pieces(edgewise::testing::test_graph const& graph, operands const& in);

/// With a work split from outside; over a format from outside, of a graph whose rows all have `degree` edges.
results device_distances_in_equal_pieces(edgewise::testing::test_graph const& graph, operands const& in);
results device_distances_over_lists(edgewise::testing::test_graph const& graph, int degree, operands const& in);

}  // namespace outside
