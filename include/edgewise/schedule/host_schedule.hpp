// The schedule of plans on the CPU: which edges of which rows a thread takes at a time, whatever the split.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <type_traits>

#include <edgewise/core/config.hpp>
#include <edgewise/core/memory.hpp>
#include <edgewise/format/grouping.hpp>
#include <edgewise/mapping/work_split.hpp>
#include <edgewise/schedule/edge_split.hpp>
#include <edgewise/schedule/row_reuse.hpp>
#include <edgewise/schedule/sizing.hpp>

namespace edgewise::inline v0::detail {

template <class Split>
constexpr row_order order_of_rows(Split const& split) {
  if constexpr (requires { split.order; }) return split.order;
  if constexpr (requires { split.rows.order; }) return split.rows.order;
  return row_order::stored;
}

/// What a thread does of one row: it walks the edges [begin, end), all of them (1 slot) or a piece, or, where `folds`
/// is true, walks none and merges what all pieces of the row left.
template <class Index, class Offset>
struct host_piece : row_piece<Index, Offset> {
  bool folds = false;

  EDGEWISE_HD bool is_cut() const { return this->num_slots > 1 && !folds; }
};

/// Which part of a task is wanted. `folds` comes after all tasks gave `everything`, or `cut_rows`.
enum class task_part { everything, whole_rows, cut_rows, folds };

/// Tasks are equal shares of rows and edges (edge_split.hpp), about five hundred or more, so that threads end together.
/// A row belongs to the share in which it begins; one of more than `longest_whole_row` edges is cut into pieces of so
/// many, each of which belongs to the share in which it begins, and what the pieces leave is merged in order: results
/// do not depend on the number of threads. In another order of rows, which sorts within windows, tasks are
/// `rows_of_task` rows, and pieces of those that are cut come first. Only the shares of `edge_split` are of a length
/// that was asked for; every row is cut at their borders. Places count from the first edge of the grouping, whatever
/// its position.
template <class Index, class Offset>
class host_tasks {
  using grouping = grouping_view<Index, Offset>;

public:
  static constexpr std::int64_t longest_whole_row = 4096;  ///< 2^12
  static constexpr std::int64_t rows_of_task = 32;

  std::size_t num_slots = 0;

  host_tasks() = default;
  template <class Split>
  host_tasks(memory_resource* memory, Split const& split, grouping const& g, sizing size) {
    if constexpr (std::is_same_v<Split, edge_split>) {
      is_asked_for_ = true;
      longest_ = 0;
      shift_ = cut_shift_ = share_shift(split);
    } else {
      shift_ = chosen_shift(workload_of(g));
      by_ = order_of_rows(split);
      if (by_ != row_order::stored) order_ = host_buffer<Index>(static_cast<std::size_t>(g.num_rows), memory);
      if (has_windows(by_)) window_ = by_ == row_order::windows ? window_rows : short_window_rows;
    }
    auto const most_shares = static_cast<std::size_t>(count_shares(workload_of(g), shift_));
    first_rows_ = host_buffer<Index>(most_shares + 1, memory);
    has_cut_row_ = host_buffer<bool>(most_shares, memory);
    if (size == sizing::exact) rebuild(g);
    bool const may_cut = size == sizing::exact ? has_cut_rows_ : std::int64_t{g.num_edges} > longest_;
    if (is_asked_for_ || may_cut) num_slots = 2 * static_cast<std::size_t>(count_shares(workload_of(g), cut_shift_));
  }

  void rebuild(grouping const& g) {
    num_shares_ = g.offsets == nullptr ? 0 : count_shares(workload_of(g), shift_);
    num_pieces_ = 0;
    std::int64_t const base = base_of(g);
    std::int64_t share = 0;
    std::fill_n(has_cut_row_.begin(), num_shares_, false);
    for (Index row = 0; num_shares_ > 0 && row < g.num_rows; ++row) {
      Offset const begin = g.offsets[row], end = g.offsets[row + 1];
      std::int64_t const last_place = std::int64_t{end > begin ? end - 1 : end} - base + row;
      for (; share <= last_place >> shift_; ++share) first_rows_[static_cast<std::size_t>(share)] = row;
      if (!is_long(g, row)) continue;
      std::int64_t const pieces = cut(row, begin, end, base, 0).num_slots;
      if (pieces <= 1) continue;
      num_pieces_ += pieces;
      std::int64_t const first_place = std::int64_t{begin} - base + row;
      for (std::int64_t i = first_place >> shift_; i <= last_place >> shift_; ++i) {
        has_cut_row_[static_cast<std::size_t>(i)] = true;
      }
    }
    for (; num_shares_ > 0 && share <= num_shares_; ++share) first_rows_[static_cast<std::size_t>(share)] = g.num_rows;
    has_cut_rows_ = num_pieces_ > 0;
    if (num_shares_ > 0) reuse_ = row_reuse(g);
    if (!order_.empty()) sort_rows(g);
  }

  std::int64_t num_shares() const { return num_shares_; }
  row_reuse const& reuse() const { return reuse_; }
  bool has_cut_rows() const { return has_cut_rows_; }
  /// in_order: in that of the split, not as stored.
  std::int64_t num_tasks(grouping const& g, bool walks_edges, bool in_order) const {
    std::int64_t const tasks_of_rows = (std::int64_t{g.num_rows} + rows_of_task - 1) / rows_of_task;
    if (!walks_edges) return tasks_of_rows;
    if (!takes_rows(in_order)) return num_shares_;
    return tasks_of_rows + (has_cut_rows_ ? num_shares_ : 0);
  }
  /// Calls f(piece) for everything in a task, in one place: f is a whole traversal. Whole rows, which are short as a
  /// rule, wait for nothing but their offsets.
  template <bool WalksEdges, class F>
  void for_each_piece(grouping const& g, task_part part, std::int64_t task, bool in_order, F const& f) const {
    task_rows const rows = rows_of<WalksEdges>(g, part, task, in_order);
    std::int64_t const base = base_of(g);
    Index const* const order = rows.in_order ? order_.data() : nullptr;
    for (std::int64_t i = rows.first; i < rows.last; ++i) {
      Index const row = order != nullptr ? order[i] : static_cast<Index>(i);
      host_piece<Index, Offset> piece{{0, 0, row, 0, 0, 1}};
      if (WalksEdges || g.offsets != nullptr) {
        piece.begin = g.offsets[row];
        piece.end = g.offsets[row + 1];
      }
      if constexpr (WalksEdges) {
        std::int64_t const place = std::int64_t{piece.begin} - base + row;
        if (place >= rows.end_place) break;
        std::int64_t const degree = piece.end - piece.begin;
        bool const is_whole = place >= rows.first_place && (degree <= rows.longest || place + degree <= rows.whole_end);
        if (!is_whole) {
          host_piece<Index, Offset> other = piece;  // a copy: what a function is handed lies in memory
          if (!take_other(rows, base, other)) continue;
          piece = other;
        }
      }
      f(piece);
    }
  }
  /// Row number i of the order of the split.
  Index row_at(std::int64_t i) const {
    return order_.empty() ? static_cast<Index>(i) : order_[static_cast<std::size_t>(i)];
  }
  std::string text() const {
    if (is_asked_for_) {
      return std::to_string(num_shares_) + " shares of " + std::to_string(1LL << shift_) + " rows and edges";
    }
    return std::to_string(num_pieces_) + " pieces of cut rows" + (order_.empty() ? "" : row_order_text(by_));
  }

private:
  /// A power of two, so that there are five hundred shares, but not of fewer than 256 rows and edges, which take longer
  /// than handing them out does, nor of more than 4096, which are balanced enough.
  static int chosen_shift(workload work) {
    int shift = 8;
    while (shift < 12 && (work.num_rows + work.num_edges) >> (shift + 1) >= 512) ++shift;
    return shift;
  }
  static std::int64_t base_of(grouping const& g) {
    return g.offsets == nullptr || g.num_rows == 0 ? 0 : std::int64_t{g.offsets[0]};
  }
  bool is_long(grouping const& g, Index row) const {
    return static_cast<std::int64_t>(g.offsets[row + 1] - g.offsets[row]) > longest_;
  }
  /// The piece of a row that begins at `place` or, within the length of a share, behind it; without edges where there
  /// is none. Rows are cut at multiples from their own first edge, so that their bits do not depend on where they lie,
  /// but by `edge_split` at the borders of shares. Slots of two rows differ, since a row has no more pieces than it
  /// meets blocks of places.
  row_piece<Index, Offset> cut(Index row, Offset begin, Offset end, std::int64_t base, std::int64_t place) const {
    std::int64_t const first = std::int64_t{begin} - base + row;
    std::int64_t const block = (place > first ? place : first) >> cut_shift_;
    auto piece =
        take_from_share(row, static_cast<Offset>(begin - base), static_cast<Offset>(end - base), block, cut_shift_);
    if (is_asked_for_) {
      piece.begin = static_cast<Offset>(piece.begin + base);
      piece.end = static_cast<Offset>(piece.end + base);
      return piece;
    }
    std::int64_t const length = std::int64_t{1} << cut_shift_, degree = std::int64_t{end - begin};
    std::int64_t const number = place > first ? (place - first + length - 1) >> cut_shift_ : 0;
    std::int64_t const from = std::min(number << cut_shift_, degree);
    piece.begin = static_cast<Offset>(begin + from);
    piece.end = static_cast<Offset>(begin + std::min(from + length, degree));
    piece.num_slots = static_cast<std::int32_t>((degree + length - 1) >> cut_shift_);
    piece.slot = piece.first_slot + static_cast<std::int32_t>(number);
    return piece;
  }
  bool takes_rows(bool in_order) const { return in_order && !order_.empty(); }

  /// The rows of a task, from `first` to `last` at most, and which of them it takes.
  struct task_rows {
    std::int64_t first = 0;
    std::int64_t last = 0;
    std::int64_t first_place = 0;                                       ///< rows that begin before it are no whole rows
    std::int64_t end_place = std::numeric_limits<std::int64_t>::max();  ///< rows that begin there are another task's
    std::int64_t longest = std::numeric_limits<std::int64_t>::max();    ///< of whole rows
    std::int64_t whole_end = -1;  ///< rows that end before it are whole, however long
    std::int64_t share = -1;      ///< whose pieces are taken, or -1: none are
    bool takes_pieces = false;
    bool folds = false;
    bool in_order = false;
  };
  template <bool WalksEdges>
  task_rows rows_of(grouping const& g, task_part part, std::int64_t task, bool in_order) const {
    task_rows rows;
    bool const only_rows = !WalksEdges || takes_rows(in_order);
    std::int64_t const first_of_rows = WalksEdges && only_rows && has_cut_rows_ ? num_shares_ : 0;
    if (only_rows && task >= first_of_rows) {
      if (part == task_part::cut_rows || part == task_part::folds) return rows;
      rows.first = (task - first_of_rows) * rows_of_task;
      rows.last = std::min<std::int64_t>(rows.first + rows_of_task, g.num_rows);
      rows.in_order = WalksEdges && only_rows;
      if (WalksEdges) rows.longest = longest_;
      return rows;
    }
    bool const takes_whole_rows = !only_rows && (part == task_part::everything || part == task_part::whole_rows);
    if (!takes_whole_rows && (part == task_part::whole_rows || !has_cut_row_[static_cast<std::size_t>(task)])) {
      return rows;
    }
    rows.share = task;
    rows.first_place = task << shift_;
    rows.end_place = (task + 1) << shift_;
    rows.longest = takes_whole_rows ? longest_ : -1;
    rows.whole_end = takes_whole_rows ? rows.end_place : -1;
    rows.folds = part == task_part::folds;
    rows.takes_pieces = part != task_part::whole_rows;
    rows.first = first_rows_[static_cast<std::size_t>(rows.folds ? task + 1 : task)];
    rows.last = rows.folds ? std::min<std::int64_t>(rows.first + 1, g.num_rows) : std::int64_t{g.num_rows};
    return rows;
  }
  /// Makes a row that is not taken as a whole what its task takes of it; false where that is nothing.
  EDGEWISE_COLD bool take_other(task_rows const& rows, std::int64_t base, host_piece<Index, Offset>& piece) const {
    std::int64_t const place = std::int64_t{piece.begin} - base + piece.row;
    bool const is_long = std::int64_t{piece.end - piece.begin} > longest_;
    row_piece<Index, Offset> const found = cut(piece.row, piece.begin, piece.end, base, rows.first_place);
    bool const is_cut = is_long && found.num_slots > 1;
    if (rows.folds) {
      if (!is_cut || place < rows.first_place) return false;
      piece.first_slot = found.first_slot;
      piece.num_slots = found.num_slots;
      piece.folds = true;
      return true;
    }
    if (rows.share < 0) return !is_cut;  // a long row in one block of places
    std::int64_t const from = std::int64_t{found.begin} - base + piece.row;
    bool const is_here = from >= rows.first_place && from < rows.end_place && found.begin < found.end;
    if (!is_cut || !rows.takes_pieces || !is_here) return false;
    static_cast<row_piece<Index, Offset>&>(piece) = found;
    return true;
  }
  void sort_rows(grouping const& g) {
    std::iota(order_.begin(), order_.begin() + g.num_rows, Index(0));
    auto const degree = [&](Index row) { return g.offsets[row + 1] - g.offsets[row]; };
    for (std::int64_t first = 0; first < g.num_rows;) {
      std::int64_t const last = g.num_rows - first > window_ ? first + window_ : g.num_rows;
      std::stable_sort(order_.begin() + first, order_.begin() + last,
                       [&](Index a, Index b) { return degree(a) > degree(b); });
      first = last;
    }
  }

  host_buffer<Index> first_rows_;  ///< [num_shares + 1]: the first row with a place in the share or behind it
  host_buffer<bool> has_cut_row_;  ///< [num_shares]: has the share places of a row that is cut?
  row_reuse reuse_;
  host_buffer<Index> order_;  ///< [num_rows], or none
  row_order by_ = row_order::stored;
  std::int64_t window_ = std::numeric_limits<std::int64_t>::max();  ///< rows that are sorted together
  std::int64_t longest_ = longest_whole_row;
  std::int64_t num_shares_ = 0;
  std::int64_t num_pieces_ = 0;  ///< of cut rows
  int shift_ = 0;                ///< log2 of the length of shares
  int cut_shift_ = 12;           ///< log2 of the edges of a piece
  bool is_asked_for_ = false;    ///< is that length the split's?
  bool has_cut_rows_ = false;
};

/// How a split is carried out on one grouping; `rebuild` makes it anew for a grouping of at most the same size. The
/// type of the split is that of the plan alone: all engines walk the same tasks.
template <class Split, class Index, class Offset>
class host_schedule : public host_tasks<Index, Offset> {
public:
  host_schedule() = default;
  host_schedule(memory_resource* memory, Split const& split, grouping_view<Index, Offset> const& grouping, sizing size)
      : host_tasks<Index, Offset>(memory, split, grouping, size) {}

  host_tasks<Index, Offset> const& tasks() const { return *this; }
};

}  // namespace edgewise::inline v0::detail
