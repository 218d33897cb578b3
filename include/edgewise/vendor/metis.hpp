// Parts with few edges between them, by METIS: an order of vertices part by part, and owners of a distributed graph.
// Opt-in: needs metis.h and edgewise::metis.
#pragma once

#include <edgewise/distributed/ownership.hpp>
#include <edgewise/format/reorder.hpp>

#if __has_include(<metis.h>)
#include <metis.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>
#endif

namespace edgewise::inline v0 {

/// As an order (`find_order`): vertices part by part, as stored inside a part; parts are of about equal numbers of
/// vertices, 2 at least. As owners (`partition`): a part for each rank, of about equal numbers of rows and edges to
/// destinations together, whatever `parts` is; of a graph with other sources than destinations, both are dealt out.
/// Source: Karypis & Kumar 1998, k-way partitioning with METIS' defaults and a fixed seed. Throws `invalid_argument`
/// where the graph is too large for METIS' integers or METIS refuses it.
struct metis {
  int parts = 64;

  template <class Index>
  std::vector<Index> vertices_in_order([[maybe_unused]] undirected_graph<Index> const& graph) const {
#if __has_include(<metis.h>)
    return vertices_by_part(graph);
#else
    static_assert(
        sizeof(Index) == 0,
        "metis: there is no metis.h; install METIS and link edgewise::metis, or take reverse_cuthill_mckee{}");
    return {};
#endif
  }

  template <graph_view View>
  ownership find_owners([[maybe_unused]] View const& edges, [[maybe_unused]] int num_ranks) const {
#if __has_include(<metis.h>)
    return owners_by_part(edges, num_ranks);
#else
    static_assert(sizeof(View) == 0,
                  "metis: there is no metis.h; install METIS and link edgewise::metis, or take by_edges{}");
    return {};
#endif
  }

#if __has_include(<metis.h>)
private:
  template <class Index>
  std::vector<Index> vertices_by_part(undirected_graph<Index> const& graph) const {
    auto const num_vertices = static_cast<std::size_t>(graph.num_vertices());
    std::vector<Index> vertices(num_vertices);
    auto const part = find_parts(graph, static_cast<idx_t>(parts < 2 ? 2 : parts), {});
    std::vector<std::size_t> next(1, 0);
    for (idx_t p : part) {
      if (next.size() < static_cast<std::size_t>(p) + 2) next.resize(static_cast<std::size_t>(p) + 2, 0);
      ++next[static_cast<std::size_t>(p) + 1];
    }
    for (std::size_t p = 1; p < next.size(); ++p) next[p] += next[p - 1];
    for (std::size_t v = 0; v < num_vertices; ++v) {
      vertices[next[static_cast<std::size_t>(part[v])]++] = static_cast<Index>(v);
    }
    return vertices;
  }

  template <class View>
  static ownership owners_by_part(View const& edges, int num_ranks) {
    using Index = typename View::index_type;
    auto const num_destinations = static_cast<std::size_t>(edges.num_destinations());
    auto const num_sources = static_cast<std::size_t>(edges.num_sources());
    bool const is_shared = num_sources == num_destinations;
    auto const graph = is_shared ? detail::without_directions(edges) : both_sides(edges);
    std::vector<std::int64_t> weights(static_cast<std::size_t>(graph.num_vertices()), 1);
    for_each_edge(edges, [&](auto, Index, Index destination) { ++weights[static_cast<std::size_t>(destination)]; });
    auto const part = find_parts(graph, static_cast<idx_t>(num_ranks), weights);
    std::vector<std::int32_t> const owners(part.begin(), part.end());
    std::span<std::int32_t const> const all(owners);
    auto const of = [&](std::size_t first, std::size_t count) {
      return vertex_owners::of_list(all.subspan(first, count), num_ranks);
    };
    if (is_shared) return {.destinations = of(0, num_destinations)};
    return {of(0, num_destinations), of(num_destinations, num_sources), false};
  }

  /// Destinations and, behind them, sources as the vertices of one graph.
  template <class View>
  static auto both_sides(View const& edges) {
    using Index = typename View::index_type;
    auto const first_source = edges.num_destinations();
    auto const count = detail::checked_count<Index>("metis", "vertices of both sides",
                                                    std::int64_t{edges.num_destinations()} + edges.num_sources());
    std::vector<Index> from, to;
    for_each_edge(edges, [&](auto, Index source, Index destination) {
      from.push_back(static_cast<Index>(first_source + source));
      to.push_back(destination);
    });
    return detail::without_directions(coo_view<Index, std::int64_t>{from.data(), to.data(), nullptr, count, count,
                                                                    static_cast<std::int64_t>(from.size())});
  }

  /// The part of each vertex. Weights: of vertices, [vertices], or empty where they count alike.
  template <class Index>
  static std::vector<idx_t> find_parts(undirected_graph<Index> const& graph, idx_t num_parts,
                                       std::vector<std::int64_t> const& weights) {
    auto const num_vertices = static_cast<std::size_t>(graph.num_vertices());
    std::vector<idx_t> part(num_vertices, 0);
    if (num_vertices == 0) return part;
    std::uint64_t weight = 0;
    for (auto const w : weights) weight += static_cast<std::uint64_t>(w);
    if (std::max(static_cast<std::uint64_t>(graph.offsets.back()), weight) >
        static_cast<std::uint64_t>(std::numeric_limits<idx_t>::max())) {
      throw invalid_argument(
          detail::text("metis: the graph has ", graph.offsets.back() / 2, " edges, more than its integers hold"));
    }
    // no self loops, and edges between the same two vertices as one that weighs as much
    std::vector<idx_t> offsets{0}, neighbors, weights_of_edges;
    std::vector<Index> row;
    for (std::size_t v = 0; v < num_vertices; ++v) {
      row.assign(graph.neighbors.begin() + graph.offsets[v], graph.neighbors.begin() + graph.offsets[v + 1]);
      std::sort(row.begin(), row.end());
      auto const first = static_cast<std::ptrdiff_t>(neighbors.size());
      for (Index const u : row) {
        if (static_cast<std::size_t>(u) == v) continue;
        if (static_cast<std::ptrdiff_t>(neighbors.size()) > first && neighbors.back() == static_cast<idx_t>(u)) {
          ++weights_of_edges.back();
        } else {
          neighbors.push_back(static_cast<idx_t>(u));
          weights_of_edges.push_back(1);
        }
      }
      offsets.push_back(static_cast<idx_t>(neighbors.size()));
    }
    idx_t constraints = 1, cut = 0;
    auto count = static_cast<idx_t>(num_vertices);
    if (num_parts > count) num_parts = count;
    if (num_parts < 2) return part;
    std::vector<idx_t> vertex_weights(weights.begin(), weights.end());
    idx_t options[METIS_NOPTIONS];
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_SEED] = 1;
    int const status =
        METIS_PartGraphKway(&count, &constraints, offsets.data(), neighbors.data(),
                            vertex_weights.empty() ? nullptr : vertex_weights.data(), nullptr, weights_of_edges.data(),
                            &num_parts, nullptr, nullptr, options, &cut, part.data());
    if (status != METIS_OK) throw invalid_argument(detail::text("metis: refused the graph with status ", status));
    return part;
  }
#endif
};

}  // namespace edgewise::inline v0
