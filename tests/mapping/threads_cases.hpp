// What groups of half the threads take, and what they leave to others.
#pragma once

#include "gather/max_cases.hpp"
#include "mapped.hpp"
#include "program/edge_cases.hpp"
#include "program/epilogue_cases.hpp"
#include "tiles_cases.hpp"

namespace edgewise::testing {

/// `exact_sum` of numbers whose sums are rounded: with the gradients of weights and rows in one traversal.
struct rounded_sum : exact_sum {
  static constexpr char const* name = "gather<sum>(edge<w> * src<h>), both gradients";
  static constexpr draw values = draw::uniform;
};

/// Sums of rows of 129 to 256 numbers, whose groups are of words of eight.
using bfloat16_sum = stored_as<sum_of_rows, bfloat16>;

/// One source with every edge, after and before many without.
inline test_graph hub_of_sources() {
  random_stream random("graph: hub of sources");
  edge_list edges;
  for (int k = 0; k < 3000; ++k) edges.push_back({250, random.below(400)});
  return make_test_graph("hub of sources", 400, 400, edges);
}

}  // namespace edgewise::testing
