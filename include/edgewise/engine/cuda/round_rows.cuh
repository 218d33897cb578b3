// Floats as numbers of 16 bits.
#pragma once

#include <cstdint>
#include <cstring>

#include <edgewise/core/float16.hpp>
#include <edgewise/core/launch.cuh>
#include <edgewise/core/resources.hpp>

namespace edgewise::inline v0::detail {

/// Eight numbers a thread, the last ones one by one. Both arrays begin at multiples of 32 bytes.
template <class T>
__global__ void __launch_bounds__(256) round_numbers(float const* from, T* to, std::int64_t size) {
  std::int64_t const begin = (static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x) * 8;
  if (begin + 8 <= size) {
    float4 const x = *reinterpret_cast<float4 const*>(from + begin);
    float4 const y = *reinterpret_cast<float4 const*>(from + begin + 4);
    std::uint32_t const words[4] = {pack_pair<T>(x.x, x.y), pack_pair<T>(x.z, x.w), pack_pair<T>(y.x, y.y),
                                    pack_pair<T>(y.z, y.w)};
    int4 word;
    memcpy(&word, words, 16);
    *reinterpret_cast<int4*>(to + begin) = word;
  } else {
    for (std::int64_t i = begin; i < size; ++i) to[i] = static_cast<T>(from[i]);
  }
}

template <class T>
void round_rows(cuda const& exec, float const* from, T* to, std::int64_t size) {
  constexpr std::int64_t numbers = 256 * 8;
  launch_kernel("backward: round rows", round_numbers<T>, launch_blocks((size + numbers - 1) / numbers), 256,
                exec.stream, from, to, size);
}

}  // namespace edgewise::inline v0::detail
