#include <edgewise/mapping/vertex_balanced.hpp>

#include "check_mapping.hpp"
#include "gather/max_cases.hpp"
#include "plan/host_machine.hpp"
#include "program/attention_cases.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("vertex_balanced: takes every edge once", "[mapping]", uncut, uncut_by_degree) {
  check_every_edge_once<mapped<exact_sum, TestType>>(run_on_host<mapped<exact_sum, TestType>, float>);
}

TEST_CASE("vertex_balanced: on the host, the bits of automatic", "[mapping]") {
  using max_case = extremum_of_neighbors<edgewise::max>;
  check_same_bits<gatv2>(run_on_host<gatv2, float>, run_on_host<mapped<gatv2, uncut>, float>);
  check_same_bits<max_case>(run_on_host<max_case, float>, run_on_host<mapped<max_case, uncut>, float>);
}

TEST_CASE("vertex_balanced: the order of rows changes no bit", "[mapping]") {
  check_same_bits<gatv2>(run_on_host<mapped<gatv2, uncut>, float>, run_on_host<mapped<gatv2, uncut_by_degree>, float>);
}

TEST_CASE("vertex_balanced: says what it does, and takes no workspace", "[mapping]") {
  auto const graph = random_skewed();
  std::vector<float> const values(static_cast<std::size_t>(graph.num_sources));
  auto const in = bindings(bind<h>(wide(values.data(), graph.num_sources, 1)));
  auto const kernel = [&](auto mapping) { return fuse(edgewise::graph{graph.csr()}, mapping, gather<sum>(src<h>)); };
  auto const plan = kernel(vertex_balanced{}).plan(cpu{}, in);
  CHECK(plan.workspace_bytes() == 0);
  CHECK_THAT(plan.explain(), Catch::Contains("mapping: vertex_balanced"));
  auto const sorted = kernel(vertex_balanced{.order = row_order::degree}).plan(cpu{}, in);
  CHECK_THAT(sorted.explain(), Catch::Contains("rows by degree"));
}
