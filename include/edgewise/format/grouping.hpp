// The compressed adjacency that `csr` and `csc` share: for every row, the run of its edges.
#pragma once

#include <cstdint>

#include <edgewise/config.hpp>

namespace edgewise {

/// Which endpoint of an edge a format groups by.
enum class endpoint { destination, source };

/// Non-owning compressed rows: row r owns positions [offsets[r], offsets[r + 1]); position k holds the edge between
/// row r and neighbors[k], whose id is edge_ids[k], or k itself when edge_ids is null.
/// Shapes: offsets [num_rows + 1], neighbors [num_edges], edge_ids [num_edges] or null. Never validates.
template <class Index = std::int32_t, class Offset = std::int32_t>
struct grouping_view {
  using index_type = Index;
  using offset_type = Offset;

  Offset const* offsets = nullptr;
  Index const* neighbors = nullptr;
  Offset const* edge_ids = nullptr;
  Index num_rows = 0;
  Index num_neighbors = 0;
  Offset num_edges = 0;

  EDGEWISE_HD Offset edge_id(Offset position) const { return edge_ids ? edge_ids[position] : position; }
};

}  // namespace edgewise
