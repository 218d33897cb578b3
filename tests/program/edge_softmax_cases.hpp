// Softmax over the edges of a row as an output of edges.
#pragma once

#include "dropout_cases.hpp"
#include "edge_cases.hpp"

namespace edgewise::testing {

/// Edge softmax as an output: GAT's attention, one weight per head.
struct edge_attention {
  static constexpr bool is_of_edges = true;
  static constexpr char const* name = "scatter(softmax(leaky_relu(src<el> + dst<er>, 0.2)))";
  static constexpr auto program = scatter(softmax(leaky_relu(src<el> + dst<er>, 0.2)));
  static constexpr draw values = draw::grid;
  static constexpr operand_kind out_kind = operand_kind::per_head;
  using operands = std::tuple<operand<el, rows_of::source, operand_kind::per_head>,
                              operand<er, rows_of::destination, operand_kind::per_head>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>>, gradient_set<whole<0>>, gradient_set<added<1>>>;
  static auto reference(auto const& edge) {
    return edge.softmax([](auto const& e) { return leaky_relu(e(0) + e(1), 0.2); });
  }
};

/// Attention weights of a graph transformer: scores sum channels, weights have none.
struct edge_scored_attention {
  static constexpr bool is_of_edges = true;
  static constexpr char const* name = "scatter(softmax(dot(dst<q>, src<k>) * 0.5))";
  static constexpr auto program = scatter(softmax(dot(dst<q>, src<k>) * 0.5));
  static constexpr operand_kind out_kind = operand_kind::per_head;
  using operands =
      std::tuple<operand<q, rows_of::destination, operand_kind::wide>, operand<k, rows_of::source, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>>, gradient_set<whole<1>>>;
  static auto reference(auto const& edge) {
    return edge.softmax(
        [](auto const& e) { return e.sum_channels([](auto const& at) { return at(0) * at(1); }) * 0.5; });
  }
};

/// Softmax of every channel on its own.
struct edge_wide_softmax {
  static constexpr bool is_of_edges = true;
  static constexpr char const* name = "scatter(softmax(edge<w>)), wide";
  static constexpr auto program = scatter(softmax(edge<w>));
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands = std::tuple<operand<w, rows_of::edge, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<0>>>;
  static auto reference(auto const& edge) {
    return edge.softmax([](auto const& e) { return e(0); });
  }
};

/// One score per head, from inner products, weighs a wide value of edge and source.
struct edge_weighted_values {
  static constexpr bool is_of_edges = true;
  static constexpr char const* name = "scatter(edge<w> * softmax(dot(dst<q>, src<k>)) * src<h>)";
  static constexpr auto program = scatter(edge<w> * softmax(dot(dst<q>, src<k>)) * src<h>);
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands =
      std::tuple<operand<w, rows_of::edge, operand_kind::per_row>, operand<q, rows_of::destination, operand_kind::wide>,
                 operand<k, rows_of::source, operand_kind::wide>, operand<h, rows_of::source, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>, whole<2>, whole<3>>, gradient_set<whole<1>>,
                               gradient_set<whole<0>>, gradient_set<added<2>, whole<3>>>;
  static auto reference(auto const& edge) {
    return edge.softmax([](auto const& e) { return e.sum_channels([](auto const& at) { return at(1) * at(2); }); }) *
           edge(0) * edge(3);
  }
};

/// One score per row weighs wide values, and a parameter scales it: its derivative sums over heads and channels.
struct edge_score_of_rows {
  static constexpr bool is_of_edges = true;
  static constexpr char const* name = "scatter(softmax(edge<w> * param<a>) * src<h>), w and a per row";
  static constexpr auto program = scatter(softmax(edge<w> * param<a>) * src<h>);
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands = std::tuple<operand<w, rows_of::edge, operand_kind::per_row>,
                              operand<a, rows_of::parameter, operand_kind::per_row>,
                              operand<h, rows_of::source, operand_kind::wide>>;
  using gradients =
      std::tuple<gradient_set<whole<0>, whole<1>, whole<2>>, gradient_set<whole<0>>, gradient_set<whole<2>>>;
  static auto reference(auto const& edge) {
    return edge.softmax([](auto const& e) { return e(0) * e(1); }) * edge(2);
  }
};

/// Weights dropped per head, of values of edges.
struct edge_dropped_attention {
  static constexpr bool is_of_edges = true;
  static constexpr char const* name = "scatter(dropout<drop>(softmax(src<el> * dst<er>), 0.4) * edge<w>)";
  static constexpr auto program = scatter(dropout<drop>(softmax(src<el> * dst<er>), 0.4) * edge<w>);
  static constexpr random_state random = mask_state;
  static constexpr operand_kind out_kind = operand_kind::wide;
  using masks = std::tuple<mask<drop, 3>>;
  using operands = std::tuple<operand<el, rows_of::source, operand_kind::per_head>,
                              operand<er, rows_of::destination, operand_kind::per_head>,
                              operand<w, rows_of::edge, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>, whole<2>>, gradient_set<whole<2>>>;
  static auto reference(auto const& edge) {
    return edge.softmax([](auto const& e) { return e(0) * e(1); }) * edge_mask_of_head(edge, 3, 0.4) * edge(2);
  }
};

/// Scores that are dropped: the mask counts elements of whole rows, also where only scores are walked.
struct edge_dropped_scores {
  static constexpr bool is_of_edges = true;
  static constexpr char const* name = "scatter(softmax(dropout<drop>(src<el> * dst<er>, 0.4)) * src<h>)";
  static constexpr auto program = scatter(softmax(dropout<drop>(src<el> * dst<er>, 0.4)) * src<h>);
  static constexpr random_state random = mask_state;
  static constexpr operand_kind out_kind = operand_kind::wide;
  using masks = std::tuple<mask<drop, 3>>;
  using operands = std::tuple<operand<el, rows_of::source, operand_kind::per_head>,
                              operand<er, rows_of::destination, operand_kind::per_head>,
                              operand<h, rows_of::source, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>, whole<2>>>;
  static auto reference(auto const& edge) {
    return edge.softmax([](auto const& e) { return e(0) * e(1) * edge_mask_of_head(e, 3, 0.4); }) * edge(2);
  }
};

/// Dropped scores of one number per row, which all tiles of a row hold.
struct edge_dropped_row_scores {
  static constexpr bool is_of_edges = true;
  static constexpr char const* name = "scatter(softmax(dropout<drop>(edge<w>, 0.4)) * src<h>), w per row";
  static constexpr auto program = scatter(softmax(dropout<drop>(edge<w>, 0.4)) * src<h>);
  static constexpr random_state random = mask_state;
  static constexpr operand_kind out_kind = operand_kind::wide;
  using masks = std::tuple<mask<drop, 3>>;
  using operands =
      std::tuple<operand<w, rows_of::edge, operand_kind::per_row>, operand<h, rows_of::source, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>>>;
  static auto reference(auto const& edge) {
    return edge.softmax([](auto const& e) { return e(0) * edge_mask_of_row(e, 3, 0.4); }) * edge(1);
  }
};

/// Scores and values of edges, so that a masked edge's value is nobody else's.
struct edge_masked_values {
  static constexpr bool is_of_edges = true;
  static constexpr char const* name = "scatter(softmax(edge<w>) * edge<h>)";
  static constexpr auto program = scatter(softmax(edge<w>) * edge<h>);
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands =
      std::tuple<operand<w, rows_of::edge, operand_kind::per_head>, operand<h, rows_of::edge, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>>>;
  static auto reference(auto const& edge) {
    auto const weight = edge.softmax([](auto const& e) { return e(0); });
    return weight.value == 0 ? decltype(weight)(0.0) : weight * edge(1);
  }
};

}  // namespace edgewise::testing
