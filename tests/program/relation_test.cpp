#include "relation_cases.hpp"

#include "plan/check_case.hpp"
#include "plan/host_machine.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("operands by type: values and gradients on the battery", "[program]", relation_product,
                   relation_scores EDGEWISE_MORE_CASES(relation_product_in_shares, relation_bases, relation_attention,
                                                       relation_maximum)) {
  check_case<TestType, float>(run_on_host<TestType, float>);
}

TEST_CASE("operands by type: the same bits for any number of threads", "[program]") {
  random_stream random("types: threads");
  auto const graph = random_skewed();
  auto request = draw_request<relation_attention, float>(graph, {2, 12}, random);
  request.asked_set = 1;
  check_any_threads(run_on_host<relation_attention, float>, request);
}

TEST_CASE("types of other edges are refused", "[program]") {
  auto const graph = directed();
  auto const turned = reversed(graph, "directed, reversed");
  std::vector<int> types;
  for (int e = 0; e < graph.num_edges(); ++e) types.push_back(graph.type_of(e));
  auto const by_type = to_typed_edges(cpu{}, turned.csr(), types, graph.num_types);
  std::vector<float> features(static_cast<std::size_t>(graph.num_sources) * 4), rows(graph.num_types * 4);
  auto const in =
      bindings(bind<h>(wide(features.data(), graph.num_sources, 4)), bind<w>(wide(rows.data(), graph.num_types, 4)));
  auto const kernel =
      fuse(edgewise::graph{graph.csr(), graph.csc(), by_type.view()}, automatic{}, relation_product::program);
  CHECK_THROWS_WITH(kernel.plan(cpu{}, in), Catch::Contains("csr and typed_edges hold different edges"));
}

TEST_CASE("a plan for a capacity takes graphs with types", "[program]") {
  auto const graph = random_skewed();
  auto const smaller = directed();
  auto const types_of = [](test_graph const& g) {
    std::vector<int> types;
    for (int e = 0; e < g.num_edges(); ++e) types.push_back(g.type_of(e));
    return to_typed_edges(cpu{}, g.csr(), types, g.num_types);
  };
  auto const large_types = types_of(graph);
  auto const small_types = types_of(smaller);
  edgewise::graph const large{graph.csr(), graph.csc(), large_types.view()};
  edgewise::graph const small{smaller.csr(), smaller.csc(), small_types.view()};
  random_stream random("types: capacity");
  auto request = draw_request<relation_product, double>(smaller, {1, 3}, random);
  request.asked_set = 0;
  auto const expected = run_on_host<relation_product, double>(request);

  auto const bind_rows = [&](test_graph const& g) {
    return bindings(bind<w>(wide(request.operands[0].data(), g.num_types, 3)),
                    bind<h>(wide(request.operands[1].data(), g.num_sources, 3)));
  };
  std::vector<double> out_rows(expected.out.size()), gradient(request.operands[0].size());
  auto plan = fuse(large, automatic{}, relation_product::program)
                  .plan_for_capacity(cpu{}, bind_rows(graph),
                                     {.sources = graph.num_sources,
                                      .destinations = graph.num_destinations,
                                      .edges = graph.num_edges(),
                                      .types = graph.num_types});
  auto saved = plan.make_saved(cpu{});
  plan.rebuild(cpu{}, small);
  auto const in = bind_rows(smaller);
  plan.forward(cpu{}, in, out(wide(out_rows.data(), smaller.num_destinations, 3)), saved);
  plan.backward(cpu{}, in, saved, grad_out(wide(request.grad_out.data(), smaller.num_destinations, 3)),
                grad<w>(wide(gradient.data(), smaller.num_types, 3)));
  CHECK(same_bits(out_rows, expected.out));
  CHECK(compare_stored<double>(
      gradient, expected_gradient(reference_of<relation_product>(request), request, describe(whole<0>{})),
      tolerance_rule{}));
}
