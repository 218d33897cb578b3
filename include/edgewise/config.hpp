// The only macros of the library: host-device marks and unrolling, the same text for g++, clang and nvcc.
#pragma once

#if defined(__CUDACC__)
#define EDGEWISE_HD __host__ __device__ __forceinline__
#define EDGEWISE_DEVICE __device__ __forceinline__
#else
#define EDGEWISE_HD inline __attribute__((always_inline))
#define EDGEWISE_DEVICE inline __attribute__((always_inline))
#endif

/// Marks a loop over compile-time bounds whose body indexes registers: it must be unrolled on the device.
#if defined(__CUDA_ARCH__)
#define EDGEWISE_UNROLL _Pragma("unroll")
#else
#define EDGEWISE_UNROLL
#endif
