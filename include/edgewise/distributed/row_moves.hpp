// What happens to rows before they are sent and after they came: packing, unpacking, sums in the order of ranks.
#pragma once

#include <cstdint>
#include <type_traits>

#include <edgewise/core/config.hpp>
#include <edgewise/core/cpu_threads.hpp>
#include <edgewise/core/resources.hpp>
#include <edgewise/core/scalar.hpp>

namespace edgewise::inline v0::detail {

/// Calls body(row, k) for each number k of each row, in any order. For `cuda`: distributed/device.cuh.
template <class Exec>
struct number_loop;
template <>
struct number_loop<cpu> {
  template <class Body>
  static void run([[maybe_unused]] cpu const& exec, std::int64_t rows, std::int64_t row_size, Body const& body) {
#if defined(_OPENMP)
#pragma omp parallel for num_threads(num_threads(exec, rows* row_size)) schedule(static)
#endif
    for (std::int64_t row = 0; row < rows; ++row) {
      for (std::int64_t k = 0; k < row_size; ++k) body(row, k);
    }
  }
};
template <class Exec, class Body>
void for_each_number(Exec const& exec, std::int64_t rows, std::int64_t row_size, Body const& body) {
  number_loop<Exec>::run(exec, rows, row_size, body);
}

/// x as a To, rounded where that is narrower.
template <class To, class From>
EDGEWISE_HD To number_as(From const& x) {
  if constexpr (std::is_same_v<To, From>) {
    return x;
  } else {
    return To(accumulator_t<To>(accumulator_t<From>(x)));
  }
}

/// to[i] = from[list[i]]; without a list from[i].
template <class From, class To, class Index>
struct copy_rows_of {
  From const* from;
  std::int64_t from_stride;
  Index const* list;
  To* to;
  std::int64_t to_stride;

  EDGEWISE_HD void operator()(std::int64_t i, std::int64_t k) const {
    std::int64_t const row = list ? static_cast<std::int64_t>(list[i]) : i;
    to[i * to_stride + k] = number_as<To>(from[row * from_stride + k]);
  }
};

/// Adds to row rows[i] of a gradient what every rank has of it, in the order of ranks. Sums are taken in A, the type of
/// the table, and rounded once. part k of row i: at parts[k] of what was received, or where that is negative at
/// ~parts[k] of this rank's own table.
template <class G, class M, class A, class Index>
struct pull_rows {
  G* gradient;
  std::int64_t stride;
  Index const* rows;
  Index const* first_part;
  Index const* parts;
  M const* received;
  A const* table;
  std::int64_t row_size;

  EDGEWISE_HD void operator()(std::int64_t i, std::int64_t k) const {
    G& to = gradient[static_cast<std::int64_t>(rows[i]) * stride + k];
    A sum = number_as<A>(to);
    for (Index part = first_part[i]; part < first_part[i + 1]; ++part) {
      Index const at = parts[part];
      sum = sum + (at >= 0 ? number_as<A>(received[static_cast<std::int64_t>(at) * row_size + k])
                           : table[static_cast<std::int64_t>(~at) * row_size + k]);
    }
    to = number_as<G>(sum);
  }
};

/// to[i] = from[i], or adds it.
template <class A, class G>
struct store_rows {
  A const* from;
  std::int64_t from_stride;
  G* to;
  std::int64_t to_stride;
  bool adds;

  EDGEWISE_HD void operator()(std::int64_t i, std::int64_t k) const {
    A const x = from[i * from_stride + k];
    G& y = to[i * to_stride + k];
    y = number_as<G>(adds ? number_as<A>(y) + x : x);
  }
};

/// to[k] = the sum of `count` numbers from[k], from[k + stride], ... in order.
template <class A>
struct sum_numbers {
  A const* from;
  std::int64_t stride;
  std::int64_t count;
  A* to;

  EDGEWISE_HD void operator()(std::int64_t k, std::int64_t) const {
    A sum = from[k];
    for (std::int64_t q = 1; q < count; ++q) sum = sum + from[q * stride + k];
    to[k] = sum;
  }
};

}  // namespace edgewise::inline v0::detail
