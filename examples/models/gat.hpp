// The graph attention network.
#pragma once

#include <tuple>

#include "models/node_options.hpp"
#include "models/program_model.hpp"
#include "models/square_graph.hpp"

namespace edgewise::models {

/// Two layers of attention over a vertex's neighbors and itself, an ELU between them; the heads of the second are
/// averaged. Scores are formed from the projections that messages read anyway, so nothing of the size of the edges or
/// of the scores' halves is stored. Source: Velickovic et al. 2018, arXiv:1710.10903, equations 3 to 6.
struct gat_architecture {
  static constexpr char const* name = "gat";
  using options_type = node_options;
  template <class T, class Context>
  using graph_type = square_graph<Context>;

  struct x;  // features [V, F]
  template <int>
  struct layer {
    struct W;      // [inputs, heads, channels]
    struct left;   // half of the attention vector that meets the source [1, heads, channels]
    struct right;  // the half that meets the destination
    struct b;
    struct drop_weights;
    struct drop;  // of the layer's result
  };

  template <class names, class Source, class Destination>
  static auto attend(Source const& source, Destination const& destination, double attention_dropout) {
    auto const z = linear<typename names::W>(source);
    auto const score =
        dot(z, param<typename names::left>) + dot(linear<typename names::W>(destination), param<typename names::right>);
    auto const weights =
        edgewise::dropout<typename names::drop_weights>(softmax(leaky_relu(score, 0.2)), attention_dropout);
    return gather<sum>(with_self(weights * z));
  }
  static auto program(node_options const& o) {
    auto const first = attend<layer<0>>(src<x>, dst<x>, o.attention_dropout) + param<layer<0>::b>;
    auto const hidden = named<layer<0>>(edgewise::dropout<layer<0>::drop>(elu(first), o.dropout));
    return mean_heads(attend<layer<1>>(at_source(hidden), at_destination(hidden), o.attention_dropout)) +
           param<layer<1>::b>;
  }
  template <class names>
  static auto operands_of(std::int64_t inputs, std::int64_t heads, std::int64_t channels) {
    return std::make_tuple(weight<typename names::W>(inputs, heads, channels),
                           weight<typename names::left>(1, heads, channels),
                           weight<typename names::right>(1, heads, channels), drops<typename names::drop_weights>{});
  }
  static auto operands(node_options const& o) {
    return std::tuple_cat(operands_of<layer<0>>(o.num_features, o.num_heads, o.num_hidden),
                          operands_of<layer<1>>(o.num_heads * o.num_hidden, o.num_output_heads, o.num_classes),
                          std::make_tuple(features<x>{o.num_features}, bias<layer<0>::b>(o.num_heads, o.num_hidden),
                                          drops<layer<0>::drop>{}, bias<layer<1>::b>(o.num_classes)));
  }
  static double input_dropout(node_options const& o) { return o.dropout; }
};

template <class T, class Context>
using gat = program_model<T, Context, gat_architecture>;

}  // namespace edgewise::models
