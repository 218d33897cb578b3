// What degree_aware_device_test.cu reads on the device, for degree_aware_device_test.cpp to judge.
#pragma once

#include <array>
#include <string>
#include <vector>

#include <edgewise/mapping/degree_histogram.hpp>

#include "support/test_graph.hpp"

namespace edgewise::testing {

degree_histogram degrees_on_device(test_graph const& graph);
/// The histograms of both groupings, by destination and by source, read together.
std::array<degree_histogram, 2> both_degrees_on_device(test_graph const& graph);

/// gather<sum>(edge<w> * src<h>) of 8 channels by a policy in text, empty for the mapping's own: results and the
/// policy.
struct planned_sums {
  std::vector<float> out;
  std::vector<float> gradient;  // of h, for an adjoint of `out`'s own values
  std::string policy;
  std::string explanation;
};
planned_sums sums_on_device(test_graph const& graph, std::vector<float> const& features,
                            std::vector<float> const& weights, std::string const& policy);

}  // namespace edgewise::testing
