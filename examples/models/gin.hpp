// The graph isomorphism network, for vertices.
#pragma once

#include <tuple>

#include "models/node_options.hpp"
#include "models/program_model.hpp"
#include "models/square_graph.hpp"

namespace edgewise::models {

/// Two layers h' = relu((1 + eps) h A + (sum of neighbors' h) A + a) B + b with learned eps, which starts as 0; ReLU
/// and dropout between them, and dropout of x. The first layer's product with A comes before the sum, with which it
/// commutes. The paper's batch normalisation is left out: a program has no mean over all vertices. Source: Xu et al.
/// 2019, arXiv:1810.00826, equation 4.1, with perceptrons of two layers.
struct gin_architecture {
  static constexpr char const* name = "gin";
  using options_type = node_options;
  template <class T, class Context>
  using graph_type = square_graph<Context>;

  struct x;  // features [V, F]
  template <int>
  struct layer {
    struct eps;  // a number
    struct A;    // [inputs, hidden]
    struct a;
    struct B;  // [hidden, outputs]
    struct b;
  };
  struct drop;  // of rows between the layers

  /// The sum comes first, so that edges have read `own` before the vertex does (named.hpp).
  template <class names, class Sum, class Own>
  static auto combine(Sum const& sum_of_neighbors, Own const& own) {
    return sum_of_neighbors + (1 + param<typename names::eps>)*own;
  }
  static auto program(node_options const& o) {
    using first = layer<0>;
    using second = layer<1>;
    auto const sums = combine<first>(gather<sum>(linear<first::A>(src<x>)), linear<first::A>(dst<x>));
    auto const inner = named<first>(relu(sums + param<first::a>));
    auto const outer = relu(linear<first::B>(inner) + param<first::b>);
    auto const hidden = named<second>(edgewise::dropout<drop>(outer, o.dropout));
    auto const product = linear<second::A>(combine<second>(gather<sum>(at_source(hidden)), hidden));
    return linear<second::B>(relu(product + param<second::a>)) + param<second::b>;
  }
  template <class names>
  static auto operands_of(std::int64_t inputs, std::int64_t hidden, std::int64_t outputs) {
    return std::make_tuple(number<typename names::eps>(0), weight<typename names::A>(inputs, 1, hidden),
                           bias<typename names::a>(1, hidden), weight<typename names::B>(hidden, 1, outputs),
                           bias<typename names::b>(1, outputs));
  }
  static auto operands(node_options const& o) {
    return std::tuple_cat(operands_of<layer<0>>(o.num_features, o.num_hidden, o.num_hidden),
                          operands_of<layer<1>>(o.num_hidden, o.num_hidden, o.num_classes),
                          std::make_tuple(features<x>{o.num_features}, drops<drop>{}));
  }
  static double input_dropout(node_options const& o) { return o.dropout; }
};

template <class T, class Context>
using gin = program_model<T, Context, gin_architecture>;

}  // namespace edgewise::models
