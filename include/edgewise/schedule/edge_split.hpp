// The schedule of equal shares: which rows, and which of their edges, a share of places holds.
#pragma once

#include <cstdint>

#include <edgewise/core/config.hpp>
#include <edgewise/mapping/work_split.hpp>
#include <edgewise/schedule/cut_rows.hpp>

namespace edgewise::inline v0::detail {

/// Rows lie one after another on a line: row r has max(1, degree) places from offsets[r] + r on, and one that stays
/// empty where it has edges. Share s holds the places [s * length, (s + 1) * length). Shapes: first_rows [num_shares].
template <class Index>
struct edge_split_view {
  static constexpr bool gives_tasks_in_loops = true;
  Index const* first_rows = nullptr;  ///< the first row with a place in the share, num_rows where there is none
  int shift = 6;                      ///< log2(length)
  std::int64_t num_shares = 0;

  EDGEWISE_HD std::int64_t begin(std::int64_t share) const { return share << shift; }
};

/// log2 of the length of shares that a split asks for.
constexpr int share_shift(edge_split split) {
  int shift = 0;
  while ((std::int64_t{1} << shift) < split.length) ++shift;
  return shift;
}

/// Shares of a grouping of this size.
constexpr std::int64_t count_shares(workload work, int shift) {
  return (work.num_rows + work.num_edges + (std::int64_t{1} << shift) - 1) >> shift;
}

/// The first row that has a place at `place` or behind it; num_rows where there is none. A binary search.
template <class Index, class Offset>
EDGEWISE_HD Index find_row_at(Offset const* offsets, Index num_rows, std::int64_t place) {
  Index low = 0;
  Index high = num_rows;
  while (low < high) {
    Index const middle = low + (high - low) / 2;
    Offset const begin = offsets[middle];
    Offset const end = offsets[middle + 1];
    if (static_cast<std::int64_t>(end > begin ? end - 1 : end) + middle < place) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/// What share `share` holds of the row whose edges are [begin, end); the row has places in the share. Rows in one share
/// have one slot and need none. A row that begins in share a and ends in share b has the slots from 2a on, one per
/// share: at most a + b < 2b, where slots of the next row that is cut may begin.
template <class Index, class Offset>
EDGEWISE_HD row_piece<Index, Offset> take_from_share(Index row, Offset begin, Offset end, std::int64_t share,
                                                     int shift) {
  std::int64_t const first = static_cast<std::int64_t>(begin) + row;
  std::int64_t const last = static_cast<std::int64_t>(end > begin ? end - 1 : end) + row;
  std::int64_t const from = (share << shift) - row;
  std::int64_t const to = ((share + 1) << shift) - row;
  row_piece<Index, Offset> piece;
  piece.begin = static_cast<Offset>(from > begin ? from : std::int64_t{begin});
  piece.end = static_cast<Offset>(to < end ? to : std::int64_t{end});
  piece.row = row;
  piece.first_slot = static_cast<std::int32_t>(2 * (first >> shift));
  piece.num_slots = static_cast<std::int32_t>((last >> shift) - (first >> shift)) + 1;
  piece.slot = piece.first_slot + static_cast<std::int32_t>(share - (first >> shift));
  return piece;
}

}  // namespace edgewise::inline v0::detail
