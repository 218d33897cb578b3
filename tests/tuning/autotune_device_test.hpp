// What autotune_device_test.cu chooses and runs on the device, for autotune_device_test.cpp to judge.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "support/test_graph.hpp"

namespace edgewise::testing {

/// gather<sum>(softmax(edge<w>) * src<h>) of 16 channels, tuned with the cache of a path (empty: in memory alone) that
/// may hold other choices, then planned twice with what was chosen.
struct tuned_run {
  std::string policy;       // chosen
  std::string explanation;  // of the plan made from it
  int num_measured = 0;
  std::vector<std::string> heard;  // policies that the listener was told of
  bool heard_in_order = true;      // numbered from 1, with a time each
  double milliseconds = 0;
  double own_milliseconds = 0;
  std::string policy_again;  // chosen once more with the same cache
  int num_measured_again = 0;
  std::string policy_of_forward;  // chosen for the forward pass alone, which is another key
  int num_measured_of_forward = 0;
  int num_measured_by_atomics = 0;  // of gather<max>(src<h>) fused with nondeterministic{}, without a file
  std::size_t num_choices = 0;      // in the cache at the end
  std::string warning;
  std::vector<float> out, out_again, gradient, gradient_again;
  std::size_t live_bytes = 0;  // of the memory resource, at the end of autotune
};
tuned_run tune_on_device(test_graph const& graph, std::vector<float> const& features, std::vector<float> const& weights,
                         std::string const& path);

}  // namespace edgewise::testing
