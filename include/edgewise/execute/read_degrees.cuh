// The histogram of degrees of a grouping in device memory, and whether rows side by side share neighbors.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <vector>

#include <edgewise/core/memory.hpp>
#include <edgewise/execute/degree_order.cuh>
#include <edgewise/execute/device_memory.cuh>
#include <edgewise/execute/engine.hpp>
#include <edgewise/execute/read_spread.cuh>
#include <edgewise/format/grouping.hpp>
#include <edgewise/mapping/degree_histogram.hpp>

namespace edgewise::detail {

/// One thread a row.
template <class Index, class Offset>
__global__ void count_degree_classes(Offset const* offsets, Index num_rows, std::int32_t* counters,
                                     unsigned long long* max_degree) {
  std::int64_t const row = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (row >= num_rows) return;
  auto const degree = static_cast<std::int64_t>(offsets[row + 1]) - static_cast<std::int64_t>(offsets[row]);
  count_in_class(counters, histogram_class(degree));
  auto const own = static_cast<unsigned long long>(degree);
  if (own > *max_degree) atomicMax(max_degree, own);  // mostly no row has more edges than one before
}

/// Of a grouping of `size`. Waits for the stream. Takes 17 KB of memory while it runs.
template <class Index, class Offset>
degree_histogram read_degrees(stream_handle stream, memory_resource* memory,
                              grouping_view<Index, Offset> const& grouping, grouping_size size) {
  std::vector<std::int32_t> counts(degree_histogram_classes);
  unsigned long long max_degree = 0;
  neighbor_counts spread[2];
  if (grouping.num_rows > 0) {
    device_buffer<std::int32_t> counters(counts.size(), memory, stream);
    device_buffer<unsigned long long> longest(1, memory, stream);
    device_buffer<neighbor_counts> distinct(2, memory, stream);
    check_cuda(cudaMemsetAsync(counters.data(), 0, counters.size_bytes(), stream), "degrees: clear the counts");
    check_cuda(cudaMemsetAsync(longest.data(), 0, longest.size_bytes(), stream), "degrees: clear the largest");
    auto const blocks =
        static_cast<unsigned>((static_cast<std::int64_t>(grouping.num_rows) + degree_threads - 1) / degree_threads);
    count_degree_classes<Index, Offset>
        <<<blocks, degree_threads, 0, stream>>>(grouping.offsets, grouping.num_rows, counters.data(), longest.data());
    check_cuda(cudaGetLastError(), "degrees: count");
    sample_spread(stream, grouping, distinct.data());
    check_cuda(cudaMemcpyAsync(counts.data(), counters.data(), counters.size_bytes(), cudaMemcpyDeviceToHost, stream),
               "degrees: read the counts");
    check_cuda(cudaMemcpyAsync(&max_degree, longest.data(), longest.size_bytes(), cudaMemcpyDeviceToHost, stream),
               "degrees: read the largest");
    check_cuda(cudaMemcpyAsync(spread, distinct.data(), sizeof(spread), cudaMemcpyDeviceToHost, stream),
               "degrees: read the counts of neighbors");
    check_cuda(cudaStreamSynchronize(stream), "degrees: read");
  }
  return {size, static_cast<std::int64_t>(max_degree), std::move(counts), spread_of(spread)};
}

}  // namespace edgewise::detail
