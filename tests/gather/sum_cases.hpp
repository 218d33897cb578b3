// Programs of sums and means.
#pragma once

#include <edgewise/expression/gather_node.hpp>
#include <edgewise/gather/sum.hpp>

#include "plan/program_case.hpp"

namespace edgewise::testing {

struct w;
struct h;

inline constexpr auto weighted_neighbor = [](auto const& edge) { return edge(0) * edge(1); };

template <operand_kind WeightKind>
struct weighted_sum {
  static constexpr bool has_wide_offsets = true;
  static constexpr char const* name = WeightKind == operand_kind::wide ? "gather<sum>(edge<w> * src<h>), w wide"
                                      : WeightKind == operand_kind::per_head
                                          ? "gather<sum>(edge<w> * src<h>), w per head"
                                          : "gather<sum>(edge<w> * src<h>), w per row";
  static constexpr auto program = gather<sum>(edge<w> * src<h>);
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands = std::tuple<operand<w, rows_of::edge, WeightKind>, operand<h, rows_of::source, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<1>>, gradient_set<whole<0>>, gradient_set<whole<1>, whole<0>>,
                               gradient_set<added<1>, added<0>>>;
  static auto reference(auto const& row) { return row.sum(weighted_neighbor); }
};

struct mean_of_neighbors {
  static constexpr char const* name = "gather<mean>(src<h>)";
  static constexpr auto program = gather<mean>(src<h>);
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands = std::tuple<operand<h, rows_of::source, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<0>>, gradient_set<as_source<0>>>;
  static auto reference(auto const& row) {
    return row.mean([](auto const& edge) { return edge(0); });
  }
};

struct mean_of_weighted {
  static constexpr char const* name = "gather<mean>(edge<w> * src<h>)";
  static constexpr auto program = gather<mean>(edge<w> * src<h>);
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands =
      std::tuple<operand<w, rows_of::edge, operand_kind::per_row>, operand<h, rows_of::source, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>>>;
  static auto reference(auto const& row) { return row.mean(weighted_neighbor); }
};

/// One tensor in both roles: one gradient, or one per role.
struct sum_of_differences {
  static constexpr char const* name = "gather<sum>(src<h> - dst<h>)";
  static constexpr auto program = gather<sum>(src<h> - dst<h>);
  static constexpr bool repeats_terms = true;  // the gradient of a destination is its degree times its adjoint
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands = std::tuple<operand<h, rows_of::vertex, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<0>>, gradient_set<as_source<0>>, gradient_set<as_destination<0>>,
                               gradient_set<as_destination<0>, as_source<0>>, gradient_set<added<0>>>;
  static auto reference(auto const& row) {
    return row.sum([](auto const& edge) { return edge.source(0) - edge.destination(0); });
  }
};

/// Nothing but edges: the output has the weight's kind.
template <operand_kind Kind>
struct sum_of_edges {
  static constexpr char const* name =
      Kind == operand_kind::per_head ? "gather<sum>(edge<w>), w per head" : "gather<sum>(edge<w>), w per row";
  static constexpr auto program = gather<sum>(edge<w>);
  static constexpr operand_kind out_kind = Kind;
  using operands = std::tuple<operand<w, rows_of::edge, Kind>>;
  using gradients = std::tuple<gradient_set<whole<0>>, gradient_set<added<0>>>;
  static auto reference(auto const& row) {
    return row.sum([](auto const& edge) { return edge(0); });
  }
};

}  // namespace edgewise::testing
