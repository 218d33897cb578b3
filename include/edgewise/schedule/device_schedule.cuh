// The schedules of device plans: one type per split, built and rebuilt on the device.
#pragma once

#include <cuda_runtime_api.h>

#include <limits>
#include <string>

#include <edgewise/core/device_memory.cuh>
#include <edgewise/core/launch.cuh>
#include <edgewise/core/memory.hpp>
#include <edgewise/format/grouping.hpp>
#include <edgewise/mapping/policy.hpp>
#include <edgewise/mapping/schedule_policy.hpp>
#include <edgewise/mapping/work_split.hpp>
#include <edgewise/schedule/cut_rows.cuh>
#include <edgewise/schedule/degree_order.cuh>
#include <edgewise/schedule/edge_split.hpp>
#include <edgewise/schedule/partitioned_rows.cuh>
#include <edgewise/schedule/row_queue.cuh>
#include <edgewise/schedule/sizing.hpp>
#include <edgewise/schedule/task_order.cuh>

namespace edgewise::inline v0::detail {

/// Refuses offsets that loops of a traversal would count past: groups of a warp go on to the end of its longest task,
/// and look ahead. `longest`: edges of a task at most.
template <class Offset>
void check_offsets(std::int64_t num_edges, std::int64_t longest) {
  constexpr std::int64_t ahead = 1024;
  if (num_edges > std::numeric_limits<Offset>::max() - ahead - (longest < num_edges ? longest : num_edges)) {
    throw unfit_split(text("plan: ", num_edges, " edges in rows or pieces of up to ",
                           longest < num_edges ? longest : num_edges, " are too many for offsets of ",
                           8 * sizeof(Offset), " bits; take 64-bit offsets, or cut rows"));
  }
}

/// How a split is carried out on one grouping. `rebuild` makes it anew for a grouping of at most the same size, on a
/// stream, without allocating or synchronising; a schedule that was sized for its grouping alone cannot.
///   shares_rows(group_size)   do groups of that size share a row within a warp?
///   choose_sub_groups(group_size, edges_in_flight, work)   how many, if so
///   choose_piece_sub_groups(group_size, edges_in_flight)   how many share a piece of a cut row, of `row_split`
///   choose_block_threads(group_size, blocks)   threads of a block; `blocks` of 128 fit a multiprocessor
///   num_slots                 partial states that pieces may leave
///   num_parts(is_tiled)       launches of a pass, one after the other; a pass in tiles has one, and pieces of its own
///   view(part, is_tiled)      what one of them takes; the last one takes the rows that are not cut, too
///   view_of<Pass>             its type for a pass, which decides the entry kernel (engine/cuda/entry.cuh, `entry_of`)
///   text(tile)                what `explain` says of it
template <class Split, class Index, class Offset>
class device_schedule {
  static_assert(sizeof(Split) == 0,
                "mapping: this work split has no schedule on a device (schedule/device_schedule.cuh)");
};

template <class Index, class Offset>
class device_schedule<row_split, Index, Offset> {
public:
  template <class>
  using view_of = cut_rows_view<Index, Offset>;
  static constexpr bool shares_rows(int group_size) { return may_share_rows(group_size); }
  static constexpr int choose_sub_groups(int group_size, int, workload work) {
    return share_cut_row(group_size, work.mean_degree(), work.num_rows);
  }
  int choose_piece_sub_groups(int group_size, int edges_in_flight) const {
    return share_piece(group_size, edges_in_flight, longest_);
  }
  int choose_block_threads(int group_size, int blocks) const {
    int const asked = threads_of_block(block_);
    return asked > 0 ? asked : detail::choose_block_threads(group_size, blocks);
  }
  std::size_t num_slots = 0;
  std::int64_t tile = no_bound;      ///< elements of a row that passes without sums over channels take at a time
  std::int64_t dot_tile = no_bound;  ///< elements of a row that inner products sum at a time
  group_threads threads = group_threads::all;

  device_schedule() = default;
  device_schedule(stream_handle stream, memory_resource* memory, row_split split,
                  grouping_view<Index, Offset> const& grouping, sizing size, std::int64_t most_slots,
                  std::int64_t num_pieces = unknown_pieces)
      : tile(split.tile), dot_tile(split.dot_tile), threads(split.threads), block_(split.block) {
    split.max_edges = longest_ = walk_length(split.max_edges);
    check_offsets<Offset>(grouping.num_edges, split.max_edges);
    if (split.partitions > 1 && size == sizing::capacity) {
      throw invalid_argument(
          detail::text("plan_for_capacity: ", split.partitions,
                       " partitions are cut in the rows of a graph, and there is none yet; take one"));
    }
    order_ = degree_order<Index>(stream, memory, split.order, grouping.num_rows);
    if (size == sizing::exact) order_.rebuild(stream, grouping);
    if (split.partitions > 1) partition(stream, memory, split, grouping, most_slots);
    bool const has_whole_pieces = partitioned_.num_parts() == 0 || tile < no_bound || dot_tile < no_bound;
    if (has_whole_pieces) split_ = cut_rows<Index, Offset>(stream, memory, split.max_edges, grouping, size, num_pieces);
    if (split.pieces == piece_order::in_place && split.order != row_order::degree) {
      tasks_ = task_order<Index>(stream, memory, grouping.num_rows, split_.capacity);
      if (size == sizing::exact) tasks_.rebuild(stream, grouping, order_.rows.data(), split_);
    }
    num_slots = partitioned_.num_slots() > split_.num_slots ? partitioned_.num_slots() : split_.num_slots;
    std::int64_t pieces = split_.view().capacity;
    for (int part = 0; part < partitioned_.num_parts(); ++part) {
      std::int64_t const more = partitioned_.view(part).capacity;
      pieces = more > pieces ? more : pieces;
    }
    check_tasks<Index>(pieces + grouping.num_rows);
  }

  void rebuild(stream_handle stream, grouping_view<Index, Offset> const& grouping) {
    split_.rebuild(stream, grouping);
    order_.rebuild(stream, grouping);
    tasks_.rebuild(stream, grouping, order_.rows.data(), split_);
  }
  int num_parts(bool is_tiled = false) const { return has_partitions(is_tiled) ? partitioned_.num_parts() : 1; }
  cut_rows_view<Index, Offset> view(int part = 0, bool is_tiled = false) const {
    if (has_partitions(is_tiled)) {
      auto view = partitioned_.view(part);
      view.order = order_.rows.data();
      return view;
    }
    auto view = split_.view();
    view.order = order_.rows.data();
    view.tasks = tasks_.data();
    return view;
  }
  /// The schedule as text. elements: those of the tiles that a pass takes, if any.
  std::string text(std::int64_t elements = no_bound) const {
    bool const is_tiled = elements < no_bound;
    std::string const tiles = is_tiled ? detail::joined(", aligned rows in tiles of ", elements, " elements") : "";
    std::string blocks =
        block_ == block_size::chosen ? "" : detail::joined(", blocks of ", threads_of_block(block_), " threads");
    if (threads == group_threads::half) blocks += ", half the threads a row where passes have such groups";
    if (!has_partitions(is_tiled))
      return detail::joined(split_.num_slots, " pieces of cut rows",
                            tasks_.data() ? " in the place of their rows where passes take them so" : "", order_.text(),
                            tiles, blocks);
    return detail::joined(partitioned_.num_pieces(), " pieces of rows cut at the borders of partitions", order_.text(),
                          blocks);
  }

private:
  bool has_partitions(bool is_tiled) const { return partitioned_.num_parts() > 0 && !is_tiled; }
  /// Pieces take the order of windows where rows have another that is not the stored one: by degree it is not the same
  /// for every plan, and sums over all edges are to be rounded in two ways at most.
  void partition(stream_handle stream, memory_resource* memory, row_split split,
                 grouping_view<Index, Offset> const& grouping, std::int64_t most_slots) {
    bool const is_other = split.order == row_order::degree || split.order == row_order::short_windows;
    degree_order<Index> windows(stream, memory, is_other ? row_order::windows : row_order::stored, grouping.num_rows);
    windows.rebuild(stream, grouping);
    Index const* const order = is_other ? windows.rows.data() : order_.rows.data();
    partitioned_ = partitioned_rows<Index, Offset>(stream, memory, split, grouping, order, most_slots);
  }

  cut_rows<Index, Offset> split_;
  partitioned_rows<Index, Offset> partitioned_;
  degree_order<Index> order_;
  task_order<Index> tasks_;
  block_size block_ = block_size::chosen;
  std::int64_t longest_ = no_bound;
};

template <class Index, class Offset>
class device_schedule<row_per_group, Index, Offset> {
public:
  template <class>
  using view_of = cut_rows_view<Index, Offset>;
  static constexpr bool shares_rows(int group_size) { return group_size < 32; }
  static constexpr int choose_sub_groups(int group_size, int edges_in_flight, workload work) {
    return share_whole_row(group_size, edges_in_flight, work.mean_degree());
  }
  static constexpr int choose_block_threads(int group_size, int blocks) {
    return detail::choose_block_threads(group_size, blocks);
  }
  std::size_t num_slots = 0;

  device_schedule() = default;
  device_schedule(stream_handle stream, memory_resource* memory, row_per_group split,
                  grouping_view<Index, Offset> const& grouping, sizing size, std::int64_t = 0, std::int64_t = 0) {
    check_offsets<Offset>(grouping.num_edges, length_of_cut_walk);
    order_ = degree_order<Index>(stream, memory, split.order, grouping.num_rows);
    if (size == sizing::exact) order_.rebuild(stream, grouping);
    split_ = cut_rows<Index, Offset>(stream, memory, length_of_cut_walk, grouping, size);
    num_slots = split_.num_slots;
    check_tasks<Index>(std::int64_t{split_.capacity} + grouping.num_rows);
  }

  void rebuild(stream_handle stream, grouping_view<Index, Offset> const& grouping) {
    order_.rebuild(stream, grouping);
    split_.rebuild(stream, grouping);
  }
  static constexpr int num_parts(bool = false) { return 1; }
  cut_rows_view<Index, Offset> view(int = 0, bool = false) const {
    auto view = split_.view();
    view.order = order_.rows.data();
    return view;
  }
  std::string text(std::int64_t = no_bound) const {
    std::string const cut = num_slots > 0 ? detail::text(" but for those of more than ", length_of_cut_walk, " edges, ",
                                                         num_slots, " pieces")
                                          : "";
    return "rows whole" + cut + order_.text();
  }

private:
  cut_rows<Index, Offset> split_;
  degree_order<Index> order_;
};

/// The schedule of `row_split`, and the queues.
template <class Index, class Offset>
class device_schedule<dynamic_rows, Index, Offset> : public device_schedule<row_split, Index, Offset> {
  using base = device_schedule<row_split, Index, Offset>;

public:
  /// Sums over all edges take rows in a fixed order, and what walks no edges has no long rows.
  template <class Pass>
  using view_of = std::conditional_t<Pass::walks_edges && !Pass::has_parameter_targets,
                                     dynamic_rows_view<Index, Offset>, cut_rows_view<Index, Offset>>;
  device_schedule() = default;
  device_schedule(stream_handle stream, memory_resource* memory, dynamic_rows split,
                  grouping_view<Index, Offset> const& grouping, sizing size, std::int64_t most_slots,
                  std::int64_t num_pieces = unknown_pieces)
      : base(stream, memory, {.max_edges = split.max_edges, .order = split.order}, grouping, size, most_slots,
             num_pieces),
        queues_(most_queues, memory, stream) {
    check_cuda(cudaMemsetAsync(queues_.data(), 0, most_queues * sizeof(row_queue), stream), "plan: clear queues");
  }
  dynamic_rows_view<Index, Offset> view(int part = 0, bool is_tiled = false) const {
    return {base::view(part, is_tiled), queues_.data()};
  }
  std::string text(std::int64_t elements = no_bound) const { return base::text(elements) + ", from a queue"; }

private:
  mutable device_buffer<row_queue> queues_;
};

/// One thread per share.
template <class Index, class Offset>
__global__ void find_first_rows(Offset const* offsets, Index num_rows, int shift, std::int64_t num_shares,
                                Index* first_rows) {
  std::int64_t const share = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (share < num_shares) first_rows[share] = find_row_at(offsets, num_rows, share << shift);
}

template <class Index, class Offset>
class device_schedule<edge_split, Index, Offset> {
public:
  /// What walks no edges takes rows one by one, with the same kernel for every mapping.
  template <class Pass>
  using view_of = std::conditional_t<Pass::walks_edges, edge_split_view<Index>, cut_rows_view<Index, Offset>>;
  static constexpr bool shares_rows(int) { return false; }
  /// Only for passes that walk no edges.
  static constexpr int choose_block_threads(int group_size, int blocks) {
    return detail::choose_block_threads(group_size, blocks);
  }
  std::size_t num_slots = 0;

  device_schedule() = default;
  device_schedule(stream_handle stream, memory_resource* memory, edge_split split,
                  grouping_view<Index, Offset> const& grouping, sizing size, std::int64_t = 0, std::int64_t = 0)
      : shift_(share_shift({.length = walk_length(split.length)})) {
    check_offsets<Offset>(grouping.num_edges, std::int64_t{1} << shift_);
    num_shares_ = count_shares(workload_of(grouping), shift_);
    num_slots = 2 * static_cast<std::size_t>(num_shares_);
    first_rows_ = device_buffer<Index>(static_cast<std::size_t>(num_shares_), memory, stream);
    if (size == sizing::exact) rebuild(stream, grouping);
  }

  void rebuild(stream_handle stream, grouping_view<Index, Offset> const& grouping) {
    num_shares_ = count_shares(workload_of(grouping), shift_);
    if (num_shares_ == 0) return;
    constexpr int threads = 256;
    launch_kernel("plan: find the first rows of shares", find_first_rows<Index, Offset>,
                  static_cast<unsigned>((num_shares_ + threads - 1) / threads), threads, stream, grouping.offsets,
                  grouping.num_rows, shift_, num_shares_, first_rows_.data());
  }
  static constexpr int num_parts(bool = false) { return 1; }
  edge_split_view<Index> view(int = 0, bool = false) const { return {first_rows_.data(), shift_, num_shares_}; }
  std::string text(std::int64_t = no_bound) const {
    return std::to_string(num_shares_) + " shares of " + std::to_string(1LL << shift_) + " rows and edges";
  }

private:
  int shift_ = 0;
  std::int64_t num_shares_ = 0;
  device_buffer<Index> first_rows_;
};

}  // namespace edgewise::inline v0::detail
