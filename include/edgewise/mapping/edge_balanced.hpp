// Equal edges for every group of threads, whatever the rows: for edges that are grouped and for those that are not.
#pragma once

#include <cstdint>

#include <edgewise/core/config.hpp>
#include <edgewise/mapping/work_split.hpp>

namespace edgewise::inline v0 {

/// Over grouped edges every group takes an equal share of rows and edges; what crosses the border of a share is folded
/// in order, so results are bitwise reproducible. Merrill & Garland (SC 2016) balance sparse products so. Memory for
/// partial states: at most half a row of features per row.
///
/// Over graph{coo} every group takes a contiguous share of the edges and scatters what they compute by atomics:
/// fuseGNN's gather-apply-scatter (ICCAD 2020, section 4). No grouping is built, forward or backward. Sums of floats by
/// atomics are not bitwise reproducible on a GPU; convert with to_csr where that matters.
struct edge_balanced {
  static constexpr char const* name = "edge_balanced";

  constexpr edge_split split(workload work) const {
    std::int64_t const places = work.num_rows + work.num_edges;
    std::int64_t const mean = work.num_rows > 0 ? (places + work.num_rows - 1) / work.num_rows : 1;
    return {.length = 4 * mean > 64 ? 4 * mean : 64};
  }
};

namespace detail {

/// A contiguous range of edge positions.
template <class Offset>
struct edge_range {
  Offset begin = 0;
  Offset end = 0;
};

/// Edges of each of `num_shares` equal shares; the last ones may be shorter or empty.
template <class Offset>
EDGEWISE_HD Offset share_length(Offset num_edges, std::int64_t num_shares) {
  return static_cast<Offset>((static_cast<std::int64_t>(num_edges) + num_shares - 1) / num_shares);
}

/// Share number `share` of length `length`.
template <class Offset>
EDGEWISE_HD edge_range<Offset> edge_share(Offset num_edges, Offset length, std::int64_t share) {
  std::int64_t const edges = num_edges;
  std::int64_t const begin = share * static_cast<std::int64_t>(length);
  std::int64_t const end = begin + static_cast<std::int64_t>(length);
  return {static_cast<Offset>(begin < edges ? begin : edges), static_cast<Offset>(end < edges ? end : edges)};
}

}  // namespace detail
}  // namespace edgewise::inline v0
