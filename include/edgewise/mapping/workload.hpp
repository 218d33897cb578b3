// What a plan tells a mapping of a grouping: the sizes that the host knows without reading the graph's arrays.
#pragma once

#include <cstdint>

#include <edgewise/core/tiled_storage.hpp>

namespace edgewise::inline v0 {

/// The groups of threads that rows of a plan's width may have on its engine.
struct group_kinds {
  int narrow = 0;  ///< threads of a group where that is one or two (rows of up to 8 elements, in 16 bits 16); else 0
  int half = 0;    ///< threads of the kind of half the threads (`group_threads::half`); 0 where there is none
  int half_of_tile = 0;      ///< the same, of rows in tiles of `least_tile` elements
  bool has_softmax = false;  ///< do groups of half the threads walk a softmax?
};

/// One grouping, the machine, and what the passes over the grouping read and keep.
struct workload {
  std::int64_t num_rows = 0;
  std::int64_t num_edges = 0;
  std::int64_t num_neighbors = 0;
  std::int64_t neighbor_bytes = 0;  ///< bytes that edges read of all neighbors together, a tile at a time; 0: not known
  std::int64_t cache_bytes = 0;     ///< bytes of the cache that all groups share; 0 where rows are not cut
  /// Elements of a neighbor's row that `neighbor_bytes` counts; 0 where rows should not be taken in narrower tiles:
  /// channels are summed.
  std::int64_t tile_elements = 0;
  std::int64_t narrow_tile = 64;  ///< elements of 256 bytes
  /// Elements of a row that inner products sum; 0 where tiles of them do not add up.
  std::int64_t dot_tile_elements = 0;
  bool has_edge_operands = false;  ///< whose gradients, inner products, need rows whole
  bool reads_edges_by_id = false;  ///< are operands of edges read where ids say?
  bool has_channel_sums = false;   ///< in gradients of operands, which takes groups of four threads and more
  group_kinds groups = {};
  /// Bytes of all edges together that are read by edge id in rows shorter than a sector of the cache, and lie in the
  /// order of the neighbors: what a sector holds is of rows far apart. 0 where edges lie in the order of rows, or who
  /// knows how.
  std::int64_t edge_bytes = 0;
  std::int64_t most_slots = 0;  ///< partial states of rows that take the memory of an output
  std::int64_t num_tiles = 0;   ///< of a format that has some (format/wsb.hpp)
  tiled_storage storage_of_tiles = tiled_storage::none;
  std::int64_t head_channels = 0;  ///< of a head, or of the whole row where its heads share what an edge computes
  bool has_products = false;       ///< do edges read inner products of rows?

  constexpr std::int64_t mean_degree() const { return num_rows > 0 ? num_edges / num_rows : 0; }
};

namespace detail {

/// What the passes of a plan read and keep of each grouping of its graph; what the plan itself fills in are the sizes
/// of the groupings and of the cache.
struct workloads {
  workload by_destination;
  workload by_source;
};

}  // namespace detail
}  // namespace edgewise::inline v0
