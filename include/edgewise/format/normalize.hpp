// GCN normalisation: edge weights scaled by the degrees of their endpoints. On the device: format/normalize.cuh.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <type_traits>

#include <edgewise/core/config.hpp>
#include <edgewise/core/error.hpp>
#include <edgewise/core/memory.hpp>
#include <edgewise/core/resources.hpp>
#include <edgewise/format/concept.hpp>
#include <edgewise/format/for_each_edge.hpp>
#include <edgewise/format/graph.hpp>

namespace edgewise::inline v0 {

/// By which degrees an edge u -> v is scaled. d_in(v) is the sum of the weights of v's incoming edges, d_out(u) that of
/// u's outgoing edges (weights 1 where none are given), each plus 1 with a virtual self loop.
enum class normalization {
  none,   ///< 1
  left,   ///< 1 / d_in(v): rows of the adjacency sum to 1, the mean
  right,  ///< 1 / d_out(u): every source hands out 1 in all
  both    ///< 1 / sqrt(d_in(v) d_out(u)): Kipf & Welling 2017, arXiv:1609.02907
};

/// Whether every vertex counts one more edge of weight 1 to itself, which the format need not hold.
enum class virtual_self_loop { absent, present };

/// By which degrees edges are scaled, and whether virtual self loops count in them.
struct normalize_options {
  normalization mode = normalization::both;
  virtual_self_loop self_loop = virtual_self_loop::absent;
};

/// The scale of edge u -> v is source[u] * destination[v]; that of the virtual self loop of v is source[v] *
/// destination[v]. Shapes: source [sources], destination [destinations].
template <class Real, class Space = host_space>
struct vertex_factors {
  buffer<Real, Space> source;
  buffer<Real, Space> destination;
};

namespace detail {

/// Which of the two factors a mode uses.
constexpr bool scales_by_source(normalization mode) {
  return mode == normalization::right || mode == normalization::both;
}
constexpr bool scales_by_destination(normalization mode) {
  return mode == normalization::left || mode == normalization::both;
}

template <class Real>
inline constexpr double largest_real = static_cast<double>(std::numeric_limits<Real>::max());
inline constexpr double smallest_normal_double = std::numeric_limits<double>::min();

/// The factor of a vertex whose degree this is. Vertices without edges get 0, which no edge reads, not infinity. That
/// of a degree so small that its inverse is no Real is the largest one.
template <class Real>
EDGEWISE_HD Real factor_of_degree(double degree, bool take_root) {
  if (degree <= 0) return Real(0);
  double const factor = take_root ? 1 / ::sqrt(degree) : 1 / degree;
  return static_cast<Real>(factor > largest_real<Real> ? largest_real<Real> : factor);
}

/// The weight of an edge between vertices of these degrees. Divided, not multiplied by factors: a weight over a degree
/// that it is a part of is 1 or less, however small both are.
EDGEWISE_HD double scaled_weight(double weight, double out_degree, double in_degree, normalization mode) {
  switch (mode) {
    case normalization::left:
      return in_degree <= 0 ? 0 : weight / in_degree;
    case normalization::right:
      return out_degree <= 0 ? 0 : weight / out_degree;
    case normalization::both: {
      if (in_degree <= 0 || out_degree <= 0) return 0;
      double const first = ::sqrt(out_degree);
      double const second = ::sqrt(in_degree);
      double const root = first * second;  // never infinite, but too small to be exact where both are
      return root < smallest_normal_double ? weight / first / second : weight / root;
    }
    default:
      return weight;
  }
}

inline void require_self_loops_possible(vertex_counts counts, normalize_options options) {
  if (options.self_loop == virtual_self_loop::present && counts.sources != counts.destinations) {
    throw invalid_argument(text("normalize: a virtual self loop needs the same vertices on both sides, the graph has ",
                                counts.sources, " sources and ", counts.destinations, " destinations"));
  }
}

/// The sums of weights that a mode divides by, virtual self loops counted.
struct weighted_degrees {
  host_buffer<double> out;  // [sources]
  host_buffer<double> in;   // [destinations]
};
template <class View, class Real>
weighted_degrees sum_degrees(cpu const& exec, View const& edges, normalize_options options, Real const* edge_weights) {
  using index_type = typename View::index_type;
  using offset_type = typename View::offset_type;
  vertex_counts const counts{.sources = edges.num_sources(), .destinations = edges.num_destinations()};
  require_self_loops_possible(counts, options);
  weighted_degrees sums{host_buffer<double>(static_cast<std::size_t>(counts.sources), exec.memory),
                        host_buffer<double>(static_cast<std::size_t>(counts.destinations), exec.memory)};
  for (auto& degree : sums.out) degree = 0;
  for (auto& degree : sums.in) degree = 0;
  for_each_edge(edges, [&](offset_type position, index_type source, index_type destination) {
    double const weight = edge_weights ? static_cast<double>(edge_weights[edges.edge_id(position)]) : 1.0;
    sums.out[static_cast<std::size_t>(source)] += weight;
    sums.in[static_cast<std::size_t>(destination)] += weight;
  });
  if (options.self_loop == virtual_self_loop::present) {
    for (auto& degree : sums.out) degree += 1;
    for (auto& degree : sums.in) degree += 1;
  }
  return sums;
}

template <class Real>
host_buffer<Real> factors_of_degrees(host_buffer<double> const& degrees, bool scales, normalize_options options,
                                     memory_resource* memory) {
  host_buffer<Real> factors(degrees.size(), memory);
  for (std::size_t v = 0; v < degrees.size(); ++v) {
    factors[v] = scales ? factor_of_degree<Real>(degrees[v], options.mode == normalization::both) : Real(1);
  }
  return factors;
}

}  // namespace detail

/// The factors by which GCN normalisation scales the edges of a host graph of any format, for programs that apply them
/// per vertex: nothing of the size of the edges is written. `edge_weights` [E] by edge id, or null for weights 1.
/// Degrees are summed in double; a degree that is not positive gives the factor 0, one whose factor is no Real (1 / d
/// of a denormal) the largest Real; a side that the mode does not use, 1. Throws `invalid_argument` for a virtual self
/// loop where sources and destinations differ in number.
template <class Real = float, graph_view View>
vertex_factors<Real> normalize_vertices(cpu const& exec, View const& edges, normalize_options options = {},
                                        std::type_identity_t<Real> const* edge_weights = nullptr) {
  auto const degrees = detail::sum_degrees(exec, edges, options, edge_weights);
  return {
      detail::factors_of_degrees<Real>(degrees.out, detail::scales_by_source(options.mode), options, exec.memory),
      detail::factors_of_degrees<Real>(degrees.in, detail::scales_by_destination(options.mode), options, exec.memory)};
}

/// The normalised weight of every edge, edge_weights[e] over the degrees that the mode divides by, computed in double
/// and rounded once: right wherever it is a Real, also where the factors of `normalize_vertices` are not (degrees that
/// are denormal). 0 where such a degree is not positive. Shape: [E] by edge id. Arguments and errors are those of
/// `normalize_vertices`.
template <class Real = float, graph_view View>
host_buffer<Real> normalize_edges(cpu const& exec, View const& edges, normalize_options options = {},
                                  std::type_identity_t<Real> const* edge_weights = nullptr) {
  using index_type = typename View::index_type;
  using offset_type = typename View::offset_type;
  auto const degrees = detail::sum_degrees(exec, edges, options, edge_weights);
  host_buffer<Real> scaled(static_cast<std::size_t>(edges.num_edges), exec.memory);
  for_each_edge(edges, [&](offset_type position, index_type source, index_type destination) {
    auto const id = static_cast<std::size_t>(edges.edge_id(position));
    double const weight = edge_weights ? static_cast<double>(edge_weights[id]) : 1.0;
    scaled[id] =
        static_cast<Real>(detail::scaled_weight(weight, degrees.out[static_cast<std::size_t>(source)],
                                                degrees.in[static_cast<std::size_t>(destination)], options.mode));
  });
  return scaled;
}

/// Both functions for a graph, whose formats hold the same edges, and for a container.
template <class Real = float, class... Formats>
vertex_factors<Real> normalize_vertices(cpu const& exec, graph<Formats...> const& g, normalize_options options = {},
                                        std::type_identity_t<Real> const* edge_weights = nullptr) {
  return normalize_vertices<Real>(exec, g.first, options, edge_weights);
}
template <class Real = float, class... Formats>
host_buffer<Real> normalize_edges(cpu const& exec, graph<Formats...> const& g, normalize_options options = {},
                                  std::type_identity_t<Real> const* edge_weights = nullptr) {
  return normalize_edges<Real>(exec, g.first, options, edge_weights);
}
template <class Real = float, graph_container Container>
vertex_factors<Real> normalize_vertices(cpu const& exec, Container const& edges, normalize_options options = {},
                                        std::type_identity_t<Real> const* edge_weights = nullptr) {
  detail::require_same_space<cpu, Container>();
  return normalize_vertices<Real>(exec, edges.view(), options, edge_weights);
}
template <class Real = float, graph_container Container>
host_buffer<Real> normalize_edges(cpu const& exec, Container const& edges, normalize_options options = {},
                                  std::type_identity_t<Real> const* edge_weights = nullptr) {
  detail::require_same_space<cpu, Container>();
  return normalize_edges<Real>(exec, edges.view(), options, edge_weights);
}

}  // namespace edgewise::inline v0
