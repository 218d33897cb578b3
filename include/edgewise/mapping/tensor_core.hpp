// Tiles of a wsb on tensor cores.
#pragma once

#include <cstdint>

#include <edgewise/mapping/automatic.hpp>
#include <edgewise/mapping/work_split.hpp>

namespace edgewise::inline v0 {

/// Tiles of a graph of wsb formats on a GPU's tensor cores (sm_80 on), for programs of one gather<sum> or gather<mean>
/// whose edges compute a number per head, by any expression, functor, softmax or dropout, and multiply a row of the
/// source by it. The row is stored as float16 or bfloat16; products are summed in float, numbers of edges are rounded
/// to that type before they multiply rows. Operands are finite: an infinite element of a column reaches all rows of a
/// window as NaN. No atomics: the same inputs give the same bits. Rows are walked edge by edge, as `automatic` would,
/// where tiles do not serve: heads of more than 128 channels whose channels are summed, gradients of parameters,
/// values of edges that are kept, plans for a capacity, CPUs. Source: "On
/// Efficient Scaling of GNNs via IO-Aware Layers Implementations", section 3.3.
struct tensor_core {
  static constexpr char const* name = "tensor_core";
  /// Tiles of a window that is not cut; 0: as many as leave work for all warps of a GPU.
  std::int64_t max_tiles = 0;

  degree_use uses_degrees() const { return automatic{}.uses_degrees(); }
  tile_split split(degree_histogram const& degrees) const {
    return {automatic{}.split(degrees), longest_piece(degrees.work())};
  }
  constexpr tile_split split(workload work) const { return {automatic{}.split(work), longest_piece(work)}; }

private:
  /// Several pieces for each of the 2112 warps that an H200 holds at a time, since they end at different times; short
  /// ones spend their time on states (docs/tuning.md, R60).
  constexpr std::int64_t longest_piece(workload work) const {
    if (max_tiles > 0) return max_tiles;
    constexpr std::int64_t bytes_a_warp = 256, pieces = 8192, least = 16, most = 256;
    std::int64_t const row_bytes = work.num_neighbors > 0 ? work.neighbor_bytes / work.num_neighbors : 0;
    std::int64_t const warps = row_bytes > bytes_a_warp ? row_bytes / bytes_a_warp : 1;
    std::int64_t const length = work.num_tiles * warps / pieces;
    return length < least ? least : (length < most ? length : most);
  }
};

}  // namespace edgewise::inline v0
