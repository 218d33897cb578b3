// The mixture model network MoNet: gaussian kernels of pseudo-coordinates.
#pragma once

#include <tuple>

#include "models/node_options.hpp"
#include "models/normalized_graph.hpp"
#include "models/program_model.hpp"

namespace edgewise::models {

/// Two layers h'_v = mean over neighbors u and v itself of the sum over kernels k of w_k(u, v) W_k drop(h_u), + b.
/// w_k = exp(-|(q - mean_k) inverse_width_k|^2 / 2) is a gaussian of q = tanh(d_u p + d_v r + c), two coordinates made
/// of the degree factors of both ends, d = 1 / sqrt(1 + degree). Kernels are heads, `num_heads` of them. Source: Monti
/// et al. 2017, arXiv:1611.08402, equations 9 and 11 and section 5.2, with one inverse width for each kernel and
/// coordinate and no function between the layers, as in DGL's example. The mean is one of the aggregators of DGL's
/// GMMConv; the paper and that example sum, by which rows of many neighbors grow layer by layer.
struct monet_architecture {
  static constexpr char const* name = "monet";
  static constexpr int num_coordinates = 2;
  using options_type = node_options;
  template <class T, class Context>
  using graph_type = normalized_graph<T, Context>;

  struct x;  // features [V, F]
  struct s;  // 1 / sqrt(1 + out-degree) [V]
  struct d;  // 1 / sqrt(1 + in-degree) [V]
  template <int>
  struct layer {
    struct W;  // [inputs, kernels, channels]
    struct p;  // small vectors, of the source's factor
    struct r;  // of the destination's
    struct c;
    struct mean;  // a small vector for each kernel
    struct inverse_width;
    struct b;
  };
  struct drop;

  struct project {
    template <class T>
    EDGEWISE_HD T operator()(T factor_u, T p, T factor_v, T r, T c) const {
      return edgewise::tanh(factor_u * p + factor_v * r + c);
    }
  };
  struct squared_distance {
    template <class T>
    EDGEWISE_HD T operator()(T coordinate, T mean, T inverse_width) const {
      T const scaled = (coordinate - mean) * inverse_width;
      return scaled * scaled;
    }
  };
  template <class names, class Source>
  static auto convolve(Source const& source) {
    auto const coordinate =
        apply(project{}, src<s>, param<typename names::p>, dst<d>, param<typename names::r>, param<typename names::c>);
    auto const distance =
        apply(squared_distance{}, coordinate, param<typename names::mean>, param<typename names::inverse_width>);
    auto const weight = exp(-0.5 * sum_over<num_coordinates>(distance));
    return sum_heads(gather<mean>(with_self(weight * linear<typename names::W>(source)))) + param<typename names::b>;
  }
  static auto program(node_options const& o) {
    return convolve<layer<1>>(at_source(edgewise::dropout<drop>(convolve<layer<0>>(src<x>), o.dropout)));
  }
  template <class names>
  static auto operands_of(std::int64_t inputs, std::int64_t kernels, std::int64_t channels) {
    return std::make_tuple(
        weight<typename names::W>(inputs, kernels, channels), drawn_vector<typename names::p, num_coordinates>(),
        drawn_vector<typename names::r, num_coordinates>(), vector<typename names::c, num_coordinates>(0),
        drawn_vectors<typename names::mean, num_coordinates>(kernels),
        vectors<typename names::inverse_width, num_coordinates>(kernels, 1), bias<typename names::b>(channels));
  }
  static auto operands(node_options const& o) {
    return std::tuple_cat(
        operands_of<layer<0>>(o.num_features, o.num_heads, o.num_hidden),
        operands_of<layer<1>>(o.num_hidden, o.num_heads, o.num_classes),
        std::make_tuple(
            features<x>{o.num_features}, drops<drop>{},
            graph_operand<s>([](auto const& g) { return per_row(g.source_factor(), g.num_vertices()); }),
            graph_operand<d>([](auto const& g) { return per_row(g.destination_factor(), g.num_vertices()); })));
  }
  static double input_dropout(node_options const& o) { return o.dropout; }
};

template <class T, class Context>
using monet = program_model<T, Context, monet_architecture>;

}  // namespace edgewise::models
