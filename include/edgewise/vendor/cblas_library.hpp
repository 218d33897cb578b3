// Dense products by a BLAS with the C interface. Needs cblas.h and CMake's edgewise::cblas; nothing else of the library
// does.
#pragma once

#if __has_include(<cblas.h>)
#include <cblas.h>
#endif

#include <cstdint>
#include <limits>
#include <type_traits>

#include <edgewise/core/matrix.hpp>
#include <edgewise/core/resources.hpp>
#include <edgewise/program/products.hpp>

namespace edgewise::inline v0 {

/// `fuse(..., products_by(blas))` with `cblas_library blas;`: products of float or of double matrices on the CPU.
/// Mixtures and 16-bit types are the engine's. The BLAS has threads of its own, whatever `cpu::threads` says, and
/// whether its bits depend on their number is its own affair.
class cblas_library {
public:
  static constexpr char const* name = "CBLAS";

  template <class A, class B, class C>
  bool multiply([[maybe_unused]] cpu const& exec, [[maybe_unused]] matrix_view<A> const& a,
                [[maybe_unused]] matrix_view<B> const& b, [[maybe_unused]] matrix_view<C> const& c,
                [[maybe_unused]] bool adds) const {
#if __has_include(<cblas.h>)
    constexpr bool is_double = std::is_same_v<C, double>;
    constexpr bool is_one_type = std::is_same_v<std::remove_const_t<A>, C> && std::is_same_v<std::remove_const_t<B>, C>;
    if constexpr (is_one_type && (is_double || std::is_same_v<C, float>)) {
      if (!fits(a) || !fits(b) || !fits(c) || c.column_stride != 1) return false;
      auto const as_stored = [](auto const& m) { return m.column_stride == 1 ? CblasNoTrans : CblasTrans; };
      auto const stride = [](auto const& m) { return static_cast<int>(leading(m)); };
      auto const call = [&](auto gemm) {
        gemm(CblasRowMajor, as_stored(a), as_stored(b), static_cast<int>(c.rows), static_cast<int>(c.columns),
             static_cast<int>(a.columns), C(1), a.data, stride(a), b.data, stride(b), adds ? C(1) : C(0), c.data,
             stride(c));
      };
      if constexpr (is_double) {
        call(cblas_dgemm);
      } else {
        call(cblas_sgemm);
      }
      return true;
    }
#else
    static_assert(sizeof(A) == 0, "cblas_library: cblas.h was not found; link CMake's edgewise::cblas");
#endif
    return false;
  }

private:
  template <class M>
  static std::int64_t leading(matrix_view<M> const& m) {
    return m.column_stride == 1 ? m.row_stride : m.column_stride;
  }
  /// Are extents and strides integers of a BLAS, and elements of a row or a column side by side?
  template <class M>
  static bool fits(matrix_view<M> const& m) {
    constexpr std::int64_t most = std::numeric_limits<int>::max();
    std::int64_t const shortest = m.column_stride == 1 ? m.columns : m.rows;
    return (m.column_stride == 1 || m.row_stride == 1) && m.rows > 0 && m.columns > 0 && m.rows <= most &&
           m.columns <= most && leading(m) <= most && leading(m) >= shortest;
  }
};

}  // namespace edgewise::inline v0
