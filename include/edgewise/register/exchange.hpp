// Words of other threads of a group that lies in one warp.
#pragma once

#include <edgewise/core/config.hpp>
#include <edgewise/core/with_tangent.hpp>

namespace edgewise::inline v0::detail {

#if defined(__CUDA_ARCH__)
/// x of a thread of the group, by its number there; every thread of the warp takes part.
template <int GroupSize, class T>
EDGEWISE_DEVICE T of_thread(T x, int thread) {
  if constexpr (has_tangent<T>) {
    return {of_thread<GroupSize>(x.value, thread), of_thread<GroupSize>(x.tangent, thread)};
  } else {
    return __shfl_sync(0xffffffffu, x, thread, GroupSize);
  }
}
/// x of the thread whose number differs in the bits of `mask`.
template <int GroupSize, class T>
EDGEWISE_DEVICE T of_other(T x, int mask) {
  if constexpr (has_tangent<T>) {
    return {of_other<GroupSize>(x.value, mask), of_other<GroupSize>(x.tangent, mask)};
  } else {
    return __shfl_xor_sync(0xffffffffu, x, mask, GroupSize);
  }
}
#else
template <int GroupSize, class T>
EDGEWISE_HD T of_thread(T x, int) {
  return x;
}
template <int GroupSize, class T>
EDGEWISE_HD T of_other(T x, int) {
  return x;
}
#endif

}  // namespace edgewise::inline v0::detail
