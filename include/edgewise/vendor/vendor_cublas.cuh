// Dense products by cuBLAS. Needs cublas_v2.h and CMake's edgewise::vendor; nothing else of the library does.
#pragma once

#include <cublas_v2.h>
#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <type_traits>

#include <edgewise/core/device_memory.cuh>
#include <edgewise/core/error.hpp>
#include <edgewise/core/float16.hpp>
#include <edgewise/core/launch.cuh>
#include <edgewise/core/matrix.hpp>
#include <edgewise/core/memory.hpp>
#include <edgewise/core/resources.hpp>
#include <edgewise/program/products.hpp>

namespace edgewise::inline v0 {

/// How cuBLAS multiplies floats: as floats, or rounded to TF32 (10 bits of mantissa) for tensor cores.
enum class float_products { exact, tf32 };

/// `fuse(..., products_by(blas))` with `cublas_library blas;`: products on the device that was current when it was
/// made. Takes matrices of one type among float, double, bfloat16 and float16, whose products are stored as that type
/// or, of 16-bit types, as float; mixtures are the engine's. Sums of 16-bit products are formed in float. Owns a handle
/// and a workspace of its own, so that calls may be captured and the same inputs give the same bits; plans that share
/// it must not run on two streams at once. It outlives the plans, and graphs in which their calls were captured.
class cublas_library {
public:
  static constexpr char const* name = "cuBLAS";

  explicit cublas_library(float_products floats = float_products::exact, memory_resource* memory = device_memory())
      : workspace_(workspace_bytes, memory, nullptr) {
    cublasHandle_t handle = nullptr;
    check(cublasCreate(&handle), "cublasCreate");
    handle_.reset(handle);
    check(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST), "cublasSetPointerMode");
    check(cublasSetMathMode(handle, floats == float_products::tf32 ? CUBLAS_TF32_TENSOR_OP_MATH : CUBLAS_DEFAULT_MATH),
          "cublasSetMathMode");
    check_cuda(cudaStreamSynchronize(nullptr), "cublas_library: make the workspace");
  }

  template <class A, class B, class C>
  bool multiply(cuda const& exec, matrix_view<A> const& a, matrix_view<B> const& b, matrix_view<C> const& c,
                bool adds) const {
    using T = std::remove_const_t<A>;
    constexpr bool is_one_type = std::is_same_v<T, std::remove_const_t<B>>;
    constexpr bool is_taken = is_one_type && (std::is_same_v<T, C> || (is_float16<T> && std::is_same_v<C, float>));
    if constexpr (!is_taken) {
      return false;
    } else {
      if (!fits(a) || !fits(b) || !fits(c) || c.column_stride != 1) return false;
      using scale = std::conditional_t<std::is_same_v<T, double>, double, float>;
      scale const one = 1;
      scale const beta = adds ? scale(1) : scale(0);
      // Row-major c = a b is column-major c^T = b^T a^T, each of which lies there as it is.
      auto const as_stored = [](auto const& m) { return m.column_stride == 1 ? CUBLAS_OP_N : CUBLAS_OP_T; };
      auto const call = [&] {
        return cublasGemmEx(on(exec.stream), as_stored(b), as_stored(a), static_cast<int>(c.columns),
                            static_cast<int>(c.rows), static_cast<int>(a.columns), &one, b.data, type_of<T>, leading(b),
                            a.data, type_of<T>, leading(a), &beta, c.data, type_of<C>, leading(c),
                            std::is_same_v<T, double> ? CUBLAS_COMPUTE_64F : CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
      };
      check(detail::call_apart(call), "cublasGemmEx");
      return true;
    }
  }

private:
  static constexpr std::size_t workspace_bytes = std::size_t{32} << 20;
  template <class T>
  static constexpr bool is_float16 = std::is_same_v<T, float16> || std::is_same_v<T, bfloat16>;
  template <class T>
  static constexpr cudaDataType type_of = std::is_same_v<T, double>     ? CUDA_R_64F
                                          : std::is_same_v<T, float16>  ? CUDA_R_16F
                                          : std::is_same_v<T, bfloat16> ? CUDA_R_16BF
                                                                        : CUDA_R_32F;
  template <class M>
  static int leading(matrix_view<M> const& m) {
    return static_cast<int>(m.column_stride == 1 ? m.row_stride : m.column_stride);
  }
  /// Are extents and strides integers of cuBLAS, and elements of a row or a column side by side?
  template <class M>
  static bool fits(matrix_view<M> const& m) {
    constexpr std::int64_t most = std::numeric_limits<int>::max();
    bool const by_row = m.column_stride == 1;
    std::int64_t const stride = by_row ? m.row_stride : m.column_stride;
    return (by_row || m.row_stride == 1) && m.rows > 0 && m.columns > 0 && m.rows <= most && m.columns <= most &&
           stride <= most && stride >= (by_row ? m.columns : m.rows);
  }
  static void check(cublasStatus_t status, char const* call) {
    if (status != CUBLAS_STATUS_SUCCESS) {
      throw error(detail::text("cublas_library: ", call, " failed: ", cublasGetStatusString(status)));
    }
  }
  cublasHandle_t on(stream_handle stream) const {
    check(cublasSetStream(handle_.get(), stream), "cublasSetStream");
    // A stream brings the library's own workspace, which a captured call may not have.
    check(cublasSetWorkspace(handle_.get(), const_cast<std::byte*>(workspace_.data()), workspace_bytes),
          "cublasSetWorkspace");
    return handle_.get();
  }

  struct destroy {
    void operator()(cublasContext* handle) const { cublasDestroy(handle); }
  };
  buffer<std::byte, device_space> workspace_;
  std::unique_ptr<cublasContext, destroy> handle_;
};

}  // namespace edgewise::inline v0
