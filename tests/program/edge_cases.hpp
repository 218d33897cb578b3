// Programs of edges: scatter of what two endpoints and the edge make.
#pragma once

#include <edgewise/expression/activation.hpp>
#include <edgewise/expression/functor.hpp>
#include <edgewise/expression/scatter_node.hpp>
#include <edgewise/gather/sum.hpp>

#include "expression/functors.hpp"
#include "plan/program_case.hpp"

namespace edgewise::testing {

struct a;
struct b;
struct h;
struct k;
struct l;
struct q;
struct r;
struct w;
struct el;
struct er;

/// SDDMM: one score per head.
struct edge_dot {
  static constexpr bool is_of_edges = true;
  static constexpr bool has_wide_offsets = true;
  static constexpr char const* name = "scatter(dot(dst<q>, src<k>))";
  static constexpr auto program = scatter(dot(dst<q>, src<k>));
  static constexpr operand_kind out_kind = operand_kind::per_head;
  using operands =
      std::tuple<operand<q, rows_of::destination, operand_kind::wide>, operand<k, rows_of::source, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>>, gradient_set<whole<0>>, gradient_set<whole<1>>,
                               gradient_set<added<0>, added<1>>>;
  static auto reference(auto const& edge) {
    return edge.sum_channels([](auto const& at) { return at(0) * at(1); });
  }
};

/// One tensor in both roles.
struct edge_difference {
  static constexpr bool is_of_edges = true;
  static constexpr char const* name = "scatter(src<h> - dst<h>)";
  static constexpr auto program = scatter(src<h> - dst<h>);
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands = std::tuple<operand<h, rows_of::vertex, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<0>>, gradient_set<as_source<0>, as_destination<0>>,
                               gradient_set<as_source<0>>, gradient_set<added<0>>>;
  static auto reference(auto const& edge) { return edge.source(0) - edge.destination(0); }
};

/// Every role and kind.
struct edge_product {
  static constexpr bool is_of_edges = true;
  static constexpr char const* name =
      "scatter(edge<w> * src<h> * dst<er> + param<b>), w per row, er per head, b per channel";
  static constexpr auto program = scatter(edge<w> * src<h> * dst<er> + param<b>);
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands =
      std::tuple<operand<w, rows_of::edge, operand_kind::per_row>, operand<h, rows_of::source, operand_kind::wide>,
                 operand<er, rows_of::destination, operand_kind::per_head>,
                 operand<b, rows_of::parameter, operand_kind::per_channel>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>, whole<2>, whole<3>>, gradient_set<whole<0>>,
                               gradient_set<whole<1>, whole<3>>, gradient_set<added<0>, added<2>>>;
  static auto reference(auto const& edge) { return edge(0) * edge(1) * edge(2) + edge(3); }
};

/// One number per row, without heads or channels.
struct edge_number_of_rows {
  static constexpr bool is_of_edges = true;
  static constexpr char const* name = "scatter(src<el> * dst<er>), per row";
  static constexpr auto program = scatter(src<el> * dst<er>);
  static constexpr operand_kind out_kind = operand_kind::per_row;
  using operands = std::tuple<operand<el, rows_of::source, operand_kind::per_row>,
                              operand<er, rows_of::destination, operand_kind::per_row>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>>>;
  static auto reference(auto const& edge) { return edge(0) * edge(1); }
};

/// A score of GATv2; operands that decide on which side of the kink they lie are multiples of 1/16.
struct edge_score {
  static constexpr bool is_of_edges = true;
  static constexpr char const* name = "scatter(dot(param<a>, leaky_relu(dst<l> + src<r>, 0.2)))";
  static constexpr auto program = scatter(dot(param<a>, leaky_relu(dst<l> + src<r>, 0.2)));
  static constexpr draw values = draw::grid;
  static constexpr operand_kind out_kind = operand_kind::per_head;
  using operands =
      std::tuple<operand<a, rows_of::parameter, operand_kind::wide>,
                 operand<l, rows_of::destination, operand_kind::wide>, operand<r, rows_of::source, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>, whole<2>>, gradient_set<whole<0>>,
                               gradient_set<whole<2>>, gradient_set<added<0>, whole<1>>>;
  static auto reference(auto const& edge) {
    return edge.sum_channels([](auto const& at) { return at(0) * leaky_relu(at(1) + at(2), 0.2); });
  }
};

/// A functor of what the row fixes and of the edge: the row's part is evaluated once per row.
struct edge_functor {
  static constexpr bool is_of_edges = true;
  static constexpr char const* name = "scatter(apply(fused_multiply_tanh{}, sigmoid(dst<q>), src<k>, edge<w>))";
  static constexpr auto program = scatter(apply(fused_multiply_tanh{}, sigmoid(dst<q>), src<k>, edge<w>));
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands =
      std::tuple<operand<q, rows_of::destination, operand_kind::wide>, operand<k, rows_of::source, operand_kind::wide>,
                 operand<w, rows_of::edge, operand_kind::wide>>;
  using gradients =
      std::tuple<gradient_set<whole<0>, whole<1>, whole<2>>, gradient_set<whole<1>>, gradient_set<whole<2>>>;
  static auto reference(auto const& edge) { return tanh(sigmoid(edge(0)) * edge(1) + edge(2)); }
};

/// Sums of these are exact in any order.
struct exact_edge_dot : edge_dot {
  static constexpr char const* name = "scatter(dot(dst<q>, src<k>)) of multiples of 1/16";
  static constexpr draw values = draw::grid;
};

}  // namespace edgewise::testing
