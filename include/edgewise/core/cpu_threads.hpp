// How many OpenMP threads a pass on the CPU gets.
#pragma once

#include <cstdint>

#if defined(_OPENMP)
#include <omp.h>
#endif

#include <edgewise/core/resources.hpp>

namespace edgewise::detail {

/// Threads for work on this many elements. Below 16384 one: a pass over them takes 15 us. Two threads that spin save 6
/// of them, two that sleep (OMP_WAIT_POLICY=passive) add 23, and on busy cores some passes took 16 ms (2 cores of an
/// x86-64 server, 2026-11, gather<sum>(edge<w> * src<h>) with 16 lanes). Results do not depend on it.
inline int num_threads([[maybe_unused]] cpu const& exec, [[maybe_unused]] std::int64_t num_elements) {
#if defined(_OPENMP)
  if (num_elements < 16384) return 1;
  return exec.threads > 0 ? exec.threads : omp_get_max_threads();
#else
  return 1;
#endif
}

}  // namespace edgewise::detail
