// What rebuild_device_test.cu runs on the device for rebuild_device_test.cpp to judge.
#pragma once

#include <string>
#include <vector>

#include "program_case.hpp"

namespace edgewise::testing {

enum class replay_mapping { automatic, by_degree, in_windows, vertex_balanced, work_queue, edge_balanced };

/// What a replay gives for gather<sum>(edge<w> * src<h>): the output and the gradients of h and of w, poisoned before.
struct replayed {
  std::vector<float> out;
  std::vector<float> h_gradient;
  std::vector<float> w_gradient;  // one per real edge
  std::string damage;
};

/// Captures conversion, rebuild, forward and backward once, for graphs of as many vertices and at most `num_edges`
/// edges, and replays it for each request; edges are padded up to that. The capture holds no allocation.
std::vector<replayed> replay_on_graphs(replay_mapping mapping, int num_edges,
                                       std::vector<run_request<float>> const& requests);

/// The message with which `rebuild` refuses a graph of these sizes on a plan for 10 vertices and 20 edges, made for one
/// graph or for a capacity.
std::string refusal_of_rebuild(int num_vertices, int num_edges, bool for_capacity);

/// The message with which a plan of whole rows for a capacity of that many edges, with 32-bit offsets, is refused.
std::string refusal_of_offsets(int num_edges);

}  // namespace edgewise::testing
