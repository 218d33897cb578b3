// The schedule of rows cut at the borders of source partitions, built on the device.
#pragma once

#include <cuda_runtime_api.h>

#include <limits>
#include <vector>

#include <edgewise/core/block_scan.cuh>
#include <edgewise/core/device_memory.cuh>
#include <edgewise/core/error.hpp>
#include <edgewise/core/launch.cuh>
#include <edgewise/core/memory.hpp>
#include <edgewise/format/grouping.hpp>
#include <edgewise/mapping/work_split.hpp>
#include <edgewise/schedule/cut_rows.cuh>
#include <edgewise/schedule/cut_rows.hpp>

namespace edgewise::inline v0::detail {

/// Rows of more edges than partitions leave whole, and those of them whose neighbors ascend.
struct long_rows {
  std::int32_t all = 0;
  std::int32_t ascending = 0;
};

/// ascends[r]: is row r cut at the borders of partitions? Rows of up to `whole` edges are not, and not read. One warp
/// per row.
template <class Index, class Offset>
__global__ void __launch_bounds__(cut_threads)
    find_ascending_rows(grouping_view<Index, Offset> const g, std::int64_t whole, unsigned char* ascends,
                        long_rows* counts) {
  std::int64_t const row = (static_cast<std::int64_t>(blockIdx.x) * cut_threads + threadIdx.x) / 32;
  if (row >= g.num_rows) return;
  Offset const begin = g.offsets[row];
  Offset const end = g.offsets[row + 1];
  bool const is_long = end - begin > whole;
  bool all = true;
  if (is_long) {
    Offset const pairs = end - begin - 1;
    for (Offset k = static_cast<Offset>(threadIdx.x % 32); k < pairs; k += 32) {
      all = all && g.neighbors[begin + k] <= g.neighbors[begin + k + 1];
    }
  }
  all = __all_sync(0xffffffffu, all);
  if (threadIdx.x % 32 != 0) return;
  ascends[row] = is_long && all;
  if (is_long) atomicAdd(&counts->all, 1);
  if (is_long && all) atomicAdd(&counts->ascending, 1);
}

/// Where rows are cut. A row of more than `bound` edges has its edges of each partition in pieces of at most
/// `max_edges`.
template <class Index, class Offset>
struct partition_cuts {
  grouping_view<Index, Offset> grouping;
  std::int64_t partitions = 1;
  Offset bound = 0;
  Offset max_edges = 1;
  unsigned char const* ascends = nullptr;  ///< [num_rows]
  Index const* rows = nullptr;             ///< the rows that are cut, in the order of their turns

  /// Where the edges of partitions before `p` end. Rows whose neighbors do not ascend count as of the first partition.
  EDGEWISE_DEVICE Offset border(std::int64_t row, std::int64_t p) const {
    Offset low = grouping.offsets[row];
    Offset high = grouping.offsets[row + 1];
    if (p <= 0) return low;
    if (p >= partitions || !ascends[row]) return high;
    std::int64_t const first = (p * static_cast<std::int64_t>(grouping.num_neighbors) - 1) / partitions + 1;
    while (low < high) {
      Offset const middle = low + (high - low) / 2;
      if (static_cast<std::int64_t>(grouping.neighbors[middle]) < first) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
};

/// Cut rows one after another whose pieces one launch takes, partition by partition.
struct partition_part {
  std::int64_t first_place = 0;  ///< of `partition_cuts::rows`
  std::int64_t num_rows = 0;
  std::int64_t first_piece = 0;
  std::int32_t num_pieces = 0;
};

/// Counts, for each row of a part, the pieces of its partitions before p = 0 ... partitions, and of all; either may be
/// null. One thread per row. Shapes: before [partitions + 1, part.num_rows], totals [part.num_rows].
template <class Index, class Offset>
__global__ void __launch_bounds__(cut_threads)
    count_partitioned_pieces(partition_cuts<Index, Offset> const cuts, partition_part const part, std::int32_t* before,
                             std::int32_t* totals) {
  std::int64_t const k = static_cast<std::int64_t>(blockIdx.x) * cut_threads + threadIdx.x;
  if (k >= part.num_rows) return;
  std::int64_t const row = cuts.rows[part.first_place + k];
  std::int32_t count = 0;
  Offset begin = cuts.grouping.offsets[row];
  for (std::int64_t p = 0; p < cuts.partitions; ++p) {
    if (before) before[p * part.num_rows + k] = count;
    Offset const end = cuts.border(row, p + 1);
    if (end > begin) count += static_cast<std::int32_t>((end - begin - 1) / cuts.max_edges + 1);
    begin = end;
  }
  if (before) before[cuts.partitions * part.num_rows + k] = count;
  if (totals) totals[k] = count;
}

/// 1 where the row at a place of the order is cut, else 0.
template <class Index, class Offset>
struct is_cut_row {
  Offset const* offsets;
  Index const* order;  ///< [num_rows] or null: which row comes when
  Offset bound;

  EDGEWISE_DEVICE std::int64_t row_at(std::int64_t place) const {
    return order ? static_cast<std::int64_t>(order[place]) : place;
  }
  EDGEWISE_DEVICE std::int32_t operator()(std::int64_t place) const {
    std::int64_t const row = row_at(place);
    return offsets[row + 1] - offsets[row] > bound ? 1 : 0;
  }
};
/// Pieces of every cut row.
struct count_of_rows {
  std::int32_t const* totals;
  EDGEWISE_DEVICE std::int32_t operator()(std::int64_t place) const { return totals[place]; }
};
/// Pieces of every partition and row of a part, partition by partition: of partition i / num_rows, row i % num_rows.
struct count_of_part {
  std::int32_t const* before;
  std::int64_t num_rows;
  EDGEWISE_DEVICE std::int32_t operator()(std::int64_t i) const { return before[i + num_rows] - before[i]; }
};

/// firsts[b] = the counts of the numbers of block b, added up.
template <class Count>
__global__ void __launch_bounds__(cut_threads)
    count_in_blocks(Count const count, std::int64_t size, std::int32_t* firsts) {
  __shared__ block_scan_storage<cut_threads> shared;
  std::int64_t const i = static_cast<std::int64_t>(blockIdx.x) * cut_threads + threadIdx.x;
  std::int32_t const total = block_scan(i < size ? count(i) : 0, shared).total;
  if (threadIdx.x == 0) firsts[blockIdx.x] = total;
}

/// rows = those that are cut, in the order.
template <class Index, class Offset>
__global__ void __launch_bounds__(cut_threads)
    list_cut_rows(is_cut_row<Index, Offset> const is_cut, Index num_rows, std::int32_t const* firsts, Index* rows) {
  __shared__ block_scan_storage<cut_threads> shared;
  std::int64_t const place = static_cast<std::int64_t>(blockIdx.x) * cut_threads + threadIdx.x;
  std::int32_t const own = place < num_rows ? is_cut(place) : 0;
  std::int32_t const before = block_scan(own, shared).before;
  if (own > 0) rows[firsts[blockIdx.x] + before] = static_cast<Index>(is_cut.row_at(place));
}

/// first_pieces[k] = pieces of the cut rows before row k of them.
template <class Size>
__global__ void __launch_bounds__(cut_threads)
    number_rows(std::int32_t const* totals, Size num_rows, std::int32_t const* firsts, std::int32_t* first_pieces) {
  __shared__ block_scan_storage<cut_threads> shared;
  std::int64_t const place = static_cast<std::int64_t>(blockIdx.x) * cut_threads + threadIdx.x;
  std::int32_t const before = block_scan(place < num_rows ? totals[place] : 0, shared).before;
  if (place < num_rows) first_pieces[place] = firsts[blockIdx.x] + before;
}

/// A row's slots lie side by side, in the order of its edges, and begin anew in each part.
template <class Index, class Offset>
__global__ void __launch_bounds__(cut_threads)
    cut_partitions(partition_cuts<Index, Offset> const cuts, partition_part const part, std::int32_t const* before,
                   std::int32_t const* firsts, std::int32_t const* first_pieces, row_piece<Index, Offset>* pieces) {
  __shared__ block_scan_storage<cut_threads> shared;
  count_of_part const count{before, part.num_rows};
  std::int64_t const i = static_cast<std::int64_t>(blockIdx.x) * cut_threads + threadIdx.x;
  std::int32_t const own = i < cuts.partitions * part.num_rows ? count(i) : 0;
  std::int32_t const earlier = block_scan(own, shared).before;
  if (own == 0) return;
  std::int64_t const p = i / part.num_rows;
  std::int64_t const k = i % part.num_rows;
  std::int64_t const row = cuts.rows[part.first_place + k];
  std::int64_t const begin = cuts.border(row, p);
  std::int64_t const length = cuts.border(row, p + 1) - begin;
  auto const first_slot = static_cast<std::int32_t>(first_pieces[part.first_place + k] - part.first_piece);
  std::int32_t const slot = first_slot + before[i];
  std::int32_t const num_slots = before[cuts.partitions * part.num_rows + k];
  auto* const to = pieces + part.first_piece + firsts[blockIdx.x] + earlier;
  for (std::int32_t n = 0; n < own; ++n) {
    to[n] = {static_cast<Offset>(begin + length * n / own),
             static_cast<Offset>(begin + length * (n + 1) / own),
             static_cast<Index>(row),
             slot + n,
             first_slot,
             num_slots};
  }
}

/// The cut rows of one grouping, in device memory, in parts that run one after the other and use the same slots.
template <class Index, class Offset>
class partitioned_rows {
public:
  partitioned_rows() = default;
  /// `order` [num_rows] or null: in which order rows take their turns in a partition. Parts have pieces for
  /// `most_slots` slots, or of one block of rows. No parts where most long rows do not ascend: cut them by length.
  /// Waits for the stream. Throws `unfit_split` where there may be more than 2^31 - 1 pieces.
  partitioned_rows(stream_handle stream, memory_resource* memory, row_split split,
                   grouping_view<Index, Offset> const& grouping, Index const* order, std::int64_t most_slots) {
    std::int64_t const rows = grouping.num_rows;
    std::int64_t const edges = grouping.num_edges;
    std::int64_t const longest = split.max_edges < edges ? split.max_edges : edges;
    std::int64_t const whole = least_partitioned_degree(split.partitions);
    bound_ = static_cast<Offset>(whole < longest ? whole : longest);
    check_most_pieces(split, rows, edges);
    if (rows == 0) return;
    device_buffer<unsigned char> ascends(static_cast<std::size_t>(rows), memory, stream);
    if (!find_ascending(stream, memory, grouping, whole, ascends.data())) return;

    // What follows is sized by the rows that are cut: tables of one number per row and partition are large.
    device_buffer<Index> cut;
    std::int64_t const num_cut = list_rows(stream, memory, {grouping.offsets, order, bound_}, grouping.num_rows, cut);
    partition_cuts<Index, Offset> const cuts{
        grouping, split.partitions, bound_, static_cast<Offset>(longest > 0 ? longest : 1), ascends.data(), cut.data()};
    device_buffer<std::int32_t> totals(static_cast<std::size_t>(num_cut), memory, stream);
    device_buffer<std::int32_t> firsts(blocks_of(num_cut), memory, stream);
    device_buffer<std::int32_t> total(1, memory, stream);
    device_buffer<std::int32_t> first_pieces(static_cast<std::size_t>(num_cut), memory, stream);
    count(stream, cuts, {.num_rows = num_cut}, nullptr, totals.data());
    number(stream, count_of_rows{totals.data()}, num_cut, firsts, total.data());
    launch_kernel("plan: number the pieces of rows", number_rows<std::int64_t>, static_cast<unsigned>(firsts.size()),
                  cut_threads, stream, totals.data(), num_cut, firsts.data(), first_pieces.data());
    choose_parts(stream, num_cut, most_slots, firsts, total);

    pieces_ = device_buffer<row_piece<Index, Offset>>(static_cast<std::size_t>(num_pieces_), memory, stream);
    counts_ = device_buffer<std::int32_t>(parts_.size(), memory, stream);
    for (std::size_t k = 0; k < parts_.size(); ++k) {
      partition_part const& part = parts_[k];
      std::int64_t const size = split.partitions * part.num_rows;
      device_buffer<std::int32_t> before(static_cast<std::size_t>(size + part.num_rows), memory, stream);
      device_buffer<std::int32_t> part_firsts(blocks_of(size), memory, stream);
      count(stream, cuts, part, before.data(), nullptr);
      number(stream, count_of_part{before.data(), part.num_rows}, size, part_firsts, counts_.data() + k);
      launch_kernel("plan: cut rows at the borders of partitions", cut_partitions<Index, Offset>,
                    static_cast<unsigned>(part_firsts.size()), cut_threads, stream, cuts, part, before.data(),
                    part_firsts.data(), first_pieces.data(), pieces_.data());
    }
  }

  int num_parts() const { return static_cast<int>(parts_.size()); }
  std::size_t num_slots() const { return num_slots_; }
  std::int64_t num_pieces() const { return num_pieces_; }
  /// Part k: its pieces. Rows of up to `bound` edges are in no part.
  cut_rows_view<Index, Offset> view(int k) const {
    partition_part const& part = parts_[static_cast<std::size_t>(k)];
    return {bound_, pieces_.data() + part.first_piece, counts_.data() + k, part.num_pieces};
  }

private:
  void check_most_pieces(row_split const& split, std::int64_t rows, std::int64_t edges) const {
    std::int64_t const most = std::numeric_limits<std::int32_t>::max();
    auto const rows_above = [&](std::int64_t degree) {
      return rows < edges / (degree + 1) ? rows : edges / (degree + 1);
    };
    std::int64_t const at_borders = rows_above(least_partitioned_degree(split.partitions));  // rows cut there
    std::int64_t const at_length = rows_above(bound_) + edges / split.max_edges;
    if (split.partitions > most || at_borders > most / split.partitions ||
        at_borders * split.partitions + at_length > most) {
      throw unfit_split(text("plan: rows of ", edges, " edges cut at ", split.max_edges, " and at the borders of ",
                             split.partitions, " partitions may have more than 2^31 - 1 pieces"));
    }
  }
  static std::size_t blocks_of(std::int64_t threads) {
    return static_cast<std::size_t>((threads + cut_threads - 1) / cut_threads);
  }
  /// Do half of the long rows ascend, or more?
  static bool find_ascending(stream_handle stream, memory_resource* memory,
                             grouping_view<Index, Offset> const& grouping, std::int64_t whole, unsigned char* ascends) {
    device_buffer<long_rows> counts(1, memory, stream);
    check_cuda(cudaMemsetAsync(counts.data(), 0, counts.size_bytes(), stream), "plan: clear the counts of rows");
    std::int64_t const threads = 32 * static_cast<std::int64_t>(grouping.num_rows);
    launch_kernel("plan: find the rows whose neighbors ascend", find_ascending_rows<Index, Offset>,
                  static_cast<unsigned>(blocks_of(threads)), cut_threads, stream, grouping, whole, ascends,
                  counts.data());
    long_rows found;
    check_cuda(cudaMemcpyAsync(&found, counts.data(), sizeof(found), cudaMemcpyDeviceToHost, stream),
               "plan: read the counts of rows");
    check_cuda(cudaStreamSynchronize(stream), "plan: read the counts of rows");
    return found.ascending > 0 && 2 * std::int64_t{found.ascending} >= found.all;
  }
  /// The rows of more than `bound_` edges; there is one where a row that ascends is longer than partitions leave whole.
  static std::int64_t list_rows(stream_handle stream, memory_resource* memory, is_cut_row<Index, Offset> const& is_cut,
                                Index num_rows, device_buffer<Index>& rows) {
    device_buffer<std::int32_t> firsts(blocks_of(num_rows), memory, stream);
    device_buffer<std::int32_t> total(1, memory, stream);
    number(stream, is_cut, num_rows, firsts, total.data());
    std::int32_t num_cut = 0;
    check_cuda(cudaMemcpyAsync(&num_cut, total.data(), sizeof(num_cut), cudaMemcpyDeviceToHost, stream),
               "plan: read the number of cut rows");
    check_cuda(cudaStreamSynchronize(stream), "plan: read the number of cut rows");
    rows = device_buffer<Index>(static_cast<std::size_t>(num_cut), memory, stream);
    launch_kernel("plan: list the cut rows", list_cut_rows<Index, Offset>, static_cast<unsigned>(firsts.size()),
                  cut_threads, stream, is_cut, num_rows, firsts.data(), rows.data());
    return num_cut;
  }
  static void count(stream_handle stream, partition_cuts<Index, Offset> const& cuts, partition_part const& part,
                    std::int32_t* before, std::int32_t* totals) {
    launch_kernel("plan: count the pieces of partitions", count_partitioned_pieces<Index, Offset>,
                  static_cast<unsigned>(blocks_of(part.num_rows)), cut_threads, stream, cuts, part, before, totals);
  }
  /// `firsts`: the sum of the counts before each block; `total`: of all.
  template <class Count>
  static void number(stream_handle stream, Count const& count, std::int64_t size, device_buffer<std::int32_t>& firsts,
                     std::int32_t* total) {
    launch_kernel("plan: add up the pieces of partitions", count_in_blocks<Count>, static_cast<unsigned>(firsts.size()),
                  cut_threads, stream, count, size, firsts.data());
    launch_kernel("plan: number the pieces of partitions", number_pieces<std::int64_t>, 1, cut_threads, stream,
                  firsts.data(), static_cast<std::int64_t>(firsts.size()), total);
  }
  /// Blocks of cut rows one after another, as many as need no more than `most_slots` slots.
  void choose_parts(stream_handle stream, std::int64_t rows, std::int64_t most_slots,
                    device_buffer<std::int32_t> const& firsts, device_buffer<std::int32_t> const& total) {
    std::vector<std::int32_t> before(firsts.size() + 1);
    auto const read = [&](std::int32_t* to, device_buffer<std::int32_t> const& from) {
      check_cuda(cudaMemcpyAsync(to, from.data(), from.size_bytes(), cudaMemcpyDeviceToHost, stream),
                 "plan: read the numbers of pieces");
    };
    read(before.data(), firsts);
    read(before.data() + firsts.size(), total);
    check_cuda(cudaStreamSynchronize(stream), "plan: read the numbers of pieces");
    num_pieces_ = before.back();
    for (std::size_t first = 0; first < firsts.size();) {
      std::size_t end = first + 1;
      while (end < firsts.size() && before[end + 1] - before[first] <= most_slots) ++end;
      std::int64_t const first_place = static_cast<std::int64_t>(first) * cut_threads;
      std::int64_t const end_place = static_cast<std::int64_t>(end) * cut_threads;
      std::int32_t const num_pieces = before[end] - before[first];
      parts_.push_back({first_place, (end_place < rows ? end_place : rows) - first_place, before[first], num_pieces});
      if (static_cast<std::size_t>(num_pieces) > num_slots_) num_slots_ = static_cast<std::size_t>(num_pieces);
      first = end;
    }
  }

  Offset bound_ = 0;
  std::vector<partition_part> parts_;
  std::size_t num_slots_ = 0;
  std::int64_t num_pieces_ = 0;
  device_buffer<row_piece<Index, Offset>> pieces_;
  device_buffer<std::int32_t> counts_;  ///< [parts]
};

}  // namespace edgewise::inline v0::detail
