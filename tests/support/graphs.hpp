// The battery: graphs on which kernels go wrong. Every program is run on all of them.
#pragma once

#include <cmath>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "random.hpp"
#include "test_graph.hpp"

namespace edgewise::testing {

namespace detail {

inline void shuffle(edge_list& edges, random_stream& random) {
  for (int k = static_cast<int>(edges.size()); k > 1; --k) std::swap(edges[k - 1], edges[random.below(k)]);
}

}  // namespace detail

/// Nothing at all: no vertices, no edges.
inline test_graph no_vertices() { return make_test_graph("no vertices", 0, 0, {}); }

/// Vertices, of which none has an edge.
inline test_graph no_edges(int num_vertices) {
  return make_test_graph(num_vertices == 1 ? "one vertex" : "no edges", num_vertices, num_vertices, {});
}

/// One vertex that is its own neighbor.
inline test_graph self_loop() { return make_test_graph("self loop", 1, 1, {{0, 0}}); }

/// The same edge several times, self loops among them, ids interleaved.
inline test_graph multi_edges() {
  return make_test_graph(
      "multi-edges", 4, 4,
      {{1, 0}, {0, 1}, {1, 0}, {2, 2}, {1, 0}, {2, 2}, {3, 0}, {0, 1}, {0, 3}, {1, 0}, {2, 2}, {3, 1}});
}

/// Rows with edges between runs of rows without, at the first and the last vertex too.
inline test_graph isolated_vertices() {
  edge_list edges;
  for (int v : {3, 4, 40, 41, 42, 77}) {
    for (int step : {1, 36, 37, 74}) {
      int const u = (v + step) % 80;
      if (u >= 3 && u <= 77) edges.push_back({u, v});
    }
  }
  return make_test_graph("isolated vertices", 81, 81, edges);
}

/// One row of `degree` edges (neighbors repeat) in the middle of small rows.
inline test_graph one_hub(int degree = 5000, int num_vertices = 301) {
  random_stream random("graph: one hub");
  int const hub = num_vertices / 2;
  edge_list edges;
  for (int k = 0; k < degree; ++k) edges.push_back({random.below(num_vertices), hub});
  for (int v = 0; v < num_vertices; ++v) {
    if (v == hub) continue;
    for (int k = 0; k < v % 4; ++k) edges.push_back({random.below(num_vertices), v});
  }
  detail::shuffle(edges, random);
  return make_test_graph("one hub", num_vertices, num_vertices, edges);
}

/// Rows of exactly the degrees where mappings change what they do: around warps, blocks of edges and split bounds.
inline test_graph border_degrees() {
  random_stream random("graph: border degrees");
  std::vector<int> const degrees{63, 1, 64, 65, 0, 127, 128, 129, 2, 255, 256, 257, 31, 32, 33, 15, 16, 17, 7, 8, 9, 0};
  int const num_sources = 90;
  edge_list edges;
  for (int v = 0; v < static_cast<int>(degrees.size()); ++v) {
    for (int k = 0; k < degrees[v]; ++k) edges.push_back({random.below(num_sources), v});
  }
  return make_test_graph("border degrees", num_sources, static_cast<int>(degrees.size()), edges);
}

/// 0 -> 1 -> 2 -> ...: every row has one edge but the first.
inline test_graph chain(int num_vertices = 70) {
  edge_list edges;
  for (int v = 1; v < num_vertices; ++v) edges.push_back({v - 1, v});
  return make_test_graph("chain", num_vertices, num_vertices, edges);
}

/// Each of sources x destinations is an edge with probability `density`; ids follow no grouping.
inline test_graph bipartite(int num_sources, int num_destinations, double density) {
  std::string const name = edgewise::detail::text("bipartite ", num_sources, " x ", num_destinations);
  random_stream random("graph: " + name);
  edge_list edges;
  for (int u = 0; u < num_sources; ++u) {
    for (int v = 0; v < num_destinations; ++v) {
      if (random.uniform() < density) edges.push_back({u, v});
    }
  }
  detail::shuffle(edges, random);
  return make_test_graph(name, num_sources, num_destinations, edges);
}

/// Destinations drawn with a heavy tail, sources uniform; multi-edges and self loops occur.
inline test_graph random_skewed(int num_vertices = 500, int num_edges = 4000) {
  random_stream random("graph: random skewed");
  edge_list edges;
  for (int k = 0; k < num_edges; ++k) {
    int const v = static_cast<int>(num_vertices * std::pow(random.uniform(), 3));
    edges.push_back({random.below(num_vertices), v});
  }
  return make_test_graph("random skewed", num_vertices, num_vertices, edges);
}

/// Every edge has its reverse; no multi-edges, one self loop. Operands by edge id make its weights asymmetric.
inline test_graph symmetric(int num_vertices = 60, int num_pairs = 200) {
  random_stream random("graph: symmetric");
  std::set<std::pair<int, int>> pairs;
  for (int k = 0; k < num_pairs; ++k) {
    int const u = random.below(num_vertices);
    int const v = random.below(num_vertices);
    if (u != v) pairs.insert({std::min(u, v), std::max(u, v)});
  }
  edge_list edges{{7, 7}};
  for (auto const& [u, v] : pairs) {
    edges.push_back({u, v});
    edges.push_back({v, u});
  }
  detail::shuffle(edges, random);
  return make_test_graph("symmetric", num_vertices, num_vertices, edges);
}

/// Directed: for u != v at most one of u -> v and v -> u is an edge, so that mixing up the two directions shows.
inline test_graph directed(int num_vertices = 50, double density = 0.1) {
  random_stream random("graph: directed");
  edge_list edges;
  for (int u = 0; u < num_vertices; ++u) {
    for (int v = 0; v < u; ++v) {
      if (random.uniform() < density) edges.push_back(random.uniform() < 0.5 ? std::pair(u, v) : std::pair(v, u));
    }
  }
  detail::shuffle(edges, random);
  return make_test_graph("directed", num_vertices, num_vertices, edges);
}

/// Every graph of the battery, built once.
inline std::vector<test_graph> const& battery() {
  static std::vector<test_graph> const graphs{no_vertices(),
                                              no_edges(1),
                                              no_edges(9),
                                              self_loop(),
                                              multi_edges(),
                                              isolated_vertices(),
                                              one_hub(),
                                              border_degrees(),
                                              chain(),
                                              bipartite(37, 53, 0.2),
                                              bipartite(1, 200, 0.7),
                                              bipartite(200, 1, 0.7),
                                              random_skewed(),
                                              symmetric(),
                                              directed()};
  return graphs;
}

/// The graphs of the battery with at most `max_edges` edges: for what takes many evaluations.
inline std::vector<test_graph> small_battery(int max_edges = 400) {
  std::vector<test_graph> graphs;
  for (auto const& graph : battery()) {
    if (graph.num_edges() <= max_edges) graphs.push_back(graph);
  }
  return graphs;
}

}  // namespace edgewise::testing
