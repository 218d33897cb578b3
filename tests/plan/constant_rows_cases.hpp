// Programs whose operands of edges are constant, so that plans keep them in the order of the rows.
#pragma once

#include "gather/sum_cases.hpp"
#include "program/attention_cases.hpp"
#include "program/stash_cases.hpp"

namespace edgewise::testing {

/// Gradients of rows alone, which need no ids, and such of edges, too, which do.
struct constant_vectors : weighted_sum<operand_kind::wide> {
  static constexpr char const* name = "gather<sum>(edge<w> * src<h>), w wide and constant";
  static constexpr bool has_constant_edges = true;
  static constexpr bool has_wide_offsets = true;
  using gradients = std::tuple<gradient_set<whole<1>>, gradient_set<whole<0>, whole<1>>>;
};

/// Two operands of edges, of one number a head.
struct constant_scores : edge_scores {
  static constexpr char const* name = "gather<sum>(edge<w> * softmax(edge<s>) * src<h>), w and s constant";
  static constexpr bool has_constant_edges = true;
  using gradients = std::tuple<gradient_set<whole<2>>>;
};

/// A value of the edge that forward keeps, beside a constant operand of the edge: it is found by id.
struct constant_beside_kept : stashed_wide {
  static constexpr char const* name = "a kept value of edges, and a constant operand of theirs";
  static constexpr bool has_constant_edges = true;
  using gradients = std::tuple<gradient_set<whole<1>, whole<2>>>;
};

}  // namespace edgewise::testing
