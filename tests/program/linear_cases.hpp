// Programs with dense products, as users write layers: each with what it computes, in float64 and plain loops.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <tuple>
#include <vector>

#include <edgewise/expression/activation.hpp>
#include <edgewise/expression/arithmetic.hpp>
#include <edgewise/expression/functions.hpp>
#include <edgewise/expression/gather_node.hpp>
#include <edgewise/expression/linear.hpp>
#include <edgewise/expression/scatter_node.hpp>
#include <edgewise/expression/vertex_value.hpp>
#include <edgewise/gather/max.hpp>
#include <edgewise/gather/sum.hpp>

#include "support/test_graph.hpp"

namespace edgewise::testing {

struct h;
struct g;
struct w;
struct a;
struct b;
struct W;
struct V;

/// Rows of an operand: one for each source, destination, edge, or a number of their own.
enum class linear_rows { sources, destinations, edges, fixed };

/// An operand [rows, heads, channels] of kind Kind.
template <class Name, linear_rows Rows, int Heads, int Channels, operand_kind Kind = operand_kind::wide, int Fixed = 1>
struct linear_operand {
  using name = Name;
  static constexpr operand_kind kind = Kind;
  static constexpr int heads = Heads;
  static constexpr int channels = Channels;
  static int rows(test_graph const& graph) {
    if (Rows == linear_rows::sources) return graph.num_sources;
    if (Rows == linear_rows::destinations) return graph.num_destinations;
    return Rows == linear_rows::edges ? graph.num_edges() : Fixed;
  }
  static std::size_t size(test_graph const& graph) { return static_cast<std::size_t>(rows(graph)) * Heads * Channels; }
};
template <class Name, int Heads, int Channels>
using source_rows = linear_operand<Name, linear_rows::sources, Heads, Channels>;
template <class Name, int Heads, int Channels>
using destination_rows = linear_operand<Name, linear_rows::destinations, Heads, Channels>;
template <class Name, int Inputs, int Heads, int Channels>
using matrix_of = linear_operand<Name, linear_rows::fixed, Heads, Channels, operand_kind::wide, Inputs>;

/// A matrix for each of 5 types of the rows that an operand has; some types have no rows.
template <class Name, int Inputs, int Heads, int Channels, linear_rows Rows>
struct matrices_by_type : linear_operand<Name, linear_rows::fixed, Heads, Channels, operand_kind::wide, 5 * Inputs> {
  static constexpr bool has_types = true;
  static int typed_rows(test_graph const& graph) {
    return Rows == linear_rows::sources ? graph.num_sources : graph.num_destinations;
  }
  static std::vector<int> offsets(test_graph const& graph) {
    int const n = typed_rows(graph);
    return {0, 0, n / 3, n / 3, n - n / 4, n};
  }
  static int type_of(test_graph const& graph, int row) {
    auto const bounds = offsets(graph);
    return static_cast<int>(std::upper_bound(bounds.begin(), bounds.end(), row) - bounds.begin()) - 1;
  }
};

/// A table of rows in float64.
struct table {
  std::size_t width = 0;
  std::vector<double> data = {};
  double const* row(int r) const { return data.data() + static_cast<std::size_t>(r) * width; }
};
inline table zeros(int rows, std::size_t width) {
  return {width, std::vector<double>(static_cast<std::size_t>(rows) * width)};
}
/// x W for every row, W the rows [first, first + x.width) of a matrix.
inline table times(table const& x, std::vector<double> const& matrix, std::size_t outputs, std::size_t first = 0) {
  std::size_t const rows = x.width == 0 ? 0 : x.data.size() / x.width;
  table y = zeros(static_cast<int>(rows), outputs);
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t k = 0; k < x.width; ++k) {
      for (std::size_t c = 0; c < outputs; ++c) {
        y.data[r * outputs + c] += x.data[r * x.width + k] * matrix[(first + k) * outputs + c];
      }
    }
  }
  return y;
}
/// f(out row, edge, source, destination) for every edge.
template <class F>
void for_edges(test_graph const& graph, table& out, F const& f) {
  for (int e = 0; e < graph.num_edges(); ++e) {
    int const v = graph.destinations[static_cast<std::size_t>(e)];
    f(out.data.data() + static_cast<std::size_t>(v) * out.width, e, graph.sources[static_cast<std::size_t>(e)], v);
  }
}
inline table mean_of_sources(test_graph const& graph, table const& x) {
  table mean = zeros(graph.num_destinations, x.width);
  for_edges(graph, mean, [&](double* out, int, int u, int v) {
    for (std::size_t c = 0; c < x.width; ++c) out[c] += x.row(u)[c] / graph.by_destination.degree(v);
  });
  return mean;
}

using linear_inputs = std::vector<std::vector<double>>;

/// Two layers and a bias: transformed before and after the mean; the last unit reads vertices alone.
struct two_layers {
  static constexpr char const* name = "linear<V>(tanh(gather<mean>(linear<W>(src<h>)))) + param<b>";
  static constexpr auto program = linear<V>(tanh(gather<mean>(linear<W>(src<h>)))) + param<b>;
  using operands = std::tuple<source_rows<h, 2, 3>, matrix_of<W, 6, 2, 4>, matrix_of<V, 8, 1, 5>,
                              linear_operand<b, linear_rows::fixed, 1, 5, operand_kind::per_channel>>;
  static constexpr int out_heads = 1;
  static constexpr int out_channels = 5;
  static std::vector<double> reference(test_graph const& graph, linear_inputs const& in) {
    table mean = mean_of_sources(graph, times({6, in[0]}, in[1], 8));
    for (double& x : mean.data) x = std::tanh(x);
    table out = times(mean, in[2], 5);
    for (std::size_t i = 0; i < out.data.size(); ++i) out.data[i] += in[3][i % 5];
    return out.data;
  }
};

/// EdgeConv (Wang et al. 2019) without its activation: one product of one table serves both ends.
struct edge_convolution {
  static constexpr char const* name = "gather<max>(linear<W>(src<h> - dst<h>) + linear<V>(dst<h>))";
  static constexpr bool is_square = true;
  static constexpr int num_units = 3;  // W of h, V of h, the maximum
  static constexpr auto program = gather<edgewise::max>(linear<W>(src<h> - dst<h>) + linear<V>(dst<h>));
  using operands = std::tuple<source_rows<h, 1, 7>, matrix_of<W, 7, 3, 4>, matrix_of<V, 7, 3, 4>>;
  static constexpr int out_heads = 3;
  static constexpr int out_channels = 4;
  static std::vector<double> reference(test_graph const& graph, linear_inputs const& in) {
    table const w = times({7, in[0]}, in[1], 12);
    table const v = times({7, in[0]}, in[2], 12);
    table out = zeros(graph.num_destinations, 12);
    std::vector<bool> any(static_cast<std::size_t>(graph.num_destinations));
    for_edges(graph, out, [&](double* to, int, int s, int d) {
      for (std::size_t c = 0; c < 12; ++c) {
        double const m = w.row(s)[c] - w.row(d)[c] + v.row(d)[c];
        to[c] = any[static_cast<std::size_t>(d)] ? std::max(to[c], m) : m;
      }
      any[static_cast<std::size_t>(d)] = true;
    });
    return out.data;
  }
};

/// Parts of a concatenation lie one after the other in the matrix; one of them is a gather, and the ends differ.
struct concatenated_rows {
  static constexpr char const* name =
      "gather<sum>(edge<w> * sigmoid(linear<W>(concat(dst<g>, -src<h>, over_row<mean>(src<h>)))))";
  static constexpr auto program =
      gather<sum>(edge<w> * sigmoid(linear<W>(concat(dst<g>, -src<h>, over_row<mean>(src<h>)))));
  using operands =
      std::tuple<source_rows<h, 2, 2>, destination_rows<g, 1, 3>,
                 linear_operand<w, linear_rows::edges, 1, 1, operand_kind::per_row>, matrix_of<W, 11, 1, 6>>;
  static constexpr int out_heads = 1;
  static constexpr int out_channels = 6;
  static std::vector<double> reference(test_graph const& graph, linear_inputs const& in) {
    table const x{4, in[0]};
    table const at_destination = times({3, in[1]}, in[3], 6);
    table const at_source = times(x, in[3], 6, 3);
    table const of_row = times(mean_of_sources(graph, x), in[3], 6, 7);
    table out = zeros(graph.num_destinations, 6);
    for_edges(graph, out, [&](double* to, int e, int s, int d) {
      for (std::size_t c = 0; c < 6; ++c) {
        double const m = at_destination.row(d)[c] - at_source.row(s)[c] + of_row.row(d)[c];
        to[c] += in[2][static_cast<std::size_t>(e)] / (1 + std::exp(-m));
      }
    });
    return out.data;
  }
};

/// A whole layer of graph attention (Velickovic et al. 2018): its scores are a number for each vertex and head.
struct attention_layer {
  static constexpr char const* name = "gather<sum>(softmax(leaky_relu(per_vertex(dot(param<a>, z)) + ...)) * z)";
  static constexpr bool is_square = true;
  static constexpr auto z = linear<W>(src<h>);
  static constexpr auto program = gather<sum>(
      softmax(leaky_relu(per_vertex(dot(param<a>, z)) + per_vertex(dot(param<b>, linear<W>(dst<h>))), 0.2)) * z);
  static constexpr int num_units = 3;  // W of h, both scores, the sum
  using operands = std::tuple<source_rows<h, 1, 5>, matrix_of<W, 5, 2, 3>, linear_operand<a, linear_rows::fixed, 2, 3>,
                              linear_operand<b, linear_rows::fixed, 2, 3>>;
  static constexpr int out_heads = 2;
  static constexpr int out_channels = 3;
  static std::vector<double> reference(test_graph const& graph, linear_inputs const& in) {
    table const rows = times({5, in[0]}, in[1], 6);
    auto const score = [&](std::vector<double> const& p, int v, std::size_t head) {
      double sum = 0;
      for (std::size_t c = 0; c < 3; ++c) sum += p[head * 3 + c] * rows.row(v)[head * 3 + c];
      return sum;
    };
    table out = zeros(graph.num_destinations, 6);
    table total = zeros(graph.num_destinations, 2);
    for_edges(graph, out, [&](double* to, int, int s, int d) {
      for (std::size_t head = 0; head < 2; ++head) {
        double const x = score(in[2], s, head) + score(in[3], d, head);
        double const weight = std::exp(x > 0 ? x : 0.2 * x);
        total.data[static_cast<std::size_t>(d) * 2 + head] += weight;
        for (std::size_t c = 0; c < 3; ++c) to[head * 3 + c] += weight * rows.row(s)[head * 3 + c];
      }
    });
    for (std::size_t i = 0; i < out.data.size(); ++i) {
      double const sum = total.data[i / 3];
      out.data[i] = sum > 0 ? out.data[i] / sum : 0;
    }
    return out.data;
  }
};

/// One vector of scores for both ends: one unit, computed once; scores of two vectors beside it join it.
struct tied_scores {
  static constexpr char const* name = "gather<sum>(edge<w> * s(src<h>) * s(dst<h>) * t(dst<h>)), s, t dots";
  static constexpr bool is_square = true;
  static constexpr int num_units = 2;
  static constexpr auto program = gather<sum>(edge<w> * per_vertex(dot(param<a>, src<h>)) *
                                              per_vertex(dot(param<a>, dst<h>)) * per_vertex(dot(param<b>, dst<h>)));
  using operands = std::tuple<source_rows<h, 2, 3>, linear_operand<w, linear_rows::edges, 1, 1, operand_kind::per_row>,
                              linear_operand<a, linear_rows::fixed, 2, 3>, linear_operand<b, linear_rows::fixed, 2, 3>>;
  static constexpr operand_kind out_kind = operand_kind::per_head;
  static constexpr int out_heads = 2;
  static constexpr int out_channels = 1;
  static std::vector<double> reference(test_graph const& graph, linear_inputs const& in) {
    table const x{6, in[0]};
    auto const score = [&](std::vector<double> const& p, int v, std::size_t head) {
      double sum = 0;
      for (std::size_t c = 0; c < 3; ++c) sum += p[head * 3 + c] * x.row(v)[head * 3 + c];
      return sum;
    };
    table out = zeros(graph.num_destinations, 2);
    for_edges(graph, out, [&](double* to, int e, int s, int d) {
      for (std::size_t k = 0; k < 2; ++k) {
        to[k] += in[1][static_cast<std::size_t>(e)] * score(in[2], s, k) * score(in[2], d, k) * score(in[3], d, k);
      }
    });
    return out.data;
  }
};

/// Scores of edges, whose ends have tables and matrices of their own.
struct scored_links {
  static constexpr char const* name = "scatter(dot(linear<W>(src<h>), linear<V>(dst<g>)))";
  static constexpr bool is_of_edges = true;
  static constexpr auto program = scatter(dot(linear<W>(src<h>), linear<V>(dst<g>)));
  using operands =
      std::tuple<source_rows<h, 1, 9>, destination_rows<g, 2, 2>, matrix_of<W, 9, 2, 5>, matrix_of<V, 4, 2, 5>>;
  static constexpr operand_kind out_kind = operand_kind::per_head;
  static constexpr int out_heads = 2;
  static constexpr int out_channels = 1;
  static std::vector<double> reference(test_graph const& graph, linear_inputs const& in) {
    table const x = times({9, in[0]}, in[2], 10);
    table const y = times({4, in[1]}, in[3], 10);
    std::vector<double> out(static_cast<std::size_t>(graph.num_edges()) * 2);
    for (std::size_t e = 0; e < graph.sources.size(); ++e) {
      for (std::size_t k = 0; k < 10; ++k) {
        out[e * 2 + k / 5] += x.row(graph.sources[e])[k] * y.row(graph.destinations[e])[k];
      }
    }
    return out;
  }
};

/// The product is the end of the program; what it multiplies is a sum of gathers and the vertex's own row.
struct aggregated_first {
  static constexpr char const* name = "linear<W>(gather<sum>(edge<w> * src<h>) + dst<g>)";
  static constexpr auto program = linear<W>(gather<sum>(edge<w> * src<h>) + dst<g>);
  using operands =
      std::tuple<source_rows<h, 1, 6>, destination_rows<g, 1, 6>,
                 linear_operand<w, linear_rows::edges, 1, 1, operand_kind::per_row>, matrix_of<W, 6, 1, 33>>;
  static constexpr int out_heads = 1;
  static constexpr int out_channels = 33;
  static std::vector<double> reference(test_graph const& graph, linear_inputs const& in) {
    table const x{6, in[0]};
    table sum{6, in[1]};
    for_edges(graph, sum, [&](double* to, int e, int s, int) {
      for (std::size_t c = 0; c < 6; ++c) to[c] += in[2][static_cast<std::size_t>(e)] * x.row(s)[c];
    });
    return times(sum, in[3], 33).data;
  }
};

template <class Case>
constexpr operand_kind linear_out_kind() {
  if constexpr (requires { Case::out_kind; }) {
    return Case::out_kind;
  } else {
    return operand_kind::wide;
  }
}
template <class Case>
int linear_out_rows(test_graph const& graph) {
  if constexpr (requires { Case::is_of_edges; }) {
    return graph.num_edges();
  } else {
    return graph.num_destinations;
  }
}
template <class Case>
std::size_t linear_out_size(test_graph const& graph) {
  return static_cast<std::size_t>(linear_out_rows<Case>(graph)) * Case::out_heads * Case::out_channels;
}
template <class Case>
constexpr bool needs_square() {
  return requires { Case::is_square; };
}

/// Values, and gradients of all operands for the adjoint that is given.
struct linear_result {
  std::vector<double> out = {};
  linear_inputs gradients = {};
  std::string text = {};  ///< of the plan
};

/// Each source's row times the matrix of the source's type, and a concatenation times that of the destination's.
struct products_by_type {
  static constexpr char const* name = "linear<V>(concat(gather<sum>(edge<w> * linear<W>(src<h>)), dst<g>)), by type";
  static constexpr auto program = linear<V>(concat(gather<sum>(edge<w> * linear<W>(src<h>)), dst<g>));
  using left = matrices_by_type<W, 7, 2, 2, linear_rows::sources>;
  using right = matrices_by_type<V, 7, 1, 5, linear_rows::destinations>;
  using operands = std::tuple<source_rows<h, 1, 7>, destination_rows<g, 1, 3>,
                              linear_operand<w, linear_rows::edges, 1, 1, operand_kind::per_row>, left, right>;
  static constexpr int out_heads = 1;
  static constexpr int out_channels = 5;
  template <class Matrices>
  static void add_row(test_graph const& graph, std::vector<double> const& matrices, int row, int first, double const* x,
                      int count, int outputs, double* to) {
    int const inputs = 7;
    int const type = Matrices::type_of(graph, row);
    for (int k = 0; k < count; ++k) {
      for (int c = 0; c < outputs; ++c) {
        to[c] += x[k] * matrices[static_cast<std::size_t>((type * inputs + first + k) * outputs + c)];
      }
    }
  }
  static std::vector<double> reference(test_graph const& graph, linear_inputs const& in) {
    table const x{7, in[0]};
    table const own{3, in[1]};
    table transformed = zeros(graph.num_sources, 4);
    for (int u = 0; u < graph.num_sources; ++u) {
      add_row<left>(graph, in[3], u, 0, x.row(u), 7, 4, transformed.data.data() + 4 * static_cast<std::size_t>(u));
    }
    table sum = zeros(graph.num_destinations, 4);
    for_edges(graph, sum, [&](double* to, int e, int s, int) {
      for (std::size_t c = 0; c < 4; ++c) to[c] += in[2][static_cast<std::size_t>(e)] * transformed.row(s)[c];
    });
    table out = zeros(graph.num_destinations, 5);
    for (int v = 0; v < graph.num_destinations; ++v) {
      double* const to = out.data.data() + 5 * static_cast<std::size_t>(v);
      add_row<right>(graph, in[4], v, 0, sum.row(v), 4, 5, to);
      add_row<right>(graph, in[4], v, 4, own.row(v), 3, 5, to);
    }
    return out.data;
  }
};

}  // namespace edgewise::testing
