// What a device offers the models: elementwise loops, matrix products and copies. This file has the host's.
#pragma once

#include <cblas.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>

#ifdef _OPENMP
#include <omp.h>
#endif

#include <edgewise/core/error.hpp>
#include <edgewise/core/memory.hpp>
#include <edgewise/core/resources.hpp>

namespace edgewise::models {

/// Whether a matrix product reads an operand as stored or transposed.
enum class transpose { no, yes };

/// Everything a model needs from one execution resource; `context<cpu>` here, `context<cuda>` in context.cuh.
/// Models are templates over it and call nothing else, so one source serves both.
/// Members: `make_buffer`, `for_each`, `gemm`, `fill_zero`, `upload`, `download`, `synchronize`.
template <class Resource>
class context;

namespace detail {

/// BLAS takes 32-bit extents. Throws `invalid_argument` when `extent` does not fit.
inline int blas_extent(std::int64_t extent) {
  if (extent > std::numeric_limits<int>::max()) {
    throw invalid_argument(
        edgewise::detail::text("gemm: an extent of ", extent, " does not fit BLAS's 32-bit numbers"));
  }
  return static_cast<int>(extent);
}

/// A leading dimension: BLAS refuses 0 even for an empty matrix.
inline int leading_dimension(std::int64_t cols) { return std::max(1, blas_extent(cols)); }

inline void blas_gemm(transpose op_a, transpose op_b, std::int64_t m, std::int64_t n, std::int64_t k, float const* a,
                      std::int64_t a_cols, float const* b, std::int64_t b_cols, float* c) {
  cblas_sgemm(CblasRowMajor, op_a == transpose::yes ? CblasTrans : CblasNoTrans,
              op_b == transpose::yes ? CblasTrans : CblasNoTrans, blas_extent(m), blas_extent(n), blas_extent(k), 1.0F,
              a, leading_dimension(a_cols), b, leading_dimension(b_cols), 0.0F, c, leading_dimension(n));
}
inline void blas_gemm(transpose op_a, transpose op_b, std::int64_t m, std::int64_t n, std::int64_t k, double const* a,
                      std::int64_t a_cols, double const* b, std::int64_t b_cols, double* c) {
  cblas_dgemm(CblasRowMajor, op_a == transpose::yes ? CblasTrans : CblasNoTrans,
              op_b == transpose::yes ? CblasTrans : CblasNoTrans, blas_extent(m), blas_extent(n), blas_extent(k), 1.0,
              a, leading_dimension(a_cols), b, leading_dimension(b_cols), 0.0, c, leading_dimension(n));
}

/// Tells an OpenBLAS that would start threads of its own to run on the caller's: of two pools, each spins while the
/// other works. GCN on Cora, 2 busy cores: 6.9 ms per epoch, with both pools 9 to 92. Process-wide, as OpenBLAS has it.
inline void leave_threads_to_caller() {
#if defined(_OPENMP) && defined(OPENBLAS_THREAD)
  if (openblas_get_parallel() == OPENBLAS_THREAD) openblas_set_num_threads(1);
#endif
}

}  // namespace detail

/// The host: loops and CBLAS products run on OpenMP threads where the compiler offers them. Everything is synchronous.
template <>
class context<cpu> {
public:
  using resource_type = cpu;
  using space = host_space;

  explicit context(cpu resource = {}) : resource_(resource) {
#ifdef _OPENMP
    if (resource_.threads == 0) resource_.threads = omp_get_max_threads();
#else
    resource_.threads = 1;
#endif
    detail::leave_threads_to_caller();
  }

  cpu const& resource() const { return resource_; }

  /// An uninitialised array of `size` elements from the resource's memory.
  template <class T>
  buffer<T, space> make_buffer(std::int64_t size) const {
    return buffer<T, space>(static_cast<std::size_t>(size), resource_.memory);
  }

  /// Calls `body(i)` for every i in [0, size), in no promised order; calls must not depend on one another.
  template <class Body>
  void for_each(std::int64_t size, Body const& body) const {
#ifdef _OPENMP
#pragma omp parallel for num_threads(resource_.threads) if (size >= parallel_threshold)
#endif
    for (std::int64_t i = 0; i < size; ++i) body(i);
  }

  /// c [m, n] = op(a) [m, k] * op(b) [k, n], all row-major and dense; `a_cols` and `b_cols` are the stored widths.
  /// Call through `gemm` (gemm.hpp), which checks the shapes. Threads share blocks of c's rows. Where a block ends
  /// does not depend on their number: BLAS may round a row by its place in the product it is computed in.
  template <class T>
  void gemm(transpose op_a, transpose op_b, std::int64_t m, std::int64_t n, std::int64_t k, T const* a,
            std::int64_t a_cols, T const* b, std::int64_t b_cols, T* c) const {
    detail::blas_extent(std::max({m, n, k, a_cols, b_cols}));
    std::int64_t const a_row_stride = op_a == transpose::yes ? 1 : a_cols;
    std::int64_t const num_blocks = (m + gemm_block_rows - 1) / gemm_block_rows;
    [[maybe_unused]] bool const shared = num_blocks > 1 && m * n * k >= parallel_threshold;
#ifdef _OPENMP
#pragma omp parallel for num_threads(resource_.threads) if (shared)
#endif
    for (std::int64_t block = 0; block < num_blocks; ++block) {
      std::int64_t const begin = block * gemm_block_rows;
      std::int64_t const end = std::min(m, begin + gemm_block_rows);
      detail::blas_gemm(op_a, op_b, end - begin, n, k, a + begin * a_row_stride, a_cols, b, b_cols, c + begin * n);
    }
  }

  template <class T>
  void fill_zero(T* data, std::int64_t size) const {
    std::fill_n(data, size, T{});
  }
  template <class T>
  void upload(T const* host, std::int64_t size, T* data) const {
    std::copy_n(host, size, data);
  }
  template <class T>
  void download(T const* data, std::int64_t size, T* host) const {
    std::copy_n(data, size, host);
  }
  void synchronize() const {}

private:
  // Below this, starting the threads costs more than the loop: a few thousand elementwise steps are microseconds.
  static constexpr std::int64_t parallel_threshold = 16384;
  // Long enough that packing b for each block costs little beside the block's product, short enough to share.
  static constexpr std::int64_t gemm_block_rows = 128;

  cpu resource_;
};

}  // namespace edgewise::models
