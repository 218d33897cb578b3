// A model in the papers' verbs and as a formula: one program, one plan, the same bits.
#include <edgewise/expression/verbs.hpp>

#include "support/catch.hpp"

#include "attention_cases.hpp"
#include "edge_cases.hpp"
#include "epilogue_cases.hpp"
#include "plan/check_case.hpp"
#include "plan/host_machine.hpp"

using namespace edgewise;
using namespace edgewise::testing;

namespace {

constexpr auto leaky = [](auto x) { return leaky_relu(x, 0.2); };
constexpr auto inner_product = [](auto x, auto y) { return dot(x, y); };

struct gcn_by_verbs : relu_of_biased_sum {
  static constexpr auto messages = scatter(operation::multiply{}, edge<w>, src<h>);
  static constexpr auto biased = apply_vertex(operation::add{}, gather<sum>(messages), param<b>);
  static constexpr auto program = apply_vertex([](auto x) { return relu(x); }, biased);
};

struct gat_by_verbs : gat {
  static constexpr auto scores = apply_edge(leaky, scatter(operation::add{}, src<el>, dst<er>));
  static constexpr auto program =
      aggregate<sum>(operation::multiply{}, reduce_scatter<softmax_over_edges>(scores), src<h>);
};

struct gatv2_by_verbs : gatv2 {
  static constexpr auto features = apply_edge(leaky, scatter(operation::add{}, dst<l>, src<r>));
  static constexpr auto scores = apply_edge(inner_product, param<a>, features);
  static constexpr auto program = gather<sum>(apply_edge(operation::multiply{}, edge_softmax(scores), src<r>));
};

struct transformer_by_verbs : transformer {
  static constexpr auto scores = apply_edge(operation::multiply{}, scatter(inner_product, dst<q>, src<k>), 0.5);
  static constexpr auto program = gather<sum>(edge_softmax(scores) * src<v>);
};

/// A value of edges as the output; the functor is one of scalars.
struct functor_by_verbs : edge_functor {
  static constexpr auto rows = apply_edge([](auto x) { return sigmoid(x); }, dst<q>);
  static constexpr auto program = apply_edge(fused_multiply_tanh{}, rows, src<k>, edge<w>);
};

/// The graph's type, and with it that of the plan, is the same; so is all that they compute.
template <class Formula, class Verbs>
void check_same_program() {
  STATIC_REQUIRE(std::is_same_v<decltype(edgewise::detail::lower_program(Formula::program)),
                                decltype(edgewise::detail::lower_program(Verbs::program))>);
  random_stream random(std::string("verbs: ") + Formula::name);
  for (auto const& graph : {directed(), random_skewed()}) {
    if (!fits<Formula>(graph)) continue;
    INFO(Formula::name << " on " << graph.name);
    auto request = draw_request<Formula, float>(graph, extents_of<Formula>({3, 8}), random);
    request.asked_set = 0;
    auto const expected = run_on_host<first_set<Formula>>(request);
    auto const found = run_on_host<first_set<Verbs>>(request);
    CHECK(same_bits(found.out, expected.out));
    CHECK(same_bits(found.gradients, expected.gradients));
  }
}

}  // namespace

TEST_CASE("verbs: GCN", "[program]") { check_same_program<relu_of_biased_sum, gcn_by_verbs>(); }
TEST_CASE("verbs: GAT", "[program]") { check_same_program<gat, gat_by_verbs>(); }
TEST_CASE("verbs: GATv2", "[program]") { check_same_program<gatv2, gatv2_by_verbs>(); }
TEST_CASE("verbs: graph transformer", "[program]") { check_same_program<transformer, transformer_by_verbs>(); }
TEST_CASE("verbs: a value of edges", "[program]") { check_same_program<edge_functor, functor_by_verbs>(); }

TEST_CASE("verbs: scatter dissolves wherever it is written in a message", "[program]") {
  auto const same = [](auto const& x, auto const& y) {
    return std::is_same_v<decltype(edgewise::detail::lower_program(x)), decltype(edgewise::detail::lower_program(y))>;
  };
  CHECK(same(gather<sum>(scatter(src<h>)), gather<sum>(src<h>)));
  CHECK(same(gather<sum>(dot(scatter(src<h> * 2), scatter(dst<h>)) * edge<w>),
             gather<sum>(dot(src<h> * 2, dst<h>) * edge<w>)));
  CHECK(same(relu(scatter(src<h> - dst<h>)), scatter(relu(src<h> - dst<h>))));
  CHECK(same(scatter(scatter(src<h>) * 2), scatter(src<h> * 2)));
  CHECK(!same(scatter(src<h> * 2), scatter(src<h> * dst<h>)));
}

TEST_CASE("verbs: a reduction that is given back to edges is a value of their row", "[program]") {
  auto const lowered = [](auto const& x) { return edgewise::detail::lower_units<recompute>(x); };
  auto const same = [&](auto const& x, auto const& y) {
    return std::is_same_v<decltype(lowered(x)), decltype(lowered(y))>;
  };
  auto const total = reduce_scatter<sum>(edge<w>);
  CHECK(same(total, scatter(over_row<sum>(edge<w>))));
  CHECK(same(aggregate<sum>(operation::multiply{}, apply_edge(operation::divide{}, edge<w>, total), src<h>),
             gather<sum>(edge<w> / over_row<sum>(edge<w>) * src<h>)));
  CHECK(same(aggregate<edgewise::max>(operation::subtract{}, src<h>, reduce_scatter<mean>(src<h>)),
             gather<edgewise::max>(src<h> - over_row<mean>(src<h>))));
}
