// Builds the schedule of cut rows on the device.
#pragma once

#include <cuda_runtime_api.h>

#include <limits>

#include <edgewise/core/error.hpp>
#include <edgewise/core/memory.hpp>
#include <edgewise/execute/device_memory.cuh>
#include <edgewise/execute/engine.hpp>
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
    pieces[first + k] = {
        static_cast<Offset>(begin + static_cast<Offset>(static_cast<std::int64_t>(length) * k / count)),
        static_cast<Offset>(begin + static_cast<Offset>(static_cast<std::int64_t>(length) * (k + 1) / count)),
        row,
        first + k,
        first,
        count};
  }
}

/// The cut rows of one grouping, in device memory.
template <class Index, class Offset>
struct split_rows {
  Offset bound = 0;
  device_buffer<row_piece<Index, Offset>> pieces;
  device_buffer<std::int32_t> count;
  std::int32_t capacity = 0;
  std::size_t num_slots = 0;

  split_rows() = default;
  /// `exact`: counts, then cuts, and synchronises once to size the arrays. `capacity`: sizes them for any grouping of
  /// as many rows and edges, and reads nothing.
  split_rows(stream_handle stream, memory_resource* memory, std::int64_t longest,
             grouping_view<Index, Offset> const& grouping, sizing size) {
    std::int64_t const edges = grouping.num_edges;
    bound = static_cast<Offset>(longest < edges ? longest : edges);
    if (most_pieces(edges, bound) > std::numeric_limits<std::int32_t>::max()) {
      throw invalid_argument(text("plan: rows of ", edges, " edges cut at ", longest, " may have more than 2^31 - 1 pieces"));
    }
    count = device_buffer<std::int32_t>(1, memory, stream);
    if (size == sizing::exact) {
      cut(stream, grouping, "plan: count the pieces of cut rows");
      check_cuda(cudaMemcpyAsync(&capacity, count.data(), sizeof(std::int32_t), cudaMemcpyDeviceToHost, stream),
                 "plan: read the piece count");
      check_cuda(cudaStreamSynchronize(stream), "plan: read the piece count");
    } else {
      capacity = static_cast<std::int32_t>(most_pieces(edges, bound));
    }
    num_slots = static_cast<std::size_t>(capacity);
    pieces = device_buffer<row_piece<Index, Offset>>(num_slots, memory, stream);
    if (size == sizing::exact && capacity > 0) rebuild(stream, grouping);
  }

  /// Cuts the rows of a grouping that has no more pieces than this has room for.
  void rebuild(stream_handle stream, grouping_view<Index, Offset> const& grouping) {
    cut(stream, grouping, "plan: cut rows");
  }
  split_rows_view<Index, Offset> view() const { return {bound, pieces.data(), count.data(), capacity}; }

private:
  void cut(stream_handle stream, grouping_view<Index, Offset> const& grouping, char const* what) {
    check_cuda(cudaMemsetAsync(count.data(), 0, sizeof(std::int32_t), stream), "plan: clear the piece count");
    constexpr int threads = 256;
    auto const blocks = static_cast<unsigned>((static_cast<std::int64_t>(grouping.num_rows) + threads - 1) / threads);
    if (blocks == 0) return;
    cut_rows<Index, Offset>
        <<<blocks, threads, 0, stream>>>(grouping.offsets, grouping.num_rows, bound, pieces.data(), count.data());
    check_cuda(cudaGetLastError(), what);
  }
};

}  // namespace edgewise::detail
