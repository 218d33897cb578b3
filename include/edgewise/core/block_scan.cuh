// Exclusive prefix sums over the threads of a block. CUB's block collectives do the same, but their headers take nearly
// as long to compile as all of ours, and every program on a device includes this one.
#pragma once

#include <cstdint>

#include <edgewise/core/config.hpp>

namespace edgewise::inline v0::detail {

/// What the threads of one block exchange.
template <int Threads>
struct block_scan_storage {
  static_assert(Threads % 32 == 0 && Threads <= 1024);
  std::int32_t warp_sums[Threads / 32];
};

/// A thread's share of a scan.
struct block_scan_result {
  std::int32_t before;  ///< sum over the threads before this one
  std::int32_t total;   ///< sum over all threads
};

/// All threads of the block call it. `shared` may be used again after a barrier.
template <int Threads>
EDGEWISE_DEVICE block_scan_result block_scan(std::int32_t value, block_scan_storage<Threads>& shared) {
  int const lane = static_cast<int>(threadIdx.x) % 32;
  int const warp = static_cast<int>(threadIdx.x) / 32;
  std::int32_t within = value;
  for (int reach = 1; reach < 32; reach *= 2) {
    std::int32_t const lower = __shfl_up_sync(0xffffffffu, within, reach);
    if (lane >= reach) within += lower;
  }
  if (lane == 31) shared.warp_sums[warp] = within;
  __syncthreads();
  block_scan_result result{within - value, 0};
  for (int w = 0; w < Threads / 32; ++w) {
    if (w < warp) result.before += shared.warp_sums[w];
    result.total += shared.warp_sums[w];
  }
  return result;
}

}  // namespace edgewise::inline v0::detail
