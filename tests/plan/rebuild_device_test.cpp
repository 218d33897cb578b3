#include "rebuild_device_test.hpp"

#include "check_case.hpp"
#include "mapping/mapped.hpp"
#include "support/device.hpp"

using namespace edgewise;
using namespace edgewise::testing;

namespace {

/// Graphs of 400 vertices with other rows each: without edges, with one hub, with more hubs, without hubs, with rows of
/// sources that are cut.
std::vector<test_graph> graphs_of_400() {
  std::vector<test_graph> graphs{no_edges(400), hub_alone(), random_skewed(400, 2900), random_skewed(400, 700),
                                 chain(400)};
  graphs.push_back(reversed(hub_alone(), "hub alone, reversed"));
  graphs.push_back(hub_alone());
  return graphs;
}

}  // namespace

TEST_CASE("rebuild on a device: conversion, schedule and both passes are captured once for all graphs", "[plan][gpu]") {
  skip_without_cuda_device();
  random_stream random("rebuild on a device");
  auto const graphs = graphs_of_400();
  for (int const channels : {3, 16, 64, 300}) {
    std::vector<run_request<float>> requests;
    for (auto const& graph : graphs) {
      requests.push_back(draw_request<exact_sum, float>(graph, {1, channels}, random));
      requests.back().grad_out = draw_values<float>(requests.back().grad_out.size(), draw::grid, random);
    }
    for (auto const mapping :
         {replay_mapping::automatic, replay_mapping::by_degree, replay_mapping::in_windows,
          replay_mapping::vertex_balanced, replay_mapping::work_queue, replay_mapping::edge_balanced}) {
      auto const results = replay_on_graphs(mapping, 3000, requests);
      for (std::size_t k = 0; k < graphs.size(); ++k) {
        INFO(graphs[k].name << ", " << channels << " channels, mapping " << static_cast<int>(mapping));
        auto const expected = reference_of<exact_sum>(requests[k]);
        CHECK(results[k].damage == "");
        CHECK(compare(results[k].out, expected.out, exactly));
        auto const gradient = [&](int operand) {
          return expected_gradient(expected, requests[k], {operand, asked_gradient::whole, false});
        };
        CHECK(compare(results[k].w_gradient, gradient(0), exactly));
        CHECK(compare(results[k].h_gradient, gradient(1), exactly));
      }
    }
  }
}

TEST_CASE("rebuild on a device: refuses what the plan has no room for", "[plan][gpu]") {
  skip_without_cuda_device();
  CHECK(refusal_of_rebuild(10, 20, true) == "");
  CHECK(refusal_of_rebuild(7, 0, true) == "");
  CHECK_THAT(refusal_of_rebuild(10, 21, true),
             Catch::Contains("rebuild: the graph has 10 destinations, 10 sources and 21 edges") &&
                 Catch::Contains("made for 10, 10 and 20"));
  CHECK_THAT(refusal_of_rebuild(10, 20, false), Catch::Contains("plan_for_capacity"));
  CHECK(refusal_of_offsets(2'140'000'000) == "");  // no group walks further than a piece
  CHECK_THAT(refusal_of_offsets(2'147'483'000),
             Catch::Contains("2147483000 edges") && Catch::Contains("64-bit offsets"));
}
