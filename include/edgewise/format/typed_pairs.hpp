// The pairs of type and vertex that edges have: what a transformation by type computes once, not once per edge.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>

#include <edgewise/core/memory.hpp>
#include <edgewise/core/resources.hpp>
#include <edgewise/core/row_types.hpp>
#include <edgewise/format/coo.hpp>
#include <edgewise/format/typed_edges.hpp>

namespace edgewise::inline v0 {

/// The distinct pairs of an edge's type and its vertex at one end, numbered by type, then by vertex. Pairs of type t
/// are [offsets[t], offsets[t + 1]), so that rows of pairs are one block for each type (Hector, ASPLOS 2024: compact
/// materialisation).
///
/// Pairs take the place of vertices at their end. By source, `edges` go from pairs to destinations: rows that are
/// transformed by type are computed for each pair and gathered, as `src<x>` of a graph of these edges. By destination,
/// they go from sources to pairs, and `members` from pairs to their vertices: a gather over `edges` has a value for
/// each type and destination, which is transformed, and a second one over `members` gathers those (a gather over the
/// types of a row). Edge ids of `edges` are those of the graph, ids of `members` are numbers of pairs.
template <class Index = std::int32_t, class Offset = std::int32_t, class Space = host_space>
struct typed_pairs {
  using index_type = Index;
  using offset_type = Offset;
  using space = Space;

  buffer<Offset, Space> offsets;  ///< [num_types + 1]
  buffer<Index, Space> vertices;  ///< [num_pairs]
  coo<Index, Offset, Space> edges;
  coo<Index, Offset, Space> members;  ///< by source from vertices to pairs

  std::int64_t num_pairs() const { return static_cast<std::int64_t>(vertices.size()); }
  /// Pairs as rows in blocks of a type, for a matrix bound `by_type`.
  row_types_view<Offset> row_types() const& {
    return {offsets.data(), static_cast<std::int64_t>(offsets.size()) - 1, num_pairs()};
  }
  row_types_view<Offset> row_types() const&& = delete;  // it would dangle
};

/// The pairs that the edges of a host graph have at one end. Takes num_edges log(num_edges) steps.
template <class Index, class Offset>
typed_pairs<Index, Offset> find_typed_pairs(cpu const& exec, typed_edges_view<Index, Offset> const& types,
                                            endpoint end) {
  bool const by_source = end == endpoint::source;
  Index const* const vertex_of = by_source ? types.far_ends : types.neighbors;
  Index const* const other_end = by_source ? types.neighbors : types.far_ends;
  auto const num_edges = static_cast<std::size_t>(types.num_edges);

  host_buffer<Offset> order(num_edges, exec.memory);  // of the positions, by type and vertex
  std::iota(order.begin(), order.end(), Offset{0});
  host_buffer<Offset> offsets(static_cast<std::size_t>(types.num_types()) + 1, exec.memory);
  offsets[0] = 0;
  Offset num_pairs = 0;
  for (Index type = 0; type < types.num_types(); ++type) {
    auto const begin = order.begin() + types.offsets[type];
    auto const last = order.begin() + types.offsets[type + 1];
    std::stable_sort(begin, last, [&](Offset a, Offset b) { return vertex_of[a] < vertex_of[b]; });
    for (auto at = begin; at != last; ++at) num_pairs += at == begin || vertex_of[*at] != vertex_of[*(at - 1)];
    offsets[static_cast<std::size_t>(type) + 1] = num_pairs;
  }

  host_buffer<Index> vertices(static_cast<std::size_t>(num_pairs), exec.memory);
  host_buffer<Index> pairs(num_edges, exec.memory);
  host_buffer<Index> ends(num_edges, exec.memory);
  host_buffer<Offset> ids(num_edges, exec.memory);
  Index pair = -1;
  Index type = 0;
  for (std::size_t k = 0; k < num_edges; ++k) {
    Offset const position = order[k];
    bool is_new = k == 0 || vertex_of[position] != vertex_of[order[k - 1]];
    while (static_cast<Offset>(k) >= types.offsets[type + 1]) {
      ++type;
      is_new = true;
    }
    if (is_new) vertices[static_cast<std::size_t>(++pair)] = vertex_of[position];
    pairs[k] = pair;
    ends[k] = other_end[position];
    ids[k] = types.edge_id(position);
  }

  host_buffer<Index> numbers(static_cast<std::size_t>(num_pairs), exec.memory);
  host_buffer<Index> owners(static_cast<std::size_t>(num_pairs), exec.memory);
  std::iota(numbers.begin(), numbers.end(), Index{0});
  std::copy(vertices.begin(), vertices.end(), owners.begin());
  Index const num_vertices = by_source ? types.num_sources() : types.num_destinations();
  if (by_source) {
    return {.offsets = std::move(offsets),
            .vertices = std::move(vertices),
            .edges = {{.sources = num_pairs, .destinations = types.num_destinations()},
                      std::move(pairs),
                      std::move(ends),
                      std::move(ids)},
            .members = {{.sources = num_vertices, .destinations = num_pairs}, std::move(owners), std::move(numbers)}};
  }
  return {.offsets = std::move(offsets),
          .vertices = std::move(vertices),
          .edges = {{.sources = types.num_sources(), .destinations = num_pairs},
                    std::move(ends),
                    std::move(pairs),
                    std::move(ids)},
          .members = {{.sources = num_pairs, .destinations = num_vertices}, std::move(numbers), std::move(owners)}};
}
template <class Index, class Offset>
typed_pairs<Index, Offset> find_typed_pairs(cpu const& exec, typed_edges<Index, Offset> const& types, endpoint end) {
  return find_typed_pairs(exec, types.view(), end);
}

}  // namespace edgewise::inline v0
