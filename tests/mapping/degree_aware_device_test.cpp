#include "degree_aware_device_test.hpp"

#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include <edgewise/edgewise.hpp>

#include "check_mapping.hpp"
#include "degrees.hpp"
#include "plan/device_run.hpp"
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

TEST_CASE("degree_histogram on a device: groupings of other sizes, read together as one by one", "[mapping][gpu]") {
  skip_without_cuda_device();
  random_stream random("both groupings");
  auto const both_ways = [&](int sources, int destinations, int num_edges) {
    edge_list edges;
    edge_list back;
    for (int k = 0; k < num_edges; ++k) {
      int const u = random.below(sources);
      int const v = random.below(destinations) / 3;
      edges.push_back({u, v});
      back.push_back({v, u});
    }
    test_graph const graph = make_test_graph("both ways", sources, destinations, edges);
    test_graph const reversed = make_test_graph("reversed", destinations, sources, back);
    INFO(sources << " sources, " << destinations << " destinations");
    auto const together = both_degrees_on_device(graph);
    degree_histogram const apart[] = {degrees_on_device(graph), degrees_on_device(reversed)};
    for (int i = 0; i < 2; ++i) {
      CHECK(together.at(i).max_degree() == apart[i].max_degree());
      CHECK(together.at(i).by_digits() == apart[i].by_digits());
      CHECK(together.at(i).distinct_neighbors() == apart[i].distinct_neighbors());
      CHECK(together.at(i).distinct_in_window() == apart[i].distinct_in_window());
    }
  };
  both_ways(20000, 9000, 200000);
  both_ways(7, 6000, 40000);  // too few rows by source to sample
  both_ways(6000, 7, 40000);
  both_ways(5000, 10000, 60000);
  both_ways(4500, 4500, 3);
  both_ways(1, 3000, 0);
}

TEST_CASE("distinct_neighbors on a device: tells grids and communities from graphs in no order", "[mapping][gpu]") {
  skip_without_cuda_device();
  random_stream random("neighbor spread");
  constexpr int vertices = 20000;
  auto const spread = [](edge_list const& edges) {
    test_graph const graph = make_test_graph("spread", vertices, vertices, edges);
    double const first = degrees_on_device(graph).distinct_neighbors();
    CHECK(degrees_on_device(graph).distinct_neighbors() == first);
    return first;
  };
  // The same edges with rows shuffled: what is left is a graph in no order.
  std::vector<int> shuffled(vertices);
  std::iota(shuffled.begin(), shuffled.end(), 0);
  for (int v = vertices - 1; v > 0; --v) std::swap(shuffled[v], shuffled[random.below(v + 1)]);
  auto const shuffle_rows = [&](edge_list edges) {
    for (auto& [source, destination] : edges) destination = shuffled[destination];
    return edges;
  };

  edge_list grid, communities, uniform, hubs, long_rows;
  for (int v = 0; v < vertices; ++v) {
    for (int const step : {1, 200, vertices - 200, vertices - 1}) grid.push_back({(v + step) % vertices, v});
    for (int k = 0; k < 40; ++k) communities.push_back({v / 400 * 400 + random.below(400), v});
    for (int k = 0; k < 10; ++k) uniform.push_back({random.below(vertices), v});
    for (int k = 0; k < 10; ++k) hubs.push_back({static_cast<int>(vertices * std::pow(random.uniform(), 4)), v});
    for (int k = 0; k < (v % 1000 == 0 ? 9000 : 70); ++k) long_rows.push_back({random.below(vertices), v});
  }
  CHECK(spread(grid) < 0.8);
  CHECK(spread(shuffle_rows(grid)) == Approx(1).margin(0.05));
  CHECK(spread(communities) < 0.6);
  CHECK(spread(shuffle_rows(communities)) == Approx(1).margin(0.05));
  CHECK(spread(uniform) == Approx(1).margin(0.05));
  CHECK(spread(hubs) == Approx(1).margin(0.05));  // shared by all rows alike
  CHECK(spread(long_rows) == Approx(1).margin(0.05));
  CHECK(spread({}) == 1);
  CHECK(spread({{3, 5}}) == 1);
  CHECK(degrees_on_device(one_hub(9000)).distinct_neighbors() == 1);  // too few rows
}

TEST_CASE("distinct_in_window on a device: tells communities shorter than a window from longer ones",
          "[mapping][gpu]") {
  skip_without_cuda_device();
  random_stream random("window spread");
  constexpr int vertices = 20000;
  auto const spread = [&](int community) {
    edge_list edges;
    for (int v = 0; v < vertices; ++v) {
      for (int k = 0; k < 40; ++k) edges.push_back({v / community * community + random.below(community), v});
    }
    double const first = degrees_on_device(make_test_graph("spread", vertices, vertices, edges)).distinct_in_window();
    CHECK(degrees_on_device(make_test_graph("spread", vertices, vertices, edges)).distinct_in_window() == first);
    return first;
  };
  CHECK(spread(200) < 0.4);
  CHECK(spread(1000) < 0.8);
  CHECK(spread(10000) == Approx(1).margin(0.1));
  CHECK(spread(20000) == Approx(1).margin(0.05));
  CHECK(degrees_on_device(one_hub(9000)).distinct_in_window() == 1);  // too few rows
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
         {"by_destination row_split max_edges=3 order=degree partitions=1 tile=all dot_tile=all block=32 "
          "threads=half pieces=ahead by_source row_split max_edges=2 order=stored partitions=1 tile=all dot_tile=all "
          "block=chosen threads=all pieces=in_place",
          "by_destination row_split max_edges=all order=stored partitions=2 tile=all dot_tile=all block=32 "
          "threads=all pieces=ahead by_source row_split max_edges=40 order=short_windows partitions=1 tile=64 "
          "dot_tile=all block=128 threads=half pieces=in_place"}) {
      INFO(text);
      auto const sums = sums_on_device(graph, exact_features, exact_weights, text);
      CHECK(sums.policy == text);
      CHECK(sums.explanation.find(std::string("policy: ") + text) != std::string::npos);
      CHECK(same_bits(sums.out, expected.out));
    }
  }
}
