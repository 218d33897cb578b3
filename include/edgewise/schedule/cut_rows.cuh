// Builds the schedule of cut rows on the device.
#pragma once

#include <cuda_runtime_api.h>

#include <limits>

#include <edgewise/core/block_scan.cuh>
#include <edgewise/core/device_memory.cuh>
#include <edgewise/core/error.hpp>
#include <edgewise/core/launch.cuh>
#include <edgewise/core/memory.hpp>
#include <edgewise/format/grouping.hpp>
#include <edgewise/schedule/cut_rows.hpp>
#include <edgewise/schedule/sizing.hpp>

namespace edgewise::inline v0::detail {

inline constexpr int cut_threads = 256;

/// A split for which offsets or numbers of pieces are too narrow: `autotune` passes over it.
struct unfit_split : invalid_argument {
  using invalid_argument::invalid_argument;
};

/// Pieces of the row of a thread: none where it is not cut.
template <class Index, class Offset>
EDGEWISE_DEVICE std::int32_t pieces_of_row(Offset const* offsets, Index num_rows, Offset bound, std::int64_t row) {
  if (row >= num_rows) return 0;
  Offset const length = offsets[row + 1] - offsets[row];
  return length <= bound ? 0 : static_cast<std::int32_t>((length - 1) / bound + 1);
}

/// firsts[b] = pieces of the rows of block b.
template <class Index, class Offset>
__global__ void __launch_bounds__(cut_threads)
    count_pieces(Offset const* offsets, Index num_rows, Offset bound, std::int32_t* firsts) {
  __shared__ block_scan_storage<cut_threads> shared;
  std::int64_t const row = static_cast<std::int64_t>(blockIdx.x) * cut_threads + threadIdx.x;
  std::int32_t const total = block_scan(pieces_of_row(offsets, num_rows, bound, row), shared).total;
  if (threadIdx.x == 0) firsts[blockIdx.x] = total;
}

/// One block: counts become the numbers of the blocks' first pieces.
template <class Index>
__global__ void __launch_bounds__(cut_threads)
    number_pieces(std::int32_t* firsts, Index num_blocks, std::int32_t* num_pieces) {
  __shared__ block_scan_storage<cut_threads> shared;
  std::int32_t total = 0;
  for (std::int64_t begin = 0; begin < num_blocks; begin += cut_threads) {
    std::int64_t const i = begin + threadIdx.x;
    std::int32_t const count = i < num_blocks ? firsts[i] : 0;
    block_scan_result const sums = block_scan(count, shared);
    if (i < num_blocks) firsts[i] = total + sums.before;
    total += sums.total;
    __syncthreads();  // `shared` is used again
  }
  if (threadIdx.x == 0) *num_pieces = total;
}

/// One thread per row: rows of more than `bound` edges get pieces of equal length and as many slots, in the order of
/// rows: sums over all edges are taken piece by piece, and plans of one graph are to form them alike. The pieces of a
/// row are written by a warp.
template <class Index, class Offset>
__global__ void __launch_bounds__(cut_threads) list_cuts(Offset const* offsets, Index num_rows, Offset bound,
                                                         std::int32_t const* firsts, row_piece<Index, Offset>* pieces) {
  __shared__ block_scan_storage<cut_threads> shared;
  std::int64_t const i = static_cast<std::int64_t>(blockIdx.x) * cut_threads + threadIdx.x;
  std::int32_t const count = pieces_of_row(offsets, num_rows, bound, i);
  std::int32_t const before = block_scan(count, shared).before;
  std::int32_t const own_first = firsts[blockIdx.x] + before;
  int const lane = static_cast<int>(threadIdx.x) % 32;
  for (unsigned cut = __ballot_sync(0xffffffffu, count > 0); cut != 0; cut &= cut - 1) {
    int const owner = __ffs(static_cast<int>(cut)) - 1;
    auto const row = static_cast<Index>(i - lane + owner);
    std::int32_t const num_pieces = __shfl_sync(0xffffffffu, count, owner);
    std::int32_t const first = __shfl_sync(0xffffffffu, own_first, owner);
    Offset const begin = offsets[row];
    Offset const length = offsets[row + 1] - begin;
    auto const border = [&](std::int32_t k) {
      return static_cast<Offset>(begin + static_cast<Offset>(static_cast<std::int64_t>(length) * k / num_pieces));
    };
    for (std::int32_t k = lane; k < num_pieces; k += 32) {
      pieces[first + k] = {border(k), border(k + 1), row, first + k, first, num_pieces};
    }
  }
}

/// The cut rows of one grouping, in device memory.
template <class Index, class Offset>
struct cut_rows {
  Offset bound = 0;
  device_buffer<row_piece<Index, Offset>> pieces;
  device_buffer<std::int32_t> numbers;  ///< how many there are; then of 256 rows each the number of the first piece
  std::int32_t capacity = 0;
  std::size_t num_slots = 0;

  cut_rows() = default;
  /// `exact`: counts, then cuts, and synchronises once to size the arrays, unless it is told the number of pieces.
  /// `capacity`: sizes them for any grouping of as many rows and edges, and reads nothing.
  cut_rows(stream_handle stream, memory_resource* memory, std::int64_t longest,
           grouping_view<Index, Offset> const& grouping, sizing size, std::int64_t num_pieces = unknown_pieces) {
    std::int64_t const edges = grouping.num_edges;
    bound = static_cast<Offset>(longest < edges ? longest : edges);
    if (most_pieces(edges, bound) > std::numeric_limits<std::int32_t>::max()) {
      throw unfit_split(
          text("plan: rows of ", edges, " edges cut at ", longest, " may have more than 2^31 - 1 pieces"));
    }
    if (most_pieces(edges, bound) == 0) num_pieces = 0;
    numbers = device_buffer<std::int32_t>(1 + static_cast<std::size_t>(num_blocks(grouping)), memory, stream);
    bool const is_known = size == sizing::exact && num_pieces != unknown_pieces;
    if (is_known && num_pieces == 0) {
      check_cuda(cudaMemsetAsync(numbers.data(), 0, sizeof(std::int32_t), stream), "plan: no row is cut");
    } else if (is_known) {
      number(stream, grouping);
      capacity = static_cast<std::int32_t>(num_pieces);
    } else if (size == sizing::exact) {
      number(stream, grouping);
      check_cuda(cudaMemcpyAsync(&capacity, numbers.data(), sizeof(std::int32_t), cudaMemcpyDeviceToHost, stream),
                 "plan: read the piece count");
      check_cuda(cudaStreamSynchronize(stream), "plan: read the piece count");
    } else {
      capacity = static_cast<std::int32_t>(most_pieces(edges, bound));
    }
    num_slots = static_cast<std::size_t>(capacity);
    pieces = device_buffer<row_piece<Index, Offset>>(num_slots, memory, stream);
    if (size == sizing::exact && capacity > 0) cut(stream, grouping);
  }

  /// Cuts the rows of a grouping that has no more pieces than this has room for.
  void rebuild(stream_handle stream, grouping_view<Index, Offset> const& grouping) {
    number(stream, grouping);
    if (capacity > 0) cut(stream, grouping);
  }
  cut_rows_view<Index, Offset> view() const { return {bound, pieces.data(), numbers.data(), capacity}; }

private:
  static std::int64_t num_blocks(grouping_view<Index, Offset> const& grouping) {
    return (static_cast<std::int64_t>(grouping.num_rows) + cut_threads - 1) / cut_threads;
  }
  /// Counts the pieces, and numbers them by row.
  void number(stream_handle stream, grouping_view<Index, Offset> const& grouping) {
    std::int64_t const blocks = num_blocks(grouping);
    if (blocks > 0) {
      launch_kernel("plan: count the pieces of cut rows", count_pieces<Index, Offset>, static_cast<unsigned>(blocks),
                    cut_threads, stream, grouping.offsets, grouping.num_rows, bound, numbers.data() + 1);
    }
    launch_kernel("plan: number the pieces of cut rows", number_pieces<Index>, 1, cut_threads, stream,
                  numbers.data() + 1, static_cast<Index>(blocks), numbers.data());
  }
  void cut(stream_handle stream, grouping_view<Index, Offset> const& grouping) {
    std::int64_t const blocks = num_blocks(grouping);
    if (blocks == 0) return;
    launch_kernel("plan: cut rows", list_cuts<Index, Offset>, static_cast<unsigned>(blocks), cut_threads, stream,
                  grouping.offsets, grouping.num_rows, bound, numbers.data() + 1, pieces.data());
  }
};

}  // namespace edgewise::inline v0::detail
