// The graph convolutional network.
#pragma once

#include <tuple>

#include "models/node_options.hpp"
#include "models/normalized_graph.hpp"
#include "models/program_model.hpp"

namespace edgewise::models {

/// logits = A drop(relu(A drop(X) W0 + b0)) W1 + b1, with A the symmetrically normalised adjacency, whose entries are
/// products of a factor of the source and one of the destination, and whose self loops are virtual: nothing of the size
/// of the edges is stored. Weight decay is for the first layer, as in the paper. Source: Kipf and Welling 2017,
/// arXiv:1609.02907, equation 9.
struct gcn_architecture {
  static constexpr char const* name = "gcn";
  using options_type = node_options;
  template <class T, class Context>
  using graph_type = normalized_graph<T, Context>;

  struct x;   // features [V, F]
  struct W0;  // [F, hidden]
  struct b0;
  struct drop;
  struct W1;  // [hidden, classes]
  struct b1;
  struct s;  // 1 / sqrt(1 + out-degree) [V]
  struct d;  // 1 / sqrt(1 + in-degree) [V]

  template <class E>
  static constexpr auto propagate(E const& rows) {
    return gather<sum>(with_self(rows * src<s>)) * dst<d>;
  }
  static auto program(node_options const& o) {
    auto const hidden = relu(propagate(linear<W0>(src<x>)) + param<b0>);
    return propagate(linear<W1>(at_source(edgewise::dropout<drop>(hidden, o.dropout)))) + param<b1>;
  }
  static auto operands(node_options const& o) {
    return std::make_tuple(
        features<x>{o.num_features}, weight<W0>(o.num_features, 1, o.num_hidden), bias<b0>(1, o.num_hidden),
        drops<drop>{}, weight<W1>(o.num_hidden, 1, o.num_classes).not_decayed(),
        bias<b1>(1, o.num_classes).not_decayed(),
        graph_operand<s>([](auto const& g) { return per_row(g.source_factor(), g.num_vertices()); }),
        graph_operand<d>([](auto const& g) { return per_row(g.destination_factor(), g.num_vertices()); }));
  }
  static double input_dropout(node_options const& o) { return o.dropout; }
};

template <class T, class Context>
using gcn = program_model<T, Context, gcn_architecture>;

}  // namespace edgewise::models
