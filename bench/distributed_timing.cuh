// Device times of work that all ranks do at once, and of work that one does alone.
#pragma once

#include <edgewise/distributed.cuh>
#include <edgewise/vendor/nccl.cuh>

#include <algorithm>
#include <vector>

#include "harness/stream.cuh"
#include "harness/timing.hpp"

namespace edgewise::bench {

/// Returns on no rank before all have called it.
inline void barrier(nccl_communicator& comm, cuda const& exec) {
  edgewise::detail::gather_lists(comm, exec, std::vector<int>{1});
}

class ranked_timer {
public:
  ranked_timer(nccl_communicator& comm, cuda const& exec, int samples)
      : comm_(&comm), exec_(exec), samples_(static_cast<std::size_t>(samples)) {}

  /// Milliseconds of one `work()` on the slowest rank. Collective: each sample begins behind a barrier and is the mean
  /// of steps that take about 25 ms together.
  template <class Work>
  timing on_all(Work const& work) {
    return measure(
        work, [this] { barrier(*comm_, exec_); },
        [this](std::vector<double> const& own) {
          auto slowest = own;
          for (auto const& times : edgewise::detail::gather_lists(*comm_, exec_, own)) {
            for (std::size_t i = 0; i < slowest.size(); ++i) slowest[i] = std::max(slowest[i], times.at(i));
          }
          return slowest;
        });
  }
  /// The same of this rank alone.
  template <class Work>
  timing on_this(Work const& work) {
    return measure(
        work, [] {}, [](std::vector<double> const& own) { return own; });
  }

private:
  template <class Work, class Ready, class Slowest>
  timing measure(Work const& work, Ready const& ready, Slowest const& slowest_of) {
    for (int i = 0; i < 2; ++i) work();
    double shortest = 1e30;
    for (int i = 0; i < 3; ++i) {
      ready();
      shortest = std::min(shortest, mean_ms(work, 1));
    }
    double const longest_rank = slowest_of({shortest}).front();
    int const steps = static_cast<int>(std::clamp(25 / std::max(longest_rank, 1e-3), 2.0, 200.0));
    mean_ms(work, steps);
    std::vector<double> samples;
    while (samples.size() < samples_) {
      ready();
      samples.push_back(mean_ms(work, steps));
    }
    return summarize(slowest_of(samples), steps);
  }
  template <class Work>
  double mean_ms(Work const& work, int steps) {
    check_cuda(cudaEventRecord(begin_, exec_.stream), "ranked_timer: begin");
    for (int i = 0; i < steps; ++i) work();
    check_cuda(cudaEventRecord(end_, exec_.stream), "ranked_timer: end");
    comm_->wait(exec_);
    float ms = 0;
    check_cuda(cudaEventElapsedTime(&ms, begin_, end_), "ranked_timer: elapsed time");
    return static_cast<double>(ms) / steps;
  }

  nccl_communicator* comm_;
  cuda exec_;
  std::size_t samples_;
  owned_event begin_, end_;
};

}  // namespace edgewise::bench
