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

/// Rows of more than `bound` edges are handled by `pieces`, all others by one group each.
template <class Index, class Offset>
struct split_rows_view {
  Offset bound = 0;
  row_piece<Index, Offset> const* pieces = nullptr;
  std::int32_t const* num_pieces = nullptr;  ///< in device memory: a schedule may be rebuilt without a synchronisation
  std::int32_t capacity = 0;                 ///< pieces that the launch provides for
};

}  // namespace edgewise
