// How many OpenMP threads a pass on the CPU gets.
#pragma once

#include <cstdint>

#if defined(_OPENMP)
#include <omp.h>
#endif

#include <edgewise/core/resources.hpp>

namespace edgewise::inline v0::detail {

/// Threads for work on this many elements. Below 16384 one: to start others costs more than they save, above all where
/// they sleep between passes or cores are busy (docs/tuning.md, R52). Results do not depend on it.
inline int num_threads([[maybe_unused]] cpu const& exec, [[maybe_unused]] std::int64_t num_elements) {
#if defined(_OPENMP)
  if (num_elements < 16384) return 1;
  return exec.threads > 0 ? exec.threads : omp_get_max_threads();
#else
  return 1;
#endif
}

}  // namespace edgewise::inline v0::detail
