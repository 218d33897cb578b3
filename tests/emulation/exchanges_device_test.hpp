// What the threads of a block get from each other, by instruction: the same on a GPU and on the emulated device.
#pragma once

#include <cstdint>
#include <vector>

namespace edgewise::testing {

inline constexpr int exchange_threads = 96;  ///< three warps

/// [exchange_threads] each. The number of a thread is x.
struct exchanged {
  std::vector<int> neighbor;         ///< x of the thread 5 away in x's bits, of the whole warp
  std::vector<int> neighbor_of_8;    ///< the same of thread 3 of eight, by position
  std::vector<int> before;           ///< x of the thread 2 before it in its 16, its own for the first two
  std::vector<double> product;       ///< 0.5 x of lane 7
  std::vector<unsigned> thirds;      ///< ballot: the lanes whose x is a multiple of 3
  std::vector<unsigned> same;        ///< the lanes with the same x / 4
  std::vector<int> any_and_all;      ///< 2 * (some x is 40) + (all x are below 64)
  std::vector<int> half;             ///< of the lower half of a warp alone: x of lane 15 - lane; -1 above
  std::vector<int> reversed;         ///< through shared memory: x of the last thread first
  std::vector<int> order;            ///< what an atomic addition of 1 gave back; each number once
  std::vector<std::int64_t> shared;  ///< the sum of all x, by atomics of the block, in every element
};

exchanged exchange_on_device();

/// The values, copied by that many blocks of 64 threads.
std::vector<float> copy_on_device(std::vector<float> const& values, int blocks);

}  // namespace edgewise::testing
