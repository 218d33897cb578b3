// Builds the schedule of cut rows on the device.
#pragma once

#include <cuda_runtime_api.h>

#include <edgewise/core/memory.hpp>
#include <edgewise/execute/device_memory.cuh>
#include <edgewise/format/grouping.hpp>
#include <edgewise/mapping/split_rows.hpp>

namespace edgewise::detail {

/// One thread a row: rows of more than `bound` edges get pieces of equal length and as many slots. Which slots a row
/// gets depends on who comes first, its sums do not: slots are folded by piece.
template <class Index, class Offset>
__global__ void cut_rows(Offset const* offsets, Index num_rows, Offset bound, row_piece<Index, Offset>* pieces,
                         std::int32_t* num_pieces) {
  std::int64_t const i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= num_rows) return;
  auto const row = static_cast<Index>(i);
  Offset const begin = offsets[row];
  Offset const length = offsets[row + 1] - begin;
  if (length <= bound) return;
  auto const count = static_cast<std::int32_t>((length + bound - 1) / bound);
  std::int32_t const first = atomicAdd(num_pieces, count);
  if (!pieces) return;
  for (std::int32_t k = 0; k < count; ++k) {
    pieces[first + k] = {static_cast<Offset>(begin + static_cast<Offset>(static_cast<std::int64_t>(length) * k / count)),
                         static_cast<Offset>(begin + static_cast<Offset>(static_cast<std::int64_t>(length) * (k + 1) / count)),
                         row, first + k, first, count};
  }
}

/// Edges after which a row is cut: enough to keep slots O(vertices) (at most half a slot a row), at least 64, since
/// shorter pieces cost more than they balance (H200 2026-11, arxiv and products: 64 up to 1.5x faster than 256).
template <class Index, class Offset>
Offset split_bound(grouping_view<Index, Offset> const& grouping) {
  Offset const mean = grouping.num_rows > 0 ? grouping.num_edges / static_cast<Offset>(grouping.num_rows) : Offset(0);
  return 4 * mean > Offset(64) ? 4 * mean : Offset(64);
}

/// The cut rows of one grouping, in device memory.
template <class Index, class Offset>
struct split_rows {
  Offset bound = 0;
  device_buffer<row_piece<Index, Offset>> pieces;
  device_buffer<std::int32_t> count;
  std::int32_t capacity = 0;
  std::size_t num_slots = 0;

  split_rows_view<Index, Offset> view() const { return {bound, pieces.data(), count.data(), capacity}; }
};

/// Counts, then cuts; synchronises once to size the arrays.
template <class Index, class Offset>
split_rows<Index, Offset> make_split_rows(stream_handle stream, memory_resource* memory, grouping_view<Index, Offset> const& grouping) {
  split_rows<Index, Offset> result;
  result.bound = split_bound(grouping);
  result.count = device_buffer<std::int32_t>(1, memory, stream);
  constexpr int threads = 256;
  auto const blocks = static_cast<unsigned>((static_cast<std::int64_t>(grouping.num_rows) + threads - 1) / threads);
  check_cuda(cudaMemsetAsync(result.count.data(), 0, sizeof(std::int32_t), stream), "plan: clear the piece count");
  if (blocks == 0) return result;
  cut_rows<Index, Offset><<<blocks, threads, 0, stream>>>(grouping.offsets, grouping.num_rows, result.bound, nullptr, result.count.data());
  check_cuda(cudaGetLastError(), "plan: count the pieces of cut rows");
  check_cuda(cudaMemcpyAsync(&result.capacity, result.count.data(), sizeof(std::int32_t), cudaMemcpyDeviceToHost, stream),
             "plan: read the piece count");
  check_cuda(cudaStreamSynchronize(stream), "plan: read the piece count");
  result.num_slots = static_cast<std::size_t>(result.capacity);
  if (result.capacity == 0) return result;
  result.pieces = device_buffer<row_piece<Index, Offset>>(result.num_slots, memory, stream);
  check_cuda(cudaMemsetAsync(result.count.data(), 0, sizeof(std::int32_t), stream), "plan: clear the piece count");
  cut_rows<Index, Offset><<<blocks, threads, 0, stream>>>(grouping.offsets, grouping.num_rows, result.bound, result.pieces.data(),
                                                          result.count.data());
  check_cuda(cudaGetLastError(), "plan: cut rows");
  return result;
}

}  // namespace edgewise::detail
