// Softmax as an output of edges that are not grouped, and the weights of one under a sum.
#include <edgewise/plan/recipe/coo_edges.hpp>

#include "support/catch.hpp"

#include "attention_weights_check.hpp"
#include "coo_run.hpp"
#include "host_machine.hpp"
#include "laws/check_locality.hpp"
#include "program/edge_softmax_check.hpp"

using namespace edgewise;
using namespace edgewise::testing;

namespace {

template <class Case>
run_result<float> coo_on_host(run_request<float> const& request) {
  return run_scattered<Case>(host_machine{}, request, edge_order::shuffled);
}

coo_view<int, int> coo_of(test_graph const& edges) {
  return {edges.sources.data(), edges.destinations.data(), nullptr,
          edges.num_sources,    edges.num_destinations,    edges.num_edges()};
}

}  // namespace

TEMPLATE_TEST_CASE("coo edge softmax: values and gradients, edges in any order", "[plan]", edge_attention,
                   (stored_as<edge_attention, bfloat16>)EDGEWISE_MORE_CASES(edge_wide_softmax, edge_weighted_values,
                                                                            edge_score_of_rows, edge_dropped_attention,
                                                                            edge_dropped_scores,
                                                                            edge_dropped_row_scores)) {
  check_edge_softmax<TestType>(coo_on_host<TestType>);
}

TEMPLATE_TEST_CASE("coo edge softmax: each weight counts once where rows are cut into tiles", "[plan]",
                   edge_dropped_scores, edge_dropped_row_scores) {
  random_stream random(std::string("coo edge softmax, cut rows: ") + TestType::name);
  static auto const graph = make_test_graph("few edges", 3, 3, {{0, 1}, {2, 1}, {1, 0}, {1, 1}});
  for (width const w : {width{1, 17000}, width{2, 9000}, width{1100, 17}}) {
    auto const request = draw_request<TestType, float>(graph, w, random);  // no gradients: these rows are too wide
    check_result<TestType>(request, coo_on_host<TestType>(request), reference_of<TestType>(request));
  }
}

TEST_CASE("coo edge softmax: scores of -inf mask edges and rows, whatever the values", "[plan]") {
  check_masked_edges(coo_on_host<edge_masked_values>);
  check_masked_edges(coo_on_host<edge_masked_values>, std::numeric_limits<float>::quiet_NaN());
  check_masked_edges(coo_on_host<edge_masked_values>, std::numeric_limits<float>::infinity());
}

TEST_CASE("coo edge softmax: large scores overflow nowhere, NaN stays with its destination", "[plan]") {
  check_large_edge_scores(coo_on_host<edge_masked_values>);
  check_locality<edge_masked_values>(coo_on_host<edge_masked_values>, std::numeric_limits<double>::quiet_NaN());
}

TEST_CASE("coo edge softmax: the same bits for any number of threads", "[plan]") {
  random_stream random("coo edge softmax: threads");
  auto const graph = random_skewed();
  auto request = draw_request<edge_weighted_values, float>(graph, {40, 12}, random);
  request.asked_set = 0;
  check_any_threads(coo_on_host<edge_weighted_values>, request);
}

TEST_CASE("coo edge softmax: keeps a number a destination and head, and takes nothing of the size of the edges",
          "[plan]") {
  random_stream random("coo edge softmax: memory");
  for (int const num_edges : {2000, 40000}) {
    auto const graph = random_skewed(400, num_edges);
    auto request = draw_request<edge_weighted_values, float>(graph, {4, 16}, random);
    request.asked_set = 0;
    auto const result = coo_on_host<edge_weighted_values>(request);
    std::size_t const a_head = 400 * 4 * sizeof(float);
    CHECK(result.saved_bytes == (2 * a_head + 255) / 256 * 256);  // normalizers
    CHECK(result.workspace_bytes == 2 * a_head);                  // words and sums of weights
    CHECK(result.peak_bytes == result.saved_bytes + result.workspace_bytes);
    CHECK(result.num_allocations == 0);
  }
}

TEST_CASE("coo edge softmax: one plan for graphs of several sizes", "[plan]") {
  random_stream random("coo edge softmax: capacity");
  width const w{2, 3};
  auto const largest = random_skewed(500, 6000);
  std::vector<float> const zeros(static_cast<std::size_t>(largest.num_edges()) * 6);
  auto const bound = [&](float const* scores, float const* values, int rows) {
    return bindings(bind<edgewise::testing::w>(per_head(scores, rows, w.heads)),
                    bind<h>(wide(values, rows, w.heads, w.channels)));
  };
  auto plan = fuse(graph{coo_of(largest)}, edge_balanced{}, edge_masked_values::program)
                  .plan_for_capacity(cpu{}, bound(zeros.data(), zeros.data(), largest.num_edges()));
  auto saved = plan.make_saved(cpu{});
  for (auto const& edges : edge_softmax_graphs()) {
    INFO(edges.name);
    int const rows = edges.num_edges();
    auto const request = draw_request<edge_masked_values, float>(edges, w, random);
    auto const in = bound(request.operands[0].data(), request.operands[1].data(), rows);
    std::vector<float> result(request.grad_out.size()), dw(request.operands[0].size()), dh(request.operands[1].size());
    plan.rebuild(cpu{}, graph{coo_of(edges)});
    plan.forward(cpu{}, in, out(wide(result.data(), rows, w.heads, w.channels)), saved);
    plan.backward(cpu{}, in, saved, grad_out(wide(request.grad_out.data(), rows, w.heads, w.channels)),
                  grad<edgewise::testing::w>(per_head(dw.data(), rows, w.heads)),
                  grad<h>(wide(dh.data(), rows, w.heads, w.channels)));
    auto const expected = reference_of<edge_masked_values>(request);
    auto const rule = rule_for<edge_masked_values, float>();
    CHECK(compare(result, expected.out, rule));
    CHECK(compare(dw, expected_gradient(expected, request, {0, asked_gradient::whole, false}), rule));
    CHECK(compare(dh, expected_gradient(expected, request, {1, asked_gradient::whole, false}), rule));
  }
}

TEST_CASE("coo edge softmax: says that it takes three launches", "[plan]") {
  auto const edges = directed();
  std::vector<float> const x(static_cast<std::size_t>(edges.num_edges()));
  auto const in = bindings(bind<w>(per_row(x.data(), edges.num_edges())));
  auto const text = fuse(graph{coo_of(edges)}, edge_balanced{}, scatter(softmax(edge<w>))).plan(cpu{}, in).explain();
  for (char const* part : {"3 traversals of equal shares of edges, 3 launches", "scatter(softmax(edge<",
                           "saved: normalizers, 8 bytes", "1 traversal for inner products"}) {
    CHECK_THAT(text, Catch::Contains(part));
  }
}

TEMPLATE_TEST_CASE("coo attention weights: of every edge, by edge id", "[plan]", gat_and_weights,
                   transformer_and_weights, dropped_and_weights) {
  check_weights<TestType>(coo_on_host<TestType>);
}

TEST_CASE("coo attention weights: wrong arguments are named", "[plan]") {
  auto const edges = make_test_graph("few", 3, 2, {{0, 1}, {2, 0}, {1, 1}, {2, 1}});
  std::vector<float> const scores(4), x(12);
  std::vector<float> result(8), weights(4);
  auto const in = bindings(bind<w>(per_row(scores.data(), 4)), bind<h>(wide(x.data(), 3, 4)));
  auto const plan = fuse(graph{coo_of(edges)}, edge_balanced{}, gather<sum>(softmax(edge<w>) * src<h>)).plan(cpu{}, in);
  auto saved = plan.make_saved(cpu{});
  auto const to = out(per_row(weights.data(), 4));
  CHECK_THROWS_WITH(plan.attention_weights(cpu{}, in, saved, to), Catch::Contains("saved holds nothing"));
  plan.forward(cpu{}, in, out(wide(result.data(), 2, 4)), saved);
  CHECK_THROWS_WITH(plan.attention_weights(cpu{}, in, saved, out(per_row(weights.data(), 2))),
                    "attention_weights: has 2 rows, the graph has 4 edges");
  plan.attention_weights(cpu{}, in, saved, to);
  CHECK(weights[1] == 1.0f);
  CHECK(weights[0] == Approx(1.0 / 3));
}
