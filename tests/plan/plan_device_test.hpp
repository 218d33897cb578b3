// What plan_device_test.cu runs on the device for plan_device_test.cpp to judge.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "support/test_graph.hpp"

namespace edgewise::testing {

/// The output and the gradients of a, l and r of GATv2, one after another, and what memory the plan took.
struct attention_run {
  std::vector<float> values;
  std::size_t allocations = 0;  // while it ran
  std::size_t workspace_bytes = 0;
};

/// Runs GATv2 forward and backward `num_runs` times: with one plan for each of two streams, which take turns, and
/// nothing in between waiting for either. Shapes: a [1, heads, channels], l, r and grad_out [V, heads, channels].
std::vector<attention_run> run_on_two_streams(test_graph const& edges, int heads, int channels,
                                              std::vector<float> const& a, std::vector<float> const& l,
                                              std::vector<float> const& r, std::vector<float> const& grad_out,
                                              int num_runs);

/// Runs GATv2 captured once into a CUDA graph and replayed `num_runs` times on an output that is poisoned before each.
std::vector<attention_run> run_by_replay(test_graph const& edges, int heads, int channels, std::vector<float> const& a,
                                         std::vector<float> const& l, std::vector<float> const& r,
                                         std::vector<float> const& grad_out, int num_runs);

/// What plan, forward and backward say of rows that no group holds; empty when they say nothing.
std::string refusal_of_dot(test_graph const& edges, int channels);
std::string refusal_of_weight_gradient(test_graph const& edges, int channels);

}  // namespace edgewise::testing
