// GraphSAGE: means of neighbors.
#pragma once

#include <tuple>

#include "models/node_options.hpp"
#include "models/program_model.hpp"
#include "models/square_graph.hpp"

namespace edgewise::models {

/// Two layers, each the mean of a vertex and its neighbors times a matrix (the paper's aggregator "GCN"), with ReLU and
/// dropout between them. The products come first, since they commute with means. The paper's rows of length 1 are left
/// out. Source: Hamilton et al. 2017, arXiv:1706.02216, equation 2.
struct sage_architecture {
  static constexpr char const* name = "sage";
  using options_type = node_options;
  template <class T, class Context>
  using graph_type = square_graph<Context>;

  struct x;   // features [V, F]
  struct W0;  // [F, hidden]
  struct b0;
  struct drop;
  struct W1;  // [hidden, classes]
  struct b1;

  static auto program(node_options const& o) {
    auto const hidden = relu(gather<mean>(with_self(linear<W0>(src<x>))) + param<b0>);
    auto const dropped = edgewise::dropout<drop>(hidden, o.dropout);
    return gather<mean>(with_self(linear<W1>(at_source(dropped)))) + param<b1>;
  }
  static auto operands(node_options const& o) {
    return std::make_tuple(features<x>{o.num_features}, weight<W0>(o.num_features, 1, o.num_hidden),
                           bias<b0>(1, o.num_hidden), drops<drop>{}, weight<W1>(o.num_hidden, 1, o.num_classes),
                           bias<b1>(1, o.num_classes));
  }
  static double input_dropout(node_options const& o) { return o.dropout; }
};

template <class T, class Context>
using sage = program_model<T, Context, sage_architecture>;

}  // namespace edgewise::models
