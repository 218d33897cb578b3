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

/// How rows are cut into chunks, in each of which the rows of a type are one block's work. Chunk c and type t have slot
/// c + t, which is theirs alone, since chunks and types follow the rows in one order: the path of a merge of both.
struct typed_cut {
  std::int64_t rows = 0;  ///< of a chunk
  std::int64_t slots = 0;

  typed_cut(std::int64_t num_rows, std::int64_t rows_of_chunk, std::int64_t num_types)
      : rows(rows_of_chunk), slots((num_rows + rows - 1) / rows + num_types) {}
};
/// The rows [first, last) of a slot; maybe none.
struct typed_rows {
  std::int64_t type = 0;
  std::int64_t first = 0;
  std::int64_t last = 0;
};
template <class Offset>
EDGEWISE_DEVICE typed_rows rows_of_slot(row_types_view<Offset> const& types, std::int64_t slot, std::int64_t rows) {
  std::int64_t low = 0;  // types that end before as many chunks do as the slot leaves
  std::int64_t high = slot < types.num_types ? slot : types.num_types;
  while (low < high) {
    std::int64_t const middle = low + (high - low) / 2;
    if (types.first_row(middle + 1) <= rows * (slot - middle)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low == types.num_types) return {};
  std::int64_t const begin = rows * (slot - low);
  std::int64_t const first = types.first_row(low);
  std::int64_t const last = types.first_row(low + 1);
  return {low, first < begin ? begin : first, last < begin + rows ? last : begin + rows};
}

/// How sums over rows are cut: about as many chunks as keep a device busy. It follows from the shape alone, and with it
/// the bits.
inline std::int64_t most_sum_chunks(product_shape shape, std::int64_t inputs, std::int64_t outputs) {
  std::int64_t const tiles = shape.tiles_down(inputs) * shape.tiles_across(outputs);
  constexpr std::int64_t blocks_wanted = 1024;
  return tiles < blocks_wanted ? blocks_wanted / (tiles > 0 ? tiles : 1) : 1;
}
inline typed_cut cut_sums(product_shape shape, std::int64_t num_types, std::int64_t num_rows, std::int64_t inputs,
                          std::int64_t outputs) {
  constexpr std::int64_t least_rows = 256;
  std::int64_t const most = most_sum_chunks(shape, inputs, outputs);
  std::int64_t const rows = (num_rows + most - 1) / most;
  return {num_rows, ((rows - 1) / least_rows + 1) * least_rows, num_types};
}
/// Elements of the sums of all slots, however many rows there are.
inline std::int64_t typed_product_partials(std::int64_t num_types, std::int64_t inputs, std::int64_t outputs) {
  return (most_sum_chunks(product_shape(inputs, outputs), inputs, outputs) + num_types) * inputs * outputs;
}

template <class T, class A, class B, class C, class Offset>
__global__ void __launch_bounds__(product_threads)
    multiply_rows_by_type(product_shape shape, row_types_view<Offset> const types, matrix_view<A> const a,
                          matrices_view<B> const b, matrix_view<C> const c, bool adds) {
  alignas(16) __shared__ T shared[product_memory<T>::elements];
  typed_rows const rows = rows_of_slot(types, std::int64_t{blockIdx.x}, std::int64_t{shape.rows()});
  if (rows.first >= rows.last) return;
  std::int64_t const count = rows.last - rows.first;
  std::int64_t const j = std::int64_t{blockIdx.y} * shape.columns();
  block_product<T> tile{shape, shared};
  tile.add(a.rows_from(rows.first, count), b[rows.type], 0, j, 0, a.columns);
  auto const to = c.rows_from(rows.first, count);
  tile.for_each(0, j, to.rows, to.columns,
                [&](std::int64_t row, std::int64_t column, T sum) { put(to.at(row, column), sum, adds); });
}

/// partials: [slots, inputs, outputs].
template <class T, class A, class B, class Offset>
__global__ void __launch_bounds__(product_threads)
    sum_rows_by_type(product_shape shape, row_types_view<Offset> const types, matrix_view<A> const a,
                     matrix_view<B> const b, T* partials, std::int64_t rows_of_chunk) {
  alignas(16) __shared__ T shared[product_memory<T>::elements];
  typed_rows const rows = rows_of_slot(types, std::int64_t{blockIdx.x}, rows_of_chunk);
  if (rows.first >= rows.last) return;
  std::int64_t const i = std::int64_t{blockIdx.y} * shape.rows();
  std::int64_t const j = std::int64_t{blockIdx.z} * shape.columns();
  block_product<T> tile{shape, shared};
  tile.add(a.transposed(), b, i, j, rows.first, rows.last);
  T* const slot = partials + std::int64_t{blockIdx.x} * a.columns * b.columns;
  tile.for_each(i, j, a.columns, b.columns,
                [&](std::int64_t row, std::int64_t column, T sum) { slot[row * b.columns + column] = sum; });
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
  product_shape const shape(c.rows, c.columns);
  typed_cut const cut(c.rows, shape.rows(), types.num_types);
  dim3 const grid(launch_blocks(cut.slots), static_cast<unsigned>(shape.tiles_across(c.columns)));
  launch_kernel("linear: product by type", multiply_rows_by_type<T, A, B, C, Offset>, grid, product_threads,
                exec.stream, shape, types, a, b, c, adds);
}
/// c of each type: the transpose of a's rows of it times b's. partials: memory for `typed_product_partials`.
template <class T, class A, class B, class C, class Offset>
void sum_by_type(cuda const& exec, row_types_view<Offset> const& types, matrix_view<A> const& a,
                 matrix_view<B> const& b, matrices_view<C> const& c, bool adds, T* partials) {
  std::int64_t const inputs = c.first.rows;
  std::int64_t const outputs = c.first.columns;
  if (inputs == 0 || outputs == 0 || types.num_types == 0) return;
  product_shape const shape(inputs, outputs);
  typed_cut const cut = cut_sums(shape, types.num_types, types.num_rows, inputs, outputs);
  if (types.num_rows > 0) {
    dim3 const grid(launch_blocks(cut.slots), static_cast<unsigned>(shape.tiles_down(inputs)),
                    static_cast<unsigned>(shape.tiles_across(outputs)));
    launch_kernel("linear: sums by type", sum_rows_by_type<T, A, B, Offset>, grid, product_threads, exec.stream, shape,
                  types, a, b, partials, cut.rows);
  }
  constexpr std::int64_t most_blocks = 65535;
  dim3 const grid(static_cast<unsigned>((inputs * outputs + 255) / 256),
                  static_cast<unsigned>(types.num_types < most_blocks ? types.num_types : most_blocks));
  launch_kernel("linear: add sums by type", fold_chunks_by_type<T, C, Offset>, grid, 256, exec.stream, types, partials,
                c, cut.rows, adds);
}

}  // namespace edgewise::inline v0::detail
