// Coordinate edges: two endpoint arrays in any order.
#pragma once

#include <cstdint>

#include <edgewise/config.hpp>

namespace edgewise {

/// Edges as pairs: position k holds sources[k] -> destinations[k], whose id is edge_ids[k], or k when edge_ids is null.
/// Shapes: all arrays [num_edges]. Non-owning; never validates.
template <class Index = std::int32_t, class Offset = std::int32_t>
struct coo_view {
  using index_type = Index;
  using offset_type = Offset;

  Index const* sources = nullptr;
  Index const* destinations = nullptr;
  Offset const* edge_ids = nullptr;
  Index source_count = 0;
  Index destination_count = 0;
  Offset num_edges = 0;

  EDGEWISE_HD Index num_destinations() const { return destination_count; }
  EDGEWISE_HD Index num_sources() const { return source_count; }
  EDGEWISE_HD Offset edge_id(Offset position) const { return edge_ids ? edge_ids[position] : position; }
};

}  // namespace edgewise
