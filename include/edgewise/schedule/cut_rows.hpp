// The schedule of row mappings: every row is a task of its own, and rows of many edges are cut into pieces.
#pragma once

#include <cstdint>
#include <type_traits>

#include <edgewise/core/config.hpp>
#include <edgewise/core/error.hpp>

namespace edgewise::inline v0::detail {

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

/// The number of a task, a row or a piece of one, in a grid that has one group or more for each: 32 bits where rows
/// have as many, since a row of a few edges takes the time of its instructions.
template <class Index>
using task_number = std::conditional_t<sizeof(Index) == 4, std::uint32_t, std::int64_t>;
/// How many task numbers fit, with those that a last block has too many.
template <class Index>
inline constexpr std::int64_t most_tasks = sizeof(Index) == 4 ? (std::int64_t{1} << 32) - 1024 : std::int64_t{1} << 62;
/// What starts in some place of an order of tasks: a row, or, from `num_rows` on, a piece; nothing in the last places.
template <class Index>
using task_entry = std::conditional_t<sizeof(Index) == 4, std::uint32_t, std::uint64_t>;
template <class Index>
inline constexpr task_entry<Index> no_task = ~task_entry<Index>{0};
template <class Index>
void check_tasks(std::int64_t tasks) {
  if (tasks > most_tasks<Index>) {
    throw invalid_argument(detail::text("schedule: ", tasks, " rows and pieces of rows; with ", 8 * sizeof(Index),
                                        "-bit ids at most ", most_tasks<Index>));
  }
}

/// Rows of more than `bound` edges are handled by `pieces`, all others by one group each.
template <class Index, class Offset>
struct cut_rows_view {
  static constexpr bool gives_tasks_in_loops = false;  ///< does a group take one task after another?
  Offset bound = 0;
  row_piece<Index, Offset> const* pieces = nullptr;
  std::int32_t const* num_pieces = nullptr;  ///< in device memory: a schedule may be rebuilt without a synchronisation
  std::int32_t capacity = 0;                 ///< pieces that the launch provides for
  Index const* order = nullptr;              ///< [num_rows] or null: which row comes when
  /// [capacity + num_rows] or null: pieces and whole rows in the order in which they start; pieces start first where
  /// there is none.
  task_entry<Index> const* tasks = nullptr;
};

}  // namespace edgewise::inline v0::detail
