// Graphs for programs of several units: their reference takes a gather for every edge, so that rows are short but one.
#pragma once

#include <vector>

#include "support/graphs.hpp"

namespace edgewise::testing {

inline std::vector<test_graph> const& units_battery() {
  static std::vector<test_graph> const graphs = [] {
    std::vector<test_graph> all;
    for (auto const& graph : small_battery(300)) all.push_back(graph);
    all.push_back(one_hub(260, 40));  // cut on a device
    return all;
  }();
  return graphs;
}

}  // namespace edgewise::testing
