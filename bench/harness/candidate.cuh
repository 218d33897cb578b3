// Ways to do the same work, of which the fastest correct one is reported.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <edgewise/core/memory.hpp>

#include "graph_timing.cuh"

namespace edgewise::bench {

/// Enqueues the work once; owns whatever the work needs (descriptors, workspace, plan).
using launch_function = std::function<void(cudaStream_t)>;

/// A resource that counts what a candidate takes; whoever allocates from it keeps it alive.
using counted_memory = std::shared_ptr<counting_resource>;
inline counted_memory make_counted_memory(memory_resource* upstream = device_memory()) {
  return std::make_shared<counting_resource>(upstream);
}

/// One algorithm of an implementation. `prepare` does once what a user would do once: descriptors, workspace, analysis.
struct candidate {
  std::string name;
  std::function<launch_function()> prepare;
  counted_memory memory{};  ///< what `prepare` allocates from, where that is counted
};

/// The outcome of one candidate: its time, or why it has none.
struct trial {
  std::string name;
  std::optional<timing> time;
  double error = 0;
  std::string remark;
};

/// The fastest correct candidate, ready to launch (empty when none is correct), and an entry for each that was tried.
struct fastest_candidate {
  std::string name;
  launch_function launch;
  double error = 0;
  std::size_t peak_bytes = 0;  ///< 0 where it is not counted
  std::vector<trial> trials;
};

/// The verdict of a check that has just run a launch.
struct verdict {
  bool passed;
  double error;
};

/// Prepares, checks and then times each candidate; one that is wrong or refused by its library is recorded and cannot
/// win. `check(launch)` runs the launch and compares its result. At most one loser's workspace lives at a time.
/// Synchronises.
template <class Check>
fastest_candidate find_fastest(std::vector<candidate> const& candidates, Check&& check, cudaStream_t stream,
                               timing_options const& options) {
  fastest_candidate best;
  double best_ms = 0;
  for (candidate const& c : candidates) {
    trial& t = best.trials.emplace_back(trial{.name = c.name, .time = {}, .error = 0, .remark = {}});
    try {
      launch_function launch = c.prepare();
      verdict const result = check(launch);
      t.error = result.error;
      if (!result.passed) {
        t.remark = "wrong result";
        continue;
      }
      t.time = time_in_graph(stream, launch, options);
      if (!best.launch || t.time->median_ms < best_ms) {
        best_ms = t.time->median_ms;
        best.name = c.name;
        best.error = result.error;
        best.peak_bytes = c.memory ? c.memory->peak_bytes() : 0;
        best.launch = std::move(launch);
      }
    } catch (error const& refusal) {
      t.remark = refusal.what();
      cudaGetLastError();  // a refused launch must not fail the next candidate's check
    }
  }
  return best;
}

}  // namespace edgewise::bench
