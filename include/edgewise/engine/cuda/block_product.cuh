// A tile of a dense product, which one block of threads sums: the fallback where no library computes products.
#pragma once

#include <cstdint>

#include <edgewise/core/config.hpp>
#include <edgewise/core/matrix.hpp>

namespace edgewise::inline v0::detail {

inline constexpr int product_threads = 256;

/// How a block's threads share a tile: each sums 4 x 4 elements, `down` x `across` threads cover the tile, and where
/// the tile is small, `groups` of so many threads take terms in turn. Powers of two, whose product is product_threads.
struct product_shape {
  int across_bits = 2;
  int down_bits = 2;

  /// For products of so many rows and columns.
  product_shape(std::int64_t rows, std::int64_t columns) {
    while (across_bits < 4 && (std::int64_t{4} << across_bits) < columns) ++across_bits;
    while (down_bits < 6 && across_bits + down_bits < 8 && (std::int64_t{4} << down_bits) < rows) ++down_bits;
  }
  EDGEWISE_HD int across() const { return 1 << across_bits; }
  EDGEWISE_HD int down() const { return 1 << down_bits; }
  EDGEWISE_HD int group_bits() const { return 8 - across_bits - down_bits; }
  EDGEWISE_HD int groups() const { return 1 << group_bits(); }
  EDGEWISE_HD int rows() const { return 4 << down_bits; }
  EDGEWISE_HD int columns() const { return 4 << across_bits; }
  std::int64_t tiles_down(std::int64_t all) const { return (all + rows() - 1) / rows(); }
  std::int64_t tiles_across(std::int64_t all) const { return (all + columns() - 1) / columns(); }
};

/// Memory that the threads of a block share: slabs of terms of the tile's rows and columns, then sums of groups.
template <class T>
struct product_memory {
  static constexpr int depth_bits = sizeof(T) <= 4 ? 4 : sizeof(T) <= 8 ? 3 : 2;
  static constexpr int depth = 1 << depth_bits;  ///< terms of a slab that one group takes
  static constexpr int gap = 4;                  ///< elements between the rows of a slab, whose banks differ then
  /// Of the shape with most groups, 16 x 16 elements; others take less.
  static constexpr int elements = depth * 16 * 2 * (16 + gap);
};

/// Four neighbors at an address that is a multiple of their size, or of 16 bytes.
template <class T>
EDGEWISE_DEVICE void load_four(T const* from, T (&to)[4]) {
  constexpr int alignment = 4 * sizeof(T) < 16 ? 4 * sizeof(T) : 16;
  auto const* const aligned = static_cast<T const*>(__builtin_assume_aligned(from, alignment));
  EDGEWISE_UNROLL
  for (int i = 0; i < 4; ++i) to[i] = aligned[i];
}

/// Copies slabs of terms of a tile's rows to shared memory, as `to[term][row]`: rows [i, i + 2^row_bits) of m, `m.rows`
/// at most, and 2^term_bits terms from one slab to the next, zeros outside. Neighboring threads take neighboring
/// elements of memory; each takes elements of one row, or of one term.
template <class T, class M>
class slab_loader {
public:
  EDGEWISE_DEVICE slab_loader(matrix_view<M> const& m, std::int64_t i, int row_bits, std::int64_t first, int term_bits,
                              T* to)
      : terms_are_neighbors_(m.column_stride == 1) {
    int const width = (1 << row_bits) + product_memory<T>::gap;
    int const bits = terms_are_neighbors_ ? term_bits : row_bits;
    near_ = static_cast<int>(threadIdx.x) & ((1 << bits) - 1);
    far_ = static_cast<int>(threadIdx.x) >> bits;
    int const far_size = 1 << (terms_are_neighbors_ ? row_bits : term_bits);
    step_ = product_threads >> bits;
    most_ = far_size > step_ ? far_size / step_ : 1;
    count_ = far_ < far_size ? most_ : 0;
    int const row = terms_are_neighbors_ ? far_ : near_;
    int const term = terms_are_neighbors_ ? near_ : far_;
    rows_left_ = m.rows - i < (1 << row_bits) ? static_cast<int>(m.rows - i) : 1 << row_bits;
    from_ = m.data + (i + row) * m.row_stride + (first + term) * m.column_stride;
    from_step_ = step_ * (terms_are_neighbors_ ? m.row_stride : m.column_stride);
    slab_step_ = (std::int64_t{1} << term_bits) * m.column_stride;
    to_ = to + term * width + row;
    to_step_ = terms_are_neighbors_ ? step_ : step_ * width;
  }
  /// The next slab, of which so many terms lie inside.
  EDGEWISE_DEVICE void load(int terms_left) {
    bool const near_inside = near_ < (terms_are_neighbors_ ? terms_left : rows_left_);
    int const left = near_inside ? (terms_are_neighbors_ ? rows_left_ : terms_left) - far_ : 0;
    M const* from = from_;
    T* to = to_;
    constexpr int batch = 4;                              // loads in flight
    for (int start = 0; start < most_; start += batch) {  // the same for all threads
      T values[batch];
      EDGEWISE_UNROLL
      for (int n = 0; n < batch; ++n) {
        values[n] = (start + n) * step_ < left ? static_cast<T>(*from) : T(0);
        from += from_step_;
      }
      EDGEWISE_UNROLL
      for (int n = 0; n < batch; ++n) {
        if (start + n < count_) *to = values[n];
        to += to_step_;
      }
    }
    from_ += slab_step_;
  }

private:
  M const* from_;
  T* to_;
  std::int64_t from_step_, slab_step_;
  int to_step_, step_, rows_left_;
  int near_, far_;    ///< the thread's first element, in the direction of neighbors and across it
  int count_, most_;  ///< elements of a slab that the thread takes, and that any does
  bool terms_are_neighbors_;
};

/// What a thread sums of a tile of a b, from element (i, j) on.
template <class T>
struct block_product {
  using memory = product_memory<T>;
  product_shape shape;
  T* shared;
  T sums[4][4] = {};

  EDGEWISE_DEVICE int across() const { return static_cast<int>(threadIdx.x) & (shape.across() - 1); }
  EDGEWISE_DEVICE int down() const { return (static_cast<int>(threadIdx.x) >> shape.across_bits) & (shape.down() - 1); }
  EDGEWISE_DEVICE int group() const { return static_cast<int>(threadIdx.x) >> (shape.across_bits + shape.down_bits); }

  /// Adds terms [first, last). All threads of the block call it.
  template <class A, class B>
  EDGEWISE_DEVICE void add(matrix_view<A> const& a, matrix_view<B> const& b, std::int64_t i, std::int64_t j,
                           std::int64_t first, std::int64_t last) {
    int const term_bits = memory::depth_bits + shape.group_bits();
    int const row_width = shape.rows() + memory::gap;
    int const column_width = shape.columns() + memory::gap;
    T* const rows = shared;
    T* const columns = shared + (row_width << term_bits);
    slab_loader<T, A> load_rows(a, i, shape.down_bits + 2, first, term_bits, rows);
    slab_loader<T, B> load_columns(b.transposed(), j, shape.across_bits + 2, first, term_bits, columns);
    T const* const own_rows = rows + group() * memory::depth * row_width + 4 * down();
    T const* const own_columns = columns + group() * memory::depth * column_width + 4 * across();
    int const terms = 1 << term_bits;
    for (std::int64_t left = last - first; left > 0; left -= terms) {
      int const inside = left < terms ? static_cast<int>(left) : terms;
      load_rows.load(inside);
      load_columns.load(inside);
      __syncthreads();
      T const* r = own_rows;
      T const* c = own_columns;
      EDGEWISE_UNROLL
      for (int n = 0; n < memory::depth; ++n, r += row_width, c += column_width) {
        T x[4], y[4];
        load_four(r, x);
        load_four(c, y);
        EDGEWISE_UNROLL
        for (int p = 0; p < 4; ++p) {
          EDGEWISE_UNROLL
          for (int q = 0; q < 4; ++q) sums[p][q] += x[p] * y[q];
        }
      }
      __syncthreads();
    }
  }
  /// Calls f(row, column, sum) once for each element of the tile that lies in a matrix of this shape; sums of groups
  /// are added in order. All threads of the block call it.
  template <class F>
  EDGEWISE_DEVICE void for_each(std::int64_t i, std::int64_t j, std::int64_t num_rows, std::int64_t num_columns,
                                F const& f) {
    if (shape.group_bits() > 0) add_groups();
    if (group() > 0) return;
    EDGEWISE_UNROLL
    for (int p = 0; p < 4; ++p) {
      EDGEWISE_UNROLL
      for (int q = 0; q < 4; ++q) {
        std::int64_t const row = i + 4 * down() + p;
        std::int64_t const column = j + 4 * across() + q;
        if (row < num_rows && column < num_columns) f(row, column, sums[p][q]);
      }
    }
  }

private:
  /// The threads of the first group get the sums of all.
  EDGEWISE_DEVICE void add_groups() {
    int const threads = product_threads >> shape.group_bits();
    EDGEWISE_UNROLL
    for (int p = 0; p < 4; ++p) {
      EDGEWISE_UNROLL
      for (int q = 0; q < 4; ++q) shared[q * product_threads + static_cast<int>(threadIdx.x)] = sums[p][q];
      __syncthreads();
      for (int g = 1; g < shape.groups() && group() == 0; ++g) {
        EDGEWISE_UNROLL
        for (int q = 0; q < 4; ++q) {
          sums[p][q] += shared[q * product_threads + g * threads + static_cast<int>(threadIdx.x)];
        }
      }
      __syncthreads();
    }
  }
};
template <class T, class C>
EDGEWISE_DEVICE void put(C& to, T sum, bool adds) {
  to = static_cast<C>(adds ? static_cast<T>(to) + sum : sum);
}

}  // namespace edgewise::inline v0::detail
