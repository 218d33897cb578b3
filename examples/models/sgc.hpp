// Simple graph convolution: two hops without a nonlinear function between them, then one matrix.
#pragma once

#include <tuple>

#include "models/node_options.hpp"
#include "models/normalized_graph.hpp"
#include "models/program_model.hpp"

namespace edgewise::models {

/// logits = A A X W + b, with A as in gcn.hpp. The product comes first, since its rows are narrower than those of X.
/// Source: Wu et al. 2019, arXiv:1902.07153, equation 8, K = 2.
struct sgc_architecture {
  static constexpr char const* name = "sgc";
  using options_type = node_options;
  template <class T, class Context>
  using graph_type = normalized_graph<T, Context>;

  struct x;  // features [V, F]
  struct W;  // [F, classes]
  struct b;
  struct s;  // 1 / sqrt(1 + out-degree) [V]
  struct d;  // 1 / sqrt(1 + in-degree) [V]

  template <class E>
  static constexpr auto propagate(E const& rows) {
    return gather<sum>(with_self(rows * src<s>)) * dst<d>;
  }
  static auto program(node_options const&) { return propagate(at_source(propagate(linear<W>(src<x>)))) + param<b>; }
  static auto operands(node_options const& o) {
    return std::make_tuple(
        features<x>{o.num_features}, weight<W>(o.num_features, 1, o.num_classes), bias<b>(1, o.num_classes),
        graph_operand<s>([](auto const& g) { return per_row(g.source_factor(), g.num_vertices()); }),
        graph_operand<d>([](auto const& g) { return per_row(g.destination_factor(), g.num_vertices()); }));
  }
  static double input_dropout(node_options const&) { return 0; }
};

template <class T, class Context>
using sgc = program_model<T, Context, sgc_architecture>;

}  // namespace edgewise::models
