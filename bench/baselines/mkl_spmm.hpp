// Intel MKL's sparse CSR product, which is also what PyTorch's CPU `sparse_csr @ dense` calls.
#pragma once

#include <mkl.h>

#include <string>
#include <vector>

#include <edgewise/core/error.hpp>

#include "../harness/host_operands.hpp"

namespace edgewise::bench {

/// out = A * X in float, inspected and optimised once for repeated products of this width.
class mkl_spmm {
public:
  /// The operands must outlive it. Throws `edgewise::error` when MKL refuses them.
  mkl_spmm(host_weighted_sum const& operands, int threads) : operands_(&operands), out_(operands.out_size(), 1e30f) {
    static_assert(sizeof(MKL_INT) == sizeof(std::int32_t), "mkl_spmm: link the LP64 interface (32-bit indices)");
    mkl_set_num_threads(threads);
    host_grouping const& rows = *operands.rows;
    // MKL reads the arrays and never writes them, but its signature has no const
    auto* offsets = const_cast<MKL_INT*>(rows.offsets.data());
    check(mkl_sparse_s_create_csr(&matrix_, SPARSE_INDEX_BASE_ZERO, rows.num_rows(), rows.num_neighbors, offsets,
                                  offsets + 1, const_cast<MKL_INT*>(rows.neighbors.data()),
                                  const_cast<float*>(operands.weights.data())),
          "mkl_sparse_s_create_csr");
    constexpr int expected_calls = 1000;
    sparse_status_t status = mkl_sparse_set_mm_hint(matrix_, SPARSE_OPERATION_NON_TRANSPOSE, general,
                                                    SPARSE_LAYOUT_ROW_MAJOR, operands.channels, expected_calls);
    // a hint that MKL has no use for is not an error
    if (status != SPARSE_STATUS_NOT_SUPPORTED) check_or_release(status, "mkl_sparse_set_mm_hint");
    check_or_release(mkl_sparse_optimize(matrix_), "mkl_sparse_optimize");
  }
  mkl_spmm(mkl_spmm const&) = delete;
  mkl_spmm& operator=(mkl_spmm const&) = delete;
  ~mkl_spmm() { mkl_sparse_destroy(matrix_); }

  void operator()() {
    check(mkl_sparse_s_mm(SPARSE_OPERATION_NON_TRANSPOSE, 1.0f, matrix_, general, SPARSE_LAYOUT_ROW_MAJOR,
                          operands_->features.data(), operands_->channels, operands_->channels, 0.0f, out_.data(),
                          operands_->channels),
          "mkl_sparse_s_mm");
  }

  float const* out() const { return out_.data(); }  // [num_rows, channels]

  static std::string version() {
    char text[200];
    mkl_get_version_string(text, sizeof(text));
    return text;
  }

private:
  static constexpr matrix_descr general{SPARSE_MATRIX_TYPE_GENERAL, SPARSE_FILL_MODE_FULL, SPARSE_DIAG_NON_UNIT};

  static void check(sparse_status_t status, char const* what) {
    if (status != SPARSE_STATUS_SUCCESS)
      throw error(edgewise::detail::text(what, ": status ", static_cast<int>(status)));
  }
  void check_or_release(sparse_status_t status, char const* what) {
    if (status != SPARSE_STATUS_SUCCESS) mkl_sparse_destroy(matrix_);
    check(status, what);
  }

  host_weighted_sum const* operands_;
  std::vector<float> out_;
  sparse_matrix_t matrix_ = nullptr;
};

}  // namespace edgewise::bench
