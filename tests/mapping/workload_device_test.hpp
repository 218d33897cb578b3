// What a mapping is told of a grouping when a plan for a device is made.
#pragma once

#include "plan/program_case.hpp"
#include "support/test_graph.hpp"

namespace edgewise::testing {

/// What is told of each grouping: threads of the group of half the threads (0: none), and whether it walks a softmax.
struct told {
  std::int64_t half_of_destinations = 0;
  std::int64_t half_of_sources = 0;
  bool has_softmax = false;
};

/// gather<sum>(edge<w> * src<h>) of floats, bfloat16 and float16, and the graph transformer of floats.
told told_of_sum(test_graph const& edges, width rows);
told told_of_bfloat16_sum(test_graph const& edges, width rows);
told told_of_float16_sum(test_graph const& edges, width rows);
told told_of_transformer(test_graph const& edges, width rows);

/// A build of few geometries has no groups of half the threads.
bool has_half_groups_at_all();

}  // namespace edgewise::testing
