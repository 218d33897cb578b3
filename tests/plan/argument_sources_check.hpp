// What argument_sources must give, from lists of edges.
#pragma once

#include <algorithm>
#include <vector>

#include "support/catch.hpp"

#include "argument_sources_cases.hpp"
#include "support/graphs.hpp"
#include "support/random.hpp"

namespace edgewise::testing {

/// The sources of the first edges, by id within rows, that attain each extremum.
inline found_sources expected_sources(test_graph const& graph, std::vector<float> const& features) {
  auto const size = static_cast<std::size_t>(graph.num_destinations * source_elements);
  found_sources expected{std::vector<int>(size, -1), std::vector<int>(size, -1)};
  for (int e = 0; e < graph.num_edges(); ++e) {
    for (int i = 0; i < source_elements; ++i) {
      auto const value = [&](int source) { return features[source * source_elements + i]; };
      auto const at = static_cast<std::size_t>(graph.destinations[e] * source_elements + i);
      int& largest = expected.largest[at];
      int& smallest = expected.smallest[at];
      if (largest < 0 || value(graph.sources[e]) > value(largest)) largest = graph.sources[e];
      if (smallest < 0 || value(graph.sources[e]) < value(smallest)) smallest = graph.sources[e];
    }
  }
  return expected;
}

/// Compares `find(graph, features)` on graphs whose edge ids are positions and on graphs where they are not.
template <class Find>
void check_sources(std::vector<test_graph> const& graphs, Find const& find) {
  bool had_ids = false;
  bool had_positions = false;
  for (test_graph const& graph : graphs) {
    INFO(graph.name);
    random_stream random("argument_sources");
    std::vector<float> features;
    for (int i = 0; i < graph.num_sources * source_elements; ++i) features.push_back(random.below(5) / 4.0f);
    found_sources const found = find(graph, features);
    found_sources const expected = expected_sources(graph, features);
    CHECK(found.largest == expected.largest);
    CHECK(found.smallest == expected.smallest);
    if (graph.num_edges() > 0) (graph.by_destination.ids_are_positions() ? had_positions : had_ids) = true;
  }
  CHECK(had_ids);
  CHECK(had_positions);
}

}  // namespace edgewise::testing
