// A graph transformer.
#pragma once

#include <cmath>
#include <tuple>

#include "models/node_options.hpp"
#include "models/program_model.hpp"
#include "models/square_graph.hpp"

namespace edgewise::models {

/// Two layers of dot-product attention over a vertex's neighbors, + the vertex itself through a matrix of its own, an
/// ELU between them; the heads of the second are averaged. A bias of the keys would add one number to all scores of a
/// row, which softmax takes out again, and one of the values a constant, which `b` is. Source: Shi et al. 2021,
/// arXiv:2009.03509 (UniMP), equations 3 and 4 without edge features, gates and layer normalisation: each layer is what
/// PyTorch Geometric's TransformerConv is by default.
struct gt_architecture {
  static constexpr char const* name = "gt";
  using options_type = node_options;
  template <class T, class Context>
  using graph_type = square_graph<Context>;

  struct x;  // features [V, F]
  template <int>
  struct layer {
    struct Q;  // matrices of queries, keys, values and the vertex itself [inputs, heads, channels]
    struct K;
    struct V;
    struct S;
    struct q;  // bias of queries
    struct b;
    struct drop_weights;
    struct drop;  // of the layer's result
  };

  template <class names, class Source, class Destination>
  static auto attention(Source const& source, Destination const& destination, std::int64_t channels,
                        double attention_dropout) {
    auto const query = linear<typename names::Q>(destination) + param<typename names::q>;
    auto const score = dot(query, linear<typename names::K>(source)) * (1 / std::sqrt(static_cast<double>(channels)));
    auto const weights = edgewise::dropout<typename names::drop_weights>(softmax(score), attention_dropout);
    return gather<sum>(weights * linear<typename names::V>(source));
  }
  static auto program(node_options const& o) {
    auto const first = attention<layer<0>>(src<x>, dst<x>, o.num_hidden, o.attention_dropout) +
                       linear<layer<0>::S>(dst<x>) + param<layer<0>::b>;
    auto const hidden = named<layer<0>>(edgewise::dropout<layer<0>::drop>(elu(first), o.dropout));
    auto const last =
        attention<layer<1>>(at_source(hidden), at_destination(hidden), o.num_classes, o.attention_dropout);
    return mean_heads(last + linear<layer<1>::S>(hidden)) + param<layer<1>::b>;
  }
  template <class names>
  static auto operands_of(std::int64_t inputs, std::int64_t heads, std::int64_t channels) {
    return std::make_tuple(
        weight<typename names::Q>(inputs, heads, channels), weight<typename names::K>(inputs, heads, channels),
        weight<typename names::V>(inputs, heads, channels), weight<typename names::S>(inputs, heads, channels),
        bias<typename names::q>(heads, channels), drops<typename names::drop_weights>{});
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
using gt = program_model<T, Context, gt_architecture>;

}  // namespace edgewise::models
