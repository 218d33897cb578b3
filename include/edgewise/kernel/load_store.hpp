// Moving rows between memory and register values: masked, as wide as the operand allows.
#pragma once

#include <cstdint>
#include <cstring>

#include <edgewise/kernel/bound_leaf.hpp>
#include <edgewise/kernel/edge_mask.hpp>
#include <edgewise/kernel/row_address.hpp>
#include <edgewise/kernel/row_layout.hpp>
#include <edgewise/kernel/value.hpp>
#include <edgewise/udf/component.hpp>

namespace edgewise::detail {

#if defined(__CUDA_ARCH__)
template <class T>
EDGEWISE_DEVICE T read_element(T const* from) {
  if constexpr (is_float16<T>) {
    T x;
    x.bits = __ldg(&from->bits);
    return x;
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
  } else {
    EDGEWISE_UNROLL
    for (int i = 0; i < N; ++i) to[i] = read_element(from + i);
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

/// One chunk of N lanes, `valid` of them in the row; lanes outside read as 0 or as a part of the row.
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

/// Are lanes rounded two at a time? On the host the compiler takes more.
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

/// Stores the valid lanes of a chunk. A chunk that moves as a word does so as a whole: where it reaches into the gap
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

/// Element of a row at which a chunk of a wide (or per-lane) operand starts; 0 for chunks outside the row, so that
/// every load is in bounds without a predicate.
template <operand_kind Kind, class Geometry>
EDGEWISE_HD int safe_offset(Geometry const& geometry, int chunk) {
  int const offset = Kind == operand_kind::per_lane ? geometry.lane_in_head(chunk) : geometry.offset(chunk);
  return geometry.valid(chunk) ? offset : 0;
}

template <class Bound, class Geometry>
EDGEWISE_HD constexpr bool loads_dense_float16() {
#if defined(__CUDA_ARCH__)
  return Bound::kind == operand_kind::wide && is_float16<typename Bound::storage> &&
         Geometry::packing_of == packing::dense && Geometry::access_of == access::chunk;
#else
  return false;
#endif
}
/// Loads a wide operand of 16 bits whose chunks lie at constant distances. All words are on their way before the first
/// one is converted: converted behind its own predicate, each would be waited for.
template <int Blocks, class Bound, class Geometry, class Row, class V>
EDGEWISE_HD void load_dense_float16(Geometry const& geometry, operand_pointer<Bound> const& operand,
                                    Row const (&rows)[Blocks], V& to) {
  std::remove_const_t<typename Bound::storage> raw[Blocks][Geometry::max_chunks][V::lanes];
  EDGEWISE_UNROLL
  for (int b = 0; b < Blocks; ++b) {
    auto const* const first = operand.row(rows[b], geometry.offset(0));
    EDGEWISE_UNROLL
    for (int c = 0; c < geometry.chunks(); ++c) {
      if (geometry.valid(c)) read_words<V::lanes>(first + (geometry.offset(c) - geometry.offset(0)), raw[b][c]);
    }
  }
  EDGEWISE_UNROLL
  for (int b = 0; b < Blocks; ++b) {
    EDGEWISE_UNROLL
    for (int c = 0; c < geometry.chunks(); ++c) {
      widen_chunk(raw[b][c], to.v[b][c]);
    }
  }
}

/// Loads rows[b] of an operand. Every rows[b] is a row of the operand, masked edges included; lanes and heads outside
/// the row read as some element of it, and whoever sums over them leaves them out.
template <class Bound, class Geometry, class Row, class V, int Blocks>
EDGEWISE_HD void load_rows(Geometry const& geometry, operand_pointer<Bound> const& operand, Row const (&rows)[Blocks],
                           V& to) {
  using scalar = typename V::scalar;
  if constexpr (loads_dense_float16<Bound, Geometry>()) {
    load_dense_float16(geometry, operand, rows, to);
  } else if constexpr (V::extent_of == extent::wide) {
    EDGEWISE_UNROLL
    for (int b = 0; b < Blocks; ++b) {
      EDGEWISE_UNROLL
      for (int c = 0; c < geometry.chunks(); ++c) {
        if constexpr (Geometry::packing_of == packing::dense && Bound::kind == operand_kind::wide) {
          // One address a row; chunks lie at constant distances from it. Nothing hides the steps of one edge alone.
          auto const* const first =
              Blocks == 1 ? operand.short_row(rows[b], geometry.offset(0)) : operand.row(rows[b], geometry.offset(0));
          auto const* const chunk = first + (geometry.offset(c) - geometry.offset(0));
          if (geometry.valid(c)) load_chunk<Geometry::access_of>(chunk, geometry.valid_lanes(c), to.v[b][c]);
        } else {
          load_chunk<Geometry::access_of>(operand.row(rows[b], safe_offset<Bound::kind>(geometry, c)),
                                          geometry.valid_lanes(c), to.v[b][c]);
        }
      }
    }
  } else {
    EDGEWISE_UNROLL
    for (int b = 0; b < Blocks; ++b) {
      if constexpr (V::extent_of == extent::narrow) {
        EDGEWISE_UNROLL
        for (int c = 0; c < geometry.chunks(); ++c) {
          int const head = geometry.valid_head(c) ? geometry.head(c) : 0;
          to.v[b][c][0] = static_cast<scalar>(
              read_element(operand.short_row(rows[b], head * element_stride<typename Bound::leaf>)));
        }
      } else {
        to.v[b][0][0] = static_cast<scalar>(read_element(operand.short_row(rows[b])));
      }
    }
  }
}

/// Asks for this geometry's part of a row that will be loaded soon. Host only: a device has other threads to wait with.
template <class Bound, class Geometry, class Row>
EDGEWISE_HD void prefetch_row([[maybe_unused]] Geometry const& geometry,
                              [[maybe_unused]] operand_pointer<Bound> const& operand, [[maybe_unused]] Row row) {
#if !defined(__CUDA_ARCH__)
  if constexpr (Bound::kind == operand_kind::wide) {
    constexpr int line = 64 / static_cast<int>(sizeof(*operand.row(row)));
    int const elements = geometry.chunks() * Geometry::lanes_per_chunk;
    auto const* const first = operand.row(row, geometry.offset(0));
    for (int i = 0; i < elements; i += line) __builtin_prefetch(first + i);
  } else {
    __builtin_prefetch(operand.row(row));
  }
#endif
}

template <bool Accumulate, class T, class U>
EDGEWISE_HD void store_number(T* to, U x) {
  if constexpr (Accumulate) x += static_cast<U>(*to);
  *to = static_cast<T>(x);
}

/// Elements of one row of a tensor of a kind.
template <class Geometry>
EDGEWISE_HD std::int64_t row_elements(operand_kind kind, Geometry const& geo) {
  return std::int64_t{kind == operand_kind::wide || kind == operand_kind::per_head ? geo.heads : 1} *
         (kind == operand_kind::wide || kind == operand_kind::per_lane ? geo.lanes : 1);
}

/// Stores entry `block` of a complete value as row `row` of an array whose rows are `row_stride` elements, fewer than 2
/// GiB, apart. Threads that hold copies leave the store to one of them.
/// Stride: distance of the elements of a row without lanes (`element_stride`).
template <operand_kind Kind, bool Accumulate, int Stride = 1, class Geometry, class T, class Row, class V>
EDGEWISE_HD void store_row(Geometry const& geometry, T* data, std::int64_t row_stride, Row row, V const& from,
                           int block) {
  using scalar = typename V::scalar;
  std::int32_t const row_bytes = static_cast<std::int32_t>(row_stride * static_cast<std::int64_t>(sizeof(T)));
  if constexpr (Kind == operand_kind::wide || Kind == operand_kind::per_lane) {
    T* const to = find_row(data, row, row_bytes);
    EDGEWISE_UNROLL
    for (int c = 0; c < geometry.chunks(); ++c) {
      scalar chunk[Geometry::lanes_per_chunk];
      EDGEWISE_UNROLL
      for (int l = 0; l < Geometry::lanes_per_chunk; ++l) chunk[l] = from.at(block, c, l);
      bool const speaks = Kind == operand_kind::wide || geometry.leads_lanes(c);
      T* const place = to + (Kind == operand_kind::wide ? geometry.offset(c) : geometry.lane_in_head(c));
      int const valid = speaks ? geometry.valid_lanes(c) : 0;
      if constexpr (Accumulate) {
        EDGEWISE_UNROLL
        for (int l = 0; l < Geometry::lanes_per_chunk; ++l) {
          if (l < valid) chunk[l] += static_cast<scalar>(place[l]);
        }
      }
      store_chunk<Geometry::access_of>(place, valid, chunk);
    }
  } else if constexpr (Kind == operand_kind::per_head) {
    EDGEWISE_UNROLL
    for (int c = 0; c < geometry.chunks(); ++c) {
      if (geometry.leads_head(c)) {
        // The head first: its place in a row is the same for all rows.
        T* const place = find_row(data + geometry.head(c) * Stride, row, row_bytes);
        store_number<Accumulate>(place, from.at(block, c, 0));
      }
    }
  } else if constexpr (Kind == operand_kind::per_row) {
    if (geometry.leads_row()) store_number<Accumulate>(find_row(data, row, row_bytes), from.at(block, 0, 0));
  }
}

/// The entry at i, which differs from thread to thread, without an array that threads could index.
template <int Count, class T>
EDGEWISE_HD T pick_entry(T const (&entries)[Count], int i) {
  if constexpr (Count == 1) {
    return entries[0];
  } else {
    static_assert(Count % 2 == 0);
    T half[Count / 2];
    EDGEWISE_UNROLL
    for (int k = 0; k < Count / 2; ++k) half[k] = (i & (Count / 2)) != 0 ? entries[k + Count / 2] : entries[k];
    return pick_entry(half, i & (Count / 2 - 1));
  }
}

/// Stores what each edge of a block has as row rows[b], or adds it, where `ok` has the edge. Of sums that are still
/// open over threads each is stored by a thread that comes to have it.
template <operand_kind Kind, int Stride = 1, class Geometry, class T, class Row, class V, int Blocks>
EDGEWISE_HD void store_edges(Geometry const& geometry, T* data, std::int64_t row_stride, bool accumulate,
                             Row const (&rows)[Blocks], edge_mask<Blocks> const& ok, V const& from) {
  if constexpr (is_partial(V::extent_of) && V::blocks == Blocks) {
    static_assert(Kind == operand_kind::per_head || Kind == operand_kind::per_row);
    std::int32_t const row_bytes = static_cast<std::int32_t>(row_stride * static_cast<std::int64_t>(sizeof(T)));
    for_each_sum(geometry, from, [&](int b, [[maybe_unused]] int c, auto const& sum) {
      if (!ok.has(b)) return;
      T* const first = Kind == operand_kind::per_head ? data + geometry.head(c) * Stride : data;
      T* const place = find_row(first, pick_entry(rows, b), row_bytes);
      if (accumulate) {
        store_number<true>(place, sum);
      } else {
        store_number<false>(place, sum);
      }
    });
  } else {
    auto const whole = complete(geometry, from);
    EDGEWISE_UNROLL
    for (int b = 0; b < Blocks; ++b) {
      if (!ok[b]) continue;
      if (accumulate) {
        store_row<Kind, true, Stride>(geometry, data, row_stride, rows[b], whole, b);
      } else {
        store_row<Kind, false, Stride>(geometry, data, row_stride, rows[b], whole, b);
      }
    }
  }
}

}  // namespace edgewise::detail
