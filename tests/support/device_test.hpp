// What device_test.cu runs on the device for device_test.cpp to judge.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "test_graph.hpp"

namespace edgewise::testing {

/// What an output held and whether its guards were written.
struct device_result {
  std::vector<float> values;
  std::string damage;
};

/// Copies `values` to the device and back.
std::vector<float> round_trip(std::vector<float> const& values);

/// Writes 2 * input[i] to elements [first, last) of an output of input.size() elements; the range may leave it.
device_result doubled(std::vector<float> const& input, std::ptrdiff_t first, std::ptrdiff_t last);

/// Poisons an output again after it was written.
device_result poisoned_again(std::size_t size);

/// (row, neighbor) by edge id, as a kernel reads them from the device views with 64-bit offsets.
struct device_edges {
  std::vector<int> rows;
  std::vector<int> neighbors;
};
device_edges edges_of_csr(test_graph const& graph);
device_edges edges_of_csc(test_graph const& graph);
device_edges edges_of_coo(test_graph const& graph);  // rows are destinations

}  // namespace edgewise::testing
