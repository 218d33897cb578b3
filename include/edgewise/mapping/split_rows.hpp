// The schedule of row mappings: every row is a task of its own, and rows of many edges are cut into pieces.
#pragma once

#include <cstdint>

#include <edgewise/config.hpp>

namespace edgewise {

/// One piece of a cut row. Its partial state goes to `slot`; the piece that arrives last folds the slots
/// [first_slot, first_slot + num_slots) in order, so the result does not depend on who is last.
template <class Index, class Offset>
struct row_piece {
  Offset begin = 0;
  Offset end = 0;
  Index row = 0;
  std::int32_t slot = 0;
  std::int32_t first_slot = 0;
  std::int32_t num_slots = 0;
};

/// Pieces of all rows together at most, when rows of more than `bound` edges are cut: such a row has 2 or more.
constexpr std::int64_t most_pieces(std::int64_t num_edges, std::int64_t bound) {
  return bound < num_edges ? 2 * num_edges / (bound + 1) : 0;
}

/// Rows of more than `bound` edges are handled by `pieces`, all others by one group each.
template <class Index, class Offset>
struct split_rows_view {
  Offset bound = 0;
  row_piece<Index, Offset> const* pieces = nullptr;
  std::int32_t const* num_pieces = nullptr;  ///< in device memory: a schedule may be rebuilt without a synchronisation
  std::int32_t capacity = 0;                 ///< pieces that the launch provides for
  Index const* order = nullptr;              ///< [num_rows] or null: which row comes when
};

}  // namespace edgewise
