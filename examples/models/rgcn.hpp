// The relational graph convolutional network, with basis decomposition.
#pragma once

#include <tuple>

#include "models/node_options.hpp"
#include "models/program_model.hpp"
#include "models/typed_graph.hpp"

namespace edgewise::models {

/// Two layers over a graph with types of edges, a ReLU between them. A layer is
///   h'[v] = sum over edges u -> v of type r, and the self edge of v, of 1 / c[v, r] W_r h[u] + b,
/// where c[v, r] counts the edges of type r into v, and W_r = sum over bases n of a[r, n] V_n. Self edges have a type
/// of their own, which is a combination of the same bases, as in the authors' code. With one basis more than there are
/// types of edges each type has a matrix of its own, which is no decomposition. Vertices without features read the
/// identity, so that the bases of the first layer are learned rows of the vertices. Weight decay is for the first
/// layer, as in the authors' code. Source: Schlichtkrull et al. 2018, arXiv:1703.06103, equations 2 and 3.
struct rgcn_architecture {
  static constexpr char const* name = "rgcn";
  using options_type = node_options;
  template <class T, class Context>
  using graph_type = typed_graph<T, Context>;

  struct x;  // features [V, F]
  struct c;  // 1 / c[v, r] [E]
  template <int>
  struct layer {
    struct V;  // [inputs, bases, channels]
    struct a;  // [relations, bases], and of self edges [1, bases]
    struct b;
  };
  struct drop;

  template <class names, class Rows>
  static auto convolve(Rows const& rows) {
    auto const by_base = gather<sum>(with_self(edge<c> * relation<typename names::a> * rows));
    return sum_heads(by_base) + param<typename names::b>;
  }
  static auto program(node_options const& o) {
    auto const hidden = edgewise::dropout<drop>(relu(convolve<layer<0>>(linear<layer<0>::V>(src<x>))), o.dropout);
    return convolve<layer<1>>(linear<layer<1>::V>(at_source(hidden)));
  }
  static auto operands(node_options const& o) {
    using first = layer<0>;
    using second = layer<1>;
    auto const start = [&](auto const& coefficients, std::int64_t first_type) {
      return o.num_bases == o.num_relations + 1 ? coefficients.fixed_unit(first_type) : coefficients;
    };
    return std::make_tuple(
        features<x>{o.num_features}, weight<first::V>(o.num_features, o.num_bases, o.num_hidden).by_head(),
        start(coefficients<first::a>(o.num_relations, o.num_bases), 0),
        start(coefficients<self<first::a>>(1, o.num_bases), o.num_relations),
        bias<first::b>(o.num_hidden).not_decayed(), drops<drop>{},
        weight<second::V>(o.num_hidden, o.num_bases, o.num_classes).by_head().not_decayed(),
        start(coefficients<second::a>(o.num_relations, o.num_bases).not_decayed(), 0),
        start(coefficients<self<second::a>>(1, o.num_bases).not_decayed(), o.num_relations),
        bias<second::b>(o.num_classes).not_decayed(),
        graph_operand<c>([](auto const& g) { return constant_rows(per_row(g.edge_weight(), g.num_edges())); }),
        graph_operand<self<c>>([](auto const& g) { return per_row(g.self_weight(), g.num_vertices()); }));
  }
  static double input_dropout(node_options const&) { return 0; }
};

template <class T, class Context>
using rgcn = program_model<T, Context, rgcn_architecture>;

}  // namespace edgewise::models
