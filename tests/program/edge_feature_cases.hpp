// Everything that attention may take from edges, at once: TransformerConv (UniMP) and GATv2 with edge_dim, and more.
#pragma once

#include "dropout_cases.hpp"
#include "plan/program_case.hpp"

namespace edgewise::testing {

struct b;
struct k;
struct q;
struct v;
struct ek;
struct ev;

/// A bias of the score by edge and head, vectors of edges in keys and values, and dropped weights.
struct attention_of_edge_features {
  static constexpr char const* name =
      "gather<sum>(dropout<drop>(softmax(dot(dst<q>, src<k> + edge<ek>) * 0.5 + edge<b>), 0.4) * (src<v> + edge<ev>))";
  static constexpr auto program =
      gather<sum>(dropout<drop>(softmax(dot(dst<q>, src<k> + edge<ek>) * 0.5 + edge<b>), 0.4) * (src<v> + edge<ev>));
  static constexpr random_state random = mask_state;
  static constexpr operand_kind out_kind = operand_kind::wide;
  using masks = std::tuple<mask<drop, 5>>;
  using operands =
      std::tuple<operand<q, rows_of::destination, operand_kind::wide>, operand<k, rows_of::source, operand_kind::wide>,
                 operand<v, rows_of::source, operand_kind::wide>, operand<ek, rows_of::edge, operand_kind::wide>,
                 operand<ev, rows_of::edge, operand_kind::wide>, operand<b, rows_of::edge, operand_kind::per_head>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>, whole<2>, whole<3>, whole<4>, whole<5>>,
                               gradient_set<whole<3>, whole<4>, whole<5>>>;
  static auto reference(auto const& row) {
    auto const score = [](auto const& edge) {
      return edge.sum_channels([](auto const& at) { return at(0) * (at(1) + at(3)); }) * 0.5 + edge(5);
    };
    return row.softmax_sum(score,
                           [](auto const& edge) { return (edge(2) + edge(4)) * edge_mask_of_head(edge, 5, 0.4); });
  }
};

}  // namespace edgewise::testing
