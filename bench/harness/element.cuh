// What the benchmarks need to know of a storage type: its name, its rounding and CUDA's tag for it.
#pragma once

#include <library_types.h>

#include <edgewise/core/float16.hpp>

namespace edgewise::bench {

/// `name` in results, `epsilon` = distance from 1 to the next value, CUDA's tag, and conversion from and to float.
template <class T>
struct element {
  EDGEWISE_HD static T from_float(float x) { return static_cast<T>(x); }
  EDGEWISE_HD static float to_float(T x) { return static_cast<float>(x); }
  /// x as it is stored.
  static double rounded(float x) { return to_float(from_float(x)); }

  static constexpr bool is_bfloat16 = std::is_same_v<T, bfloat16>;
  static constexpr bool is_float16 = std::is_same_v<T, float16>;
  static_assert(is_bfloat16 || is_float16 || std::is_same_v<T, float>, "element: float, bfloat16 or float16");
  static constexpr char const* name = is_bfloat16 ? "bf16" : is_float16 ? "f16" : "f32";
  static constexpr double epsilon = is_bfloat16 ? 0x1p-7 : is_float16 ? 0x1p-10 : 0x1p-23;
  static constexpr double smallest_step = is_float16 ? 0x1p-24 : 0;
  static constexpr cudaDataType cuda_type = is_bfloat16 ? CUDA_R_16BF : is_float16 ? CUDA_R_16F : CUDA_R_32F;
};

}  // namespace edgewise::bench
