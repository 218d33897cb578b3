// The histogram of degrees of a grouping in device memory, and whether rows side by side share neighbors.
#pragma once

#include <cuda_runtime_api.h>

#include <array>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

#include <edgewise/core/device_memory.cuh>
#include <edgewise/core/launch.cuh>
#include <edgewise/core/memory.hpp>
#include <edgewise/format/grouping.hpp>
#include <edgewise/mapping/degree_histogram.hpp>
#include <edgewise/schedule/degree_order.cuh>
#include <edgewise/schedule/sample_neighbors.cuh>
#include <edgewise/schedule/sizing.hpp>

namespace edgewise::inline v0::detail {

/// What is read of a grouping, together: each copy to the host waits for the stream.
struct degree_counts {
  unsigned long long max_degree;
  neighbor_counts spread[3];  ///< of rows side by side, far apart, of one window
  std::int32_t classes[degree_histogram_classes];
};

/// Rows whose degrees are counted in one launch.
template <std::size_t N, class Index, class Offset>
struct counted_rows {
  Offset const* offsets[N];
  Index num_rows[N];
};

/// One thread per row of grouping blockIdx.y. Shapes: counts [N].
template <std::size_t N, class Index, class Offset>
__global__ void __launch_bounds__(degree_threads)
    count_degree_classes(counted_rows<N, Index, Offset> const rows, degree_counts* all_counts) {
  __shared__ std::int32_t own[degree_histogram_classes];
  __shared__ unsigned long long longest;
  Offset const* const offsets = rows.offsets[blockIdx.y];
  Index const num_rows = rows.num_rows[blockIdx.y];
  degree_counts* const counts = all_counts + blockIdx.y;
  if (static_cast<std::int64_t>(blockIdx.x) * degree_threads >= num_rows) return;  // the whole block
  if (threadIdx.x == 0) longest = 0;
  clear_classes(own);
  std::int64_t const row = static_cast<std::int64_t>(blockIdx.x) * degree_threads + threadIdx.x;
  unsigned long long most = 0;  // of the warp's rows
  if (row < num_rows) {
    auto const degree = static_cast<std::int64_t>(offsets[row + 1]) - static_cast<std::int64_t>(offsets[row]);
    count_in_class(own, histogram_class(degree));
    most = static_cast<unsigned long long>(degree);
  }
  for (int reach = 16; reach > 0; reach /= 2) {
    unsigned long long const other = __shfl_xor_sync(0xffffffffu, most, reach);
    most = other > most ? other : most;
  }
  if (threadIdx.x % 32 == 0) atomicMax(&longest, most);
  add_classes(own, counts->classes);
  if (threadIdx.x == 0) atomicMax(&counts->max_degree, longest);
}

/// The histogram of each grouping. Waits for the stream, once. Takes 17 KB of memory per grouping while it runs.
template <std::size_t N, class Index, class Offset>
std::array<degree_histogram, N> read_degrees(stream_handle stream, memory_resource* memory,
                                             std::array<described_grouping<Index, Offset>, N> const& groupings) {
  std::vector<degree_counts> counts(N);
  device_buffer<degree_counts> counters(N, memory, stream);
  check_cuda(cudaMemsetAsync(counters.data(), 0, counters.size_bytes(), stream), "degrees: clear the counts");
  counted_rows<N, Index, Offset> rows;
  Index most = 0;
  for (std::size_t i = 0; i < N; ++i) {
    grouping_view<Index, Offset> const& grouping = groupings[i].grouping;
    rows.offsets[i] = grouping.offsets;
    rows.num_rows[i] = grouping.num_rows;
    most = grouping.num_rows > most ? grouping.num_rows : most;
  }
  if (most > 0) {
    launch_kernel("degrees: count", count_degree_classes<N, Index, Offset>,
                  dim3(degree_blocks(most), static_cast<unsigned>(N)), degree_threads, stream, rows, counters.data());
    sample_neighbors_of(stream, groupings, counters.data());
  }
  check_cuda(cudaMemcpyAsync(counts.data(), counters.data(), counters.size_bytes(), cudaMemcpyDeviceToHost, stream),
             "degrees: read the counts");
  check_cuda(cudaStreamSynchronize(stream), "degrees: read");
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return std::array<degree_histogram, N>{degree_histogram(
        groupings[I].work, static_cast<std::int64_t>(counts[I].max_degree),
        std::vector<std::int32_t>(std::begin(counts[I].classes), std::end(counts[I].classes)),
        spread_of(counts[I].spread[0], counts[I].spread[1]), spread_of(counts[I].spread[0], counts[I].spread[2]))...};
  }
  (std::make_index_sequence<N>{});
}
template <class Index, class Offset>
degree_histogram read_degrees(stream_handle stream, memory_resource* memory,
                              grouping_view<Index, Offset> const& grouping, workload work) {
  return read_degrees(stream, memory, std::array{described_grouping<Index, Offset>{grouping, work}})[0];
}

}  // namespace edgewise::inline v0::detail
