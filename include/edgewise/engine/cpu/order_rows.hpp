// Rows of edges in the order of a grouping.
#pragma once

#include <cstdint>

#include <edgewise/core/cpu_threads.hpp>
#include <edgewise/core/resources.hpp>

namespace edgewise::inline v0::detail {

/// to[k, :] = from[ids[k], :] for `count` rows of row_size numbers, which lie row_stride apart in `from`.
template <class T, class Offset>
void order_rows(cpu const& exec, T const* from, std::int64_t row_stride, std::int64_t row_size, Offset const* ids,
                std::int64_t count, T* to) {
  [[maybe_unused]] int const threads = num_threads(exec, count * row_size);
#if defined(_OPENMP)
#pragma omp parallel for num_threads(threads) schedule(static)
#endif
  for (std::int64_t k = 0; k < count; ++k) {
    T const* const row = from + static_cast<std::int64_t>(ids[k]) * row_stride;
    for (std::int64_t i = 0; i < row_size; ++i) to[k * row_size + i] = row[i];
  }
}

}  // namespace edgewise::inline v0::detail
