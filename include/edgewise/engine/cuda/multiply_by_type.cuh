// Dense products on the GPU whose rows have types, with a matrix for each type.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include <edgewise/core/launch.cuh>
#include <edgewise/core/matrix.hpp>
#include <edgewise/core/resources.hpp>
#include <edgewise/core/row_types.hpp>
#include <edgewise/engine/cuda/multiply.cuh>

namespace edgewise::inline v0::detail {

/// How the rows of a sum over rows are cut: into chunks, in each of which the rows of a type have one sum. Chunk c and
/// type t have slot c + t, which is theirs alone, since chunks and types follow the rows in one order. It follows from
/// the shape alone, and with it the bits.
struct typed_cut {
  std::int64_t tiles_down = 0;
  std::int64_t tiles_across = 0;
  std::int64_t rows = 0;  ///< of a chunk
  std::int64_t chunks = 0;

  typed_cut(std::int64_t num_rows, std::int64_t inputs, std::int64_t outputs) {
    constexpr std::int64_t tile = product_cut::tile;
    constexpr std::int64_t least_rows = 256;
    tiles_down = (inputs + tile - 1) / tile;
    tiles_across = (outputs + tile - 1) / tile;
    std::int64_t const most = most_chunks(inputs, outputs);
    rows = (num_rows + most - 1) / most;
    if (rows < least_rows) rows = least_rows;
    chunks = (num_rows + rows - 1) / rows;
  }
  static std::int64_t most_chunks(std::int64_t inputs, std::int64_t outputs) {
    constexpr std::int64_t tile = product_cut::tile;
    std::int64_t const tiles = ((inputs + tile - 1) / tile) * ((outputs + tile - 1) / tile);
    return tiles < product_cut::blocks_wanted ? product_cut::blocks_wanted / (tiles > 0 ? tiles : 1) : 1;
  }
};
/// Elements of the sums of all slots, however many rows there are.
inline std::int64_t typed_product_partials(std::int64_t num_types, std::int64_t inputs, std::int64_t outputs) {
  return (typed_cut::most_chunks(inputs, outputs) + num_types) * inputs * outputs;
}

/// Calls f(type, first, last) for the rows of each type among [begin, end). The same for all threads of a block.
template <class Offset, class F>
EDGEWISE_DEVICE void for_each_type(row_types_view<Offset> const& types, std::int64_t begin, std::int64_t end,
                                   F const& f) {
  std::int64_t low = 0;  // the last type that begins no later than `begin`
  std::int64_t high = types.num_types;
  while (high - low > 1) {
    std::int64_t const middle = low + (high - low) / 2;
    if (types.first_row(middle) <= begin) {
      low = middle;
    } else {
      high = middle;
    }
  }
  for (std::int64_t type = low, first = begin; first < end && type < types.num_types; ++type) {
    std::int64_t const behind = types.first_row(type + 1);
    std::int64_t const last = behind < end ? behind : end;
    if (last <= first) continue;
    f(type, first, last);
    first = last;
  }
}

template <class T, class A, class B, class C, class Offset>
__global__ void __launch_bounds__(256)
    multiply_rows_by_type(row_types_view<Offset> const types, matrix_view<A> const a, matrices_view<B> const b,
                          matrix_view<C> const c, bool adds) {
  std::int64_t const begin = std::int64_t{blockIdx.x} * product_cut::tile;
  std::int64_t const end = begin + product_cut::tile < c.rows ? begin + product_cut::tile : c.rows;
  std::int64_t const j = std::int64_t{blockIdx.y} * product_cut::tile;
  for_each_type(types, begin, end, [&](std::int64_t type, std::int64_t first, std::int64_t last) {
    tile_sums<T> tile;
    tile.add(a.rows_from(first, last - first), b[type], 0, j, 0, a.columns);
    auto const to = c.rows_from(first, last - first);
    tile.for_each(0, j, to.rows, to.columns,
                  [&](std::int64_t row, std::int64_t column, T sum) { put(to.at(row, column), sum, adds); });
  });
}

/// partials: [slots, inputs, outputs].
template <class T, class A, class B, class Offset>
__global__ void __launch_bounds__(256) sum_chunks_by_type(row_types_view<Offset> const types, matrix_view<A> const a,
                                                          matrix_view<B> const b, T* partials, std::int64_t rows) {
  std::int64_t const begin = std::int64_t{blockIdx.x} * rows;
  std::int64_t const end = begin + rows < types.num_rows ? begin + rows : types.num_rows;
  std::int64_t const i = std::int64_t{blockIdx.y} * product_cut::tile;
  std::int64_t const j = std::int64_t{blockIdx.z} * product_cut::tile;
  for_each_type(types, begin, end, [&](std::int64_t type, std::int64_t first, std::int64_t last) {
    tile_sums<T> tile;
    tile.add(a.transposed(), b, i, j, first, last);
    T* const slot = partials + (std::int64_t{blockIdx.x} + type) * a.columns * b.columns;
    tile.for_each(i, j, a.columns, b.columns,
                  [&](std::int64_t row, std::int64_t column, T sum) { slot[row * b.columns + column] = sum; });
  });
}
/// One thread an element of a matrix, blocks in y a type: the sums of its chunks in order.
template <class T, class C, class Offset>
__global__ void fold_chunks_by_type(row_types_view<Offset> const types, T const* partials, matrices_view<C> const c,
                                    std::int64_t rows, bool adds) {
  std::int64_t const e = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  std::int64_t const size = c.first.rows * c.first.columns;
  if (e >= size) return;
  for (std::int64_t type = blockIdx.y; type < types.num_types; type += gridDim.y) {
    std::int64_t const first = types.first_row(type);
    std::int64_t const last = types.first_row(type + 1);
    T total = T(0);
    if (first < last) {
      for (std::int64_t chunk = first / rows; chunk <= (last - 1) / rows; ++chunk) {
        total += partials[(chunk + type) * size + e];
      }
    }
    put(c[type].at(e / c.first.columns, e % c.first.columns), total, adds);
  }
}

/// Rows of c: rows of a times b of their type.
template <class T, class A, class B, class C, class Offset>
void multiply_by_type(cuda const& exec, row_types_view<Offset> const& types, matrix_view<A> const& a,
                      matrices_view<B> const& b, matrix_view<C> const& c, bool adds) {
  if (c.rows == 0 || c.columns == 0) return;
  constexpr std::int64_t tile = product_cut::tile;
  dim3 const grid(static_cast<unsigned>((c.rows + tile - 1) / tile),
                  static_cast<unsigned>((c.columns + tile - 1) / tile));
  launch_kernel("linear: product by type", multiply_rows_by_type<T, A, B, C, Offset>, grid, 256, exec.stream, types, a,
                b, c, adds);
}
/// c of each type: the transpose of a's rows of it times b's. partials: memory for `typed_product_partials`.
template <class T, class A, class B, class C, class Offset>
void sum_by_type(cuda const& exec, row_types_view<Offset> const& types, matrix_view<A> const& a,
                 matrix_view<B> const& b, matrices_view<C> const& c, bool adds, T* partials) {
  std::int64_t const size = c.first.rows * c.first.columns;
  if (size == 0 || types.num_types == 0) return;
  typed_cut const cut(types.num_rows, c.first.rows, c.first.columns);
  if (cut.chunks > 0) {
    dim3 const grid(static_cast<unsigned>(cut.chunks), static_cast<unsigned>(cut.tiles_down),
                    static_cast<unsigned>(cut.tiles_across));
    launch_kernel("linear: sums by type", sum_chunks_by_type<T, A, B, Offset>, grid, 256, exec.stream, types, a, b,
                  partials, cut.rows);
  }
  constexpr std::int64_t most_blocks = 65535;
  dim3 const grid(static_cast<unsigned>((size + 255) / 256),
                  static_cast<unsigned>(types.num_types < most_blocks ? types.num_types : most_blocks));
  launch_kernel("linear: add sums by type", fold_chunks_by_type<T, C, Offset>, grid, 256, exec.stream, types, partials,
                c, cut.rows, adds);
}

}  // namespace edgewise::inline v0::detail
