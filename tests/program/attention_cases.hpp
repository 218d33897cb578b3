// Programs of attention: sums weighted by a softmax over the edges of a row, and the inner products of their scores.
#pragma once

#include <edgewise/expression/activation.hpp>
#include <edgewise/expression/gather_node.hpp>
#include <edgewise/gather/sum.hpp>

#include "plan/program_case.hpp"

namespace edgewise::testing {

struct a;
struct h;
struct k;
struct l;
struct q;
struct r;
struct s;
struct v;
struct el;
struct er;

/// dot(src<q>, dst<k>) weighs src<v>, without a softmax.
struct dot_weighted_sum {
  static constexpr char const* name = "gather<sum>(dot(src<q>, dst<k>) * src<v>)";
  static constexpr auto program = gather<sum>(dot(src<q>, dst<k>) * src<v>);
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands =
      std::tuple<operand<q, rows_of::source, operand_kind::wide>, operand<k, rows_of::destination, operand_kind::wide>,
                 operand<v, rows_of::source, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>, whole<2>>, gradient_set<whole<1>>>;
  static auto reference(auto const& row) {
    return row.sum(
        [](auto const& edge) { return edge.sum_channels([](auto const& at) { return at(0) * at(1); }) * edge(2); });
  }
};

/// Scores alone, one per head.
struct sum_of_scores {
  static constexpr char const* name = "gather<sum>(dot(src<h>, dst<h>))";
  static constexpr auto program = gather<sum>(dot(src<h>, dst<h>));
  static constexpr operand_kind out_kind = operand_kind::per_head;
  using operands = std::tuple<operand<h, rows_of::vertex, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<0>>, gradient_set<as_source<0>, as_destination<0>>>;
  static auto reference(auto const& row) {
    return row.sum([](auto const& edge) {
      return edge.sum_channels([](auto const& at) { return at.source(0) * at.destination(0); });
    });
  }
};

/// The score of operands 0 and 1, in references.
inline constexpr auto half_dot = [](auto const& edge) {
  return edge.sum_channels([](auto const& at) { return at(0) * at(1); }) * 0.5;
};

struct transformer {
  static constexpr char const* name = "gather<sum>(softmax(dot(dst<q>, src<k>) * 0.5) * src<v>)";
  static constexpr auto program = gather<sum>(softmax(dot(dst<q>, src<k>) * 0.5) * src<v>);
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands =
      std::tuple<operand<q, rows_of::destination, operand_kind::wide>, operand<k, rows_of::source, operand_kind::wide>,
                 operand<v, rows_of::source, operand_kind::wide>>;
  using gradients =
      std::tuple<gradient_set<whole<0>, whole<1>, whole<2>>, gradient_set<whole<0>>, gradient_set<whole<1>>,
                 gradient_set<whole<2>>, gradient_set<added<0>, added<1>, added<2>>>;
  static auto reference(auto const& row) {
    return row.softmax_sum(half_dot, [](auto const& edge) { return edge(2); });
  }
};

/// Two sums over channels in one score.
struct two_scores {
  static constexpr char const* name = "gather<sum>(softmax(dot(dst<q>, src<k>) * 0.5 + dot(dst<q>, src<v>)) * src<v>)";
  static constexpr auto program = gather<sum>(softmax(dot(dst<q>, src<k>) * 0.5 + dot(dst<q>, src<v>)) * src<v>);
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands = transformer::operands;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>, whole<2>>, gradient_set<whole<2>>>;
  static auto reference(auto const& row) {
    auto const score = [](auto const& edge) {
      return half_dot(edge) + edge.sum_channels([](auto const& at) { return at(0) * at(2); });
    };
    return row.softmax_sum(score, [](auto const& edge) { return edge(2); });
  }
};

/// Scores that sum channels, of values without: the product of value and adjoint is no sum over channels.
struct scored_head_values {
  struct w;
  static constexpr char const* name = "gather<sum>(softmax(dot(dst<q>, src<k>) * 0.5) * edge<w>), w per head";
  static constexpr auto program = gather<sum>(softmax(dot(dst<q>, src<k>) * 0.5) * edge<w>);
  static constexpr operand_kind out_kind = operand_kind::per_head;
  using operands =
      std::tuple<operand<q, rows_of::destination, operand_kind::wide>, operand<k, rows_of::source, operand_kind::wide>,
                 operand<w, rows_of::edge, operand_kind::per_head>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>, whole<2>>, gradient_set<whole<1>>>;
  static auto reference(auto const& row) {
    return row.softmax_sum(half_dot, [](auto const& edge) { return edge(2); });
  }
};
struct scored_row_values : scored_head_values {
  static constexpr char const* name = "gather<sum>(softmax(dot(dst<q>, src<k>) * 0.5) * edge<w>), w per row";
  using operands =
      std::tuple<operand<q, rows_of::destination, operand_kind::wide>, operand<k, rows_of::source, operand_kind::wide>,
                 operand<w, rows_of::edge, operand_kind::per_row>>;
};

/// Operands that decide on which side of the kink a score lies are multiples of 1/16.
struct gat {
  static constexpr bool has_wide_offsets = true;
  static constexpr char const* name = "gather<sum>(softmax(leaky_relu(src<el> + dst<er>, 0.2)) * src<h>)";
  static constexpr auto program = gather<sum>(softmax(leaky_relu(src<el> + dst<er>, 0.2)) * src<h>);
  static constexpr draw values = draw::grid;
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands = std::tuple<operand<el, rows_of::source, operand_kind::per_head>,
                              operand<er, rows_of::destination, operand_kind::per_head>,
                              operand<h, rows_of::source, operand_kind::wide>>;
  using gradients =
      std::tuple<gradient_set<whole<0>, whole<1>, whole<2>>, gradient_set<whole<1>>, gradient_set<whole<0>, whole<2>>>;
  static auto reference(auto const& row) {
    auto const score = [](auto const& edge) { return leaky_relu(edge(0) + edge(1), 0.2); };
    return row.softmax_sum(score, [](auto const& edge) { return edge(2); });
  }
};

struct gatv2 {
  static constexpr char const* name = "gather<sum>(softmax(dot(param<a>, leaky_relu(dst<l> + src<r>, 0.2))) * src<r>)";
  static constexpr auto program = gather<sum>(softmax(dot(param<a>, leaky_relu(dst<l> + src<r>, 0.2))) * src<r>);
  static constexpr draw values = draw::grid;
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands =
      std::tuple<operand<a, rows_of::parameter, operand_kind::wide>,
                 operand<l, rows_of::destination, operand_kind::wide>, operand<r, rows_of::source, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>, whole<2>>, gradient_set<whole<0>>,
                               gradient_set<whole<0>, whole<2>>, gradient_set<added<0>, whole<1>>>;
  static auto reference(auto const& row) {
    auto const score = [](auto const& edge) {
      return edge.sum_channels([](auto const& at) { return at(0) * leaky_relu(at(1) + at(2), 0.2); });
    };
    return row.softmax_sum(score, [](auto const& edge) { return edge(2); });
  }
};

/// The softmax in the middle of a product.
struct edge_scores {
  struct w;
  static constexpr char const* name = "gather<sum>(edge<w> * softmax(edge<s>) * src<h>)";
  static constexpr auto program = gather<sum>(edge<w> * softmax(edge<s>) * src<h>);
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands =
      std::tuple<operand<s, rows_of::edge, operand_kind::per_head>, operand<w, rows_of::edge, operand_kind::per_row>,
                 operand<h, rows_of::source, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>, whole<2>>, gradient_set<whole<0>>>;
  static auto reference(auto const& row) {
    return row.softmax_sum([](auto const& edge) { return edge(0); },
                           [](auto const& edge) { return edge(1) * edge(2); });
  }
};

/// Values of one number per head, in rows that have channels: what a score's adjoint is made of is no sum over
/// channels.
struct head_values {
  struct w;
  static constexpr char const* name = "gather<sum>(softmax(edge<s>) * edge<w>) * dst<h>";
  static constexpr auto program = gather<sum>(softmax(edge<s>) * edge<w>) * dst<h>;
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands =
      std::tuple<operand<s, rows_of::edge, operand_kind::per_head>, operand<w, rows_of::edge, operand_kind::per_head>,
                 operand<h, rows_of::destination, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>, whole<2>>, gradient_set<whole<0>>>;
  static auto reference(auto const& row) {
    return row.softmax_sum([](auto const& edge) { return edge(0); }, [](auto const& edge) { return edge(1); }) * row(2);
  }
};

/// Scores and values of one number per row.
struct row_values {
  struct w;
  static constexpr char const* name = "gather<sum>(softmax(edge<s> - dst<er>) * edge<w>)";
  static constexpr auto program = gather<sum>(softmax(edge<s> - dst<er>) * edge<w>);
  static constexpr operand_kind out_kind = operand_kind::per_row;
  using operands =
      std::tuple<operand<s, rows_of::edge, operand_kind::per_row>, operand<w, rows_of::edge, operand_kind::per_row>,
                 operand<er, rows_of::destination, operand_kind::per_row>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>, whole<2>>, gradient_set<whole<0>>>;
  static auto reference(auto const& row) {
    return row.softmax_sum([](auto const& edge) { return edge(0) - edge(2); },
                           [](auto const& edge) { return edge(1); });
  }
};

/// Values of edges, so that a masked edge's value is nobody else's.
struct edge_values {
  static constexpr bool has_wide_offsets = true;
  static constexpr char const* name = "gather<sum>(softmax(edge<s>) * edge<v>)";
  static constexpr auto program = gather<sum>(softmax(edge<s>) * edge<v>);
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands =
      std::tuple<operand<s, rows_of::edge, operand_kind::per_head>, operand<v, rows_of::edge, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>>>;
  static auto reference(auto const& row) {
    return row.softmax_sum([](auto const& edge) { return edge(0); }, [](auto const& edge) { return edge(1); });
  }
};

}  // namespace edgewise::testing
