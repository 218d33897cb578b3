// What the host's memory moves at most.
#pragma once

#include <cstddef>
#include <vector>

#include "host_timing.hpp"

namespace edgewise::bench {

/// Bytes per second, read and written, of a copy through all threads' caches: arrays far larger than the last level.
inline double copy_bandwidth_on_host(int threads) {
  std::size_t const size = std::size_t{1} << 26;  // 256 MiB each
  std::vector<float> from(size, 1.0f), to(size);
  auto const time = time_on_host([&] {
#pragma omp parallel for num_threads(threads) schedule(static)
    for (std::size_t i = 0; i < size; ++i) to[i] = from[i];
  });
  return 2.0 * static_cast<double>(size * sizeof(float)) / (time.median_ms * 1e-3);
}

}  // namespace edgewise::bench
