// How the judging side of a test of several ranks on one device reaches its running side.
#pragma once

#include <vector>

#include <edgewise/distributed/ownership.hpp>

#include "check_on_ranks.hpp"
#include "support/device.hpp"

namespace edgewise::testing {

/// What each rank has; all have the whole result. Defined in thread_ranks.cuh.
template <class Case, class T>
std::vector<run_result<T>> run_on_device_ranks(run_request<T> const& request, ownership const& owners);

/// Judges a case on `num_ranks` ranks of the current device.
template <class Case, class T = float>
void check_on_device_ranks(int num_ranks) {
  skip_without_cuda_device();
  auto const run = [](run_request<T> const& request, ownership const& owners) {
    auto results = run_on_device_ranks<Case, T>(request, owners);
    for (auto const& result : results) {
      CHECK(result.damage == "");
      CHECK(same_bits(result.out, results[0].out));
      CHECK(same_bits(result.gradients, results[0].gradients));
    }
    return results[0];
  };
  check_on_ranks<Case, T>(run, 0, num_ranks);
}

}  // namespace edgewise::testing
