// Wall-clock time of work on the host.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include "timing.hpp"

namespace edgewise::bench {

/// Times of several works, one run of each in turn until every one has run for `min_seconds` and `min_runs` times,
/// after two turns that do not count: what else the machine does meets all of them alike.
inline std::vector<timing> time_in_turns(std::vector<std::function<void()>> const& works, double min_seconds = 1.0,
                                         std::size_t min_runs = 7) {
  using clock = std::chrono::steady_clock;
  std::vector<std::vector<double>> samples(works.size());
  std::vector<double> total(works.size(), 0);
  auto const enough = [&] {
    for (std::size_t i = 0; i < works.size(); ++i) {
      if (samples[i].size() < min_runs || total[i] < min_seconds * 1e3) return false;
    }
    return true;
  };
  for (int turn = 0; turn < 2 || !enough(); ++turn) {
    for (std::size_t i = 0; i < works.size(); ++i) {
      auto const begin = clock::now();
      works[i]();
      double const ms = std::chrono::duration<double, std::milli>(clock::now() - begin).count();
      if (turn < 2) continue;
      samples[i].push_back(ms);
      total[i] += ms;
    }
  }
  std::vector<timing> times;
  for (std::vector<double>& s : samples) times.push_back(summarize(std::move(s), 1));
  return times;
}

/// Time of one `work()`: run until `min_seconds` have passed and `min_runs` runs are in, after two that do not count.
template <class Work>
timing time_on_host(Work&& work, double min_seconds = 1.0, std::size_t min_runs = 7) {
  return time_in_turns({[&work] { work(); }}, min_seconds, min_runs).front();
}

}  // namespace edgewise::bench
