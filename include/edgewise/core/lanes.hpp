// Several numbers in one vector register of the host.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include <edgewise/core/config.hpp>

#if defined(__AVX__) && !defined(__CUDACC__)
#include <immintrin.h>
#endif

namespace edgewise::inline v0::detail {

/// May a T be one of several in a vector register: a float, a double, or an offset of 32 or 64 bits?
template <class T>
inline constexpr bool fills_lanes = std::is_floating_point_v<T> ||
                                    (std::is_integral_v<T> && std::is_signed_v<T> && sizeof(T) >= 4);

#if defined(__CUDACC__)
// Functions of both machines may not name vectors: in .cu files rows of the host are arrays of numbers.
inline constexpr bool has_lanes_here = false;
inline constexpr int host_vector_bytes = 0;
template <class T, int Bytes = 0>
struct lanes;
#else
inline constexpr bool has_lanes_here = true;

/// Bytes of the vector registers that the compiler is told of (`-march=...`).
#if defined(__AVX512F__)
inline constexpr int host_vector_bytes = 64;
#elif defined(__AVX__)
inline constexpr int host_vector_bytes = 32;
#else
inline constexpr int host_vector_bytes = 16;
#endif

/// Which lanes something holds for. Both sides of && and || are evaluated, as everywhere in vectors.
template <int Bytes, int Size>
struct lane_condition {
  using integer = std::conditional_t<Size == 4, std::int32_t, std::int64_t>;
  typedef integer mask __attribute__((vector_size(Bytes)));

  mask v;

  /// Lane i where bit i of a word is set.
  EDGEWISE_HD static lane_condition of_bits(std::uint32_t word) {
    mask numbers;
    for (int i = 0; i < Bytes / Size; ++i) numbers[i] = i;
    return {-(((mask{} + static_cast<integer>(word)) >> numbers) & 1)};
  }
  /// The first n lanes.
  EDGEWISE_HD static lane_condition first(int n) {
    mask numbers;
    for (int i = 0; i < Bytes / Size; ++i) numbers[i] = i;
    return {numbers < mask{} + static_cast<integer>(n)};
  }
  EDGEWISE_HD friend lane_condition operator!(lane_condition a) { return {~a.v}; }
  EDGEWISE_HD friend lane_condition operator&&(lane_condition a, lane_condition b) { return {a.v & b.v}; }
  EDGEWISE_HD friend lane_condition operator||(lane_condition a, lane_condition b) { return {a.v | b.v}; }
};

/// As many T, numbers or offsets, as a vector register holds, with the arithmetic of one. Compilers keep arrays of
/// these in registers, where they leave arrays of numbers that a loop adds to in memory.
template <class T, int Bytes = host_vector_bytes>
struct lanes {
  static_assert(fills_lanes<T>);
  static constexpr int count = Bytes / static_cast<int>(sizeof(T));
  // GCC ignores attributes of a `using` in a template.
  typedef T vector_type __attribute__((vector_size(Bytes)));

  vector_type v;

  lanes() = default;
  /// x in all lanes; x - 0 is x, where 0 + x would make 0 of -0.
  EDGEWISE_HD explicit lanes(T x) : v(x - vector_type{}) {}
  EDGEWISE_HD static lanes load(T const* from) {
    lanes result;
    std::memcpy(&result.v, from, sizeof(result.v));
    return result;
  }
  EDGEWISE_HD void store(T* to) const { std::memcpy(to, &v, sizeof(v)); }
  /// The first n numbers and 0, where there may be no more to read; none where n < 0.
  EDGEWISE_HD static lanes load_first(T const* from, int n) {
#if defined(__AVX512F__)
    // g++ makes two halves of a loop, and waits for them in memory.
    if constexpr (Bytes == 64 && std::is_same_v<T, float>) {
      return of<vector_type>(_mm512_maskz_loadu_ps(static_cast<__mmask16>(bits_below(n)), from));
    }
#endif
#if defined(__AVX__)
    if constexpr (Bytes == 32 && std::is_same_v<T, float>) {
      return of<vector_type>(_mm256_maskload_ps(from, reinterpret_cast<__m256i>(condition::first(n).v)));
    }
#endif
    if (n <= 0) return lanes(T(0));
    if constexpr (count == 4) {  // without a loop, whose numbers would lie in memory
      if (n < 4) return of<vector_type>(vector_type{from[0], n > 1 ? from[1] : T(0), n > 2 ? from[2] : T(0), T(0)});
    }
    T numbers[count] = {};
    for (int i = 0; i < count && i < n; ++i) numbers[i] = from[i];
    return load(numbers);
  }
  EDGEWISE_HD void store_first(T* to, int n) const {
#if defined(__AVX512F__)
    if constexpr (Bytes == 64 && std::is_same_v<T, float>) {
      return _mm512_mask_storeu_ps(to, static_cast<__mmask16>(bits_below(n)), v);
    }
#endif
#if defined(__AVX__)
    if constexpr (Bytes == 32 && std::is_same_v<T, float>) {
      return _mm256_maskstore_ps(to, reinterpret_cast<__m256i>(condition::first(n).v), v);
    }
#endif
    T numbers[count];
    store(numbers);
    for (int i = 0; i < count && i < n; ++i) to[i] = numbers[i];
  }

  /// The sum of all lanes, by halves.
  EDGEWISE_HD T sum() const {
    if constexpr (Bytes > 16) {
      lanes<T, Bytes / 2> low, high;
      std::memcpy(&low.v, &v, sizeof(low.v));
      std::memcpy(&high.v, reinterpret_cast<char const*>(&v) + sizeof(low.v), sizeof(high.v));
      return (low + high).sum();
    } else {
      T numbers[count];
      store(numbers);
      for (int half = count / 2; half > 0; half /= 2) {
        for (int i = 0; i < half; ++i) numbers[i] += numbers[i + half];
      }
      return numbers[0];
    }
  }

  EDGEWISE_HD friend lanes operator+(lanes a, lanes b) { return of(a.v + b.v); }
  EDGEWISE_HD friend lanes operator-(lanes a, lanes b) { return of(a.v - b.v); }
  EDGEWISE_HD friend lanes operator*(lanes a, lanes b) { return of(a.v * b.v); }
  EDGEWISE_HD friend lanes operator/(lanes a, lanes b) { return of(a.v / b.v); }
  EDGEWISE_HD friend lanes operator-(lanes a) { return of(-a.v); }
  EDGEWISE_HD lanes& operator+=(lanes b) { return *this = *this + b; }
  EDGEWISE_HD lanes& operator*=(lanes b) { return *this = *this * b; }

  /// The same for all T of a size.
  using condition = lane_condition<Bytes, static_cast<int>(sizeof(T))>;
  EDGEWISE_HD friend condition operator>(lanes a, lanes b) { return {a.v > b.v}; }
  EDGEWISE_HD friend condition operator<(lanes a, lanes b) { return {a.v < b.v}; }
  EDGEWISE_HD friend condition operator>=(lanes a, lanes b) { return {a.v >= b.v}; }
  EDGEWISE_HD friend condition operator<=(lanes a, lanes b) { return {a.v <= b.v}; }
  EDGEWISE_HD friend condition operator==(lanes a, lanes b) { return {a.v == b.v}; }

private:
  /// The lowest n of `count` bits.
  static std::uint32_t bits_below(int n) { return n >= count ? (1u << count) - 1 : n > 0 ? (1u << n) - 1 : 0u; }
  template <class Vector>
  EDGEWISE_HD static lanes of(Vector x) {
    lanes result;
    result.v = x;
    return result;
  }
};

/// `holds ? a : b`, lane by lane.
template <class T, int Bytes>
EDGEWISE_HD lanes<T, Bytes> select(typename lanes<T, Bytes>::condition holds, lanes<T, Bytes> a, lanes<T, Bytes> b) {
  a.v = holds.v ? a.v : b.v;
  return a;
}
/// f of each lane: a loop that compilers make a vector's instructions of where f has no branches.
template <class T, int Bytes, class F>
EDGEWISE_HD lanes<T, Bytes> map_lanes(lanes<T, Bytes> x, F const& f) {
  T numbers[lanes<T, Bytes>::count];
  x.store(numbers);
  for (T& number : numbers) number = f(number);
  return lanes<T, Bytes>::load(numbers);
}
#endif

/// The number of a group of lanes within a chunk.
struct lane_group {
  int i;
};

/// N channels of a row as lanes, of a whole vector register where they fill one.
template <class T, int N>
struct lane_chunk {
  static constexpr int bytes = N * static_cast<int>(sizeof(T));
  static constexpr bool fills_one = bytes >= host_vector_bytes;
  using group_type = lanes<T, fills_one ? host_vector_bytes : bytes>;
  static constexpr int num_groups = N / group_type::count;
  static_assert(N % group_type::count == 0);
  group_type groups[num_groups];

  EDGEWISE_HD T const& operator[](int l) const { return reinterpret_cast<T const*>(groups)[l]; }
  EDGEWISE_HD T& operator[](int l) { return reinterpret_cast<T*>(groups)[l]; }
};

/// The numbers of a chunk as an array.
template <class T, int N>
EDGEWISE_HD T (&elements_of(T (&chunk)[N]))[N] {
  return chunk;
}
template <class T, int N>
EDGEWISE_HD T (&elements_of(lane_chunk<T, N>& chunk))[N] {
  return reinterpret_cast<T(&)[N]>(chunk.groups);
}
template <class T, int N>
EDGEWISE_HD T const (&elements_of(lane_chunk<T, N> const& chunk))[N] {
  return reinterpret_cast<T const(&)[N]>(chunk.groups);
}

/// x as To, lanes or a number: a number in all lanes.
template <class To, class T>
EDGEWISE_HD To spread(T const& x) {
  if constexpr (std::is_same_v<To, T>) {
    return x;
  } else {
    return To(x);
  }
}

/// Is T several numbers?
template <class T>
inline constexpr bool is_lanes = false;
template <class T, int Bytes>
inline constexpr bool is_lanes<lanes<T, Bytes>> = true;

/// A function of numbers that says `is_lanewise` is a template that takes lanes as well.
template <class F>
inline constexpr bool is_lanewise = requires {
  requires F::is_lanewise;
};

}  // namespace edgewise::inline v0::detail
