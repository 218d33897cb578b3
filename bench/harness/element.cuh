// What the benchmarks need to know of a storage type: its name, its rounding and CUDA's tag for it.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <library_types.h>

#include <edgewise/config.hpp>

namespace edgewise::bench {

/// `name` in results, `epsilon` = distance from 1 to the next value, CUDA's tag, and conversion from and to float.
template <class T>
struct element;

template <>
struct element<float> {
  static constexpr char const* name = "f32";
  static constexpr double epsilon = 0x1p-23;
  static constexpr cudaDataType cuda_type = CUDA_R_32F;
  EDGEWISE_HD static float from_float(float x) { return x; }
  EDGEWISE_HD static float to_float(float x) { return x; }
};

template <>
struct element<__half> {
  static constexpr char const* name = "f16";
  static constexpr double epsilon = 0x1p-10;
  static constexpr cudaDataType cuda_type = CUDA_R_16F;
  EDGEWISE_HD static __half from_float(float x) { return __float2half(x); }
  EDGEWISE_HD static float to_float(__half x) { return __half2float(x); }
};

template <>
struct element<__nv_bfloat16> {
  static constexpr char const* name = "bf16";
  static constexpr double epsilon = 0x1p-7;
  static constexpr cudaDataType cuda_type = CUDA_R_16BF;
  EDGEWISE_HD static __nv_bfloat16 from_float(float x) { return __float2bfloat16(x); }
  EDGEWISE_HD static float to_float(__nv_bfloat16 x) { return __bfloat162float(x); }
};

}  // namespace edgewise::bench
