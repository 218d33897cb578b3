// Sums of hashes over the edges of a graph's groupings, in device memory.
#pragma once

#include <cuda_runtime_api.h>

#include <array>
#include <cstdint>

#include <edgewise/core/device_memory.cuh>
#include <edgewise/core/launch.cuh>
#include <edgewise/core/memory.hpp>
#include <edgewise/format/csc.hpp>
#include <edgewise/format/csr.hpp>
#include <edgewise/format/edge_hash.hpp>

namespace edgewise::inline v0::detail {

inline constexpr int hash_threads = 256;
inline constexpr int hash_span = 512;  ///< edges that a warp takes at a time: two searches among all rows for each

/// One warp per span of positions; the rows of its edges lie between those of its first and last.
template <endpoint By, class Index, class Offset>
EDGEWISE_DEVICE std::uint64_t hash_spans(grouping_view<Index, Offset> const& grouping, edge_identity identity) {
  int const lane = static_cast<int>(threadIdx.x % 32);
  std::int64_t const warp = (std::int64_t{blockIdx.x} * hash_threads + threadIdx.x) / 32;
  std::int64_t const num_warps = std::int64_t{gridDim.x} * (hash_threads / 32);
  Offset const* const offsets = grouping.offsets;
  std::int64_t const begin = offsets[0];
  std::int64_t const end = begin + grouping.num_edges;
  std::uint64_t sum = 0;
  for (std::int64_t first = begin + warp * hash_span; first < end; first += num_warps * hash_span) {
    std::int64_t const stop = end - first < hash_span ? end : first + hash_span;
    Index const first_row =
        row_of_position(offsets, Index(0), static_cast<Index>(grouping.num_rows - 1), static_cast<Offset>(first));
    Index const last_row =
        row_of_position(offsets, first_row, static_cast<Index>(grouping.num_rows - 1), static_cast<Offset>(stop - 1));
    for (std::int64_t k = first + lane; k < stop; k += 32) {
      auto const position = static_cast<Offset>(k);
      sum += hash_position<By>(grouping, row_of_position(offsets, first_row, last_row, position), position, identity);
    }
  }
  return sum;
}

/// blockIdx.y = 0: the csr, 1: the csc. Shapes: sums [2], cleared before.
template <class Index, class Offset>
__global__ void __launch_bounds__(hash_threads) sum_hashes_kernel(__grid_constant__ csr_view<Index, Offset> const csr,
                                                                  __grid_constant__ csc_view<Index, Offset> const csc,
                                                                  edge_identity identity, unsigned long long* sums) {
  std::uint64_t sum = blockIdx.y == 0 ? hash_spans<endpoint::destination, Index, Offset>(csr, identity)
                                      : hash_spans<endpoint::source, Index, Offset>(csc, identity);
  EDGEWISE_UNROLL
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, step);
  if (threadIdx.x % 32 == 0) atomicAdd(sums + blockIdx.y, static_cast<unsigned long long>(sum));
}

/// The sums of both groupings, which have edges. Waits for the stream.
template <class Index, class Offset>
std::array<std::uint64_t, 2> sum_edge_hashes(stream_handle stream, memory_resource* memory,
                                             csr_view<Index, Offset> const& csr, csc_view<Index, Offset> const& csc,
                                             edge_identity identity, int multiprocessors) {
  device_buffer<unsigned long long> sums(2, memory, stream);
  check_cuda(cudaMemsetAsync(sums.data(), 0, sums.size_bytes(), stream), "graph: clear the sums of hashes");
  constexpr std::int64_t edges_a_block = std::int64_t{hash_span} * (hash_threads / 32);
  std::int64_t const wanted = (static_cast<std::int64_t>(csr.num_edges) + edges_a_block - 1) / edges_a_block;
  std::int64_t const most = std::int64_t{4} * multiprocessors;  // 8 blocks per multiprocessor, both groupings together
  dim3 const blocks(static_cast<unsigned>(wanted < most ? wanted : most), 2);
  launch_kernel("graph: sum the hashes of edges", sum_hashes_kernel<Index, Offset>, blocks, hash_threads, stream, csr,
                csc, identity, sums.data());
  std::array<unsigned long long, 2> result{};
  check_cuda(cudaMemcpyAsync(result.data(), sums.data(), sums.size_bytes(), cudaMemcpyDeviceToHost, stream),
             "graph: read the sums of hashes");
  check_cuda(cudaStreamSynchronize(stream), "graph: sum the hashes of edges");
  return {result[0], result[1]};
}

}  // namespace edgewise::inline v0::detail
