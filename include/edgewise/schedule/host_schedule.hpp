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
#include <edgewise/schedule/sizing.hpp>

namespace edgewise::inline v0::detail {

template <class Split>
constexpr row_order order_of_rows(Split const& split) {
  if constexpr (requires { split.order; }) return split.order;
  if constexpr (requires { split.rows.order; }) return split.rows.order;
  return row_order::stored;
}

/// What a thread does of one row: it walks the edges [begin, end), or, where `folds` is true, merges what all pieces of
/// the row left.
template <class Index, class Offset>
struct host_piece : row_piece<Index, Offset> {
  bool folds = false;

  EDGEWISE_HD bool is_cut() const { return this->num_slots > 1 && !folds; }
};

/// Tasks are equal shares of rows and edges (edge_split.hpp), about a thousand or more, so that threads end together. A
/// row belongs to the share in which it begins; one of more than `longest_whole_row` edges is cut at the borders of
/// shares, and what its pieces leave is merged in order: results do not depend on the number of threads. In another
/// order of rows, which sorts within windows, tasks are `rows_of_task` rows, and pieces of those that are cut come
/// first. Only the shares of `edge_split` are of a length that was asked for; they cut every row.
template <class Index, class Offset>
class host_tasks {
  using grouping = grouping_view<Index, Offset>;

public:
  static constexpr std::int64_t longest_whole_row = 4096;
  static constexpr std::int64_t rows_of_task = 32;

  std::size_t num_slots = 0;

  host_tasks() = default;
  template <class Split>
  host_tasks(memory_resource* memory, Split const& split, grouping const& g, sizing size) {
    if constexpr (std::is_same_v<Split, edge_split>) {
      is_asked_for_ = true;
      longest_ = 0;
      shift_ = share_shift(split);
    } else {
      shift_ = chosen_shift(workload_of(g));
      by_ = order_of_rows(split);
      if (by_ != row_order::stored) order_ = host_buffer<Index>(static_cast<std::size_t>(g.num_rows), memory);
      if (has_windows(by_)) window_ = by_ == row_order::windows ? window_rows : short_window_rows;
    }
    std::int64_t const most_shares = count_shares(workload_of(g), shift_);
    if (size == sizing::exact) rebuild(g);
    bool const may_cut = size == sizing::exact ? has_cut_rows_ : std::int64_t{g.num_edges} > longest_;
    if (is_asked_for_ || may_cut) num_slots = 2 * static_cast<std::size_t>(most_shares);
  }

  void rebuild(grouping const& g) {
    num_shares_ = g.offsets == nullptr ? 0 : count_shares(workload_of(g), shift_);
    num_pieces_ = 0;
    for (Index row = 0; num_shares_ > 0 && row < g.num_rows; ++row) {
      if (std::int64_t const pieces = pieces_of(g, row); pieces > 1) num_pieces_ += pieces;
    }
    has_cut_rows_ = num_pieces_ > 0;
    if (!order_.empty()) sort_rows(g);
  }

  std::int64_t num_shares() const { return num_shares_; }
  /// 2 where cut rows have to be folded, after all tasks ran, in a second phase of as many.
  int num_phases(bool walks_edges) const { return walks_edges && has_cut_rows_ ? 2 : 1; }
  /// in_order: in that of the split, not as stored.
  std::int64_t num_tasks(grouping const& g, bool walks_edges, bool in_order) const {
    std::int64_t const tasks_of_rows = (std::int64_t{g.num_rows} + rows_of_task - 1) / rows_of_task;
    if (!walks_edges) return tasks_of_rows;
    if (!takes_rows(in_order)) return num_shares_;
    return tasks_of_rows + (has_cut_rows_ ? num_shares_ : 0);
  }
  /// Calls f(piece) for everything in a task, in one place: f is a whole traversal.
  template <class F>
  void for_each_piece(grouping const& g, int phase, std::int64_t task, bool walks_edges, bool in_order,
                      F const& f) const {
    rows_of_one_task const rows = rows_of(g, phase, task, walks_edges, in_order);
    for (std::int64_t i = rows.first; i < rows.last && is_in(g, rows, i); ++i) {
      host_piece<Index, Offset> const piece = piece_of(g, rows, i, in_order);
      if (piece.num_slots > 0) f(piece);
    }
  }
  std::string text() const {
    if (is_asked_for_) {
      return std::to_string(num_shares_) + " shares of " + std::to_string(1LL << shift_) + " rows and edges";
    }
    return std::to_string(num_pieces_) + " pieces of cut rows" + (order_.empty() ? "" : row_order_text(by_));
  }

  /// The row that begins in a share, is cut, and goes on behind it, with all of its edges; 0 slots where there is none.
  host_piece<Index, Offset> cut_row_from(grouping const& g, std::int64_t share) const {
    std::int64_t const begin = share << shift_, end = (share + 1) << shift_;
    Index const row = find_row_at(g.offsets, g.num_rows, end);
    if (row == g.num_rows || place_of(g, row) >= end || place_of(g, row) < begin || !is_long(g, row)) return {};
    host_piece<Index, Offset> piece{take_from_share(row, g.offsets[row], g.offsets[row + 1], share, shift_), true};
    piece.end = g.offsets[row + 1];
    return piece;
  }
  /// Row number `task` in the order of the split, or as stored, with all of its edges; without offsets it has none.
  host_piece<Index, Offset> whole_row(grouping const& g, std::int64_t task, bool in_order) const {
    Index const row = in_order && !order_.empty() ? order_[static_cast<std::size_t>(task)] : static_cast<Index>(task);
    if (g.offsets == nullptr) return {{0, 0, row, 0, 0, 1}};
    return {{g.offsets[row], g.offsets[row + 1], row, 0, 0, 1}};
  }

private:
  /// A power of two, so that there are a thousand shares, but not of fewer than 256 rows and edges, which take longer
  /// than handing them out does, nor of more than 4096, which are balanced enough.
  static int chosen_shift(workload work) {
    int shift = 8;
    while (shift < 12 && (work.num_rows + work.num_edges) >> (shift + 1) >= 1024) ++shift;
    return shift;
  }
  static std::int64_t place_of(grouping const& g, Index row) { return static_cast<std::int64_t>(g.offsets[row]) + row; }
  bool is_long(grouping const& g, Index row) const {
    return static_cast<std::int64_t>(g.offsets[row + 1] - g.offsets[row]) > longest_;
  }
  std::int64_t pieces_of(grouping const& g, Index row) const {
    if (!is_long(g, row)) return 1;
    std::int64_t const place = place_of(g, row);
    return take_from_share(row, g.offsets[row], g.offsets[row + 1], place >> shift_, shift_).num_slots;
  }
  bool takes_rows(bool in_order) const { return in_order && !order_.empty(); }

  /// What a task takes of its rows, from `first` to `last` at most, as stored or in the order of the split.
  struct rows_of_one_task {
    enum class part { everything, whole_rows, share, pieces_in_share, fold };
    part takes = part::everything;
    std::int64_t share = 0;
    std::int64_t first = 0;
    std::int64_t last = 0;
  };
  rows_of_one_task rows_of(grouping const& g, int phase, std::int64_t task, bool walks_edges, bool in_order) const {
    using part = typename rows_of_one_task::part;
    bool const takes_rows = !walks_edges || this->takes_rows(in_order);
    std::int64_t const first_of_rows = takes_rows && walks_edges && has_cut_rows_ ? num_shares_ : 0;
    if (takes_rows && task >= first_of_rows) {
      if (phase > 0) return {};
      std::int64_t const first = (task - first_of_rows) * rows_of_task;
      return {walks_edges ? part::whole_rows : part::everything, 0, first,
              std::min<std::int64_t>(first + rows_of_task, g.num_rows)};
    }
    if (phase > 0) return {part::fold, task, 0, 1};
    return {takes_rows ? part::pieces_in_share : part::share, task, find_row_at(g.offsets, g.num_rows, task << shift_),
            g.num_rows};
  }
  /// Rows of a share end where the next one begins.
  bool is_in(grouping const& g, rows_of_one_task const& rows, std::int64_t i) const {
    using part = typename rows_of_one_task::part;
    bool const is_share = rows.takes == part::share || rows.takes == part::pieces_in_share;
    return !is_share || place_of(g, static_cast<Index>(i)) < (rows.share + 1) << shift_;
  }
  /// 0 slots: nothing.
  host_piece<Index, Offset> piece_of(grouping const& g, rows_of_one_task const& rows, std::int64_t i,
                                     bool in_order) const {
    using part = typename rows_of_one_task::part;
    if (rows.takes == part::fold) return cut_row_from(g, rows.share);
    host_piece<Index, Offset> piece = whole_row(g, i, in_order && rows.takes <= part::whole_rows);
    if (rows.takes == part::everything) return piece;
    if (is_long(g, piece.row)) {
      auto const first = rows.takes == part::whole_rows ? place_of(g, piece.row) >> shift_ : rows.share;
      static_cast<row_piece<Index, Offset>&>(piece) = take_from_share(piece.row, piece.begin, piece.end, first, shift_);
      bool const is_cut = piece.num_slots > 1;
      if (is_cut ? rows.takes == part::whole_rows : rows.takes == part::pieces_in_share) return {};
    } else if (rows.takes == part::pieces_in_share ||
               (rows.takes == part::share && place_of(g, piece.row) < rows.share << shift_)) {
      return {};
    }
    return piece;
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

  host_buffer<Index> order_;  ///< [num_rows], or none
  row_order by_ = row_order::stored;
  std::int64_t window_ = std::numeric_limits<std::int64_t>::max();  ///< rows that are sorted together
  std::int64_t longest_ = longest_whole_row;
  std::int64_t num_shares_ = 0;
  std::int64_t num_pieces_ = 0;  ///< of cut rows
  int shift_ = 0;                ///< log2 of the length of shares
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
