// The attention-based graph network AGNN: attention by the cosine of two rows.
#pragma once

#include <tuple>

#include "models/node_options.hpp"
#include "models/program_model.hpp"
#include "models/square_graph.hpp"

namespace edgewise::models {

/// h = relu(drop(X) W0 + b0), two propagations, then drop(h) W1 + b1. A propagation is the mean of a vertex and its
/// neighbors weighed by softmax(beta cos(h_u, h_v)), beta = 1 in the first and learned in the second.
/// Source: Thekumparampil et al. 2018, arXiv:1803.03735, equations 5 and 6.
struct agnn_architecture {
  static constexpr char const* name = "agnn";
  using options_type = node_options;
  template <class T, class Context>
  using graph_type = square_graph<Context>;

  struct x;   // features [V, F]
  struct W0;  // [F, hidden]
  struct b0;
  struct beta;  // a number
  struct drop;
  struct W1;  // [hidden, classes]
  struct b1;

  struct inverse_length {
    template <class T>
    EDGEWISE_HD T operator()(T square) const {
      return T(1) / edgewise::sqrt(square + T(1e-12));
    }
  };
  template <class Row>
  static auto direction(Row const& row) {  // of length 1
    return row * apply(inverse_length{}, sum_channels(square(row)));
  }
  static auto program(node_options const& o) {
    auto const embed = [](auto const& row) { return relu(linear<W0>(row) + param<b0>); };
    auto const source = per_vertex(embed(src<x>));
    auto const unit_source = per_vertex(direction(embed(src<x>)));
    auto const unit_destination = per_vertex(direction(embed(dst<x>)));
    auto const first = gather<sum>(with_self(softmax(dot(unit_source, unit_destination)) * source));
    auto const unit = direction(first);
    auto const cosine = dot(at_source(unit), at_destination(unit));
    auto const second = gather<sum>(with_self(softmax(param<beta> * cosine) * at_source(first)));
    return linear<W1>(edgewise::dropout<drop>(second, o.dropout)) + param<b1>;
  }
  static auto operands(node_options const& o) {
    return std::make_tuple(features<x>{o.num_features}, weight<W0>(o.num_features, 1, o.num_hidden),
                           bias<b0>(1, o.num_hidden), number<beta>(1), drops<drop>{},
                           weight<W1>(o.num_hidden, 1, o.num_classes), bias<b1>(1, o.num_classes));
  }
  static double input_dropout(node_options const& o) { return o.dropout; }
};

template <class T, class Context>
using agnn = program_model<T, Context, agnn_architecture>;

}  // namespace edgewise::models
