// The histogram of degrees of a grouping in device memory, and whether rows side by side share neighbors.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <iterator>
#include <vector>

#include <edgewise/core/memory.hpp>
#include <edgewise/execute/degree_order.cuh>
#include <edgewise/execute/device_memory.cuh>
#include <edgewise/execute/engine.hpp>
#include <edgewise/execute/read_spread.cuh>
#include <edgewise/format/grouping.hpp>
#include <edgewise/mapping/degree_histogram.hpp>

namespace edgewise::detail {

/// What is read of a grouping, together: each copy to the host waits for the stream.
struct degree_counts {
  unsigned long long max_degree;
  neighbor_counts spread[2];
  std::int32_t classes[degree_histogram_classes];
};

/// One thread a row.
template <class Index, class Offset>
__global__ void count_degree_classes(Offset const* offsets, Index num_rows, degree_counts* counts) {
  std::int64_t const row = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (row >= num_rows) return;
  auto const degree = static_cast<std::int64_t>(offsets[row + 1]) - static_cast<std::int64_t>(offsets[row]);
  count_in_class(counts->classes, histogram_class(degree));
  auto const own = static_cast<unsigned long long>(degree);
  if (own > counts->max_degree) atomicMax(&counts->max_degree, own);  // mostly no row has more edges than one before
}

/// Of a grouping of `size`. Waits for the stream. Takes 17 KB of memory while it runs.
template <class Index, class Offset>
degree_histogram read_degrees(stream_handle stream, memory_resource* memory,
                              grouping_view<Index, Offset> const& grouping, grouping_size size) {
  degree_counts counts{};
  if (grouping.num_rows > 0) {
    device_buffer<degree_counts> counters(1, memory, stream);
    check_cuda(cudaMemsetAsync(counters.data(), 0, counters.size_bytes(), stream), "degrees: clear the counts");
    auto const blocks =
        static_cast<unsigned>((static_cast<std::int64_t>(grouping.num_rows) + degree_threads - 1) / degree_threads);
    count_degree_classes<Index, Offset>
        <<<blocks, degree_threads, 0, stream>>>(grouping.offsets, grouping.num_rows, counters.data());
    check_cuda(cudaGetLastError(), "degrees: count");
    sample_spread(stream, grouping, counters.data()->spread);
    check_cuda(cudaMemcpyAsync(&counts, counters.data(), sizeof(counts), cudaMemcpyDeviceToHost, stream),
               "degrees: read the counts");
    check_cuda(cudaStreamSynchronize(stream), "degrees: read");
  }
  return {size, static_cast<std::int64_t>(counts.max_degree),
          std::vector<std::int32_t>(std::begin(counts.classes), std::end(counts.classes)), spread_of(counts.spread)};
}

}  // namespace edgewise::detail
