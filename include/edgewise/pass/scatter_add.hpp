// Adding a register row to a row in memory that others add to at the same time: atomics on the device, plain sums on
// the host, whose engine never lets two threads share an element.
#pragma once

#include <cstdint>

#include <edgewise/pass/load_store.hpp>

namespace edgewise::inline v0::detail {

template <class T>
EDGEWISE_HD void add_to(T* place, T x) {
#if defined(__CUDA_ARCH__)
  atomicAdd(place, x);
#else
  *place += x;
#endif
}

/// Adds N elements as vector atomics of four; false where there are none: they need floats, compute capability 9.0 and
/// 16-byte alignment, which chunks that move as words have.
template <access Access, int N, class T>
EDGEWISE_HD bool add_words([[maybe_unused]] T* to, [[maybe_unused]] T const (&x)[N]) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  if constexpr (Access == access::chunk && std::is_same_v<T, float> && N % 4 == 0) {
    EDGEWISE_UNROLL
    for (int l = 0; l < N; l += 4) {
      atomicAdd(reinterpret_cast<float4*>(to + l), make_float4(x[l], x[l + 1], x[l + 2], x[l + 3]));
    }
    return true;
  }
#endif
  return false;
}

/// Adds the first `valid` of N consecutive elements; where chunks move as words they lie in the row as a whole or not
/// at all.
template <access Access, int N, class T>
EDGEWISE_HD void add_chunk(T* to, int valid, T const (&x)[N]) {
  if (valid > 0 && add_words<Access>(to, x)) return;
  EDGEWISE_UNROLL
  for (int l = 0; l < N; ++l) {
    if (l < valid) add_to(to + l, x[l]);
  }
}

/// Adds entry `block` of a complete value to row `row`. Threads that hold copies leave the addition to one of them.
/// SkipZeros leaves out chunks that hold nothing but zeros: most of them where only one edge of a row has a gradient.
/// Stride as of `store_row`.
template <operand_kind Kind, bool SkipZeros, int Stride = 1, class Geometry, class T, class V>
EDGEWISE_HD void scatter_add_row(Geometry const& geo, T* data, std::int64_t row_stride, std::int64_t row, V const& from,
                                 int block) {
  T* const to = data + row * row_stride;
  if constexpr (Kind == operand_kind::wide || Kind == operand_kind::per_channel) {
    EDGEWISE_UNROLL
    for (int c = 0; c < geo.chunks(); ++c) {
      int const valid = Kind == operand_kind::wide || geo.leads_channels(c) ? geo.valid_channels(c) : 0;
      T chunk[Geometry::channels_per_chunk];
      bool any = !SkipZeros;
      EDGEWISE_UNROLL
      for (int l = 0; l < Geometry::channels_per_chunk; ++l) {
        chunk[l] = static_cast<T>(from.at(block, c, l));
        if (SkipZeros) any = any || !is_zero(chunk[l]);
      }
      int const first = Kind == operand_kind::wide ? geo.offset(c) : geo.channel_in_head(c);
      if (any) add_chunk<Geometry::access_of>(to + first, valid, chunk);
    }
  } else if constexpr (Kind == operand_kind::per_head) {
    EDGEWISE_UNROLL
    for (int c = 0; c < geo.chunks(); ++c) {
      if (geo.leads_head(c)) add_to(to + geo.head(c) * Stride, static_cast<T>(from.at(block, c, 0)));
    }
  } else {
    if (geo.leads_row()) add_to(to, static_cast<T>(from.at(block, 0, 0)));
  }
}

}  // namespace edgewise::inline v0::detail
