#include "degree_aware_device_test.hpp"

#include <edgewise/edgewise.hpp>

#include "check_mapping.hpp"
#include "degrees.hpp"
#include "execute/device_run.hpp"
#include "program/attention_cases.hpp"
#include "support/device.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEST_CASE("degree_histogram on a device: counts every row", "[mapping][gpu]") {
  skip_without_cuda_device();
  for (auto const& graph : graphs_of_degrees()) {
    INFO(graph.name);
    check_histogram(degrees_on_device(graph), graph);
  }
}

TEMPLATE_TEST_CASE("degree_aware on a device: takes every edge once", "[mapping][gpu]", by_quantile, above_five) {
  skip_without_cuda_device();
  check_every_edge_once<mapped<exact_sum, TestType>>(run_on_device<mapped<exact_sum, TestType>, float>);
}

TEST_CASE("degree_aware on a device: GATv2 against its reference", "[mapping][gpu]") {
  skip_without_cuda_device();
  check_mapping<mapped<gatv2, by_quantile>>(run_on_device<mapped<gatv2, by_quantile>, float>);
}

TEST_CASE("schedule_policy on a device: any policy gives the sums, the same one the same bits", "[mapping][gpu]") {
  skip_without_cuda_device();
  random_stream random("planned sums");
  for (auto const& graph : graphs_of_degrees()) {
    INFO(graph.name);
    auto const draw_array = [&](int count, draw how) {
      return draw_values<float>(static_cast<std::size_t>(count), how, random);
    };
    auto const features = draw_array(graph.num_sources * 8, draw::uniform);
    auto const weights = draw_array(graph.num_edges(), draw::uniform);
    auto const first = sums_on_device(graph, features, weights, "");
    auto const again = sums_on_device(graph, features, weights, first.policy);
    CHECK(again.policy == first.policy);
    CHECK(same_bits(again.out, first.out));
    CHECK(same_bits(again.gradient, first.gradient));

    // Multiples of 1/16 add up exactly in any order: a policy must not lose or repeat an edge.
    auto const exact_features = draw_array(graph.num_sources * 8, draw::grid);
    auto const exact_weights = draw_array(graph.num_edges(), draw::grid);
    auto const expected = sums_on_device(graph, exact_features, exact_weights, "");
    for (char const* text :
         {"by_destination row_pieces longest=3 order=degree partitions=1 by_source row_pieces longest=2 order=stored "
          "partitions=1",
          "by_destination row_pieces longest=all order=stored partitions=2 by_source row_pieces longest=40 "
          "order=degree "
          "partitions=1"}) {
      INFO(text);
      auto const sums = sums_on_device(graph, exact_features, exact_weights, text);
      CHECK(sums.policy == text);
      CHECK(sums.explanation.find(std::string("policy: ") + text) != std::string::npos);
      CHECK(same_bits(sums.out, expected.out));
    }
  }
}
