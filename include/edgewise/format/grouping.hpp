// The compressed adjacency that `csr` and `csc` share: for every row, the run of its edges.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include <edgewise/core/config.hpp>
#include <edgewise/core/memory.hpp>
#include <edgewise/format/graph_integers.hpp>
#include <edgewise/format/vertex_counts.hpp>

namespace edgewise::inline v0 {

/// Which endpoint of an edge a format groups by.
enum class endpoint { destination, source };

/// Non-owning compressed rows: row r owns positions [offsets[r], offsets[r + 1]); position k holds the edge between
/// row r and neighbors[k], whose id is edge_ids[k], or k itself when edge_ids is null.
/// Shapes: offsets [num_rows + 1], neighbors [num_edges], edge_ids [num_edges] or null. Never validates.
template <class Index = std::int32_t, class Offset = std::int32_t>
struct grouping_view {
  static_assert(detail::require_graph_integers<Index, Offset>::ok);
  using index_type = Index;
  using offset_type = Offset;

  Offset const* offsets = nullptr;
  Index const* neighbors = nullptr;
  Offset const* edge_ids = nullptr;
  Index num_rows = 0;
  Index num_neighbors = 0;
  Offset num_edges = 0;
  Index const* edge_types = nullptr;  ///< by edge id, [num_edges]; null where edges have no types
  Index const* far_ends = nullptr;    ///< where rows are types: the sources, by position; neighbors are destinations

  EDGEWISE_HD Offset edge_id(Offset position) const { return edge_ids ? edge_ids[position] : position; }
};

namespace detail {

/// What the owning `csr` and `csc` have in common; `View` says which endpoint the rows are.
template <class View, class Space>
class grouping_storage {
public:
  using index_type = typename View::index_type;
  using offset_type = typename View::offset_type;
  using view_type = View;
  using space = Space;

  /// No vertices, no edges, no memory.
  grouping_storage() = default;

  /// Adopts the arrays; `edge_ids` may be empty. Checks sizes (`invalid_argument`), never contents.
  grouping_storage(vertex_counts counts, buffer<offset_type, Space> offsets, buffer<index_type, Space> neighbors,
                   buffer<offset_type, Space> edge_ids = {})
      : num_rows_(checked_count<index_type>(View::name, "num_rows", rows_of(counts))),
        num_neighbors_(checked_count<index_type>(View::name, "num_neighbors", neighbors_of(counts))),
        offsets_(std::move(offsets)),
        neighbors_(std::move(neighbors)),
        edge_ids_(std::move(edge_ids)) {
    checked_count<offset_type>(View::name, "num_edges", static_cast<std::int64_t>(neighbors_.size()));
    require_size(View::name, "offsets", offsets_.size(), "num_rows + 1", static_cast<std::size_t>(num_rows_) + 1);
    if (!edge_ids_.empty()) require_size(View::name, "edge_ids", edge_ids_.size(), "num_edges", neighbors_.size());
  }

  View view() const noexcept {
    return {{offsets_.data(), neighbors_.data(), edge_ids_.data(), num_rows_, num_neighbors_,
             static_cast<offset_type>(neighbors_.size())}};
  }

  index_type num_destinations() const noexcept { return view().num_destinations(); }
  index_type num_sources() const noexcept { return view().num_sources(); }
  offset_type num_edges() const noexcept { return view().num_edges; }
  vertex_counts counts() const noexcept { return {.sources = num_sources(), .destinations = num_destinations()}; }

  buffer<offset_type, Space> const& offsets() const noexcept { return offsets_; }
  buffer<index_type, Space> const& neighbors() const noexcept { return neighbors_; }
  /// Empty when ids are positions.
  buffer<offset_type, Space> const& edge_ids() const noexcept { return edge_ids_; }

  /// Where the arrays came from; null for a container that holds none.
  memory_resource* memory() const noexcept { return offsets_.memory(); }

  /// Bytes of the arrays.
  std::size_t size_bytes() const noexcept {
    return offsets_.size_bytes() + neighbors_.size_bytes() + edge_ids_.size_bytes();
  }

private:
  static std::int64_t rows_of(vertex_counts counts) {
    return View::grouped_by == endpoint::destination ? counts.destinations : counts.sources;
  }
  static std::int64_t neighbors_of(vertex_counts counts) {
    return View::grouped_by == endpoint::destination ? counts.sources : counts.destinations;
  }

  index_type num_rows_ = 0;
  index_type num_neighbors_ = 0;
  buffer<offset_type, Space> offsets_;
  buffer<index_type, Space> neighbors_;
  buffer<offset_type, Space> edge_ids_;
};

}  // namespace detail
}  // namespace edgewise::inline v0
