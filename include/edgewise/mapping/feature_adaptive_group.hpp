// As many threads per row as its features fill: the mapping for most graphs.
#pragma once

#include <cstdint>

#include <edgewise/mapping/work_split.hpp>

namespace edgewise::inline v0 {

/// 2^k threads per row, as many as the row's features fill with 16-byte loads; several rows share a warp when features
/// are short, and rows of many edges are cut into pieces. Seastar (EuroSys 2021), section 6.3. `partitions` of the
/// neighbors, one after the other, a `tile` of each row's elements at a time, a `dot_tile` of those that inner
/// products sum, the threads of a `block` and those of a group, when `pieces` start: `row_split`.
struct feature_adaptive_group {
  static constexpr char const* name = "feature_adaptive_group";
  row_order order = row_order::stored;
  std::int64_t partitions = 1;
  std::int64_t tile = row_split{}.tile;
  std::int64_t dot_tile = row_split{}.dot_tile;
  block_size block = block_size::chosen;
  group_threads threads = group_threads::all;
  piece_order pieces = piece_order::ahead;

  constexpr row_split split(workload work) const {
    return {.max_edges = balanced_length(work),
            .order = order,
            .partitions = partitions,
            .tile = tile,
            .dot_tile = dot_tile,
            .block = block,
            .threads = threads,
            .pieces = pieces};
  }
};

}  // namespace edgewise::inline v0
