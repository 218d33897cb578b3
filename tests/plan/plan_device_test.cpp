#include "plan_device_test.hpp"

#include "check_case.hpp"
#include "program/attention_cases.hpp"
#include "support/device.hpp"
#include "support/guarded_output.hpp"

using namespace edgewise;
using namespace edgewise::testing;

namespace {

run_request<float> attention_request(test_graph const& graph) {
  random_stream random("plan on a device");
  return draw_request<gatv2, float>(graph, {4, 16}, random);
}

}  // namespace

TEST_CASE("plan on a device: two streams at once, again and again, give the same bits", "[plan][gpu]") {
  skip_without_cuda_device();
  for (auto const& graph : {random_skewed(), one_hub(), reversed(one_hub(), "one hub, reversed")}) {
    INFO(graph.name);
    auto const request = attention_request(graph);
    auto const runs = run_on_two_streams(graph, 4, 16, request.operands[0], request.operands[1], request.operands[2],
                                         request.grad_out, 8);
    for (auto const& run : runs) {
      CHECK(run.allocations == 0);
      CHECK(count_poison(run.values) == 0);
      CHECK(same_bits(run.values, runs.front().values));
    }
  }
}

TEST_CASE("plan on a device: forward and backward can be captured and replayed", "[plan][gpu]") {
  skip_without_cuda_device();
  auto const graph = one_hub();
  auto const request = attention_request(graph);
  auto const direct = run_on_two_streams(graph, 4, 16, request.operands[0], request.operands[1], request.operands[2],
                                         request.grad_out, 1);
  for (auto const& run : run_by_replay(graph, 4, 16, request.operands[0], request.operands[1], request.operands[2],
                                       request.grad_out, 4)) {
    CHECK(run.allocations == 0);
    CHECK(same_bits(run.values, direct.front().values));
  }
}

TEST_CASE("plan on a device: rows that no group holds are refused with both numbers", "[plan][gpu]") {
  skip_without_cuda_device();
  auto const graph = directed();
  CHECK(refusal_of_dot(graph, 1433) == "");
  CHECK(refusal_of_dot(graph, 16384) == "");
  CHECK_THAT(refusal_of_dot(graph, 16388),
             Catch::Contains("heads of 16388 channels are too wide") && Catch::Contains("at most 16384"));
  CHECK(refusal_of_weight_gradient(graph, 602) == "");
  CHECK(refusal_of_weight_gradient(graph, 16388) == "");  // tiles add up
}
