// Orders of vertices that need nothing but the graph: by degree, and reverse Cuthill-McKee.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include <edgewise/format/reorder.hpp>

namespace edgewise::inline v0 {

/// Vertices by falling degree, in and out together; equal ones as stored. Heavy rows begin first and light ones fill
/// up.
struct by_degree {
  template <class Index>
  std::vector<Index> vertices_in_order(undirected_graph<Index> const& graph) const {
    std::vector<Index> vertices(static_cast<std::size_t>(graph.num_vertices()));
    std::iota(vertices.begin(), vertices.end(), Index(0));
    std::stable_sort(vertices.begin(), vertices.end(),
                     [&](Index a, Index b) { return graph.degree(a) > graph.degree(b); });
    return vertices;
  }
};

/// Breadth first from the end of each component, neighbors by rising degree, in all reversed: neighbors get numbers
/// close together. Source: Cuthill & McKee 1969; reversed: George 1971; where to begin: George & Liu 1979. Time: E log
/// E.
struct reverse_cuthill_mckee {
  template <class Index>
  std::vector<Index> vertices_in_order(undirected_graph<Index> const& graph) const {
    auto const num_vertices = static_cast<std::size_t>(graph.num_vertices());
    std::vector<Index> seeds(num_vertices);
    std::iota(seeds.begin(), seeds.end(), Index(0));
    std::stable_sort(seeds.begin(), seeds.end(), [&](Index a, Index b) { return graph.degree(a) < graph.degree(b); });
    std::vector<Index> order;
    order.reserve(num_vertices);
    std::vector<bool> is_numbered(num_vertices, false);
    search<Index> from(graph);
    for (Index const seed : seeds) {
      if (is_numbered[static_cast<std::size_t>(seed)]) continue;
      Index const end = far_end(graph, from, seed);
      append_component(graph, end, is_numbered, order);
    }
    std::reverse(order.begin(), order.end());
    return order;
  }

private:
  /// Breadth-first levels of the component of a vertex, again and again.
  template <class Index>
  struct search {
    explicit search(undirected_graph<Index> const& g)
        : graph(g), seen_in(static_cast<std::size_t>(g.num_vertices()), 0) {}

    /// Levels beyond `start`; `last` gets those of the last level.
    std::int64_t levels(Index start, std::vector<Index>& last) {
      ++round;
      std::int64_t depth = 0;
      std::vector<Index> level{start}, next;
      seen_in[static_cast<std::size_t>(start)] = round;
      for (;; ++depth) {
        next.clear();
        for (Index const v : level) {
          for (auto k = graph.offsets[static_cast<std::size_t>(v)]; k < graph.offsets[static_cast<std::size_t>(v) + 1];
               ++k) {
            Index const u = graph.neighbors[static_cast<std::size_t>(k)];
            if (seen_in[static_cast<std::size_t>(u)] == round) continue;
            seen_in[static_cast<std::size_t>(u)] = round;
            next.push_back(u);
          }
        }
        if (next.empty()) break;
        level.swap(next);
      }
      last = level;
      return depth;
    }

    undirected_graph<Index> const& graph;
    std::vector<std::int64_t> seen_in;
    std::int64_t round = 0;
  };

  /// A vertex with few neighbors and a long way to the others: at most a few searches, as long as the way grows.
  template <class Index>
  static Index far_end(undirected_graph<Index> const& graph, search<Index>& from, Index seed) {
    std::vector<Index> last;
    std::int64_t depth = from.levels(seed, last);
    for (int tries = 0; tries < 4; ++tries) {
      Index const candidate = *std::min_element(last.begin(), last.end(),
                                                [&](Index a, Index b) { return graph.degree(a) < graph.degree(b); });
      std::int64_t const further = from.levels(candidate, last);
      if (further <= depth) return seed;
      seed = candidate;
      depth = further;
    }
    return seed;
  }

  template <class Index>
  static void append_component(undirected_graph<Index> const& graph, Index start, std::vector<bool>& is_numbered,
                               std::vector<Index>& order) {
    is_numbered[static_cast<std::size_t>(start)] = true;
    order.push_back(start);
    for (std::size_t at = order.size() - 1; at < order.size(); ++at) {
      auto const v = static_cast<std::size_t>(order[at]);
      std::size_t const first = order.size();
      for (auto k = graph.offsets[v]; k < graph.offsets[v + 1]; ++k) {
        Index const u = graph.neighbors[static_cast<std::size_t>(k)];
        if (is_numbered[static_cast<std::size_t>(u)]) continue;
        is_numbered[static_cast<std::size_t>(u)] = true;
        order.push_back(u);
      }
      std::stable_sort(order.begin() + static_cast<std::ptrdiff_t>(first), order.end(),
                       [&](Index a, Index b) { return graph.degree(a) < graph.degree(b); });
    }
  }
};

}  // namespace edgewise::inline v0
