#include <edgewise/mapping/work_queue.hpp>

#include "check_mapping.hpp"
#include "gather/max_cases.hpp"
#include "plan/host_machine.hpp"
#include "program/attention_cases.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("work_queue: takes every edge once", "[mapping]", queued, queued_as_stored) {
  check_every_edge_once<mapped<exact_sum, TestType>>(run_on_host<mapped<exact_sum, TestType>, float>);
}

TEST_CASE("work_queue: on the host, the bits of automatic", "[mapping]") {
  using max_case = extremum_of_neighbors<edgewise::max>;
  check_same_bits<gatv2>(run_on_host<gatv2, float>, run_on_host<mapped<gatv2, queued>, float>);
  check_same_bits<max_case>(run_on_host<max_case, float>, run_on_host<mapped<max_case, queued>, float>);
}

TEST_CASE("work_queue: says what it does", "[mapping]") {
  auto const graph = random_skewed();
  std::vector<float> const values(static_cast<std::size_t>(graph.num_sources));
  auto const in = bindings(bind<h>(wide(values.data(), graph.num_sources, 1)));
  auto const plan = fuse(edgewise::graph{graph.csr()}, work_queue{}, gather<sum>(src<h>)).plan(cpu{}, in);
  CHECK(plan.workspace_bytes() == 0);
  CHECK_THAT(plan.explain(), Catch::Contains("mapping: work_queue"));
  CHECK_THAT(plan.explain(), Catch::Contains("rows by degree"));
  CHECK(plan.policy().by_destination ==
        work_queue{}.split({.num_rows = graph.num_destinations, .num_edges = graph.num_edges()}));
}
