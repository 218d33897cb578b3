// What a device offers the models: elementwise loops, dense products and copies. This file has the host's.
#pragma once

#include <cblas.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>

#ifdef _OPENMP
#include <omp.h>
#endif

#include <edgewise/core/error.hpp>
#include <edgewise/core/memory.hpp>
#include <edgewise/core/resources.hpp>
#include <edgewise/vendor/cblas_library.hpp>

namespace edgewise::models {

/// Everything a model needs from one execution resource; `context<cpu>` here, `context<cuda>` in context.cuh.
/// Models are templates over it and call nothing else, so one source serves both.
/// Members: `dense_share`, `make_products`, `make_buffer`, `for_each`, `fill_zero`, `upload`, `download`,
/// `synchronize`, and those of `one_rank`.
template <class Resource>
class context;

namespace detail {

/// The sum of an array over one rank.
struct sum_of_one_rank {
  template <class Resource, class T>
  void operator()(Resource const&, T*) const {}
};

/// The dense products of a program by a BLAS, whose rows the caller's threads share in blocks: where a block ends does
/// not depend on their number.
class shared_blas {
public:
  static constexpr char const* name = "CBLAS";

  template <class A, class B, class C>
  bool multiply(cpu const& exec, edgewise::matrix_view<A> const& a, edgewise::matrix_view<B> const& b,
                edgewise::matrix_view<C> const& c, bool adds) const {
    std::int64_t const num_blocks = (c.rows + block_rows - 1) / block_rows;
    [[maybe_unused]] bool const shared = num_blocks > 1 && c.rows * c.columns * a.columns >= 16384;
    bool taken = true;
#ifdef _OPENMP
#pragma omp parallel for num_threads(exec.threads) if (shared) reduction(&& : taken)
#endif
    for (std::int64_t block = 0; block < num_blocks; ++block) {
      std::int64_t const begin = block * block_rows, count = std::min(block_rows, c.rows - begin);
      taken = blas_.multiply(exec, a.rows_from(begin, count), b, c.rows_from(begin, count), adds) && taken;
    }
    return taken;
  }

private:
  // Long enough that packing b for each block costs little beside the block's product, short enough to share.
  static constexpr std::int64_t block_rows = 128;
  cblas_library blas_;
};

/// Tells an OpenBLAS that would start threads of its own to run on the caller's: of two pools, each spins while the
/// other works. GCN on Cora, 2 busy cores: 6.9 ms per epoch, with both pools 9 to 92. Process-wide, as OpenBLAS has it.
inline void leave_threads_to_caller() {
#if defined(_OPENMP) && defined(OPENBLAS_THREAD)
  if (openblas_get_parallel() == OPENBLAS_THREAD) openblas_set_num_threads(1);
#endif
}

}  // namespace detail

/// What contexts of one process say of the processes that compute together, each of which has a part of the vertices
/// (ranked_context.hpp): there is one, and sums over them are what it has.
class one_rank {
public:
  static constexpr bool is_ranked = false;

  int rank() const { return 0; }
  int num_ranks() const { return 1; }
  /// The sum of a host number over the ranks, the same bits on all. Collective; synchronises where there are several.
  template <class Number>
  Number sum_over_ranks(Number number) const {
    return number;
  }
  /// What replaces arrays of `size` elements in the context's memory by their sum over the ranks: a call takes the
  /// resource and the array. Collective; calls neither allocate nor synchronise.
  template <class T>
  detail::sum_of_one_rank make_rank_sum(std::int64_t) const {
    return {};
  }
};

/// The host: loops and products run on OpenMP threads where the compiler offers them. Everything is synchronous.
template <>
class context<cpu> : public one_rank {
public:
  using resource_type = cpu;
  using space = host_space;
  using products_type = detail::shared_blas;
  /// From which share of elements that are not 0 on a dense product of so many columns is faster than a sparse one.
  static constexpr double dense_share(std::int64_t) { return 0.25; }

  explicit context(cpu resource = {}) : resource_(resource) {
#ifdef _OPENMP
    if (resource_.threads == 0) resource_.threads = omp_get_max_threads();
#else
    resource_.threads = 1;
#endif
    detail::leave_threads_to_caller();
  }

  cpu const& resource() const { return resource_; }

  /// Who computes the dense products of programs.
  std::unique_ptr<products_type> make_products() const { return std::make_unique<products_type>(); }

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
  cpu resource_;
};

}  // namespace edgewise::models
