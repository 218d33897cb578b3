// Moving chunks between memory and registers: as words where they lie so, narrowed to and widened from 16 bits.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include <edgewise/core/float16.hpp>
#include <edgewise/core/lanes.hpp>
#include <edgewise/core/softmax_normalizer.hpp>
#include <edgewise/core/with_tangent.hpp>
#include <edgewise/register/row_layout.hpp>

namespace edgewise::inline v0::detail {

#if defined(__CUDA_ARCH__)
template <int N, class T>
EDGEWISE_DEVICE void read_words(T const* from, T (&to)[N]);

template <class T>
EDGEWISE_DEVICE T read_element(T const* from) {
  if constexpr (is_float16<T>) {
    T x;
    x.bits = __ldg(&from->bits);
    return x;
  } else if constexpr (is_softmax_normalizer<T> || has_tangent<T>) {
    T x[1];
    read_words(from, x);
    return x[0];
  } else {
    return __ldg(from);
  }
}
/// Reads N elements as words of 16 bytes, of 8 for short chunks, or one by one, through the read-only path.
template <int N, class T>
EDGEWISE_DEVICE void read_words(T const* from, T (&to)[N]) {
  constexpr int bytes = N * static_cast<int>(sizeof(T));
  if constexpr (bytes % 16 == 0) {
    EDGEWISE_UNROLL
    for (int i = 0; i < bytes / 16; ++i) {
      int4 const word = __ldg(reinterpret_cast<int4 const*>(from) + i);
      memcpy(reinterpret_cast<char*>(to) + 16 * i, &word, 16);
    }
  } else if constexpr (bytes % 8 == 0) {
    EDGEWISE_UNROLL
    for (int i = 0; i < bytes / 8; ++i) {
      int2 const word = __ldg(reinterpret_cast<int2 const*>(from) + i);
      memcpy(reinterpret_cast<char*>(to) + 8 * i, &word, 8);
    }
  } else if constexpr (N == 2 && bytes == 4) {
    int const word = __ldg(reinterpret_cast<int const*>(from));
    memcpy(to, &word, 4);
  } else {
    EDGEWISE_UNROLL
    for (int i = 0; i < N; ++i) to[i] = read_element(from + i);
  }
}
/// Reads N elements of an array that the kernel writes.
template <int N, class T>
EDGEWISE_DEVICE void read_own_words(T const* from, T (&to)[N]) {
  constexpr int bytes = N * static_cast<int>(sizeof(T));
  if constexpr (bytes % 8 == 0) {
    using word = std::conditional_t<bytes % 16 == 0, int4, int2>;
    EDGEWISE_UNROLL
    for (int i = 0; i < bytes / static_cast<int>(sizeof(word)); ++i) {
      word const read = reinterpret_cast<word const*>(from)[i];
      memcpy(reinterpret_cast<char*>(to) + sizeof(word) * i, &read, sizeof(word));
    }
  } else if constexpr (N == 2 && bytes == 4) {
    int const word = *reinterpret_cast<int const*>(from);
    memcpy(to, &word, 4);
  } else {
    EDGEWISE_UNROLL
    for (int i = 0; i < N; ++i) to[i] = from[i];
  }
}
template <int N, class T>
EDGEWISE_DEVICE void write_words(T* to, T const (&from)[N]) {
  constexpr int bytes = N * static_cast<int>(sizeof(T));
  if constexpr (bytes % 16 == 0) {
    EDGEWISE_UNROLL
    for (int i = 0; i < bytes / 16; ++i) {
      int4 word;
      memcpy(&word, reinterpret_cast<char const*>(from) + 16 * i, 16);
      reinterpret_cast<int4*>(to)[i] = word;
    }
  } else if constexpr (bytes % 8 == 0) {
    EDGEWISE_UNROLL
    for (int i = 0; i < bytes / 8; ++i) {
      int2 word;
      memcpy(&word, reinterpret_cast<char const*>(from) + 8 * i, 8);
      reinterpret_cast<int2*>(to)[i] = word;
    }
  } else if constexpr (N == 2 && bytes == 4) {
    int word;
    memcpy(&word, from, 4);
    *reinterpret_cast<int*>(to) = word;
  } else {
    EDGEWISE_UNROLL
    for (int i = 0; i < N; ++i) to[i] = from[i];
  }
}
#else
template <int N, class T>
inline void read_words(T const* from, T (&to)[N]) {
  std::memcpy(to, from, sizeof(to));
}
template <int N, class T>
inline void read_own_words(T const* from, T (&to)[N]) {
  std::memcpy(to, from, sizeof(to));
}
template <int N, class T>
inline void write_words(T* to, T const (&from)[N]) {
  std::memcpy(to, from, sizeof(from));
}
template <class T>
inline T read_element(T const* from) {
  return *from;
}
#endif

/// Are bfloat16 widened two at a time? On the host the compiler takes more.
template <class T, int N>
EDGEWISE_HD constexpr bool widens_pairs() {
#if defined(__CUDA_ARCH__)
  return std::is_same_v<T, bfloat16> && N % 2 == 0;
#else
  return false;
#endif
}

/// A chunk as it is computed with. A pair of bfloat16 is one word whose halves are the upper halves of two floats: the
/// second needs a mask and no shift.
template <int N, class T, class U>
EDGEWISE_HD void widen_chunk(T const (&from)[N], U (&to)[N]) {
  if constexpr (widens_pairs<T, N>()) {
    EDGEWISE_UNROLL
    for (int l = 0; l < N; l += 2) {
      std::uint32_t pair;
      memcpy(&pair, from + l, sizeof(pair));
      to[l] = float_of_bits(pair << 16);
      to[l + 1] = float_of_bits(pair & 0xffff0000u);
    }
  } else {
    EDGEWISE_UNROLL
    for (int l = 0; l < N; ++l) to[l] = static_cast<U>(from[l]);
  }
}

/// One chunk of N channels, `valid` of them in the row; channels outside read as 0 or as a part of the row.
template <access Access, int N, class T, class U>
EDGEWISE_HD void load_chunk(T const* from, int valid, U (&to)[N]) {
#if !defined(__CUDA_ARCH__)
  // g++ takes a copy through `raw` apart, element by element, and converts 16 bits without vectors behind a mask.
  constexpr bool converts = is_float16<T>;
  constexpr bool is_whole = Access == access::chunk && (converts || std::is_same_v<std::remove_const_t<T>, U>);
  bool const goes_straight = is_whole || (converts && valid >= N);
  if (goes_straight) {
    for (int l = 0; l < N; ++l) to[l] = static_cast<U>(from[l]);
    return;
  }
#endif
  std::remove_const_t<T> raw[N];
  if constexpr (Access == access::chunk) {
    read_words<N>(from, raw);
  } else {
    EDGEWISE_UNROLL
    for (int l = 0; l < N; ++l) {
      raw[l] = l < valid ? read_element(from + l) : std::remove_const_t<T>{};
    }
  }
  widen_chunk(raw, to);
}

/// The same of a chunk of lanes; channels outside the row read as 0.
template <access Access, int N, class T, class U>
EDGEWISE_HD void load_chunk(T const* from, int valid, lane_chunk<U, N>& to) {
  using group_type = typename lane_chunk<U, N>::group_type;
  constexpr int count = group_type::count;
  if constexpr (std::is_same_v<std::remove_const_t<T>, U>) {
    if (Access == access::chunk || valid >= N) {
      for (int g = 0; g < N / count; ++g) to.groups[g] = group_type::load(from + g * count);
      return;
    }
    for (int g = 0; g < N / count; ++g) {
      int const left = valid - g * count;
      to.groups[g] =
          left >= count ? group_type::load(from + g * count) : group_type::load_first(from + g * count, left);
    }
  } else {
    U numbers[N];
    load_chunk<Access>(from, valid, numbers);
    for (int g = 0; g < N / count; ++g) to.groups[g] = group_type::load(numbers + g * count);
  }
}

/// Are channels rounded two at a time? On the host the compiler takes more.
template <class T, int N>
EDGEWISE_HD constexpr bool rounds_pairs() {
#if defined(__CUDA_ARCH__)
  return is_float16<T> && N % 2 == 0;
#else
  return false;
#endif
}

/// A chunk as it is stored.
template <class T, int N, class U>
EDGEWISE_HD void round_chunk(U const (&from)[N], T (&to)[N]) {
  if constexpr (rounds_pairs<T, N>()) {
    EDGEWISE_UNROLL
    for (int l = 0; l < N; l += 2) {
      std::uint32_t const pair = pack_pair<T>(from[l], from[l + 1]);
      to[l].bits = static_cast<std::uint16_t>(pair & 0xffffu);
      to[l + 1].bits = static_cast<std::uint16_t>(pair >> 16);
    }
  } else {
    EDGEWISE_UNROLL
    for (int l = 0; l < N; ++l) to[l] = static_cast<T>(from[l]);
  }
}

/// Stores the valid channels of a chunk. A chunk that moves as a word does so as a whole: where it reaches into the gap
/// behind a row, the gap is padding (`chunk_of_written`).
template <access Access, int N, class T, class U>
EDGEWISE_HD void store_chunk(T* to, int valid, U const (&from)[N]) {
  T raw[N];
  round_chunk(from, raw);
  if constexpr (Access == access::chunk) {
    if (valid > 0) write_words<N>(to, raw);
  } else {
    EDGEWISE_UNROLL
    for (int l = 0; l < N; ++l) {
      if (l < valid) to[l] = raw[l];
    }
  }
}

/// Adds what an array that the kernel writes holds to a chunk.
template <access Access, int N, class T, class U>
EDGEWISE_HD void add_stored_chunk(T const* from, int valid, U (&to)[N]) {
  if constexpr (Access == access::chunk) {
    T raw[N];
    if (valid <= 0) return;
    read_own_words<N>(from, raw);
    EDGEWISE_UNROLL
    for (int l = 0; l < N; ++l) to[l] += static_cast<U>(raw[l]);
  } else {
    EDGEWISE_UNROLL
    for (int l = 0; l < N; ++l) {
      if (l < valid) to[l] += static_cast<U>(from[l]);
    }
  }
}

}  // namespace edgewise::inline v0::detail
