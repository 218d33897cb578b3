// Plans for a capacity on the host: one plan for graphs of several sizes.
#include <edgewise/plan/plan.hpp>

#include "check_case.hpp"
#include "gather/sum_cases.hpp"
#include "host_machine.hpp"
#include "mapping/mapped.hpp"

using namespace edgewise;
using namespace edgewise::testing;

namespace {

/// Runs `exact_sum` on every graph with one plan, made for more vertices and edges than any has.
template <class Mapping>
void check_rebuilt(Mapping const& mapping) {
  random_stream random("rebuild");
  int const channels = 5;
  auto const largest = random_skewed(500, 6000);
  std::vector<float> const weights(static_cast<std::size_t>(largest.num_edges()));
  std::vector<float> const features(static_cast<std::size_t>(largest.num_sources * channels));
  auto const sizes = [&](float const* w_data, float const* h_data, test_graph const& edges) {
    return bindings(bind<w>(per_row(w_data, edges.num_edges())), bind<h>(wide(h_data, edges.num_sources, channels)));
  };
  counting_resource memory(host_memory());
  cpu const exec{.memory = &memory};
  auto plan =
      fuse(graph<csr_view<int, int>, csc_view<int, int>>{{}, {}}, mapping, exact_sum::program)
          .plan_for_capacity(
              exec, sizes(weights.data(), features.data(), largest),
              {.sources = largest.num_sources, .destinations = largest.num_destinations, .edges = largest.num_edges()});
  auto saved = plan.make_saved(exec);
  std::size_t const allocations = memory.num_allocations();
  for (auto const& edges : mapping_graphs()) {
    if (!edges.is_square()) continue;
    INFO(edges.name);
    auto request = draw_request<exact_sum, float>(edges, {1, channels}, random);
    request.grad_out = draw_values<float>(request.grad_out.size(), draw::grid, random);
    auto const in = sizes(request.operands[0].data(), request.operands[1].data(), edges);
    std::vector<float> result(request.grad_out.size()), dw(request.operands[0].size()), dh(request.operands[1].size());
    plan.rebuild(exec, graph{edges.csr(), edges.csc()});
    plan.forward(exec, in, out(wide(result.data(), edges.num_destinations, channels)), saved);
    plan.backward(exec, in, saved, grad_out(wide(request.grad_out.data(), edges.num_destinations, channels)),
                  grad<w>(per_row(dw.data(), edges.num_edges())),
                  grad<h>(wide(dh.data(), edges.num_sources, channels)));
    auto const expected = reference_of<exact_sum>(request);
    CHECK(compare(result, expected.out, exactly));
    CHECK(compare(dw, expected_gradient(expected, request, {0, asked_gradient::whole, false}), exactly));
    CHECK(compare(dh, expected_gradient(expected, request, {1, asked_gradient::whole, false}), exactly));
  }
  CHECK(memory.num_allocations() == allocations);
}

}  // namespace

TEST_CASE("rebuild: one plan for graphs of several sizes", "[plan]") {
  check_rebuilt(automatic{});
  check_rebuilt(feature_adaptive_group{.order = row_order::degree});
  check_rebuilt(vertex_balanced{});
  check_rebuilt(edge_balanced{});
}

TEST_CASE("rebuild: a capacity that cannot be is refused", "[plan]") {
  std::vector<float> const features(6);
  auto const in = bindings(bind<h>(wide(features.data(), 3, 2)));
  auto const kernel = fuse(graph<csr_view<>>{csr_view<>{}}, automatic{}, gather<sum>(src<h>));
  CHECK_THROWS_WITH(kernel.plan_for_capacity(cpu{}, in, {.sources = 3, .destinations = -1, .edges = 5}),
                    Catch::Contains("plan_for_capacity: destinations = -1, must not be negative"));
  CHECK_THROWS_WITH(
      kernel.plan_for_capacity(cpu{}, in, {.sources = 3, .destinations = 2, .edges = std::int64_t{1} << 40}),
      Catch::Contains("plan_for_capacity: edges = 1099511627776"));
  CHECK_THROWS_WITH(kernel.plan_for_capacity(cpu{}, in, {.sources = 4, .destinations = 2, .edges = 5}),
                    Catch::Contains("has 3 rows, the graph has 4 sources"));
}

TEST_CASE("rebuild: says what is wrong", "[plan]") {
  auto const edges = directed();
  auto const larger = random_skewed(500, 6000);
  std::vector<float> const features(static_cast<std::size_t>(larger.num_sources));
  std::vector<float> result(static_cast<std::size_t>(edges.num_sources));
  auto const in = bindings(bind<h>(wide(features.data(), edges.num_sources, 1)));
  auto const kernel = fuse(graph{edges.csr()}, automatic{}, gather<sum>(src<h>));
  auto one = kernel.plan(cpu{}, in);
  CHECK_THROWS_WITH(one.rebuild(cpu{}, graph{edges.csr()}), Catch::Contains("make it with plan_for_capacity"));
  auto many = kernel.plan_for_capacity(cpu{}, in);
  CHECK_THROWS_WITH(many.forward(cpu{}, in, out(wide(result.data(), edges.num_sources, 1))),
                    Catch::Contains("forward: this plan is for a capacity, call rebuild"));
  CHECK_THROWS_WITH(many.rebuild(cpu{}, graph{larger.csr()}),
                    Catch::Contains("rebuild: the graph has 500 destinations, 500 sources and 6000 edges"));
  auto both = fuse(graph{larger.csr(), larger.csc()}, automatic{}, gather<sum>(src<h>))
                  .plan_for_capacity(cpu{}, bindings(bind<h>(wide(features.data(), larger.num_sources, 1))));
  CHECK_THROWS_WITH(both.rebuild(cpu{}, graph{edges.csr(), larger.csc()}), Catch::Contains("graph: csr has"));
  many.rebuild(cpu{}, graph{edges.csr()});
  CHECK_NOTHROW(many.forward(cpu{}, in, out(wide(result.data(), edges.num_sources, 1))));
}
