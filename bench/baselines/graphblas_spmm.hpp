// SuiteSparse:GraphBLAS's sparse times dense product.
#pragma once

extern "C" {
#include <GraphBLAS.h>
}

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <new>
#include <string>
#include <vector>

#include <edgewise/core/error.hpp>

#include "../harness/host_operands.hpp"

namespace edgewise::bench {

/// Y += A * X in float over full, row-major X and Y: the form that GraphBLAS computes in place, its fastest.
/// The first call gives the product (Y begins at zero); zeroing Y for the next ones is not part of the measured work.
class graphblas_spmm {
public:
  /// The operands are copied (GraphBLAS 7 has 64-bit indices alone). Throws `edgewise::error`.
  graphblas_spmm(host_weighted_sum const& operands, int threads)
      : num_rows_(static_cast<GrB_Index>(operands.rows->num_rows())),
        channels_(static_cast<GrB_Index>(operands.channels)) {
    start_once();
    check(GxB_Global_Option_set(GxB_GLOBAL_NTHREADS, threads), "GxB_NTHREADS");
    host_grouping const& rows = *operands.rows;
    auto const num_neighbors = static_cast<GrB_Index>(rows.num_neighbors);
    auto* offsets = copy<GrB_Index>(rows.offsets);
    auto* neighbors = copy<GrB_Index>(rows.neighbors);
    void* weights = copy<float>(operands.weights);
    check(GxB_Matrix_import_CSR(&matrix_, GrB_FP32, num_rows_, num_neighbors, &offsets, &neighbors, &weights,
                                rows.offsets.size() * sizeof(GrB_Index), rows.neighbors.size() * sizeof(GrB_Index),
                                operands.weights.size() * sizeof(float), false, false, nullptr),
          "GxB_Matrix_import_CSR");
    void* features = copy<float>(operands.features);
    check(GxB_Matrix_import_FullR(&features_, GrB_FP32, num_neighbors, channels_, &features,
                                  operands.features.size() * sizeof(float), false, nullptr),
          "GxB_Matrix_import_FullR");
    void* out = copy<float>(std::vector<float>(operands.out_size(), 0.0f));
    check(GxB_Matrix_import_FullR(&out_, GrB_FP32, num_rows_, channels_, &out, operands.out_size() * sizeof(float),
                                  false, nullptr),
          "GxB_Matrix_import_FullR");
  }
  graphblas_spmm(graphblas_spmm const&) = delete;
  graphblas_spmm& operator=(graphblas_spmm const&) = delete;
  ~graphblas_spmm() {
    GrB_Matrix_free(&matrix_);
    GrB_Matrix_free(&features_);
    GrB_Matrix_free(&out_);
  }

  void operator()() {
    check(GrB_mxm(out_, nullptr, GrB_PLUS_FP32, GrB_PLUS_TIMES_SEMIRING_FP32, matrix_, features_, nullptr), "GrB_mxm");
  }

  /// The product [num_rows, channels]; valid until the next call.
  float const* out() {
    void* values = nullptr;
    GrB_Index bytes = 0;
    bool one_value = false;
    check(GxB_Matrix_unpack_FullR(out_, &values, &bytes, &one_value, nullptr), "GxB_Matrix_unpack_FullR");
    auto const* typed = static_cast<float const*>(values);
    copied_.assign(typed, typed + num_rows_ * channels_);
    check(GxB_Matrix_pack_FullR(out_, &values, bytes, one_value, nullptr), "GxB_Matrix_pack_FullR");
    return copied_.data();
  }

  static std::string version() {
    return edgewise::detail::text("SuiteSparse:GraphBLAS ", GxB_IMPLEMENTATION_MAJOR, ".", GxB_IMPLEMENTATION_MINOR,
                                  ".", GxB_IMPLEMENTATION_SUB);
  }

private:
  static void check(GrB_Info status, char const* what) {
    if (status != GrB_SUCCESS) throw error(edgewise::detail::text(what, ": status ", static_cast<int>(status)));
  }
  static void start_once() {
    static GrB_Info const started = GrB_init(GrB_NONBLOCKING);
    check(started, "GrB_init");
  }
  // an array that GraphBLAS will own and free
  template <class T, class Array>
  static T* copy(Array const& from) {
    auto* to = static_cast<T*>(std::malloc(std::max<std::size_t>(1, from.size()) * sizeof(T)));
    if (!to) throw std::bad_alloc();
    std::transform(from.data(), from.data() + from.size(), to, [](auto x) { return static_cast<T>(x); });
    return to;
  }

  GrB_Index num_rows_;
  GrB_Index channels_;
  GrB_Matrix matrix_ = nullptr;
  GrB_Matrix features_ = nullptr;
  GrB_Matrix out_ = nullptr;
  std::vector<float> copied_;
};

}  // namespace edgewise::bench
