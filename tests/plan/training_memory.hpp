// What attention may take in a training step, whatever the number of edges: a saved state of two numbers per vertex and
// head, and a workspace of one output.
#pragma once

#include "check_case.hpp"
#include "program/attention_cases.hpp"

namespace edgewise::testing {

/// 100 edges per vertex, hubs among them. Bytes alone are judged here, the values by the tests of the programs.
template <class Case, class Run>
void check_training_memory(Run const& run) {
  static test_graph const graph = random_skewed(6000, 600000);
  width const w{4, 16};
  random_stream random("training memory");
  auto request = draw_request<Case, float>(graph, w, random);
  request.asked_set = 0;
  auto const result = run(request);
  std::size_t const heads = static_cast<std::size_t>(graph.num_destinations) * static_cast<std::size_t>(w.heads);
  std::size_t const output = heads * static_cast<std::size_t>(w.channels) * sizeof(float);
  std::size_t const rounding = 256;  // of an array
  INFO(Case::name);
  CHECK(result.num_allocations == 0);
  CHECK(result.saved_bytes <= 2 * heads * sizeof(float) + rounding);
  CHECK(result.workspace_bytes <= output);
  // Schedules of both groupings, at most 40 bytes for every other row; nothing of the size of the edges.
  std::size_t const schedules = 40 * static_cast<std::size_t>(graph.num_destinations) + rounding;
  CHECK(result.peak_bytes <= result.saved_bytes + result.workspace_bytes + schedules);
}

}  // namespace edgewise::testing
