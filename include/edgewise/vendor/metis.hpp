// An order by METIS: parts with few edges between them, one after the other. Opt-in: needs metis.h and edgewise::metis.
#pragma once

#include <edgewise/format/reorder.hpp>

#if __has_include(<metis.h>)
#include <metis.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>
#endif

namespace edgewise::inline v0 {

/// Vertices part by part, as stored inside a part. Parts are of about equal numbers of vertices, 2 at least. Source:
/// Karypis & Kumar 1998, k-way partitioning with METIS' defaults and a fixed seed. Throws `invalid_argument` where the
/// graph is too large for METIS' integers or METIS refuses it.
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

#if __has_include(<metis.h>)
private:
  template <class Index>
  std::vector<Index> vertices_by_part(undirected_graph<Index> const& graph) const {
    auto const num_vertices = static_cast<std::size_t>(graph.num_vertices());
    std::vector<Index> vertices;
    if (num_vertices == 0) return vertices;
    if (static_cast<std::uint64_t>(graph.offsets.back()) >
        static_cast<std::uint64_t>(std::numeric_limits<idx_t>::max())) {
      throw invalid_argument(
          detail::text("metis: the graph has ", graph.offsets.back() / 2, " edges, more than its integers hold"));
    }
    // no self loops, and edges between the same two vertices as one that weighs as much
    std::vector<idx_t> offsets{0}, neighbors, weights;
    std::vector<Index> row;
    for (std::size_t v = 0; v < num_vertices; ++v) {
      row.assign(graph.neighbors.begin() + graph.offsets[v], graph.neighbors.begin() + graph.offsets[v + 1]);
      std::sort(row.begin(), row.end());
      auto const first = static_cast<std::ptrdiff_t>(neighbors.size());
      for (Index const u : row) {
        if (static_cast<std::size_t>(u) == v) continue;
        if (static_cast<std::ptrdiff_t>(neighbors.size()) > first && neighbors.back() == static_cast<idx_t>(u)) {
          ++weights.back();
        } else {
          neighbors.push_back(static_cast<idx_t>(u));
          weights.push_back(1);
        }
      }
      offsets.push_back(static_cast<idx_t>(neighbors.size()));
    }
    idx_t num_parts = static_cast<idx_t>(parts < 2 ? 2 : parts), constraints = 1, cut = 0;
    auto count = static_cast<idx_t>(num_vertices);
    if (num_parts > count) num_parts = count;
    std::vector<idx_t> part(num_vertices, 0);
    idx_t options[METIS_NOPTIONS];
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_SEED] = 1;
    if (num_parts > 1) {
      int const status = METIS_PartGraphKway(&count, &constraints, offsets.data(), neighbors.data(), nullptr, nullptr,
                                             weights.data(), &num_parts, nullptr, nullptr, options, &cut, part.data());
      if (status != METIS_OK) throw invalid_argument(detail::text("metis: refused the graph with status ", status));
    }
    std::vector<std::size_t> next(static_cast<std::size_t>(num_parts) + 1, 0);
    for (idx_t p : part) ++next[static_cast<std::size_t>(p) + 1];
    for (std::size_t p = 1; p < next.size(); ++p) next[p] += next[p - 1];
    vertices.resize(num_vertices);
    for (std::size_t v = 0; v < num_vertices; ++v) {
      vertices[next[static_cast<std::size_t>(part[v])]++] = static_cast<Index>(v);
    }
    return vertices;
  }
#endif
};

}  // namespace edgewise::inline v0
