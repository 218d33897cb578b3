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
#include <edgewise/execute/resources.hpp>

namespace edgewise::models {

/// Whether a matrix product reads an operand as stored or transposed.
enum class transpose { no, yes };

/// Everything a model needs from one execution resource; `context<cpu>` here, `context<cuda>` in context.cuh.
/// Models are templates over it and call nothing else, so one source serves both.
/// Members: `make_buffer`, `for_each`, `gemm`, `fill_zero`, `upload`, `download`, `synchronize`.
template <class Resource>
class context;

namespace detail {

/// BLAS takes 32-bit extents. Throws `invalid_argument` naming the extent when it does not fit.
inline int blas_extent(std::int64_t extent, char const* name) {
  if (extent > std::numeric_limits<int>::max()) {
    throw invalid_argument(
        edgewise::detail::text("gemm: ", name, " = ", extent, " does not fit BLAS's 32-bit extents"));
  }
  return static_cast<int>(extent);
}

/// A leading dimension: BLAS refuses 0 even for an empty matrix.
inline int leading_dimension(std::int64_t cols) { return std::max(1, blas_extent(cols, "columns")); }

}  // namespace detail

/// The host: loops run on OpenMP threads where the compiler offers them, products on CBLAS. Everything is synchronous.
template <>
class context<cpu> {
public:
  using resource_type = cpu;
  using space = host_space;

  explicit context(cpu resource = {}) : resource_(resource) {
#ifdef _OPENMP
    if (resource_.threads == 0) resource_.threads = omp_get_max_threads();
#endif
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
  /// Call through `gemm` (gemm.hpp), which checks the shapes.
  void gemm(transpose op_a, transpose op_b, std::int64_t m, std::int64_t n, std::int64_t k, float const* a,
            std::int64_t a_cols, float const* b, std::int64_t b_cols, float* c) const {
    cblas_sgemm(CblasRowMajor, cblas(op_a), cblas(op_b), detail::blas_extent(m, "m"), detail::blas_extent(n, "n"),
                detail::blas_extent(k, "k"), 1.0F, a, detail::leading_dimension(a_cols), b,
                detail::leading_dimension(b_cols), 0.0F, c, detail::leading_dimension(n));
  }
  void gemm(transpose op_a, transpose op_b, std::int64_t m, std::int64_t n, std::int64_t k, double const* a,
            std::int64_t a_cols, double const* b, std::int64_t b_cols, double* c) const {
    cblas_dgemm(CblasRowMajor, cblas(op_a), cblas(op_b), detail::blas_extent(m, "m"), detail::blas_extent(n, "n"),
                detail::blas_extent(k, "k"), 1.0, a, detail::leading_dimension(a_cols), b,
                detail::leading_dimension(b_cols), 0.0, c, detail::leading_dimension(n));
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

  static CBLAS_TRANSPOSE cblas(transpose op) { return op == transpose::yes ? CblasTrans : CblasNoTrans; }

  cpu resource_;
};

}  // namespace edgewise::models
