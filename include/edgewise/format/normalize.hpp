// GCN normalisation: edge weights scaled by the degrees of their endpoints. On the device: format/normalize.cuh.
#pragma once

#include <cmath>
#include <cstddef>
#include <type_traits>

#include <edgewise/config.hpp>
#include <edgewise/core/error.hpp>
#include <edgewise/core/memory.hpp>
#include <edgewise/execute/resources.hpp>
#include <edgewise/format/concept.hpp>
#include <edgewise/format/for_each_edge.hpp>
#include <edgewise/format/graph.hpp>

namespace edgewise {

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

/// The factor of a vertex whose degree this is. Vertices without edges get 0, which no edge reads, not infinity.
EDGEWISE_HD double factor_of_degree(double degree, bool take_root) {
  if (degree <= 0) return 0;
  return take_root ? 1 / ::sqrt(degree) : 1 / degree;
}

inline void require_self_loops_possible(vertex_counts counts, normalize_options options) {
  if (options.self_loop == virtual_self_loop::present && counts.sources != counts.destinations) {
    throw invalid_argument(text("normalize: a virtual self loop needs the same vertices on both sides, the graph has ",
                                counts.sources, " sources and ", counts.destinations, " destinations"));
  }
}

template <class Real>
host_buffer<Real> factors_of_degrees(host_buffer<double> const& degrees, bool scales, normalize_options options,
                                     memory_resource* memory) {
  double const extra = options.self_loop == virtual_self_loop::present ? 1 : 0;
  host_buffer<Real> factors(degrees.size(), memory);
  for (std::size_t v = 0; v < degrees.size(); ++v) {
    factors[v] =
        static_cast<Real>(scales ? factor_of_degree(degrees[v] + extra, options.mode == normalization::both) : 1.0);
  }
  return factors;
}

}  // namespace detail

/// The factors by which GCN normalisation scales the edges of a host graph of any format, for programs that apply them
/// per vertex: nothing of the size of the edges is written. `edge_weights` [E] by edge id, or null for weights 1.
/// Degrees are summed in double; a degree that is not positive gives the factor 0; a side that the mode does not
/// use, 1. Throws `invalid_argument` for a virtual self loop where sources and destinations differ in number.
template <class Real = float, graph_view View>
vertex_factors<Real> normalize_vertices(cpu const& exec, View const& edges, normalize_options options = {},
                                        std::type_identity_t<Real> const* edge_weights = nullptr) {
  using index_type = typename View::index_type;
  using offset_type = typename View::offset_type;
  vertex_counts const counts{.sources = edges.num_sources(), .destinations = edges.num_destinations()};
  detail::require_self_loops_possible(counts, options);
  host_buffer<double> out_degrees(static_cast<std::size_t>(counts.sources), exec.memory);
  host_buffer<double> in_degrees(static_cast<std::size_t>(counts.destinations), exec.memory);
  for (auto& degree : out_degrees) degree = 0;
  for (auto& degree : in_degrees) degree = 0;
  for_each_edge(edges, [&](offset_type position, index_type source, index_type destination) {
    double const weight = edge_weights ? static_cast<double>(edge_weights[edges.edge_id(position)]) : 1.0;
    out_degrees[static_cast<std::size_t>(source)] += weight;
    in_degrees[static_cast<std::size_t>(destination)] += weight;
  });
  return {
      detail::factors_of_degrees<Real>(out_degrees, detail::scales_by_source(options.mode), options, exec.memory),
      detail::factors_of_degrees<Real>(in_degrees, detail::scales_by_destination(options.mode), options, exec.memory)};
}

/// The normalised weight of every edge: out[e] = edge_weights[e] * source[u] * destination[v] for edge e: u -> v, with
/// the factors of `normalize_vertices`. Shape: [E] by edge id. Arguments and errors as there.
template <class Real = float, graph_view View>
host_buffer<Real> normalize_edges(cpu const& exec, View const& edges, normalize_options options = {},
                                  std::type_identity_t<Real> const* edge_weights = nullptr) {
  using index_type = typename View::index_type;
  using offset_type = typename View::offset_type;
  auto const factors = normalize_vertices<Real>(exec, edges, options, edge_weights);
  host_buffer<Real> scaled(static_cast<std::size_t>(edges.num_edges), exec.memory);
  for_each_edge(edges, [&](offset_type position, index_type source, index_type destination) {
    auto const id = static_cast<std::size_t>(edges.edge_id(position));
    Real const weight = edge_weights ? edge_weights[id] : Real(1);
    scaled[id] = weight * (factors.source[static_cast<std::size_t>(source)] *
                           factors.destination[static_cast<std::size_t>(destination)]);
  });
  return scaled;
}

/// The same of a graph, whose formats hold the same edges, and of a container.
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

}  // namespace edgewise
