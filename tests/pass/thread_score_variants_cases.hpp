// Dealt scores beside what else a traversal can have: masks, mappings, 16-bit rows, and extents that are known.
#pragma once

#include "mapping/mapped.hpp"
#include "program/dropout_cases.hpp"
#include "thread_scores_cases.hpp"

namespace edgewise::testing {

/// Attention weights of dropped values: masks are drawn by the threads that hold the rows.
struct scored_dropped_rows {
  static constexpr char const* name = "gather<sum>(softmax(src<el> + dst<er>) * dropout<drop>(src<h>, 0.25))";
  static constexpr auto program = gather<sum>(softmax(src<el> + dst<er>) * dropout<drop>(src<h>, 0.25));
  static constexpr random_state random = mask_state;
  static constexpr operand_kind out_kind = operand_kind::wide;
  using masks = std::tuple<mask<drop, 2>>;
  using operands = std::tuple<operand<el, rows_of::source, operand_kind::per_head>,
                              operand<er, rows_of::destination, operand_kind::per_head>,
                              operand<h, rows_of::source, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>, whole<2>>, gradient_set<whole<1>>>;
  static auto reference(auto const& row) {
    return row.softmax_sum([](auto const& edge) { return edge(0) + edge(1); },
                           [](auto const& edge) { return edge(2) * edge_mask(edge, 2, 0.25); });
  }
};

using scored_by_edges = mapped<scored_edges, by_edges>;
using scored_from_queue = mapped<scored_edges, queued>;
using scored_in_bfloat16 = stored_as<scored_rows, bfloat16>;
using scored_edges_in_bfloat16 = stored_as<scored_edges, bfloat16>;

struct scored_of_4_by_16 : scored_edges {
  using extents = static_extents<4, 16>;
};
struct scored_of_1_by_256 : scored_rows {
  using extents = static_extents<1, 256>;
};

}  // namespace edgewise::testing
