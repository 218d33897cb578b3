// Programs whose scores are numbers, which threads of a device share out.
#pragma once

#include <edgewise/expression/activation.hpp>
#include <edgewise/expression/gather_node.hpp>
#include <edgewise/expression/with_self.hpp>
#include <edgewise/gather/sum.hpp>

#include "plan/program_case.hpp"

namespace edgewise::testing {

struct el;
struct er;
struct h;
struct s;
struct t;
struct v;

/// A score and a value of each edge, found by its id.
struct scored_edges {
  static constexpr bool has_wide_offsets = true;
  static constexpr char const* name = "gather<sum>(softmax(edge<s> + src<el>) * edge<v>)";
  static constexpr auto program = gather<sum>(softmax(edge<s> + src<el>) * edge<v>);
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands =
      std::tuple<operand<s, rows_of::edge, operand_kind::per_head>,
                 operand<el, rows_of::source, operand_kind::per_head>, operand<v, rows_of::edge, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>, whole<2>>, gradient_set<added<0>>>;
  static auto reference(auto const& row) {
    return row.softmax_sum([](auto const& edge) { return edge(0) + edge(1); },
                           [](auto const& edge) { return edge(2); });
  }
};

/// One score for all heads of an edge.
struct scored_rows {
  static constexpr char const* name = "gather<sum>(softmax(edge<s> * param<t> - dst<er>) * src<h>)";
  static constexpr auto program = gather<sum>(softmax(edge<s> * param<t> - dst<er>) * src<h>);
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands = std::tuple<
      operand<s, rows_of::edge, operand_kind::per_row>, operand<t, rows_of::parameter, operand_kind::per_row>,
      operand<er, rows_of::destination, operand_kind::per_row>, operand<h, rows_of::source, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>, whole<2>, whole<3>>, gradient_set<whole<2>>>;
  static auto reference(auto const& row) {
    return row.softmax_sum([](auto const& edge) { return edge(0) * edge(1) - edge(2); },
                           [](auto const& edge) { return edge(3); });
  }
};

/// A self edge, whose score each thread computes for its own chunks.
struct scored_with_self {
  static constexpr char const* name = "gather<sum>(with_self(softmax(tanh(src<el>) * dst<er>) * src<h>))";
  static constexpr auto program = gather<sum>(with_self(softmax(tanh(src<el>) * dst<er>) * src<h>));
  static constexpr bool has_self = true;
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands =
      std::tuple<operand<el, rows_of::vertex, operand_kind::per_head>,
                 operand<er, rows_of::vertex, operand_kind::per_head>, operand<h, rows_of::vertex, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>, whole<2>>, gradient_set<added<2>>>;
  static auto reference(auto const& row) {
    return row.softmax_sum([](auto const& edge) { return tanh(edge.source(0)) * edge.destination(1); },
                           [](auto const& edge) { return edge.source(2); });
  }
};

}  // namespace edgewise::testing
