// Are parts of a graph, put together, the graph?
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "support/catch.hpp"

#include <edgewise/distributed/make_part.hpp>
#include <edgewise/distributed/part_pieces.hpp>

#include "support/test_graph.hpp"

namespace edgewise::testing {

/// The edges of a part as (source, destination, id) of the whole graph, row by row; checks how it is laid out.
template <class Part>
std::vector<std::array<std::int64_t, 3>> edges_of_part(Part const& part, ownership const& owners) {
  std::vector<std::array<std::int64_t, 3>> edges;
  auto const add = [&](auto const& rows, std::int64_t first_row, std::int64_t first_edge, auto const& source_of) {
    for (int v = 0; v < rows.num_rows; ++v) {
      for (int k = rows.offsets[v]; k < rows.offsets[v + 1]; ++k) {
        edges.push_back({source_of(rows.neighbors[k]), part.destinations[static_cast<std::size_t>(first_row + v)],
                         part.edges[static_cast<std::size_t>(first_edge + rows.edge_id(k))]});
      }
    }
  };
  auto const interior = part.interior.view(), boundary = part.boundary.view();
  REQUIRE(interior.num_neighbors == part.num_sources());
  REQUIRE(static_cast<std::size_t>(boundary.num_neighbors) == part.table.size());
  add(interior, 0, 0, [&](int u) { return part.source_ids()[static_cast<std::size_t>(u)]; });
  std::vector<std::vector<std::int64_t>> vertices;
  for (int r = 0; r < owners.num_ranks(); ++r) vertices.push_back(owners.of_sources().vertices_of(r));
  add(boundary, interior.num_rows, interior.num_edges, [&](int row) {
    int r = 0;
    while (part.table_first[static_cast<std::size_t>(r) + 1] <= row) ++r;
    return vertices[static_cast<std::size_t>(r)].at(
        static_cast<std::size_t>(part.table[static_cast<std::size_t>(row)]));
  });
  return edges;
}

/// Divided by edges, a part has the same ones: first those from its own sources, row by row, then the others.
template <class Part>
void check_pieces(Part const& part, ownership const& owners, std::vector<std::array<std::int64_t, 3>> edges) {
  std::vector<std::array<std::int64_t, 3>> found;
  std::vector<std::vector<std::int64_t>> vertices;
  for (int r = 0; r < owners.num_ranks(); ++r) vertices.push_back(owners.of_sources().vertices_of(r));
  auto const first = edgewise::detail::first_without(part.table_first, part.rank);
  auto const own = static_cast<std::size_t>(part.rank);
  std::vector<int> own_rows;
  for (auto k = part.table_first[own]; k < part.table_first[own + 1]; ++k) {
    own_rows.push_back(part.source_at[static_cast<std::size_t>(part.table[static_cast<std::size_t>(k)])]);
  }
  edgewise::detail::part_pieces<cpu, Part> pieces;
  edgewise::detail::divide_edges(cpu{}, part, copy_of(std::span<int const>(own_rows)), pieces);
  for (bool const are_own : {true, false}) {
    auto const& rows = are_own ? pieces.local.rows : pieces.remote.rows;
    REQUIRE(rows.num_rows == part.num_destinations());
    for (int v = 0; v < rows.num_rows; ++v) {
      for (int k = rows.offsets[v]; k < rows.offsets[v + 1]; ++k) {
        auto const u = rows.neighbors[k];
        std::size_t r = 0;
        while (!are_own && first[r + 1] <= u) ++r;
        std::int64_t const row = u + (!are_own && r > own ? part.table_first[own + 1] - part.table_first[own] : 0);
        found.push_back({are_own ? part.source_ids()[static_cast<std::size_t>(u)]
                                 : vertices[r].at(static_cast<std::size_t>(part.table[static_cast<std::size_t>(row)])),
                         part.destinations[static_cast<std::size_t>(v)], part.edges[found.size()]});
      }
    }
    if (are_own) CHECK(found.size() == static_cast<std::size_t>(part.num_own_edges));
  }
  std::sort(found.begin(), found.end());
  std::sort(edges.begin(), edges.end());
  CHECK(found == edges);
}

inline void check_parts(test_graph const& graph, ownership const& owners) {
  std::vector<std::array<std::int64_t, 3>> all;
  std::size_t num_rows = 0, num_sources = 0;
  for (int r = 0; r < owners.num_ranks(); ++r) {
    auto const part = make_part(cpu{}, graph.csr(), owners, r);
    auto const edges = edges_of_part(part, owners);
    check_pieces(part, owners, edges);
    for (auto const v : part.destinations) CHECK(owners.destinations.owner_of(v) == r);
    for (auto const u : part.source_ids()) CHECK(owners.of_sources().owner_of(u) == r);
    for (std::size_t k = 1; k < edges.size(); ++k) {  // edges of a row keep their order
      if (edges[k][1] == edges[k - 1][1]) CHECK(edges[k][2] > edges[k - 1][2]);
    }
    for (std::size_t k = 1; k < part.table.size(); ++k) {
      bool const begins =
          std::count(part.table_first.begin(), part.table_first.end(), static_cast<std::int64_t>(k)) > 0;
      if (!begins) CHECK(part.table[k] > part.table[k - 1]);
    }
    for (std::size_t k = 0; k < part.source_at.size(); ++k) {
      CHECK(owners.of_sources().position_of(part.source_ids()[static_cast<std::size_t>(part.source_at[k])]) ==
            static_cast<std::int64_t>(k));
    }
    num_rows += part.destinations.size();
    num_sources += part.source_ids().size();
    all.insert(all.end(), edges.begin(), edges.end());
  }
  CHECK(num_rows == static_cast<std::size_t>(graph.num_destinations));
  CHECK(num_sources == static_cast<std::size_t>(graph.num_sources));
  std::sort(all.begin(), all.end(), [](auto const& a, auto const& b) { return a[2] < b[2]; });
  REQUIRE(all.size() == static_cast<std::size_t>(graph.num_edges()));
  for (std::size_t k = 0; k < all.size(); ++k) {
    CHECK(all[k] == std::array<std::int64_t, 3>{graph.sources[k], graph.destinations[k], static_cast<std::int64_t>(k)});
  }
}

}  // namespace edgewise::testing
