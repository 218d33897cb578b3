// Wall-clock time of work on the host.
#pragma once

#include <chrono>
#include <cstddef>
#include <utility>
#include <vector>

#include "timing.hpp"

namespace edgewise::bench {

/// Time of one `work()`: run until `min_seconds` have passed and `min_runs` runs are in, after two that do not count.
template <class Work>
timing time_on_host(Work&& work, double min_seconds = 1.0, std::size_t min_runs = 7) {
  using clock = std::chrono::steady_clock;
  auto milliseconds = [](clock::duration d) { return std::chrono::duration<double, std::milli>(d).count(); };
  work();
  work();
  std::vector<double> samples;
  auto const start = clock::now();
  while (samples.size() < min_runs || milliseconds(clock::now() - start) < min_seconds * 1e3) {
    auto const begin = clock::now();
    work();
    samples.push_back(milliseconds(clock::now() - begin));
  }
  return summarize(std::move(samples), 1);
}

}  // namespace edgewise::bench
