#include <edgewise/program/edge_softmax.hpp>

#include "edge_softmax_check.hpp"
#include "laws/check_adjoint_identity.hpp"
#include "laws/check_locality.hpp"
#include "mapping/check_mapping.hpp"
#include "plan/host_machine.hpp"
#include "plan/host_slots.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("edge softmax: values and gradients", "[program]", edge_attention,
                   edge_dropped_scores EDGEWISE_MORE_CASES(edge_scored_attention, edge_wide_softmax,
                                                           edge_weighted_values, edge_score_of_rows,
                                                           edge_dropped_attention)) {
  check_edge_softmax<TestType>(run_on_host<TestType, float>);
  check_adjoint_identity<TestType>();
}

TEST_CASE("edge softmax: scores of -inf mask edges and rows, whatever the values", "[program]") {
  check_masked_edges(run_on_host<edge_masked_values, float>);
  check_masked_edges(run_on_host<edge_masked_values, float>, std::numeric_limits<float>::quiet_NaN());
  check_masked_edges(run_on_host<edge_masked_values, float>, std::numeric_limits<float>::infinity());
}

TEST_CASE("edge softmax: large scores overflow nowhere", "[program]") {
  check_large_edge_scores(run_on_host<edge_masked_values, float>);
}

TEST_CASE("edge softmax: NaN stays in its row", "[program]") {
  check_locality<edge_masked_values>(run_on_host<edge_masked_values, float>, std::numeric_limits<double>::quiet_NaN());
}

TEMPLATE_TEST_CASE("edge softmax: every mapping", "[program]", uncut, by_edges) {
  using mapped_case = mapped<edge_attention, TestType>;
  random_stream random("edge softmax: mappings");
  for (auto const& graph : edge_softmax_graphs()) {
    check_request<mapped_case, float>(run_on_host<mapped_case, float>,
                                      draw_request<mapped_case, float>(graph, {3, 1}, random));
  }
}

TEST_CASE("edge softmax: keeps two numbers per row and head, and takes nothing of the size of the edges", "[program]") {
  random_stream random("edge softmax: memory");
  for (int const num_edges : {2000, 40000}) {
    auto const graph = random_skewed(400, num_edges);
    auto request = draw_request<edge_weighted_values, float>(graph, {4, 16}, random);
    request.asked_set = 0;
    auto const result = run_on_host<edge_weighted_values, float>(request);
    std::size_t const a_head = 400 * 4 * 2 * sizeof(float);  // a normalizer for each
    CHECK(result.saved_bytes == a_head);
    CHECK(result.workspace_bytes >= a_head);  // inner products, half of it, or what nobody keeps
    CHECK(result.workspace_bytes <= a_head + most_host_slots(graph) * (4 * 16 + 8) * sizeof(float));
    CHECK(result.peak_bytes <= a_head + result.workspace_bytes + most_host_tables(graph));
    CHECK(same_bits(result.out, result.out_without_saved));
  }
}

TEST_CASE("edge softmax: says that it takes two traversals", "[program]") {
  auto const edges = directed();
  std::vector<float> const x(static_cast<std::size_t>(edges.num_edges()));
  auto const in = bindings(bind<w>(per_row(x.data(), edges.num_edges())));
  auto const text = fuse(graph{edges.csr()}, automatic{}, scatter(softmax(edge<w>))).plan(cpu{}, in).explain();
  for (char const* part : {"2 traversals grouped by destination, 2 launches", "scatter(softmax(edge<",
                           "normalizers, 8 bytes", "first 1 traversal grouped by destination: inner products"}) {
    CHECK_THAT(text, Catch::Contains(part));
  }
}
