// The ceilings that gathers are judged by: whole rows read at random from a table, measured on the machine at hand.
#pragma once

#include <algorithm>
#include <cstdint>

#include "bounds.hpp"
#include "device_array.cuh"
#include "graph_timing.cuh"

namespace edgewise::bench {

namespace detail {

__device__ inline std::uint32_t digest(std::uint16_t x) { return x; }
__device__ inline std::uint32_t digest(std::uint32_t x) { return x; }
__device__ inline std::uint32_t digest(uint4 x) { return x.x ^ x.y ^ x.z ^ x.w; }

/// Groups of 2^group_bits threads read rows that a hash of their number picks, eight in flight each, so that no index
/// is loaded. `sink` is written where a digest has one value in 2^32: the compiler cannot know that it hardly ever is.
template <class Word>
__global__ void gather_kernel(Word const* table, std::uint32_t table_rows, std::int64_t row_words, int group_bits,
                              std::int64_t num_gathers, std::uint32_t* sink) {
  constexpr int in_flight = 8;
  std::int64_t const thread = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  std::int64_t const groups = (std::int64_t{gridDim.x} * blockDim.x) >> group_bits;
  int const lane = static_cast<int>(thread) & ((1 << group_bits) - 1);
  std::uint32_t found = 0;
  for (std::int64_t first = (thread >> group_bits) * in_flight; first < num_gathers; first += groups * in_flight) {
    Word const* rows[in_flight];
    EDGEWISE_UNROLL
    for (int k = 0; k < in_flight; ++k) {
      std::uint64_t hash = static_cast<std::uint64_t>(first + k + 1) * 0x9e3779b97f4a7c15u;
      hash = (hash ^ (hash >> 32)) * 0xbf58476d1ce4e5b9u;
      rows[k] = table + static_cast<std::int64_t>(((hash >> 32) * table_rows) >> 32) * row_words;
    }
    for (std::int64_t word = lane; word < row_words; word += std::int64_t{1} << group_bits) {
      Word values[in_flight];
      EDGEWISE_UNROLL
      for (int k = 0; k < in_flight; ++k) values[k] = rows[k][word];
      EDGEWISE_UNROLL
      for (int k = 0; k < in_flight; ++k) found += digest(values[k]);
    }
  }
  if (found == 0x5eed5eedu) *sink = found;
}

template <class Word>
double time_gathers(std::byte const* table, std::int64_t table_rows, std::int64_t row_bytes, std::uint32_t* sink,
                    cudaStream_t stream) {
  std::int64_t const row_words = row_bytes / static_cast<std::int64_t>(sizeof(Word));
  int group_bits = 0;
  while (group_bits < 5 && (std::int64_t{1} << group_bits) < row_words) ++group_bits;
  std::int64_t const num_gathers = std::max<std::int64_t>(1, (std::int64_t{1} << 30) / row_bytes);
  auto launch = [&](cudaStream_t s) {
    gather_kernel<<<8192, 256, 0, s>>>(reinterpret_cast<Word const*>(table), static_cast<std::uint32_t>(table_rows),
                                       row_words, group_bits, num_gathers, sink);
    check_cuda(cudaGetLastError(), "gather_bandwidth: launch");
  };
  double const ms = time_in_graph(stream, launch, {.replay_ms = 4, .warm_replays = 2, .replays = 7}).median_ms;
  return static_cast<double>(num_gathers * row_bytes) / (ms * 1e-3);
}

/// Chains: independent multiply-adds per thread.
template <int Chains>
__global__ void multiply_add_kernel(float* out, float a, float b, int rounds) {
  float x[Chains];
  EDGEWISE_UNROLL
  for (int k = 0; k < Chains; ++k) x[k] = static_cast<float>(threadIdx.x + k);
  for (int i = 0; i < rounds; ++i) {
    EDGEWISE_UNROLL
    for (int k = 0; k < Chains; ++k) x[k] = x[k] * a + b;
  }
  float sum = 0;
  EDGEWISE_UNROLL
  for (int k = 0; k < Chains; ++k) sum += x[k];
  if (sum == 0.12345f) out[0] = sum;
}

}  // namespace detail

/// Bytes per second of random reads of rows of `row_bytes`, in the widest loads that their alignment allows, from a
/// table of `table_rows` rows, of which at most 4 GiB or a quarter of the free memory are made. Synchronises.
inline double gather_bandwidth(std::int64_t table_rows, std::int64_t row_bytes, cudaStream_t stream) {
  std::size_t free_bytes = 0, total_bytes = 0;
  check_cuda(cudaMemGetInfo(&free_bytes, &total_bytes), "gather_bandwidth: memory");
  auto const most_bytes = static_cast<std::int64_t>(std::min(std::size_t{1} << 32, free_bytes / 4));
  table_rows = std::clamp<std::int64_t>(table_rows, 1, std::max<std::int64_t>(1, most_bytes / row_bytes));
  auto table = make_array<std::byte>(static_cast<std::size_t>(table_rows * row_bytes), stream);
  auto sink = make_array<std::uint32_t>(1, stream);
  poison(table, stream);
  if (row_bytes % 16 == 0) {
    return detail::time_gathers<uint4>(table.data(), table_rows, row_bytes, sink.data(), stream);
  }
  if (row_bytes % 4 == 0) {
    return detail::time_gathers<std::uint32_t>(table.data(), table_rows, row_bytes, sink.data(), stream);
  }
  return detail::time_gathers<std::uint16_t>(table.data(), table_rows, row_bytes, sink.data(), stream);
}

/// Float operations per second, a multiply-add counted as two. Synchronises.
inline double multiply_add_rate(cudaStream_t stream) {
  constexpr int blocks = 4096, threads = 256, rounds = 4096, chains = 8;
  auto out = make_array<float>(1, stream);
  auto launch = [&](cudaStream_t s) {
    detail::multiply_add_kernel<chains><<<blocks, threads, 0, s>>>(out.data(), 0.999f, 0.001f, rounds);
    check_cuda(cudaGetLastError(), "multiply_add_rate: launch");
  };
  double const ms = time_in_graph(stream, launch, {.replay_ms = 4, .warm_replays = 2, .replays = 7}).median_ms;
  return 2.0 * chains * rounds * threads * blocks / (ms * 1e-3);
}

}  // namespace edgewise::bench
