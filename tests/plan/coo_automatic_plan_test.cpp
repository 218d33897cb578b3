#include <edgewise/plan/recipe/coo_automatic.hpp>

#include <limits>
#include <vector>

#include "support/catch.hpp"

#include "check_case.hpp"
#include "coo_automatic_cases.hpp"
#include "coo_run.hpp"
#include "gather/sum_cases.hpp"
#include "host_machine.hpp"
#include "program/edge_softmax_check.hpp"
#include "program/epilogue_cases.hpp"

using namespace edgewise;
using namespace edgewise::testing;

namespace {

constexpr double least_passes = std::numeric_limits<double>::min();

/// Ties of extrema go to the earlier position, which the reference takes for the smaller id.
template <class Case>
constexpr edge_order order_for = edge_order::shuffled;
template <class Gather>
constexpr edge_order order_for<scattered_extremum<Gather>> = edge_order::by_id;
template <class Case>
constexpr edge_order order_for<in_any_order<Case>> = order_for<Case>;

template <class Case>
run_result<float> run_grouping(run_request<float> const& request) {
  return run_program<Case>(host_machine{}, request, chosen_edges{.order = order_for<Case>});
}
template <class Case>
run_result<float> run_scattering(run_request<float> const& request) {
  return run_program<Case>(host_machine{}, request, chosen_edges{.passes = least_passes, .order = order_for<Case>});
}

struct features;
struct weights;

/// 40 edges between 5 sources and 4 destinations.
struct small_edges {
  std::vector<int> sources, destinations;
  std::vector<float> x, w, y;

  explicit small_edges(int channels) : x(5 * channels, 1.f), w(40, 2.f), y(4 * channels, -1.f) {
    for (int e = 0; e < 40; ++e) {
      sources.push_back(e * 7 % 5);
      destinations.push_back(e * 3 % 4);
    }
  }
  coo_view<> coo() const { return {sources.data(), destinations.data(), nullptr, 5, 4, 40}; }
  auto in() const {
    return bindings(bind<features>(wide(x.data(), 5, static_cast<int>(x.size()) / 5)),
                    bind<weights>(per_row(w.data(), 40)));
  }
};

constexpr auto weighted = gather<sum>(edge<weights> * src<features>);

template <class... Option>
auto plan_for(small_edges const& edges, double passes, Option... option) {
  return fuse(graph{edges.coo()}, automatic{.passes = passes}, weighted, option...).plan(cpu{}, edges.in());
}

}  // namespace

TEMPLATE_TEST_CASE("automatic over coo: groups edges for any program", "[plan]", weighted_sum<operand_kind::wide>,
                   attention_layer EDGEWISE_MORE_CASES(scattered_extremum<edgewise::max>, mean_of_weighted)) {
  check_case<TestType, float>(run_grouping<TestType>, small_battery(400));
}

TEST_CASE("automatic over coo: groups edges for outputs of edges", "[plan]") {
  check_edge_softmax<edge_attention>(run_grouping<edge_attention>);
}

TEMPLATE_TEST_CASE("automatic over coo: scatters edges where a few passes do not pay for grouping", "[plan]",
                   in_any_order<scattered_weighted_sum>, in_any_order<scattered_extremum<edgewise::min>>,
                   in_any_order<gat>) {
  check_case<TestType, float>(run_scattering<TestType>, small_battery(400));
}

TEST_CASE("automatic over coo: the number of passes decides, where sums may be taken in any order", "[plan]") {
  small_edges const edges(1);
  auto const r = recommend(cpu{}, {.num_destinations = 4,
                                   .num_sources = 5,
                                   .num_edges = 40,
                                   .source_bytes = 4,
                                   .edge_bytes = 4,
                                   .value_bytes = 4,
                                   .has_source_gradients = true});
  REQUIRE(r.passes_to_pay < std::numeric_limits<double>::infinity());
  CHECK(plan_for(edges, r.passes_to_pay * 1.01, nondeterministic{}).is_grouped());
  CHECK_FALSE(plan_for(edges, r.passes_to_pay * 0.99, nondeterministic{}).is_grouped());
  CHECK(plan_for(edges, r.passes_to_pay * 0.99).is_grouped());
  CHECK(plan_for(edges, least_passes).is_grouped());
}

TEST_CASE("automatic over coo: a plan says what it chose and what it keeps", "[plan]") {
  small_edges const edges(2);
  auto const grouped = plan_for(edges, 1e9, nondeterministic{});
  // Neighbors and ids of 40 edges twice, offsets of 4 and of 5 rows.
  CHECK(grouped.groupings_bytes() == 4 * (4 * 40 + 5 + 6));
  CHECK_THAT(grouped.explain(), Catch::Contains("grouped by the plan, 684 bytes; 1e+09 passes expected") &&
                                    Catch::Contains("mapping: automatic"));
  auto const scattered = plan_for(edges, least_passes, nondeterministic{});
  CHECK(scattered.groupings_bytes() == 0);
  CHECK_THAT(scattered.explain(),
             Catch::Contains("scattered as they are") && Catch::Contains("mapping: edge_balanced"));
  CHECK_THAT(plan_for(edges, 1).explain(),
             Catch::Contains("grouped by the plan, 684 bytes\n") && !Catch::Contains("passes expected"));
  machine_ceilings const machine{.copy = 1e12};
  CHECK_THAT(grouped.explain(machine), Catch::Contains("grouped by the plan") && Catch::Contains("compulsory"));
}

TEST_CASE("automatic over coo: edges are grouped by source where the program reads sources", "[plan]") {
  small_edges const edges(1);
  auto const in = bindings(bind<weights>(per_row(edges.w.data(), 40)));
  auto const plan = fuse(graph{edges.coo()}, automatic{}, gather<sum>(edge<weights>)).plan(cpu{}, in);
  CHECK(plan.groupings_bytes() == 4 * (2 * 40 + 5));
}

TEST_CASE("automatic over coo: programs that cannot be scattered are grouped under nondeterministic, too", "[plan]") {
  small_edges const edges(1);
  auto const in = bindings(bind<features>(wide(edges.x.data(), 5, 1)));
  auto const program = relu(gather<edgewise::max>(src<features>));
  CHECK(fuse(graph{edges.coo()}, automatic{.passes = least_passes}, program, nondeterministic{})
            .plan(cpu{}, in)
            .is_grouped());
  std::vector<double> const doubles(5);
  auto const of_doubles = bindings(bind<features>(wide(doubles.data(), 5, 1)));
  auto const extremum = gather<edgewise::max>(src<features>);
  CHECK(fuse(graph{edges.coo()}, automatic{.passes = least_passes}, extremum, nondeterministic{})
            .plan(cpu{}, of_doubles)
            .is_grouped());
}

TEST_CASE("automatic over coo: a plan that was moved runs", "[plan]") {
  small_edges edges(2);
  auto first = plan_for(edges, 1);
  auto const moved = std::move(first);
  moved.forward(cpu{}, edges.in(), out(wide(edges.y.data(), 4, 2)));
  CHECK(edges.y == std::vector<float>(8, 20.f));
}

TEST_CASE("automatic over coo: memory is taken from the resource, before anything runs", "[plan]") {
  small_edges edges(2);
  counting_resource memory(host_memory());
  cpu const exec{.memory = &memory};
  auto const plan = fuse(graph{edges.coo()}, automatic{}, weighted).plan(exec, edges.in());
  CHECK(memory.peak_bytes() >= plan.groupings_bytes() + plan.workspace_bytes());
  auto const before = memory.num_allocations();
  plan.forward(exec, edges.in(), out(wide(edges.y.data(), 4, 2)));
  CHECK(memory.num_allocations() == before);
}

TEST_CASE("automatic over coo: no passes, wrong shapes and other plans' states are refused", "[plan]") {
  small_edges edges(2);
  CHECK_THROWS_WITH(plan_for(edges, 0), Catch::Contains("automatic: is told to expect 0 passes"));
  counting_resource memory(host_memory());
  auto const wrong = bindings(bind<features>(wide(edges.x.data(), 4, 2)), bind<weights>(per_row(edges.w.data(), 40)));
  CHECK_THROWS_WITH(fuse(graph{edges.coo()}, automatic{}, weighted).plan(cpu{.memory = &memory}, wrong),
                    Catch::Contains("src<features>: has 4 rows, the graph has 5 sources"));
  CHECK(memory.num_allocations() == 0);
  CHECK_THROWS_AS(plan_for(edges, -1), invalid_argument);
  CHECK_THROWS_AS(plan_for(edges, std::numeric_limits<double>::quiet_NaN()), invalid_argument);
  for (double const passes : {least_passes, 1e9}) {
    auto const plan = plan_for(edges, passes, nondeterministic{});
    CHECK_THROWS_WITH(plan.forward(cpu{}, edges.in(), out(wide(edges.y.data(), 5, 2))),
                      Catch::Contains("out: has 5 rows, the graph has 4 destinations"));
    auto saved = plan_for(edges, passes, nondeterministic{}).make_saved(cpu{});
    CHECK_THROWS_AS(plan.forward(cpu{}, edges.in(), out(wide(edges.y.data(), 4, 2)), saved), invalid_argument);
  }
}
