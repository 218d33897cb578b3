// A graph for tests as plain host arrays; both groupings are built here by pushing edges into lists, not by the
// library.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <edgewise/core/error.hpp>
#include <edgewise/format/coo.hpp>
#include <edgewise/format/csc.hpp>
#include <edgewise/format/csr.hpp>

namespace edgewise::testing {

/// One grouping: row r holds positions [offsets[r], offsets[r + 1]) of neighbors and edge_ids.
template <class Offset = int>
struct adjacency {
  std::vector<Offset> offsets;
  std::vector<int> neighbors;
  std::vector<Offset> edge_ids;

  int num_rows() const { return static_cast<int>(offsets.size()) - 1; }
  int degree(int row) const { return static_cast<int>(offsets[row + 1] - offsets[row]); }

  /// Whether position and id are the same everywhere, so that a view may leave the ids out.
  bool ids_are_positions() const {
    for (std::size_t k = 0; k < edge_ids.size(); ++k) {
      if (edge_ids[k] != static_cast<Offset>(k)) return false;
    }
    return true;
  }

  /// The same arrays with another offset type (64-bit offsets and ids).
  template <class Other>
  adjacency<Other> with_offsets() const {
    return {{offsets.begin(), offsets.end()}, neighbors, {edge_ids.begin(), edge_ids.end()}};
  }
};

/// Edge k, whose id is k, goes sources[k] -> destinations[k]; rows list their edges by ascending id.
struct test_graph {
  std::string name;
  int num_sources = 0;
  int num_destinations = 0;
  std::vector<int> sources = {};
  std::vector<int> destinations = {};
  adjacency<> by_destination = {};
  adjacency<> by_source = {};

  int num_edges() const { return static_cast<int>(sources.size()); }
  bool is_square() const { return num_sources == num_destinations; }

  /// Types of edges, for programs that read them: most edges are of type 0, none of type 3.
  static constexpr int num_types = 7;
  static int type_of(int edge) {
    int const drawn = static_cast<int>(static_cast<unsigned>(edge) * 2654435761u >> 28);  // 0 to 15
    return drawn < 10 ? 0 : drawn - 9 < 3 ? drawn - 9 : drawn - 8 < num_types ? drawn - 8 : 0;
  }

  int max_degree() const {
    int degree = 0;
    for (int v = 0; v < num_destinations; ++v) degree = std::max(degree, by_destination.degree(v));
    return degree;
  }

  /// Views of the arrays of this graph, which must outlive them. Ids are null where they are the positions.
  csr_view<int, int> csr() const { return csr_of(by_destination); }
  csc_view<int, int> csc() const { return csc_of(by_source); }
  coo_view<int, int> coo() const {
    return {sources.data(), destinations.data(), nullptr, num_sources, num_destinations, num_edges()};
  }

  /// The view of another copy of a grouping of this graph: with 64-bit offsets, say.
  template <class Offset>
  csr_view<int, Offset> csr_of(adjacency<Offset> const& rows) const {
    return {{rows.offsets.data(), rows.neighbors.data(), rows.ids_are_positions() ? nullptr : rows.edge_ids.data(),
             num_destinations, num_sources, static_cast<Offset>(num_edges())}};
  }
  template <class Offset>
  csc_view<int, Offset> csc_of(adjacency<Offset> const& rows) const {
    return {{rows.offsets.data(), rows.neighbors.data(), rows.ids_are_positions() ? nullptr : rows.edge_ids.data(),
             num_sources, num_destinations, static_cast<Offset>(num_edges())}};
  }
};

/// An edge as (source, destination).
using edge_list = std::vector<std::pair<int, int>>;

namespace detail {

inline adjacency<> group(int num_rows, std::vector<int> const& rows, std::vector<int> const& neighbors) {
  std::vector<std::vector<int>> ids_of_row(num_rows);
  for (std::size_t k = 0; k < rows.size(); ++k) ids_of_row[rows[k]].push_back(static_cast<int>(k));
  adjacency<> result;
  result.offsets.push_back(0);
  for (auto const& ids : ids_of_row) {
    for (int id : ids) {
      result.neighbors.push_back(neighbors[id]);
      result.edge_ids.push_back(id);
    }
    result.offsets.push_back(static_cast<int>(result.neighbors.size()));
  }
  return result;
}

}  // namespace detail

/// The graph with these edges in this order. Throws `invalid_argument` naming the first edge that is out of range.
inline test_graph make_test_graph(std::string name, int num_sources, int num_destinations, edge_list const& edges) {
  test_graph graph{.name = std::move(name), .num_sources = num_sources, .num_destinations = num_destinations};
  for (std::size_t k = 0; k < edges.size(); ++k) {
    auto const [source, destination] = edges[k];
    if (source < 0 || source >= num_sources || destination < 0 || destination >= num_destinations) {
      throw invalid_argument(edgewise::detail::text("test graph ", graph.name, ": edge ", k, " is ", source, " -> ",
                                                    destination, ", but it has ", num_sources, " sources and ",
                                                    num_destinations, " destinations"));
    }
    graph.sources.push_back(source);
    graph.destinations.push_back(destination);
  }
  graph.by_destination = detail::group(num_destinations, graph.destinations, graph.sources);
  graph.by_source = detail::group(num_sources, graph.sources, graph.destinations);
  return graph;
}

}  // namespace edgewise::testing
