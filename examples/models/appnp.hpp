// Personalised propagation of neural predictions, approximated by hops: APPNP.
#pragma once

#include <tuple>

#include "models/node_options.hpp"
#include "models/normalized_graph.hpp"
#include "models/program_model.hpp"

namespace edgewise::models {

/// H = drop(relu(drop(X) W0 + b0)) W1 + b1, then `hops` times Z = (1 - teleport) drop(A) Z + teleport H from Z = H,
/// with A as in gcn.hpp. Every hop drops entries of A anew, self loops included. Weight decay is for the first layer,
/// as in the paper. A hop is a unit of the program, so their number is known to the compiler. Source: Gasteiger et al.
/// 2019, arXiv:1810.05997, equation 4.
template <int hops>
struct appnp_architecture_of {
  static constexpr char const* name = "appnp";
  static constexpr int num_hops = hops;
  using options_type = node_options;
  template <class T, class Context>
  using graph_type = normalized_graph<T, Context, true>;

  struct x;   // features [V, F]
  struct W0;  // [F, hidden]
  struct b0;
  struct drop;
  struct hidden;  // drop(relu(drop(X) W0 + b0)) [V, hidden]
  struct W1;      // [hidden, classes]
  struct b1;
  struct prediction;  // H [V, classes]
  struct s;           // 1 / sqrt(1 + out-degree) [V]
  struct d;           // 1 / sqrt(1 + in-degree) [V]
  template <int>
  struct drop_entries;  // of A, in one hop

  /// `count` hops from H on.
  template <int count, class H>
  static auto propagate(H const& h, node_options const& o) {
    if constexpr (count == 0) {
      return h;
    } else {
      auto const factor = edgewise::dropout<drop_entries<count>>(src<s>, o.attention_dropout);
      auto const sum_of_row = gather<sum>(with_self(factor * at_source(propagate<count - 1>(h, o))));
      return (1 - o.teleport) * (sum_of_row * dst<d>)+o.teleport * h;
    }
  }
  static auto program(node_options const& o) {
    auto const rows = named<hidden>(edgewise::dropout<drop>(relu(linear<W0>(dst<x>) + param<b0>), o.dropout));
    return propagate<num_hops>(named<prediction>(linear<W1>(rows) + param<b1>), o);
  }
  template <int... hop>
  static auto masks(std::integer_sequence<int, hop...>) {
    return std::make_tuple(drops<drop_entries<hop + 1>>{}...);
  }
  static auto operands(node_options const& o) {
    return std::tuple_cat(
        std::make_tuple(
            features<x>{o.num_features}, weight<W0>(o.num_features, 1, o.num_hidden), bias<b0>(1, o.num_hidden),
            drops<drop>{}, weight<W1>(o.num_hidden, 1, o.num_classes).not_decayed(),
            bias<b1>(1, o.num_classes).not_decayed(),
            graph_operand<s>([](auto const& g) { return per_row(g.source_factor(), g.num_vertices()); }),
            graph_operand<d>([](auto const& g) { return per_row(g.destination_factor(), g.num_vertices()); })),
        masks(std::make_integer_sequence<int, num_hops>{}));
  }
  static double input_dropout(node_options const& o) { return o.dropout; }
};

/// With the ten hops of the paper.
struct appnp_architecture : appnp_architecture_of<10> {};

template <class T, class Context>
using appnp = program_model<T, Context, appnp_architecture>;

}  // namespace edgewise::models
