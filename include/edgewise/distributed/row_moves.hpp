// What happens to rows before they are sent and after they came: packing, unpacking, sums in the order of ranks.
#pragma once

#include <cstdint>
#include <type_traits>

#include <edgewise/core/config.hpp>
#include <edgewise/core/cpu_threads.hpp>
#include <edgewise/core/resources.hpp>
#include <edgewise/core/scalar.hpp>

namespace edgewise::inline v0::detail {

/// Calls body.run<N>(row, k) for each N numbers from number k of each row on, in any order. N is 1, or 4 where
/// body.in_fours(row_size), if there is one, says that rows allow it and moves of whole words pay. For `cuda`:
/// distributed/device.cuh.
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
      for (std::int64_t k = 0; k < row_size; ++k) body.template run<1>(row, k);
    }
  }
};
template <class Exec, class Body>
void for_each_number(Exec const& exec, std::int64_t rows, std::int64_t row_size, Body const& body) {
  number_loop<Exec>::run(exec, rows, row_size, body);
}

/// N numbers of T that are loaded and stored at once.
template <class T, int N>
struct alignas(sizeof(T) * N) row_word {
  T x[N];
};
template <int N, class T>
EDGEWISE_HD row_word<T, N> read_numbers(T const* from) {
  return *reinterpret_cast<row_word<T, N> const*>(from);
}
template <int N, class T>
EDGEWISE_HD void write_numbers(T* to, row_word<T, N> const& values) {
  *reinterpret_cast<row_word<T, N>*>(to) = values;
}
/// May rows of T that begin here, `stride` numbers apart, be read in fours?
template <class T>
bool is_in_fours(T const* rows, std::int64_t stride) {
  return reinterpret_cast<std::uintptr_t>(rows) % (4 * sizeof(T)) == 0 && stride % 4 == 0;
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

  bool in_fours(std::int64_t row_size) const {
    return row_size % 4 == 0 && is_in_fours(from, from_stride) && is_in_fours(to, to_stride);
  }
  template <int N>
  EDGEWISE_HD void run(std::int64_t i, std::int64_t k) const {
    std::int64_t const row = list ? static_cast<std::int64_t>(list[i]) : i;
    auto const found = read_numbers<N>(from + row * from_stride + k);
    row_word<To, N> result;
    EDGEWISE_UNROLL
    for (int n = 0; n < N; ++n) result.x[n] = number_as<To>(found.x[n]);
    write_numbers<N>(to + i * to_stride + k, result);
  }
};

/// Row rows[i] of a gradient is what every rank has of it, in the order of ranks, added to what is there where `adds`.
/// Sums are taken in A and rounded here (what is there was, too). part k of row i: at parts[k]
/// of what was received, or where that is negative at ~parts[k] of this rank's own table.
template <class G, class M, class T, class A, class Index>
struct pull_rows {
  G* gradient;
  std::int64_t stride;
  Index const* rows;
  Index const* first_part;
  Index const* parts;
  M const* received;
  T const* table;
  std::int64_t row_size;
  bool adds;

  bool in_fours(std::int64_t) const {
    return is_in_fours(gradient, stride) && is_in_fours(received, row_size) && is_in_fours(table, row_size);
  }
  template <int N>
  EDGEWISE_HD void run(std::int64_t i, std::int64_t k) const {
    G* const to = gradient + static_cast<std::int64_t>(rows[i]) * stride + k;
    row_word<A, N> sum{};
    if (adds) add<N>(sum, to);
    for (Index part = first_part[i]; part < first_part[i + 1]; ++part) {
      Index const at = parts[part];
      if (at >= 0) {
        add<N>(sum, received + static_cast<std::int64_t>(at) * row_size + k);
      } else {
        add<N>(sum, table + static_cast<std::int64_t>(~at) * row_size + k);
      }
    }
    row_word<G, N> result;
    EDGEWISE_UNROLL
    for (int n = 0; n < N; ++n) result.x[n] = number_as<G>(sum.x[n]);
    write_numbers<N>(to, result);
  }

private:
  template <int N, class From>
  EDGEWISE_HD static void add(row_word<A, N>& sum, From const* from) {
    auto const found = read_numbers<N>(from);
    EDGEWISE_UNROLL
    for (int n = 0; n < N; ++n) sum.x[n] = sum.x[n] + number_as<A>(found.x[n]);
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

  bool in_fours(std::int64_t row_size) const {
    return row_size % 4 == 0 && is_in_fours(from, from_stride) && is_in_fours(to, to_stride);
  }
  template <int N>
  EDGEWISE_HD void run(std::int64_t i, std::int64_t k) const {
    auto const found = read_numbers<N>(from + i * from_stride + k);
    G* const at = to + i * to_stride + k;
    row_word<G, N> result{};
    if (adds) result = read_numbers<N>(at);
    EDGEWISE_UNROLL
    for (int n = 0; n < N; ++n) {
      result.x[n] = number_as<G>(adds ? number_as<A>(result.x[n]) + found.x[n] : found.x[n]);
    }
    write_numbers<N>(at, result);
  }
};

/// to[k] = the sum of `count` numbers from[k], from[k + stride], ... in order.
template <class A>
struct sum_numbers {
  A const* from;
  std::int64_t stride;
  std::int64_t count;
  A* to;

  bool in_fours(std::int64_t) const { return false; }
  template <int N>
  EDGEWISE_HD void run(std::int64_t k, std::int64_t) const {
    A sum = from[k];
    for (std::int64_t q = 1; q < count; ++q) sum = sum + from[q * stride + k];
    to[k] = sum;
  }
};

}  // namespace edgewise::inline v0::detail
