// Dense products on the CPU where no library computes them.
#pragma once

#include <algorithm>
#include <cstdint>

#include <edgewise/core/cpu_threads.hpp>
#include <edgewise/core/matrix.hpp>
#include <edgewise/core/row_types.hpp>
#include <edgewise/core/scalar.hpp>

namespace edgewise::inline v0::detail {

/// One tile of a product: 4 rows x 32 columns, which stay in vector registers. Sums are formed in leaves of 512 terms,
/// so that their errors do not grow with the number of vertices.
template <class T>
struct product_tile {
  static constexpr int rows = 4;
  static constexpr int columns = 32;
  static constexpr std::int64_t leaf = 512;
  T total[rows][columns] = {};

  template <class A, class B>
  void add(matrix_view<A> const& a, matrix_view<B> const& b, std::int64_t i, std::int64_t j) {
    auto const num_rows = static_cast<int>(std::min<std::int64_t>(rows, a.rows - i));
    auto const num_columns = static_cast<int>(std::min<std::int64_t>(columns, b.columns - j));
    for (std::int64_t first = 0; first < a.columns; first += leaf) {
      std::int64_t const last = std::min(first + leaf, a.columns);
      if (num_columns == columns && b.column_stride == 1) {
        add_leaf(a, i, num_rows, first, last, [&](std::int64_t k, T* row) {
          B const* const from = b.data + k * b.row_stride + j;
          for (int c = 0; c < columns; ++c) row[c] = static_cast<T>(from[c]);
        });
      } else {
        add_leaf(a, i, num_rows, first, last, [&](std::int64_t k, T* row) {
          for (int c = 0; c < num_columns; ++c) row[c] = static_cast<T>(b.at(k, j + c));
        });
      }
    }
  }

  /// Writes the tile, or adds it, to what of it lies in c.
  template <class C>
  void store(matrix_view<C> const& c, std::int64_t i, std::int64_t j, bool adds) const {
    for (int r = 0; r < rows && i + r < c.rows; ++r) {
      for (int k = 0; k < columns && j + k < c.columns; ++k) {
        C& to = c.at(i + r, j + k);
        to = static_cast<C>(adds ? static_cast<T>(to) + total[r][k] : total[r][k]);
      }
    }
  }

private:
  template <class A, class Load>
  void add_leaf(matrix_view<A> const& a, std::int64_t i, int num_rows, std::int64_t first, std::int64_t last,
                Load const& load) {
    T part[rows][columns] = {};
    T row[columns] = {};
    for (std::int64_t k = first; k < last; ++k) {
      load(k, row);
      for (int r = 0; r < rows; ++r) {
        T const x = r < num_rows ? static_cast<T>(a.at(i + r, k)) : T(0);
        for (int c = 0; c < columns; ++c) part[r][c] += x * row[c];
      }
    }
    for (int r = 0; r < rows; ++r) {
      for (int c = 0; c < columns; ++c) total[r][c] += part[r][c];
    }
  }
};

/// c = a b, or c += a b. Bits do not depend on the number of threads.
template <class T, class A, class B, class C>
void multiply(cpu const& exec, matrix_view<A> const& a, matrix_view<B> const& b, matrix_view<C> const& c, bool adds) {
  using tile = product_tile<T>;
  std::int64_t const across = (c.columns + tile::columns - 1) / tile::columns;
  std::int64_t const tiles = (c.rows + tile::rows - 1) / tile::rows * across;
  [[maybe_unused]] int const threads = num_threads(exec, c.rows * c.columns * (a.columns / 16 + 1));
#if defined(_OPENMP)
#pragma omp parallel for num_threads(threads) schedule(static)
#endif
  for (std::int64_t number = 0; number < tiles; ++number) {
    std::int64_t const i = number / across * tile::rows;
    std::int64_t const j = number % across * tile::columns;
    tile sums;
    sums.add(a, b, i, j);
    sums.store(c, i, j, adds);
  }
}

/// Rows of c: rows of a times b of their type.
template <class T, class A, class B, class C, class Offset>
void multiply_by_type(cpu const& exec, row_types_view<Offset> const& types, matrix_view<A> const& a,
                      matrices_view<B> const& b, matrix_view<C> const& c, bool adds) {
  for (std::int64_t type = 0; type < types.num_types; ++type) {
    std::int64_t const first = types.first_row(type);
    std::int64_t const count = types.first_row(type + 1) - first;
    multiply<T>(exec, a.rows_from(first, count), b[type], c.rows_from(first, count), adds);
  }
}
/// c of each type: the transpose of a's rows of it times b's. Threads take tiles of all types' matrices; bits do not
/// depend on their number.
template <class T, class A, class B, class C, class Offset>
void sum_by_type(cpu const& exec, row_types_view<Offset> const& types, matrix_view<A> const& a, matrix_view<B> const& b,
                 matrices_view<C> const& c, bool adds) {
  using tile = product_tile<T>;
  std::int64_t const across = (c.first.columns + tile::columns - 1) / tile::columns;
  std::int64_t const tiles = (c.first.rows + tile::rows - 1) / tile::rows * across;
  [[maybe_unused]] int const threads = num_threads(exec, c.first.rows * c.first.columns * (types.num_rows / 16 + 1));
#if defined(_OPENMP)
#pragma omp parallel for num_threads(threads) schedule(dynamic)
#endif
  for (std::int64_t number = 0; number < types.num_types * tiles; ++number) {
    std::int64_t const type = number / tiles;
    std::int64_t const first = types.first_row(type);
    std::int64_t const count = types.first_row(type + 1) - first;
    std::int64_t const i = number % tiles / across * tile::rows;
    std::int64_t const j = number % tiles % across * tile::columns;
    tile sums;
    sums.add(a.rows_from(first, count).transposed(), b.rows_from(first, count), i, j);
    sums.store(c[type], i, j, adds);
  }
}

}  // namespace edgewise::inline v0::detail
