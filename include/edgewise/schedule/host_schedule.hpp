// The schedules of plans on the CPU: one type per split.
#pragma once

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>

#include <edgewise/core/memory.hpp>
#include <edgewise/format/grouping.hpp>
#include <edgewise/mapping/work_split.hpp>
#include <edgewise/schedule/edge_split.hpp>
#include <edgewise/schedule/sizing.hpp>

namespace edgewise::inline v0::detail {

/// Rows stay whole on the CPU: there may be an order to make.
template <class Index, class Offset>
class host_row_schedule {
public:
  static constexpr std::size_t num_slots = 0;

  host_row_schedule() = default;
  host_row_schedule(memory_resource* memory, row_order order, grouping_view<Index, Offset> const& grouping,
                    sizing size) {
    if (order != row_order::stored) order_ = host_buffer<Index>(static_cast<std::size_t>(grouping.num_rows), memory);
    by_ = order;
    if (has_windows(order)) window_ = order == row_order::windows ? window_rows : short_window_rows;
    if (size == sizing::exact) rebuild(grouping);
  }

  void rebuild(grouping_view<Index, Offset> const& grouping) {
    if (order_.empty()) return;
    std::iota(order_.begin(), order_.begin() + grouping.num_rows, Index(0));
    auto const degree = [&](Index row) { return grouping.offsets[row + 1] - grouping.offsets[row]; };
    for (std::int64_t first = 0; first < grouping.num_rows;) {
      std::int64_t const last = grouping.num_rows - first > window_ ? first + window_ : grouping.num_rows;
      std::stable_sort(order_.begin() + first, order_.begin() + last,
                       [&](Index a, Index b) { return degree(a) > degree(b); });
      first = last;
    }
  }
  /// Row number `task` in the schedule's order, or as stored; without offsets it has no edges.
  row_piece<Index, Offset> whole_row(grouping_view<Index, Offset> const& grouping, std::int64_t task,
                                     bool in_order) const {
    Index const row = in_order && !order_.empty() ? order_[static_cast<std::size_t>(task)] : static_cast<Index>(task);
    if (grouping.offsets == nullptr) return {0, 0, row, 0, 0, 1};
    return {grouping.offsets[row], grouping.offsets[row + 1], row, 0, 0, 1};
  }
  std::string text() const { return std::string("0 pieces of cut rows") + (order_.empty() ? "" : row_order_text(by_)); }

private:
  host_buffer<Index> order_;
  row_order by_ = row_order::stored;
  std::int64_t window_ = std::numeric_limits<std::int64_t>::max();  ///< rows that are sorted together
};

template <class Split>
constexpr row_order order_of_rows(Split const& split) {
  if constexpr (requires { split.order; }) return split.order;
  if constexpr (requires { split.rows.order; }) return split.rows.order;
  return row_order::stored;
}

/// How a split is carried out on one grouping; `rebuild` makes it anew for a grouping of at most the same size.
/// All that hand out rows do it alike here: threads take them as they are free. `tasks()` is what the engine walks.
template <class Split, class Index, class Offset>
class host_schedule : public host_row_schedule<Index, Offset> {
public:
  host_schedule() = default;
  host_schedule(memory_resource* memory, Split split, grouping_view<Index, Offset> const& grouping, sizing size)
      : host_row_schedule<Index, Offset>(memory, order_of_rows(split), grouping, size) {}

  host_row_schedule<Index, Offset> const& tasks() const { return *this; }
};

/// Shares are found as they are taken: a search among the rows costs little beside the edges of a share.
template <class Index, class Offset>
class host_schedule<edge_split, Index, Offset> {
public:
  std::size_t num_slots = 0;

  host_schedule() = default;
  host_schedule(memory_resource*, edge_split split, grouping_view<Index, Offset> const& grouping, sizing)
      : shift_(share_shift(split)) {
    rebuild(grouping);
    num_slots = 2 * static_cast<std::size_t>(num_shares_);
  }

  void rebuild(grouping_view<Index, Offset> const& grouping) {
    num_shares_ = count_shares(workload_of(grouping), shift_);
  }
  std::int64_t num_shares() const { return num_shares_; }
  host_schedule const& tasks() const { return *this; }

  /// Calls f(piece) for every row, or part of a row, in a share.
  template <class F>
  void for_each_piece(grouping_view<Index, Offset> const& grouping, std::int64_t share, F const& f) const {
    for (Index row = find_row_at(grouping.offsets, grouping.num_rows, share << shift_);
         row < grouping.num_rows && place_of(grouping, row) < (share + 1) << shift_; ++row) {
      f(take_from_share(row, grouping.offsets[row], grouping.offsets[row + 1], share, shift_));
    }
  }
  /// The row that begins in a share and goes on behind it, with all of its edges; 0 slots where there is none.
  row_piece<Index, Offset> cut_row_from(grouping_view<Index, Offset> const& grouping, std::int64_t share) const {
    std::int64_t const border = (share + 1) << shift_;
    Index const row = find_row_at(grouping.offsets, grouping.num_rows, border);
    if (row == grouping.num_rows) return {};
    std::int64_t const place = place_of(grouping, row);
    if (place >= border || place < share << shift_) return {};
    auto piece = take_from_share(row, grouping.offsets[row], grouping.offsets[row + 1], share, shift_);
    piece.end = grouping.offsets[row + 1];
    return piece;
  }
  /// The task of a pass that walks no edges: a whole row.
  row_piece<Index, Offset> whole_row(grouping_view<Index, Offset> const& grouping, std::int64_t task, bool) const {
    auto const row = static_cast<Index>(task);
    return {grouping.offsets[row], grouping.offsets[row + 1], row, 0, 0, 1};
  }
  std::string text() const {
    return std::to_string(num_shares_) + " shares of " + std::to_string(1LL << shift_) + " rows and edges";
  }

private:
  static std::int64_t place_of(grouping_view<Index, Offset> const& grouping, Index row) {
    return static_cast<std::int64_t>(grouping.offsets[row]) + row;
  }

  int shift_ = 0;
  std::int64_t num_shares_ = 0;
};

}  // namespace edgewise::inline v0::detail
