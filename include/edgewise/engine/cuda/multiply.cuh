// Dense products on the GPU where no library computes them: tiles in shared memory, a plain fallback.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include <edgewise/core/launch.cuh>
#include <edgewise/core/matrix.hpp>
#include <edgewise/core/resources.hpp>
#include <edgewise/engine/cuda/block_product.cuh>

namespace edgewise::inline v0::detail {

/// How a product is cut: into tiles, and where those are few, their terms into splits, whose sums are added in order.
/// It follows from the shape alone, and with it the bits.
struct product_cut {
  static constexpr std::int64_t blocks_wanted = 512;
  static constexpr std::int64_t most_partials = blocks_wanted * 64 * 64;  ///< of a product with few tiles
  product_shape shape;
  std::int64_t tiles_down = 0;
  std::int64_t tiles_across = 0;
  std::int64_t splits = 1;
  std::int64_t terms = 0;  ///< of a split

  product_cut(std::int64_t rows, std::int64_t columns, std::int64_t all_terms)
      : shape(rows, columns),
        tiles_down(shape.tiles_down(rows)),
        tiles_across(shape.tiles_across(columns)),
        terms(all_terms) {
    constexpr std::int64_t least_terms = 256;
    std::int64_t const tiles = tiles_down * tiles_across;
    if (tiles == 0 || tiles >= blocks_wanted) return;
    std::int64_t const most = (all_terms + least_terms - 1) / least_terms;
    std::int64_t const wanted = blocks_wanted / tiles;
    splits = most < wanted ? most : wanted;
    if (splits < 1) splits = 1;
    terms = (all_terms + splits - 1) / splits;
    terms = (terms + least_terms - 1) / least_terms * least_terms;
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
  std::int64_t const all = rows * columns;
  std::int64_t const of_one_tile = all * product_cut::blocks_wanted;
  return of_one_tile < product_cut::most_partials ? of_one_tile : product_cut::most_partials;
}

/// partials: [splits, rows, columns] where there are several, else null.
template <class T, class A, class B, class C>
__global__ void __launch_bounds__(product_threads)
    multiply_tiles(product_shape shape, matrix_view<A> const a, matrix_view<B> const b, matrix_view<C> const c,
                   T* partials, std::int64_t terms, bool adds) {
  alignas(16) __shared__ T shared[product_memory<T>::elements];
  std::int64_t const i = std::int64_t{blockIdx.x} * shape.rows();
  std::int64_t const j = std::int64_t{blockIdx.y} * shape.columns();
  std::int64_t const first = std::int64_t{blockIdx.z} * terms;
  std::int64_t const last = first + terms < a.columns ? first + terms : a.columns;
  block_product<T> tile{shape, shared};
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
  launch_kernel("linear: product", multiply_tiles<T, A, B, C>, grid, product_threads, exec.stream, cut.shape, a, b, c,
                folds ? partials : nullptr, cut.terms, adds);
  if (!folds) return;
  std::int64_t const size = c.rows * c.columns;
  launch_kernel("linear: add splits", fold_splits<T, C>, static_cast<unsigned>((size + 255) / 256), 256, exec.stream, c,
                partials, cut.splits, adds);
}

}  // namespace edgewise::inline v0::detail
