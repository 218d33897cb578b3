// Rows of operands as matrices for tensor cores: a window's own rows in registers, those of its columns in shared
// memory, and their products.
#pragma once

#include <cstdint>
#include <cstring>

#include <edgewise/core/matrix_instructions.cuh>
#include <edgewise/format/wsb.hpp>
#include <edgewise/program/bound_leaf.hpp>
#include <edgewise/register/move_chunk.hpp>

namespace edgewise::inline v0::detail {

/// The part of a row that a warp works on, up to Channels elements of one head, as T.
struct tile_channels {
  int first;  ///< element of the row
  int count;  ///< elements that are there; more are read as 0

  /// How many elements of [begin, begin + size) are there?
  EDGEWISE_DEVICE int valid(int begin, int size) const {
    int const left = count - begin;
    return left < 0 ? 0 : (left < size ? left : size);
  }
};

/// How rows stored as S are multiplied: as they are, float as tf32.
template <class S>
struct multiplied_as {
  using type = S;
};
template <>
struct multiplied_as<float> {
  using type = tf32;
};

/// Rows of a tile's columns in shared memory, 16 bytes a chunk. T: how they are multiplied. Chunks of rows that are
/// read together lie in different banks.
template <class T, int Channels>
struct tile_rows {
  static constexpr int row_bytes = Channels * static_cast<int>(sizeof(T));
  static constexpr int elements = 16 / static_cast<int>(sizeof(T));  ///< of a chunk
  static constexpr int chunks = row_bytes / 16;
  static constexpr int bytes = wsb_tile_columns * row_bytes;

  EDGEWISE_DEVICE static int place(int row, int chunk) {
    int const shift = chunks >= 8 ? row & 7 : row / (8 / chunks) & (chunks - 1);
    return row * row_bytes + (chunk ^ shift) * 16;
  }
};

/// Elements [begin, begin + N) of a row as T. Words: all of them or none are there, at multiples of their size or of 16
/// bytes.
template <class T, bool Words, int N, class Bound, class Row>
EDGEWISE_DEVICE void read_converted(operand_pointer<Bound> const& from, Row row, tile_channels const& part, int begin,
                                    T (&to)[N]) {
  int const valid = part.valid(begin, N);
  if constexpr (Words) {
    std::remove_const_t<typename Bound::storage> raw[N] = {};
    if (valid > 0) read_words(from.row(row, part.first + begin), raw);
    EDGEWISE_UNROLL
    for (int l = 0; l < N; ++l) to[l] = static_cast<T>(static_cast<float>(raw[l]));
  } else {
    EDGEWISE_UNROLL
    for (int l = 0; l < N; ++l) {
      float const x = l < valid ? static_cast<float>(read_element(from.row(row, part.first + begin + l))) : 0.0f;
      to[l] = static_cast<T>(x);
    }
  }
}

/// Are chunks of an operand copied as they are? Words: they are words, where stored as what is multiplied.
template <class T, bool Words, class Bound>
inline constexpr bool are_copied =
    Words&& std::is_same_v<typename multiplied_as<std::remove_const_t<typename Bound::storage>>::type, T>;

/// Starts to copy the rows that the lanes' `column`s name, those of lanes 0 to 15, or converts them.
template <class T, int Channels, bool Words, class Bound, class Index>
EDGEWISE_DEVICE void copy_tile_rows(operand_pointer<Bound> const& from, tile_channels const& part, Index column,
                                    char* to) {
  using rows = tile_rows<T, Channels>;
  constexpr int elements = rows::elements;
  constexpr int rows_at_once = 32 / rows::chunks;
  int const lane = static_cast<int>(threadIdx.x % 32);
  int const chunk = lane % rows::chunks;
  EDGEWISE_UNROLL
  for (int i = 0; i < wsb_tile_columns / rows_at_once; ++i) {
    int const row = lane / rows::chunks + i * rows_at_once;
    Index const source = __shfl_sync(0xffffffffu, column, row);
    char* const place = to + rows::place(row, chunk);
    if constexpr (are_copied<T, Words, Bound>) {
      int const valid = part.valid(elements * chunk, elements);
      start_copy(place, from.short_row(source, part.first + (valid > 0 ? elements * chunk : 0)),
                 static_cast<int>(sizeof(T)) * valid);
    } else {
      T raw[elements];
      read_converted<T, Words>(from, source, part, elements * chunk, raw);
      int4 word;
      memcpy(&word, raw, 16);
      *reinterpret_cast<int4*>(place) = word;
    }
  }
}

/// A word of rows that were copied as they are, as products take it.
template <class T>
EDGEWISE_DEVICE std::uint32_t rounded_word(std::uint32_t word) {
  if constexpr (std::is_same_v<T, tf32>) {
    return tf32(float_of_bits(word)).bits;
  } else {
    return word;
  }
}

/// A window's own rows as the first operand of products over channels.
template <class T, int Channels>
struct window_rows_fragment {
  static constexpr int elements = 4 / static_cast<int>(sizeof(T));  ///< of a word
  static constexpr int step = 8 * elements;                         ///< channels of one product
  std::uint32_t words[Channels / step][4];

  template <bool Words, class Bound, class Index>
  EDGEWISE_DEVICE void load(operand_pointer<Bound> const& from, tile_channels const& part, Index const (&rows)[2],
                            bool const (&live)[2]) {
    int const q = static_cast<int>(threadIdx.x % 4);
    EDGEWISE_UNROLL
    for (int k = 0; k < Channels / step; ++k) {
      EDGEWISE_UNROLL
      for (int i = 0; i < 4; ++i) {
        int const begin = step * k + elements * q + i / 2 * (step / 2);
        std::uint32_t word = 0;
        if (live[i % 2]) {
          if constexpr (are_copied<T, Words, Bound>) {
            if (part.valid(begin, elements) > 0)
              word = rounded_word<T>(
                  __ldg(reinterpret_cast<std::uint32_t const*>(from.row(rows[i % 2], part.first + begin))));
          } else {
            T found[elements];
            read_converted<T, Words>(from, rows[i % 2], part, begin, found);
            memcpy(&word, found, 4);
          }
        }
        words[k][i] = word;
      }
    }
  }
};

/// An accumulator of 16 rows x 8 N columns.
template <int N>
using accumulators = float[N][4];

/// s += own rows times those of a tile's columns, [16, 16].
template <class T, int Channels>
EDGEWISE_DEVICE void multiply_rows(accumulators<2>& s, window_rows_fragment<T, Channels> const& own, char const* rows) {
  int const lane = static_cast<int>(threadIdx.x % 32);
  EDGEWISE_UNROLL
  for (int n = 0; n < 2; ++n) {
    EDGEWISE_UNROLL
    for (int k = 0; k < tile_rows<T, Channels>::chunks / 4; ++k) {
      std::uint32_t b[4];
      load_matrices(b, rows + tile_rows<T, Channels>::place(8 * n + lane % 8, 4 * k + lane / 8));
      EDGEWISE_UNROLL
      for (int i = 0; i < 4; ++i) b[i] = rounded_word<T>(b[i]);
      multiply_matrices<T>(s[n], own.words[2 * k], b[0], b[1]);
      multiply_matrices<T>(s[n], own.words[2 * k + 1], b[2], b[3]);
    }
  }
}

/// o += numbers of the slots of a tile times the rows of its columns, [16, Channels]. Numbers are rounded to T.
template <class T, int Channels>
EDGEWISE_DEVICE void add_weighted_rows(accumulators<Channels / 8>& o, accumulators<2> const& numbers,
                                       char const* rows) {
  using place = tile_rows<T, Channels>;
  int const lane = static_cast<int>(threadIdx.x % 32);
  if constexpr (std::is_same_v<T, tf32>) {
    // No instruction transposes words. A thread's numbers are those of columns 2 q and 2 q + 1: they take the places of
    // columns q and q + 4 of a product, since rows of columns may come in any order.
    int const q = lane % 4;
    int const g = lane / 4;
    EDGEWISE_UNROLL
    for (int half = 0; half < 2; ++half) {
      auto const& x = numbers[half];
      std::uint32_t const a[4] = {tf32(x[0]).bits, tf32(x[2]).bits, tf32(x[1]).bits, tf32(x[3]).bits};
      int const row = 8 * half + 2 * q;
      EDGEWISE_UNROLL
      for (int n = 0; n < Channels / 8; ++n) {
        auto const word = [&](int of) {
          char const* const at = rows + place::place(of, 2 * n + g / 4) + g % 4 * 4;
          return rounded_word<T>(*reinterpret_cast<std::uint32_t const*>(at));
        };
        multiply_matrices<T>(o[n], a, word(row), word(row + 1));
      }
    }
  } else {
    std::uint32_t const a[4] = {pack_pair<T>(numbers[0][0], numbers[0][1]), pack_pair<T>(numbers[0][2], numbers[0][3]),
                                pack_pair<T>(numbers[1][0], numbers[1][1]), pack_pair<T>(numbers[1][2], numbers[1][3])};
    EDGEWISE_UNROLL
    for (int n = 0; n < Channels / 16; ++n) {
      std::uint32_t b[4];
      load_transposed_matrices(b, rows + place::place(lane % 16, 2 * n + lane / 16));
      multiply_matrices<T>(o[2 * n], a, b[0], b[1]);
      multiply_matrices<T>(o[2 * n + 1], a, b[2], b[3]);
    }
  }
}

template <int N>
EDGEWISE_DEVICE void clear(accumulators<N>& x) {
  EDGEWISE_UNROLL
  for (int n = 0; n < N; ++n) {
    EDGEWISE_UNROLL
    for (int i = 0; i < 4; ++i) x[n][i] = 0.0f;
  }
}

}  // namespace edgewise::inline v0::detail
