// Dense matrix product with transposes, on any context.
#pragma once

#include "models/context.hpp"
#include "models/matrix.hpp"

namespace edgewise::models {

/// c = op_a(a) * op_b(b); c is overwritten and must overlap neither operand. Asynchronous on a CUDA context.
/// Shapes: op_a(a) [m, k], op_b(b) [k, n], c [m, n]; any extent may be 0. Throws `invalid_argument` on a mismatch.
template <class Context, class T>
void gemm(Context const& context, transpose op_a, const_matrix_view<T, typename Context::space> a, transpose op_b,
          const_matrix_view<T, typename Context::space> b, matrix_view<T, typename Context::space> c) {
  std::int64_t const m = op_a == transpose::yes ? a.cols : a.rows;
  std::int64_t const k = op_a == transpose::yes ? a.rows : a.cols;
  std::int64_t const b_rows = op_b == transpose::yes ? b.cols : b.rows;
  std::int64_t const n = op_b == transpose::yes ? b.rows : b.cols;
  if (b_rows != k) {
    throw invalid_argument(edgewise::detail::text("gemm: op(a) is [", m, ", ", k, "], op(b) is [", b_rows, ", ", n,
                                                  "]: the inner extents differ"));
  }
  require_shape("gemm: c", c, m, n);
  if (m == 0 || n == 0) return;
  context.gemm(op_a, op_b, m, n, k, a.data, a.cols, b.data, b.cols, c.data);
}

}  // namespace edgewise::models
