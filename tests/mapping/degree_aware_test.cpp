#include <edgewise/mapping/degree_aware.hpp>

#include "check_mapping.hpp"
#include "plan/host_machine.hpp"
#include "program/attention_cases.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("degree_aware: takes every edge once", "[mapping]", by_quantile, above_five) {
  check_every_edge_once<mapped<exact_sum, TestType>>(run_on_host<mapped<exact_sum, TestType>, float>);
}

TEST_CASE("degree_aware: cuts at the quantile of each grouping's degrees, or at a number", "[mapping]") {
  auto const graph = one_hub(5000);  // the other rows have 0 to 3 edges, sources about 18
  std::vector<float> const values(static_cast<std::size_t>(graph.num_sources));
  auto const in = bindings(bind<h>(wide(values.data(), graph.num_sources, 1)));
  auto const policy = [&](degree_aware mapping) {
    return fuse(edgewise::graph{graph.csr(), graph.csc()}, mapping, gather<sum>(src<h>)).plan(cpu{}, in).policy();
  };
  std::int64_t const mean = workload{graph.num_destinations, graph.num_edges()}.mean_degree();
  CHECK(policy({.quantile = 0.5}).by_destination.max_edges == mean + 1);  // 1 edge, raised for the memory of slots
  CHECK(policy({.quantile = 1}).by_destination.max_edges == 5000);
  std::vector<int> by_source;
  for (int u = 0; u < graph.num_sources; ++u) by_source.push_back(graph.by_source.degree(u));
  std::sort(by_source.begin(), by_source.end());
  CHECK(policy({.quantile = 1}).by_source.max_edges == by_source.back());
  CHECK(policy({.threshold = 12, .order = row_order::degree}).by_source == row_split{12, row_order::degree});
}

TEST_CASE("degree_aware: a plan for a capacity has no degrees to read", "[mapping]") {
  auto const graph = one_hub(100);
  std::vector<float> const values(static_cast<std::size_t>(graph.num_sources));
  auto const in = bindings(bind<h>(wide(values.data(), graph.num_sources, 1)));
  auto const kernel = [&](degree_aware mapping) {
    return fuse(edgewise::graph{graph.csr()}, mapping, gather<sum>(src<h>));
  };
  CHECK_THROWS_WITH(kernel({.quantile = 0.9}).plan_for_capacity(cpu{}, in),
                    Catch::Contains("the mapping degree_aware reads the degrees of a graph"));
  CHECK_NOTHROW(kernel({.threshold = 9}).plan_for_capacity(cpu{}, in));
}
