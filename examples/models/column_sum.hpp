// Sums over rows in a fixed order: the same bits on every run, without atomics.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <edgewise/core/config.hpp>

#include "models/matrix.hpp"

namespace edgewise::models {
namespace detail {

template <class T>
struct sum_row_block {
  T const* x;
  std::int64_t rows;
  std::int64_t cols;
  std::int64_t rows_per_block;
  T* partial;  // [blocks, cols]
  EDGEWISE_HD void operator()(std::int64_t i) const {
    std::int64_t const block = i / cols;
    std::int64_t const col = i % cols;
    std::int64_t const begin = block * rows_per_block;
    std::int64_t const end = begin + rows_per_block < rows ? begin + rows_per_block : rows;
    T sum{0};
    for (std::int64_t row = begin; row < end; ++row) sum += x[row * cols + col];
    partial[i] = sum;
  }
};

template <class T>
struct sum_partials {
  T const* partial;
  std::int64_t blocks;
  std::int64_t cols;
  T* sums;
  EDGEWISE_HD void operator()(std::int64_t col) const {
    T sum{0};
    for (std::int64_t block = 0; block < blocks; ++block) sum += partial[block * cols + col];
    sums[col] = sum;
  }
};

}  // namespace detail

/// sums[c] = sum over r of x[r, c] for matrices of one shape; owns the partial sums, so that calls never allocate.
/// Blocks of about sqrt(rows) rows are added first, then the blocks: the order depends on the shape alone.
template <class T, class Context>
class column_sum {
public:
  using space = typename Context::space;

  column_sum(Context const& context, std::int64_t rows, std::int64_t cols)
      : rows_(rows),
        cols_(cols),
        rows_per_block_(std::max<std::int64_t>(32, std::llround(std::sqrt(static_cast<double>(rows))))),
        blocks_((rows + rows_per_block_ - 1) / rows_per_block_),
        partial_(context.template make_buffer<T>(blocks_ * cols)) {}

  /// Shapes: x [rows, cols], sums [1, cols]; no rows give 0. Asynchronous on a CUDA context.
  void operator()(Context const& context, const_matrix_view<T, space> x, matrix_view<T, space> sums) {
    require_shape("column_sum: x", x, rows_, cols_);
    require_shape("column_sum: sums", sums, 1, cols_);
    context.for_each(blocks_ * cols_, detail::sum_row_block<T>{x.data, rows_, cols_, rows_per_block_, partial_.data()});
    context.for_each(cols_, detail::sum_partials<T>{partial_.data(), blocks_, cols_, sums.data});
  }

private:
  std::int64_t rows_;
  std::int64_t cols_;
  std::int64_t rows_per_block_;
  std::int64_t blocks_;
  buffer<T, space> partial_;
};

}  // namespace edgewise::models
