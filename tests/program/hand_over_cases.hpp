// Programs whose backward traversals hand over what both need, beside the same programs that compute it twice.
#pragma once

#include <edgewise/gather/max.hpp>
#include <edgewise/program/hand_over.hpp>

#include "edge_feature_cases.hpp"
#include "stash_cases.hpp"

namespace edgewise::testing {

/// A case whose traversals hand over, with the first of its sets of gradients, which takes both.
template <class Case, class Handing = hand_over<>>
struct handed : first_set<Case> {
  using handing = Handing;
};

using handed_transformer = handed<transformer>;
using handed_gat = handed<gat>;      // a score without channels
using handed_gatv2 = handed<gatv2>;  // whose derivative reads rows again, and gives a gradient of a parameter
using handed_and_stashed = handed<stashed_twice>;  // with a virtual self edge
using handed_edge_features = handed<attention_of_edge_features, hand_over<automatic>>;

/// Two softmax sums, one of which has a score a row, beside a maximum, which nothing is handed for.
struct two_softmax_sums {
  struct first;
  struct row_score;
  static constexpr char const* name =
      "gather<sum>(softmax(dot(dst<q>, src<k>)) * src<v>) + gather<sum>(softmax(src<row_score> * dst<first>) * src<k>) "
      "+ gather<max>(src<v>)";
  static constexpr auto program = gather<sum>(softmax(dot(dst<q>, src<k>)) * src<v>) +
                                  gather<sum>(softmax(src<row_score> * dst<first>) * src<k>) +
                                  gather<edgewise::max>(src<v>);
  static constexpr operand_kind out_kind = operand_kind::wide;
  static constexpr draw values = draw::grid;
  using operands =
      std::tuple<operand<q, rows_of::destination, operand_kind::wide>, operand<k, rows_of::source, operand_kind::wide>,
                 operand<v, rows_of::source, operand_kind::wide>,
                 operand<row_score, rows_of::source, operand_kind::per_row>,
                 operand<first, rows_of::destination, operand_kind::per_row>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>, whole<2>, whole<3>, whole<4>>>;
  static auto reference(auto const& row) {
    auto const score = [](auto const& edge) { return edge.sum_channels([](auto const& at) { return at(0) * at(1); }); };
    return row.softmax_sum(score, [](auto const& edge) { return edge(2); }) +
           row.softmax_sum([](auto const& edge) { return edge(3) * edge(4); },
                           [](auto const& edge) { return edge(1); }) +
           row.max([](auto const& edge) { return edge(2); });
  }
};
using handed_two_sums = handed<two_softmax_sums>;

using handed_in_float16 = stored_as<handed_edge_features, float16>;

}  // namespace edgewise::testing
