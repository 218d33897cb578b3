// GATv2: attention whose scores are formed by a nonlinear function of both ends.
#pragma once

#include <tuple>

#include "models/node_options.hpp"
#include "models/program_model.hpp"
#include "models/square_graph.hpp"

namespace edgewise::models {

/// Two layers of heads, the second of `num_classes` channels whose heads are averaged. Source: Brody et al. 2022,
/// arXiv:2105.14491, equation 7, with one matrix for each end; self loops are virtual. Kept for the backward pass: a
/// normalizer for each vertex and head, and the rows between the layers.
struct gatv2_architecture {
  static constexpr char const* name = "gatv2";
  using options_type = node_options;
  template <class T, class Context>
  using graph_type = square_graph<Context>;

  // [begin model]
  struct x;  // features [V, F]
  template <int>
  struct layer {
    struct left;       // matrix of sources [inputs, heads, channels]
    struct right;      // matrix of destinations
    struct attention;  // [1, heads, channels]
    struct bias;
    struct drop_weights;
    struct drop;  // of the layer's result
  };

  template <class names, class Source, class Destination>
  static auto attend(Source const& source, Destination const& destination, double attention_dropout) {
    auto const left = linear<typename names::left>(source);
    auto const score =
        dot(param<typename names::attention>, leaky_relu(left + linear<typename names::right>(destination), 0.2));
    auto const weights = edgewise::dropout<typename names::drop_weights>(softmax(score), attention_dropout);
    return gather<sum>(with_self(weights * left));
  }
  static auto program(node_options const& o) {
    auto const first = attend<layer<0>>(src<x>, dst<x>, o.attention_dropout) + param<layer<0>::bias>;
    auto const hidden = named<layer<0>>(edgewise::dropout<layer<0>::drop>(elu(first), o.dropout));
    return mean_heads(attend<layer<1>>(at_source(hidden), at_destination(hidden), o.attention_dropout)) +
           param<layer<1>::bias>;
  }
  static auto operands(node_options const& o) {
    std::int64_t const hidden = o.num_heads * o.num_hidden;
    using first = layer<0>;
    using second = layer<1>;
    return std::make_tuple(features<x>{o.num_features}, weight<first::left>(o.num_features, o.num_heads, o.num_hidden),
                           weight<first::right>(o.num_features, o.num_heads, o.num_hidden),
                           weight<first::attention>(1, o.num_heads, o.num_hidden),
                           bias<first::bias>(o.num_heads, o.num_hidden), drops<first::drop_weights>{},
                           drops<first::drop>{}, weight<second::left>(hidden, o.num_output_heads, o.num_classes),
                           weight<second::right>(hidden, o.num_output_heads, o.num_classes),
                           weight<second::attention>(1, o.num_output_heads, o.num_classes),
                           bias<second::bias>(o.num_classes), drops<second::drop_weights>{});
  }
  static double input_dropout(node_options const& o) { return o.dropout; }
  // [end model]
};

template <class T, class Context>
using gatv2 = program_model<T, Context, gatv2_architecture>;

}  // namespace edgewise::models
