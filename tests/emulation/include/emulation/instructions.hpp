// The device's instructions as functions: marks of the language, exchanges of a warp, atomics, and the few lines of
// assembly that the library has.
#pragma once

#include <atomic>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "grid.hpp"

#define __global__
#define __device__
#define __host__
#define __shared__ static
#define __forceinline__ inline
#define __noinline__ __attribute__((noinline))
#define __grid_constant__
#define __launch_bounds__(...)

struct alignas(8) int2 {
  int x, y;
};
struct alignas(16) int4 {
  int x, y, z, w;
};
struct alignas(16) float4 {
  float x, y, z, w;
};
inline float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }

namespace emulation {

template <class T>
std::uint64_t word_of(T x) {
  static_assert(sizeof(T) <= 8);
  std::uint64_t word = 0;
  std::memcpy(&word, &x, sizeof(T));
  return word;
}
template <class T>
T value_of(std::uint64_t word) {
  T x;
  std::memcpy(&x, &word, sizeof(T));
  return x;
}
template <class T>
T shuffle(unsigned mask, T x, int from, char const* file, int line) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "what a shuffle takes");
  return value_of<T>(meet_warp({collective::shuffle, mask, word_of(x), from, file, line}));
}

/// The instruction of that text.
inline void ptx(std::string_view, std::int64_t& product, int a, int b) { product = std::int64_t{a} * b; }
inline void ptx(std::string_view text, float& result, float x) {
  auto const is = [&](std::string_view name) { return text.find(name) != std::string_view::npos; };
  if (!is("ex2") && !is("lg2") && !is("rcp")) std::abort();
  result = is("ex2") ? std::exp2(x) : (is("lg2") ? std::log2(x) : 1 / x);
  if (std::fabs(result) < 0x1p-126f) result = 0;
}
std::uint16_t round_16(bool is_bfloat, float x);
inline void ptx(std::string_view text, std::uint16_t& bits, float x) {
  bits = round_16(text.find("bf16") != std::string_view::npos, x);
}
inline void ptx(std::string_view text, std::uint32_t& word, float upper, float lower) {
  bool const is_bfloat = text.find("bf16") != std::string_view::npos;
  word = std::uint32_t{round_16(is_bfloat, upper)} << 16 | round_16(is_bfloat, lower);
}
float widen_16(std::uint16_t bits);
inline void ptx(std::string_view, float& x, std::uint16_t bits) { x = widen_16(bits); }

}  // namespace emulation

#define EMULATION_PLACE char const *file = __builtin_FILE(), int line = __builtin_LINE()

template <class T>
T __shfl_sync(unsigned mask, T x, int from, int width = 32, EMULATION_PLACE) {
  int const first = emulation::lane() & ~(width - 1);
  return emulation::shuffle(mask, x, first + (from & (width - 1)), file, line);
}
template <class T>
T __shfl_xor_sync(unsigned mask, T x, int bits, int width = 32, EMULATION_PLACE) {
  int const own = emulation::lane();
  int const from = own ^ bits;  // a part of `width` lanes may read those before it
  return emulation::shuffle(mask, x, from < (own & ~(width - 1)) + width ? from : own, file, line);
}
template <class T>
T __shfl_up_sync(unsigned mask, T x, unsigned distance, int width = 32, EMULATION_PLACE) {
  int const own = emulation::lane();
  int const from = own - static_cast<int>(distance);
  return emulation::shuffle(mask, x, from >= (own & ~(width - 1)) ? from : own, file, line);
}
inline int __any_sync(unsigned mask, int vote, EMULATION_PLACE) {
  return static_cast<int>(emulation::meet_warp({emulation::collective::any, mask, vote != 0, 0, file, line}));
}
inline int __all_sync(unsigned mask, int vote, EMULATION_PLACE) {
  return static_cast<int>(emulation::meet_warp({emulation::collective::all, mask, vote != 0, 0, file, line}));
}
inline unsigned __ballot_sync(unsigned mask, int vote, EMULATION_PLACE) {
  return static_cast<unsigned>(emulation::meet_warp({emulation::collective::ballot, mask, vote != 0, 0, file, line}));
}
template <class T>
unsigned __match_any_sync(unsigned mask, T x, EMULATION_PLACE) {
  return static_cast<unsigned>(
      emulation::meet_warp({emulation::collective::match, mask, emulation::word_of(x), 0, file, line}));
}
inline void __syncwarp(unsigned mask = 0xffffffffu, EMULATION_PLACE) {
  emulation::meet_warp({emulation::collective::wait, mask, 0, 0, file, line});
}
inline void emulated_syncthreads(EMULATION_PLACE) { emulation::meet_block(file, line); }
#define __syncthreads() emulated_syncthreads()
/// A thread alone: which others run with it, a device leaves open.
inline unsigned __activemask() { return 1u << emulation::lane(); }
inline void __threadfence() {}

inline int __popc(unsigned x) { return std::popcount(x); }
inline unsigned __brev(unsigned x) {
  unsigned result = 0;
  for (int i = 0; i < 32; ++i) result |= (x >> i & 1u) << (31 - i);
  return result;
}
inline int __ffs(int x) { return x == 0 ? 0 : std::countr_zero(static_cast<unsigned>(x)) + 1; }

template <class T>
T __ldg(T const* from) {
  return *from;
}
template <class T>
T __ldcg(T const* from) {
  return *from;
}
template <class T>
T __ldcs(T const* from) {
  return *from;
}

// One host thread runs all: reading and writing are not torn apart.
template <class T>
T atomicAdd(T* place, std::common_type_t<T> x) {
  T const before = *place;
  *place = before + x;
  return before;
}
inline float4 atomicAdd(float4* place, float4 x) {
  float4 const before = *place;
  *place = {before.x + x.x, before.y + x.y, before.z + x.z, before.w + x.w};
  return before;
}
template <class T>
T atomicMax(T* place, std::common_type_t<T> x) {
  T const before = *place;
  if (before < x) *place = x;
  return before;
}
template <class T>
T atomicCAS(T* place, std::common_type_t<T> expected, std::common_type_t<T> x) {
  T const before = *place;
  if (before == expected) *place = x;
  return before;
}
template <class T>
T atomicOr(T* place, std::common_type_t<T> x) {
  T const before = *place;
  *place = before | x;
  return before;
}
