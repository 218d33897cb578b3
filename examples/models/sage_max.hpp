// GraphSAGE: maxima over neighbors.
#pragma once

#include <tuple>

#include "models/node_options.hpp"
#include "models/program_model.hpp"
#include "models/square_graph.hpp"

namespace edgewise::models {

/// Two layers h' = [h, max over neighbors of relu(h P + p)] W + b, the matrix W as one for each half, with ReLU and
/// dropout between them. A vertex without neighbors has a maximum of 0. The paper's rows of length 1 are left out.
/// Source: Hamilton et al. 2017, arXiv:1706.02216, equation 3 and algorithm 1.
struct sage_max_architecture {
  static constexpr char const* name = "sage_max";
  using options_type = node_options;
  template <class T, class Context>
  using graph_type = square_graph<Context>;

  struct x;  // features [V, F]
  template <int>
  struct layer {
    struct P;  // [inputs, hidden]
    struct p;
    struct W_own;   // half of W for the vertex itself [inputs, outputs]
    struct W_pool;  // half of W for the maximum [hidden, outputs]
    struct b;
  };
  struct drop;
  struct hidden;  // rows between the layers [V, hidden]

  template <class names, class Own, class Source>
  static auto combine(Own const& own, Source const& source) {
    auto const pool = gather<max>(relu(linear<typename names::P>(source) + param<typename names::p>));
    return linear<typename names::W_own>(own) + linear<typename names::W_pool>(pool) + param<typename names::b>;
  }
  static auto program(node_options const& o) {
    auto const first = relu(combine<layer<0>>(dst<x>, src<x>));
    auto const between = named<hidden>(edgewise::dropout<drop>(first, o.dropout));
    return combine<layer<1>>(between, at_source(between));
  }
  template <class names>
  static auto operands_of(std::int64_t inputs, std::int64_t hidden, std::int64_t outputs) {
    return std::make_tuple(weight<typename names::P>(inputs, 1, hidden), bias<typename names::p>(1, hidden),
                           weight<typename names::W_own>(inputs, 1, outputs),
                           weight<typename names::W_pool>(hidden, 1, outputs), bias<typename names::b>(1, outputs));
  }
  static auto operands(node_options const& o) {
    return std::tuple_cat(operands_of<layer<0>>(o.num_features, o.num_hidden, o.num_hidden),
                          operands_of<layer<1>>(o.num_hidden, o.num_hidden, o.num_classes),
                          std::make_tuple(features<x>{o.num_features}, drops<drop>{}));
  }
  static double input_dropout(node_options const& o) { return o.dropout; }
};

template <class T, class Context>
using sage_max = program_model<T, Context, sage_max_architecture>;

}  // namespace edgewise::models
