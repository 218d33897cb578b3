// Principal neighbourhood aggregation.
#pragma once

#include <tuple>

#include "models/node_options.hpp"
#include "models/program_model.hpp"
#include "models/scaled_graph.hpp"

namespace edgewise::models {

/// Two layers, a ReLU and dropout between them. A layer is
///   h'[v] = U (h[v], A, A log(1 + d) / delta, A delta / log(1 + d)) + b,
/// where A is the mean, maximum, minimum and standard deviation of M h[u] over the edges u -> v side by side, d their
/// number and delta the mean log-degree (scaled_graph.hpp). A scale is a number of the vertex, so that it multiplies
/// the product of A instead of A: U is four matrices, of h and of A for each scale, and A is stored once.
/// Source: Corso et al. 2020, arXiv:2004.05718, equations 5 to 8, with messages of the source alone.
struct pna_architecture {
  static constexpr char const* name = "pna";
  using options_type = node_options;
  template <class T, class Context>
  using graph_type = scaled_graph<T, Context>;

  struct x;  // features [V, F]
  template <int>
  struct layer {
    struct M;       // of messages [inputs, hidden]
    struct U;       // of the vertex itself [inputs, outputs]
    struct U_same;  // of the aggregates [4 hidden, outputs], and of them scaled by the two below
    struct U_amplified;
    struct U_attenuated;
    struct b;
  };
  struct drop;
  struct amplification;  // [V]
  struct attenuation;    // [V]

  template <class names, class Source, class Own>
  static auto aggregate(Source const& source, Own const& own) {
    auto const message = linear<typename names::M>(source);
    auto const rows =
        concat(gather<mean>(message), gather<max>(message), gather<min>(message), gather<stddev>(message));
    return linear<typename names::U>(own) + linear<typename names::U_same>(rows) +
           dst<amplification> * linear<typename names::U_amplified>(rows) +
           dst<attenuation> * linear<typename names::U_attenuated>(rows) + param<typename names::b>;
  }
  static auto program(node_options const& o) {
    auto const first = relu(aggregate<layer<0>>(src<x>, dst<x>));
    auto const hidden = named<layer<0>>(edgewise::dropout<drop>(first, o.dropout));
    return aggregate<layer<1>>(at_source(hidden), hidden);
  }
  template <class names>
  static auto operands_of(std::int64_t inputs, std::int64_t hidden, std::int64_t outputs) {
    return std::make_tuple(weight<typename names::M>(inputs, 1, hidden), weight<typename names::U>(inputs, 1, outputs),
                           weight<typename names::U_same>(4 * hidden, 1, outputs),
                           weight<typename names::U_amplified>(4 * hidden, 1, outputs),
                           weight<typename names::U_attenuated>(4 * hidden, 1, outputs),
                           bias<typename names::b>(1, outputs));
  }
  static auto operands(node_options const& o) {
    return std::tuple_cat(
        operands_of<layer<0>>(o.num_features, o.num_hidden, o.num_hidden),
        operands_of<layer<1>>(o.num_hidden, o.num_hidden, o.num_classes),
        std::make_tuple(
            features<x>{o.num_features}, drops<drop>{},
            graph_operand<amplification>([](auto const& g) { return per_row(g.amplification(), g.num_vertices()); }),
            graph_operand<attenuation>([](auto const& g) { return per_row(g.attenuation(), g.num_vertices()); })));
  }
  static double input_dropout(node_options const& o) { return o.dropout; }
};

template <class T, class Context>
using pna = program_model<T, Context, pna_architecture>;

}  // namespace edgewise::models
