// Inner products of edges, summed by tiles of channels.
#pragma once

#include <string>

#include "mapped.hpp"
#include "program/edge_cases.hpp"

namespace edgewise::testing {

struct contracted {
  static constexpr feature_adaptive_group mapping{.dot_tile = 64};
};
/// DotTile beside what else such a schedule can have: rows are then cut by length alone.
struct contracted_and_partitioned {
  static constexpr feature_adaptive_group mapping{
      .order = row_order::windows, .partitions = 3, .dot_tile = 128, .block = block_size::threads_128};
};

using contracted_dot = mapped<edge_dot, contracted>;
using contracted_exact_dot = mapped<exact_edge_dot, contracted>;
using contracted_score = mapped<edge_score, contracted>;
/// Rows of 16 bits, products as they are summed; and products rounded to 16 bits, which are summed whole.
using contracted_dot_of_bfloat16 = mapped<stored<edge_dot, float, float, bfloat16, bfloat16>, contracted>;
using contracted_dot_in_bfloat16 = mapped<stored_as<edge_dot, bfloat16>, contracted>;

/// What the plan of inner products by tiles of 64 channels says of itself on a device.
std::string explain_contracted(test_graph const& graph, int channels);

}  // namespace edgewise::testing
