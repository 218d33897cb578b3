// The only macros of the library: host-device marks, inlining and unrolling, the same text for g++, clang and nvcc.
#pragma once

#if __cplusplus < 202002L
#error "edgewise is written in C++20: compile with -std=c++20"
#endif

/// Where code is not optimised, or is built for building often (engine/tiles.hpp), a copy in every caller takes longer
/// to compile than it saves.
#if defined(__OPTIMIZE__) && !defined(EDGEWISE_FEW_GEOMETRIES)
#define EDGEWISE_ALWAYS_INLINE __attribute__((always_inline))
#else
#define EDGEWISE_ALWAYS_INLINE
#endif

#if defined(__CUDACC__)
#define EDGEWISE_HD __host__ __device__ __forceinline__
#define EDGEWISE_DEVICE __device__ __forceinline__
/// Before a template of both machines that calls what it is given: a function of the host alone may be given on the
/// host.
#define EDGEWISE_HD_AS_ITS_ARGUMENT _Pragma("nv_exec_check_disable")
#else
#define EDGEWISE_HD_AS_ITS_ARGUMENT
#define EDGEWISE_HD inline EDGEWISE_ALWAYS_INLINE
#define EDGEWISE_DEVICE inline EDGEWISE_ALWAYS_INLINE
#endif

/// A function of the host that few calls need: kept out of the code of those that do not.
#define EDGEWISE_COLD __attribute__((noinline, cold))

/// On types whose layout follows from the vectors that the compiler is told of (core/lanes.hpp): files compiled with
/// other flags, and .cu files, then have functions of other names, and may be linked.
#if defined(__CUDACC__)
#define EDGEWISE_HAS_LANES
#elif defined(__AVX512F__)
#define EDGEWISE_HAS_LANES __attribute__((abi_tag("lanes64")))
#elif defined(__AVX__)
#define EDGEWISE_HAS_LANES __attribute__((abi_tag("lanes32")))
#else
#define EDGEWISE_HAS_LANES __attribute__((abi_tag("lanes16")))
#endif

/// Behind the parameters of a lambda that the CPU engine runs once per row: as a call, it would keep its state in
/// memory.
#define EDGEWISE_INLINE_LAMBDA EDGEWISE_ALWAYS_INLINE

/// UNROLL marks a loop over compile-time bounds whose body indexes registers: it must be unrolled on the device.
/// KEEP_LOOP marks one that is not: it stands in many places, and code is read slower than the loop counts.
#if defined(__CUDA_ARCH__)
#define EDGEWISE_UNROLL _Pragma("unroll")
#define EDGEWISE_KEEP_LOOP _Pragma("unroll 1")
#else
#define EDGEWISE_UNROLL
#define EDGEWISE_KEEP_LOOP
#endif
