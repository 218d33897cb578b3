// What plans of edge programs promise beyond right values on the battery.
#include <edgewise/plan/recipe/rows_edges.hpp>

#include "support/catch.hpp"

#include "check_case.hpp"
#include "host_machine.hpp"
#include "host_slots.hpp"
#include "laws/check_adjoint_identity.hpp"
#include "mapping/check_mapping.hpp"
#include "program/edge_cases.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("edge plan: gradients follow difference quotients", "[plan]", edge_dot,
                   edge_functor EDGEWISE_MORE_CASES(edge_difference, edge_product, edge_score)) {
  check_adjoint_identity<TestType>();
}

TEMPLATE_TEST_CASE("edge plan: every mapping stores every edge", "[plan]", uncut, rows_by_degree, by_edges) {
  check_mapping<mapped<edge_product, TestType>>(run_on_host<mapped<edge_product, TestType>, float>);
  check_mapping<mapped<edge_score, TestType>>(run_on_host<mapped<edge_score, TestType>, float>);
}

TEST_CASE("edge plan: the same bits for any number of threads", "[plan]") {
  random_stream random("edge plan: threads");
  auto const graph = random_skewed();
  auto request = draw_request<edge_score, float>(graph, {2, 12}, random);
  request.asked_set = 0;
  check_any_threads(run_on_host<edge_score, float>, request);
}

namespace {

template <int Heads, int Channels>
struct fixed : edge_score {
  using extents = static_extents<Heads, Channels>;
};

/// Two destinations, three sources, four edges with ids of their own.
struct few_edges {
  test_graph edges = make_test_graph("few", 3, 2, {{0, 1}, {2, 0}, {1, 1}, {2, 1}});
  std::vector<float> q = {1, 2, 3, 4}, k = {1, 0, 0, 1, 2, 2}, scores = std::vector<float>(4),
                     big = std::vector<float>(8);
  auto in() const { return bindings(bind<testing::q>(wide(q.data(), 2, 2)), bind<testing::k>(wide(k.data(), 3, 2))); }
  auto grouped() const { return graph{edges.csr(), edges.csc()}; }
  auto out_view() { return per_head(scores.data(), 4, 1); }
};

}  // namespace

TEST_CASE("edge plan: static extents give the bits of any extents", "[plan]") {
  random_stream random("edge plan: static extents");
  auto const graph = directed();
  auto request = draw_request<edge_score, float>(graph, {3, 12}, random);
  request.asked_set = 0;
  auto const wanted = run_on_host<edge_score, float>(request);
  auto const found = run_on_host<fixed<3, 12>, float>(request);
  CHECK(same_bits(found.out, wanted.out));
  CHECK(same_bits(found.gradients, wanted.gradients));
}

TEST_CASE("edge plan: keeps nothing and takes nothing of the size of the edges", "[plan]") {
  random_stream random("edge plan: memory");
  for (int const num_edges : {2000, 40000}) {
    auto const graph = random_skewed(400, num_edges);
    auto request = draw_request<edge_score, float>(graph, {4, 16}, random);
    request.asked_set = 0;
    auto const result = run_on_host<edge_score, float>(request);
    CHECK(result.saved_bytes == 0);
    std::size_t const sums = 64 * 4 * 16 * sizeof(float);  // of the ranges, of the parameter
    CHECK(result.workspace_bytes >= sums);
    CHECK(result.workspace_bytes <= sums + most_host_slots(graph) * 2 * 4 * 16 * sizeof(float));
    CHECK(result.peak_bytes <= result.workspace_bytes + most_host_tables(graph));
  }
}

TEST_CASE("edge plan: rows of the output are edge ids, also in a graph without an id array", "[plan]") {
  few_edges on;
  auto const plan = fuse(graph{on.edges.csr()}, automatic{}, scatter(dot(dst<q>, src<k>))).plan(cpu{}, on.in());
  plan.forward(cpu{}, on.in(), out(on.out_view()));
  CHECK(on.scores == std::vector<float>{3, 6, 4, 14});
}

TEST_CASE("edge plan: a plan for a capacity takes smaller graphs", "[plan]") {
  few_edges on;
  auto const other = make_test_graph("other", 3, 2, {{1, 0}, {0, 0}});
  auto plan = fuse(on.grouped(), automatic{}, scatter(dot(dst<q>, src<k>))).plan_for_capacity(cpu{}, on.in());
  CHECK_THROWS_WITH(plan.forward(cpu{}, on.in(), out(on.out_view())), Catch::Contains("call rebuild before"));
  plan.rebuild(cpu{}, graph{other.csr(), other.csc()});
  plan.forward(cpu{}, on.in(), out(per_head(on.scores.data(), 2, 1)));
  CHECK(on.scores == std::vector<float>{2, 1, 0, 0});
  auto const larger = make_test_graph("larger", 3, 2, {{1, 0}, {0, 0}, {0, 1}, {0, 1}, {0, 1}});
  CHECK_THROWS_WITH(plan.rebuild(cpu{}, graph{larger.csr(), larger.csc()}),
                    Catch::Contains("has 2 destinations, 3 sources and 5"));
}

TEST_CASE("edge plan: wrong arguments are named", "[plan]") {
  few_edges on;
  auto const plan = fuse(on.grouped(), automatic{}, scatter(dot(dst<q>, src<k>))).plan(cpu{}, on.in());
  auto saved = plan.make_saved(cpu{});
  CHECK_THROWS_WITH(plan.forward(cpu{}, on.in(), out(per_head(on.scores.data(), 2, 1))),
                    "out: has 2 rows, the graph has 4 edges");
  CHECK_THROWS_WITH(plan.forward(cpu{}, on.in(), out(per_head(on.big.data(), 4, 2))),
                    Catch::Contains("out: has shape [4, 2]"));
  auto const gradient = grad_out(per_head(on.scores.data(), 4, 1));
  std::vector<float> dq(4);
  CHECK_THROWS_WITH(plan.backward(cpu{}, on.in(), saved, gradient, grad<q>(wide(dq.data(), 2, 2))),
                    Catch::Contains("saved holds nothing"));
  plan.forward(cpu{}, on.in(), out(on.out_view()), saved);
  CHECK_THROWS_WITH(
      plan.backward(cpu{}, on.in(), saved, grad_out(per_head(on.scores.data(), 2, 1)), grad<q>(wide(dq.data(), 2, 2))),
      "grad_out: has 2 rows, the graph has 4 edges");
  auto const other = fuse(on.grouped(), automatic{}, scatter(dot(dst<q>, src<k>))).plan(cpu{}, on.in());
  CHECK_THROWS_WITH(other.forward(cpu{}, on.in(), out(on.out_view()), saved),
                    Catch::Contains("saved was made by another plan"));
}

TEST_CASE("edge plan: an output over an operand that is still read is refused", "[plan]") {
  few_edges on;
  auto const in = bindings(bind<w>(per_row(static_cast<float const*>(on.scores.data()), 4)));
  auto const plan = fuse(on.grouped(), automatic{}, scatter(edge<w> * 2)).plan(cpu{}, in);
  CHECK_THROWS_WITH(plan.forward(cpu{}, in, out(per_row(on.scores.data(), 4))),
                    Catch::Contains("is the array of edge<"));
}

TEST_CASE("edge plan: explains itself", "[plan]") {
  few_edges on;
  auto const text = fuse(on.grouped(), automatic{}, scatter(dot(dst<q>, src<k>))).plan(cpu{}, on.in()).explain();
  for (char const* part :
       {"4 edges", "1 traversal grouped by destination, 1 launch", "scatter(dot(dst<", "1 elements of output",
        "saved: 0 bytes a destination", "of sources: 1 traversal grouped by source"}) {
    CHECK_THAT(text, Catch::Contains(part));
  }
}

TEST_CASE("edge plan: adjoints that lie in the order of destinations decide on partitions by source", "[plan]") {
  few_edges const on;
  auto csr = on.edges.csr();
  csr.edge_ids = nullptr;
  edgewise::graph const g{csr, on.edges.csc()};
  auto const edge_bytes = [&](auto const& program, auto const& in) {
    auto const kernel = fuse(g, automatic{}, program);
    auto const work = std::remove_cvref_t<decltype(kernel.plan(cpu{}, in))>::recipe_type::workloads_for(g, in);
    auto const groupings = edgewise::detail::describe_groupings<cpu>(g, work);
    return std::pair(groupings.front().work.edge_bytes, groupings.back().work.edge_bytes);
  };
  using found = std::pair<std::int64_t, std::int64_t>;
  CHECK(edge_bytes(scatter(dot(dst<testing::q>, src<testing::k>)), on.in()) == found(0, 4 * 4));  // one number per edge
  std::vector<float> const rows(3 * 8);
  auto const wide_in = bindings(bind<testing::q>(wide(rows.data(), 2, 8)), bind<testing::k>(wide(rows.data(), 3, 8)));
  CHECK(edge_bytes(scatter(dst<testing::q> * src<testing::k>), wide_in) == found(0, 0));  // whole sectors
}
