// What two graphs must agree on, format aside: the multiset of (source, destination, id).
#pragma once

#include <algorithm>
#include <tuple>
#include <vector>

#include <edgewise/format/for_each_edge.hpp>

#include "../support/graphs.hpp"

namespace edgewise::testing {

using edge = std::tuple<std::int64_t, std::int64_t, std::int64_t>;  // source, destination, id

/// All edges by ascending id.
template <class View>
std::vector<edge> edges_by_id(View const& view) {
  std::vector<edge> edges;
  for_each_edge(view, [&](auto position, auto source, auto destination) {
    edges.emplace_back(source, destination, view.edge_id(position));
  });
  std::sort(edges.begin(), edges.end(), [](auto const& a, auto const& b) { return std::get<2>(a) < std::get<2>(b); });
  return edges;
}

/// The edges of a test graph as it lists them, which is by ascending id.
inline std::vector<edge> edges_of(test_graph const& graph) {
  std::vector<edge> edges;
  for (int k = 0; k < graph.num_edges(); ++k) edges.emplace_back(graph.sources[k], graph.destinations[k], k);
  return edges;
}

template <class T>
std::vector<T> values(T const* data, std::int64_t size) {
  return {data, data + size};
}

}  // namespace edgewise::testing
