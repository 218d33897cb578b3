// Dense products on the GPU where no library computes them: tiles in shared memory, a plain fallback.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include <edgewise/core/launch.cuh>
#include <edgewise/core/matrix.hpp>
#include <edgewise/core/resources.hpp>

namespace edgewise::inline v0::detail {

/// How a product is cut: tiles of 64 x 64 elements, and where those are few, their terms into splits, whose sums are
/// added in order. It follows from the shape alone, and with it the bits.
struct product_cut {
  static constexpr int tile = 64;
  static constexpr int depth = 16;  ///< terms of a tile in shared memory
  static constexpr std::int64_t blocks_wanted = 512;
  std::int64_t tiles_down = 0;
  std::int64_t tiles_across = 0;
  std::int64_t splits = 1;
  std::int64_t terms = 0;  ///< of a split

  product_cut(std::int64_t rows, std::int64_t columns, std::int64_t all_terms)
      : tiles_down((rows + tile - 1) / tile), tiles_across((columns + tile - 1) / tile), terms(all_terms) {
    constexpr std::int64_t least_terms = 256;
    std::int64_t const tiles = tiles_down * tiles_across;
    if (tiles == 0 || tiles >= blocks_wanted) return;
    std::int64_t const most = (all_terms + least_terms - 1) / least_terms;
    std::int64_t const wanted = blocks_wanted / tiles;
    splits = most < wanted ? most : wanted;
    if (splits < 1) splits = 1;
    terms = (all_terms + splits - 1) / splits;
    terms = (terms + depth - 1) / depth * depth;
    splits = terms > 0 ? (all_terms + terms - 1) / terms : 1;
    if (splits < 1) splits = 1;
  }
};
/// Elements of the sums of splits; none where there is one.
inline std::int64_t product_partials(std::int64_t rows, std::int64_t columns, std::int64_t terms) {
  product_cut const cut(rows, columns, terms);
  return cut.splits > 1 ? cut.splits * rows * columns : 0;
}

/// The most of them for any product of at most this shape, whatever its terms.
inline std::int64_t most_product_partials(std::int64_t rows, std::int64_t columns) {
  constexpr std::int64_t most = product_cut::blocks_wanted * product_cut::tile * product_cut::tile;
  std::int64_t const all = rows * columns;
  return all < most / product_cut::blocks_wanted ? all * product_cut::blocks_wanted : most;
}

/// Copies elements [i, i + Rows) x [j, j + Columns) to shared memory, zeros outside, as `to[row][column]` or, where
/// Transposes, `to[column][row]`. Neighboring threads take neighboring elements of memory.
template <int Rows, int Columns, bool Transposes, class M, class T, int Width>
EDGEWISE_DEVICE void load_tile(matrix_view<M> const& m, std::int64_t i, std::int64_t j, std::int64_t last_column,
                               T (*to)[Width]) {
  bool const by_row = m.column_stride == 1;
  for (int e = static_cast<int>(threadIdx.x); e < Rows * Columns; e += 256) {
    int const r = by_row ? e / Columns : e % Rows;
    int const c = by_row ? e % Columns : e / Rows;
    bool const inside = i + r < m.rows && j + c < last_column;
    T const x = inside ? static_cast<T>(m.at(i + r, j + c)) : T(0);
    if (Transposes) {
      to[c][r] = x;
    } else {
      to[r][c] = x;
    }
  }
}

/// What a thread of a block sums of a tile: elements (4 down + r, across + 16 q).
template <class T>
struct tile_sums {
  static constexpr int tile = product_cut::tile;
  T sums[4][4] = {};

  EDGEWISE_DEVICE static int across() { return static_cast<int>(threadIdx.x) % 16; }
  EDGEWISE_DEVICE static int down() { return static_cast<int>(threadIdx.x) / 16; }

  /// Adds terms [first, last) of elements from (i, j) on of a b. All threads of the block call it.
  template <class A, class B>
  EDGEWISE_DEVICE void add(matrix_view<A> const& a, matrix_view<B> const& b, std::int64_t i, std::int64_t j,
                           std::int64_t first, std::int64_t last) {
    constexpr int depth = product_cut::depth;
    constexpr int width = tile + 4;
    __shared__ T rows[depth][width];
    __shared__ T columns[depth][width];
    for (std::int64_t k = first; k < last; k += depth) {
      load_tile<tile, depth, true>(a, i, k, last, rows);
      load_tile<depth, tile, false>(matrix_view<B>{b.data, last, b.columns, b.row_stride, b.column_stride}, k, j,
                                    b.columns, columns);
      __syncthreads();
      EDGEWISE_UNROLL
      for (int n = 0; n < depth; ++n) {
        EDGEWISE_UNROLL
        for (int r = 0; r < 4; ++r) {
          EDGEWISE_UNROLL
          for (int q = 0; q < 4; ++q) sums[r][q] += rows[n][4 * down() + r] * columns[n][across() + 16 * q];
        }
      }
      __syncthreads();
    }
  }
  /// Calls f(row, column, sum) for the elements of the thread that lie in a matrix of this shape.
  template <class F>
  EDGEWISE_DEVICE void for_each(std::int64_t i, std::int64_t j, std::int64_t num_rows, std::int64_t num_columns,
                                F const& f) const {
    for (int r = 0; r < 4; ++r) {
      for (int q = 0; q < 4; ++q) {
        std::int64_t const row = i + 4 * down() + r;
        std::int64_t const column = j + across() + 16 * q;
        if (row < num_rows && column < num_columns) f(row, column, sums[r][q]);
      }
    }
  }
};
template <class T, class C>
EDGEWISE_DEVICE void put(C& to, T sum, bool adds) {
  to = static_cast<C>(adds ? static_cast<T>(to) + sum : sum);
}

/// Blocks of 256 threads, each of which sums 4 x 4 elements of a tile. partials: [splits, rows, columns] where there
/// are several, else null.
template <class T, class A, class B, class C>
__global__ void __launch_bounds__(256)
    multiply_tiles(matrix_view<A> const a, matrix_view<B> const b, matrix_view<C> const c, T* partials,
                   std::int64_t terms, bool adds) {
  std::int64_t const i = std::int64_t{blockIdx.x} * product_cut::tile;
  std::int64_t const j = std::int64_t{blockIdx.y} * product_cut::tile;
  std::int64_t const first = std::int64_t{blockIdx.z} * terms;
  std::int64_t const last = first + terms < a.columns ? first + terms : a.columns;
  tile_sums<T> tile;
  tile.add(a, b, i, j, first, last);
  tile.for_each(i, j, c.rows, c.columns, [&](std::int64_t row, std::int64_t column, T sum) {
    if (partials) {
      partials[(std::int64_t{blockIdx.z} * c.rows + row) * c.columns + column] = sum;
    } else {
      put(c.at(row, column), sum, adds);
    }
  });
}
/// One thread an element: the sums of splits in order.
template <class T, class C>
__global__ void fold_splits(matrix_view<C> const c, T const* partials, std::int64_t splits, bool adds) {
  std::int64_t const e = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  std::int64_t const size = c.rows * c.columns;
  if (e >= size) return;
  T total = T(0);
  for (std::int64_t s = 0; s < splits; ++s) total += partials[s * size + e];
  put(c.at(e / c.columns, e % c.columns), total, adds);
}

/// c = a b, or c += a b. partials: memory for `product_partials` of the shape.
template <class T, class A, class B, class C>
void multiply(cuda const& exec, matrix_view<A> const& a, matrix_view<B> const& b, matrix_view<C> const& c, bool adds,
              T* partials) {
  if (c.rows == 0 || c.columns == 0) return;
  product_cut const cut(c.rows, c.columns, a.columns);
  dim3 const grid(static_cast<unsigned>(cut.tiles_down), static_cast<unsigned>(cut.tiles_across),
                  static_cast<unsigned>(cut.splits));
  bool const folds = cut.splits > 1;
  launch_kernel("linear: product", multiply_tiles<T, A, B, C>, grid, 256, exec.stream, a, b, c,
                folds ? partials : nullptr, cut.terms, adds);
  if (!folds) return;
  std::int64_t const size = c.rows * c.columns;
  launch_kernel("linear: add splits", fold_splits<T, C>, static_cast<unsigned>((size + 255) / 256), 256, exec.stream, c,
                partials, cut.splits, adds);
}

}  // namespace edgewise::inline v0::detail
