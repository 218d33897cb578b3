#include "constant_rows_cases.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "support/catch.hpp"

#include "plan/check_case.hpp"
#include "plan/host_machine.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("constant_rows: values and gradients on the battery", "[plan]", constant_vectors, constant_scores,
                   constant_beside_kept) {
  check_case<TestType, float>(run_on_host<TestType, float>);
}

namespace {

struct x;
struct weight;
struct other;

/// Answers with what it is told.
struct telling {
  static constexpr char const* name = "telling";
  row_split split(workload work) const { return {.max_edges = work.reads_edges_by_id ? 1000 : 2000}; }
};

/// A star and a ring over 6 vertices whose edges are numbered like neither grouping lies.
struct numbered_edges {
  static constexpr int vertices = 6, channels = 5;
  std::vector<int> sources{5, 0, 3, 2, 0, 4, 1, 0, 2, 0}, destinations{0, 3, 4, 3, 5, 5, 2, 1, 0, 2};
  coo<> edges;
  csr<> by_destination;
  csc<> by_source;
  std::vector<float> weights, rows, adjoint, out_rows, gradient;

  numbered_edges() : out_rows(vertices * channels), gradient(vertices * channels) {
    edges = make_coo(edgewise::vertices(vertices), sources, destinations);
    by_destination = to_csr(cpu{}, edges);
    by_source = to_csc(cpu{}, edges);
    random_stream random("constant rows");
    auto const draw = [&](std::size_t n) {
      std::vector<float> numbers(n);
      for (float& number : numbers) number = static_cast<float>(random.uniform()) - 0.5f;
      return numbers;
    };
    weights = draw(sources.size());
    rows = draw(vertices * channels);
    adjoint = draw(vertices * channels);
  }
  std::int64_t num_edges() const { return static_cast<std::int64_t>(sources.size()); }
  auto at_vertices(auto& data) const { return wide(data.data(), vertices, channels); }
  auto by_id(std::vector<float> const& w) const {
    return bindings(bind<weight>(per_row(w.data(), num_edges())), bind<x>(at_vertices(rows)));
  }
  auto constant(std::vector<float> const& w) const {
    return bindings(bind<weight>(constant_rows(per_row(w.data(), num_edges()))), bind<x>(at_vertices(rows)));
  }
  auto kernel() const {
    return fuse(graph{by_destination, by_source}, automatic{}, gather<sum>(edge<weight> * src<x>));
  }
  auto kernel_over_edges() const { return fuse(graph{edges}, automatic{}, gather<sum>(edge<weight> * src<x>)); }
  /// What both passes of a plan write.
  template <class Plan, class Bindings>
  std::vector<float> run(Plan const& plan, Bindings const& in) {
    auto saved = plan.make_saved(cpu{});
    plan.forward(cpu{}, in, out(at_vertices(out_rows)), saved);
    plan.backward(cpu{}, in, saved, grad_out(at_vertices(std::as_const(adjoint))), grad<x>(at_vertices(gradient)));
    auto all = out_rows;
    all.insert(all.end(), gradient.begin(), gradient.end());
    return all;
  }
};

}  // namespace

TEST_CASE("constant_rows: the bits of reading by id, from one copy for each order", "[plan]") {
  numbered_edges e;
  auto const by_id = e.kernel().plan(cpu{}, e.by_id(e.weights));
  auto const constant = e.kernel().plan(cpu{}, e.constant(e.weights));
  CHECK(e.run(constant, e.constant(e.weights)) == e.run(by_id, e.by_id(e.weights)));
  CHECK(constant.workspace_bytes() == by_id.workspace_bytes() + 2 * e.weights.size() * sizeof(float));
  CHECK_THAT(constant.explain(), Catch::Contains("constant: edge<") && Catch::Contains("the order of rows by source") &&
                                     Catch::Contains("the order of rows by destination"));
  CHECK_THAT(by_id.explain(), !Catch::Contains("constant"));

  auto const cost_of = [&](auto const& plan) {
    return plan.backward_cost(grad_out(e.at_vertices(std::as_const(e.adjoint))), grad<x>(e.at_vertices(e.gradient)))
        .traversals.back()
        .index_bytes;
  };
  CHECK(cost_of(by_id) == cost_of(constant) + static_cast<double>(sizeof(int)) * static_cast<double>(e.num_edges()));
}

TEST_CASE("constant_rows: a plan reads other contents once it was told", "[plan]") {
  numbered_edges e;
  auto const other = [&] {
    auto w = e.weights;
    for (float& weight : w) weight *= 2;
    return w;
  }();
  auto const expected = e.run(e.kernel().plan(cpu{}, e.by_id(other)), e.by_id(other));
  auto const check = [&](auto const& kernel) {
    auto plan = kernel.plan(cpu{}, e.constant(e.weights));
    CHECK(e.run(plan, e.constant(e.weights)) != expected);
    CHECK_THROWS_WITH(
        e.run(plan, e.constant(other)),
        Catch::Contains("forward: edge<") &&
            Catch::Contains("was constant_rows of another array when the plan was made; update_constants"));
    plan.update_constants(cpu{}, e.constant(other));
    CHECK(e.run(plan, e.constant(other)) == expected);
  };
  SECTION("over groupings") { check(e.kernel()); }
  SECTION("over edges that the plan groups") { check(e.kernel_over_edges()); }
}

TEST_CASE("constant_rows: nothing is copied where edges have no ids but their positions", "[plan]") {
  numbered_edges e;
  auto in_order = e.by_destination.view();
  in_order.edge_ids = nullptr;
  auto const kernel = fuse(graph{in_order}, automatic{}, gather<sum>(edge<weight> * src<x>));
  CHECK(kernel.plan(cpu{}, e.constant(e.weights)).workspace_bytes() ==
        kernel.plan(cpu{}, e.by_id(e.weights)).workspace_bytes());
}

TEST_CASE("constant_rows: gradients are added to, and edges that another operand needs by id are read by id",
          "[plan]") {
  numbered_edges e;
  auto const expected = e.run(e.kernel().plan(cpu{}, e.by_id(e.weights)), e.by_id(e.weights));
  auto const in = e.constant(e.weights);
  auto const plan = e.kernel().plan(cpu{}, in);
  auto saved = plan.make_saved(cpu{});
  plan.forward(cpu{}, in, out(e.at_vertices(e.out_rows)), saved);
  std::fill(e.gradient.begin(), e.gradient.end(), 1.0f);
  plan.backward(cpu{}, in, saved, grad_out(e.at_vertices(std::as_const(e.adjoint))),
                accumulate<x>(e.at_vertices(e.gradient)));
  for (std::size_t i = 0; i < e.gradient.size(); ++i) CHECK(e.gradient[i] == 1 + expected[e.out_rows.size() + i]);

  // The same array twice, once as a constant: nothing is copied.
  auto const program = gather<sum>(edge<weight> * edge<other> * src<x>);
  auto const kernel = fuse(graph{e.by_destination, e.by_source}, automatic{}, program);
  auto const weights = per_row(std::as_const(e.weights).data(), e.num_edges());
  auto const rows = e.at_vertices(std::as_const(e.rows));
  auto const half = bindings(bind<weight>(constant_rows(weights)), bind<other>(weights), bind<x>(rows));
  auto const both = bindings(bind<weight>(constant_rows(weights)), bind<other>(constant_rows(weights)), bind<x>(rows));
  auto const none = bindings(bind<weight>(weights), bind<other>(weights), bind<x>(rows));
  auto const plain = kernel.plan(cpu{}, none);
  CHECK(kernel.plan(cpu{}, half).workspace_bytes() == plain.workspace_bytes());
  auto const squares = e.run(plain, none);
  CHECK(e.run(kernel.plan(cpu{}, half), half) == squares);
  CHECK(e.run(kernel.plan(cpu{}, both), both) == squares);
}

TEST_CASE("constant_rows: schedules are chosen as without ids, but not for a capacity", "[plan]") {
  numbered_edges e;
  auto const kernel = fuse(graph{e.by_destination, e.by_source}, telling{}, gather<sum>(edge<weight> * src<x>));
  auto const told = [](auto const& plan) { return plan.policy().by_source.max_edges; };
  CHECK(told(kernel.plan(cpu{}, e.by_id(e.weights))) == 1000);
  CHECK(told(kernel.plan(cpu{}, e.constant(e.weights))) == 2000);
  CHECK(told(kernel.plan_for_capacity(cpu{}, e.constant(e.weights))) == 1000);

  // Gradients of outputs of edges read the adjoint by id.
  auto const in = bindings(bind<x>(e.at_vertices(e.rows)));
  auto const of_edges =
      fuse(graph{e.by_destination, e.by_source}, telling{}, scatter(dot(src<x>, src<x>))).plan(cpu{}, in);
  CHECK(told(of_edges) == 1000);
}
