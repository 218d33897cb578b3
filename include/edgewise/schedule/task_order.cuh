// The order of tasks in which pieces of cut rows start where their rows would, made on the device.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include <edgewise/core/block_scan.cuh>
#include <edgewise/core/device_memory.cuh>
#include <edgewise/core/launch.cuh>
#include <edgewise/core/memory.hpp>
#include <edgewise/format/grouping.hpp>
#include <edgewise/schedule/cut_rows.cuh>
#include <edgewise/schedule/cut_rows.hpp>

namespace edgewise::inline v0::detail {

/// Rows of more pieces start ahead of all others: one group folds their slots one after another.
inline constexpr std::int32_t most_pieces_in_place = 32;

/// The row that starts at a place of an order.
template <class Index>
EDGEWISE_DEVICE std::int64_t row_at(Index const* order, Index num_rows, std::int64_t place) {
  return order && place < num_rows ? static_cast<std::int64_t>(order[place]) : place;
}

/// How many tasks a row has, and where: a hub, whose fold takes long, starts ahead of all other rows.
struct row_tasks {
  std::int32_t pieces = 0;  ///< 0 where the row is whole
  std::int32_t ahead = 0;   ///< tasks ahead of all rows
  std::int32_t more = 0;    ///< tasks in the row's place, but for one

  template <class Index, class Offset>
  EDGEWISE_DEVICE row_tasks(Offset const* offsets, Index num_rows, Offset bound, std::int64_t row)
      : pieces(pieces_of_row(offsets, num_rows, bound, row)) {
    if (pieces == 0) return;
    bool const is_hub = pieces > most_pieces_in_place;
    ahead = is_hub ? pieces : 0;
    more = is_hub ? -1 : pieces - 1;
  }
};

/// firsts[b] = the tasks ahead of all rows that the rows at places b * 256 to b * 256 + 255 of the order have;
/// firsts[blocks + b] = those in their places beyond one each.
template <class Index, class Offset>
__global__ void __launch_bounds__(cut_threads)
    count_tasks(Offset const* offsets, Index num_rows, Offset bound, Index const* order, std::int32_t* firsts) {
  __shared__ block_scan_storage<cut_threads> shared;
  std::int64_t const place = static_cast<std::int64_t>(blockIdx.x) * cut_threads + threadIdx.x;
  row_tasks const own(offsets, num_rows, bound, row_at(order, num_rows, place));
  std::int32_t const ahead = block_scan(own.ahead, shared).total;
  __syncthreads();
  std::int32_t const more = block_scan(own.more, shared).total;
  if (threadIdx.x == 0) {
    firsts[blockIdx.x] = ahead;
    firsts[gridDim.x + blockIdx.x] = more;
  }
}

/// The number of the first piece of a row, to all threads of the warp: the pieces of its block of rows before
/// it, after those of the blocks before.
template <class Index, class Offset>
EDGEWISE_DEVICE std::int32_t find_first_piece(Offset const* offsets, Index num_rows, Offset bound,
                                              std::int32_t const* piece_firsts, std::int64_t row) {
  std::int64_t const block = row / cut_threads;
  std::int32_t first = 0;
  for (std::int64_t k = block * cut_threads + threadIdx.x % 32; k < row; k += 32) {
    first += pieces_of_row(offsets, num_rows, bound, k);
  }
  for (int mask = 1; mask < 32; mask *= 2) first += __shfl_xor_sync(0xffffffffu, first, mask);
  return piece_firsts[block] + first;
}

/// One thread per place of the order; a warp lists the pieces of a row. `firsts`: those of `count_tasks`, added up,
/// behind the number of all tasks ahead of rows.
template <class Index, class Offset>
__global__ void __launch_bounds__(cut_threads)
    list_tasks(Offset const* offsets, Index num_rows, Offset bound, Index const* order, std::int32_t const* firsts,
               std::int32_t const* piece_firsts, task_entry<Index>* tasks) {
  __shared__ block_scan_storage<cut_threads> shared;
  std::int64_t const place = static_cast<std::int64_t>(blockIdx.x) * cut_threads + threadIdx.x;
  std::int64_t const own_row = row_at(order, num_rows, place);
  row_tasks const own(offsets, num_rows, bound, own_row);
  std::int64_t const ahead = firsts[1 + blockIdx.x] + block_scan(own.ahead, shared).before;
  __syncthreads();
  std::int64_t const in_place =
      firsts[0] + place + firsts[1 + gridDim.x + blockIdx.x] + block_scan(own.more, shared).before;
  std::int64_t const own_task = own.ahead > 0 ? ahead : in_place;
  if (own.pieces == 0 && place < num_rows) tasks[own_task] = static_cast<task_entry<Index>>(own_row);
  for (unsigned cut = __ballot_sync(0xffffffffu, own.pieces > 0); cut != 0; cut &= cut - 1) {
    int const owner = __ffs(static_cast<int>(cut)) - 1;
    std::int64_t const row = __shfl_sync(0xffffffffu, own_row, owner);
    std::int64_t const task = __shfl_sync(0xffffffffu, own_task, owner);
    std::int32_t const pieces = __shfl_sync(0xffffffffu, own.pieces, owner);
    auto const first = static_cast<task_entry<Index>>(find_first_piece(offsets, num_rows, bound, piece_firsts, row));
    for (std::int32_t k = static_cast<std::int32_t>(threadIdx.x) % 32; k < pieces; k += 32) {
      tasks[task + k] = static_cast<task_entry<Index>>(num_rows) + first + static_cast<task_entry<Index>>(k);
    }
  }
}

/// Rows of one grouping and pieces of those that are cut, in one order, in device memory; empty where no row is cut.
template <class Index>
class task_order {
public:
  task_order() = default;
  /// An order of `capacity` pieces at most, and `num_rows` rows.
  task_order(stream_handle stream, memory_resource* memory, Index num_rows, std::int32_t capacity) {
    if (capacity == 0 || num_rows == 0) return;
    tasks_ = device_buffer<task_entry<Index>>(static_cast<std::size_t>(num_rows) + static_cast<std::size_t>(capacity),
                                              memory, stream);
    firsts_ = device_buffer<std::int32_t>(2 + 2 * static_cast<std::size_t>(num_blocks(num_rows)), memory, stream);
  }

  /// Lists rows in `order`, [num_rows] or null, and the pieces of `split`. Asynchronous; allocates nothing.
  template <class Offset>
  void rebuild(stream_handle stream, grouping_view<Index, Offset> const& grouping, Index const* order,
               cut_rows<Index, Offset> const& split) {
    if (tasks_.size() == 0) return;
    check_cuda(cudaMemsetAsync(tasks_.data(), 0xff, tasks_.size_bytes(), stream), "plan: clear the order of tasks");
    auto const blocks = static_cast<unsigned>(num_blocks(grouping.num_rows));
    if (blocks == 0) return;
    std::int32_t* const ahead = firsts_.data();  // of all rows; then before each block of places
    std::int32_t* const in_place = ahead + 1 + blocks;
    std::int32_t* const all_in_place = in_place + blocks;
    launch_kernel("plan: count tasks", count_tasks<Index, Offset>, blocks, cut_threads, stream, grouping.offsets,
                  grouping.num_rows, split.bound, order, ahead + 1);
    launch_kernel("plan: number tasks ahead of rows", number_pieces<std::int64_t>, 1, cut_threads, stream, ahead + 1,
                  std::int64_t{blocks}, ahead);
    launch_kernel("plan: number tasks", number_pieces<std::int64_t>, 1, cut_threads, stream, in_place,
                  std::int64_t{blocks}, all_in_place);
    launch_kernel("plan: list tasks", list_tasks<Index, Offset>, blocks, cut_threads, stream, grouping.offsets,
                  grouping.num_rows, split.bound, order, ahead, split.numbers.data() + 1, tasks_.data());
  }
  /// null where there are none.
  task_entry<Index> const* data() const { return tasks_.data(); }

private:
  static std::int64_t num_blocks(Index num_rows) {
    return (static_cast<std::int64_t>(num_rows) + cut_threads - 1) / cut_threads;
  }

  device_buffer<task_entry<Index>> tasks_;
  device_buffer<std::int32_t> firsts_;  ///< tasks ahead of rows, and those in place, before each 256 places
};

}  // namespace edgewise::inline v0::detail
