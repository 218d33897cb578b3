// One name bound in each role on its own: src<h> and dst<h> are two tensors, with as many rows as the graph has sources
// and destinations.
#include <edgewise/program/bindings.hpp>

#include "support/catch.hpp"

#include <edgewise/expression/activation.hpp>
#include <edgewise/gather/sum.hpp>

#include "laws/check_adjoint_identity.hpp"
#include "plan/check_case.hpp"
#include "plan/host_machine.hpp"

using namespace edgewise;
using namespace edgewise::testing;

namespace edgewise::testing {

struct h;
struct w;

using h_of_sources = role_operand<h, rows_of::source, operand_kind::wide>;
using h_of_destinations = role_operand<h, rows_of::destination, operand_kind::wide>;

struct weighted_products_of_roles {
  static constexpr char const* name = "gather<sum>(edge<w> * tanh(src<h> * dst<h>) + src<h>), a tensor a role";
  static constexpr auto program = gather<sum>(edge<w> * tanh(src<h> * dst<h>) + src<h>);
  static constexpr bool repeats_terms = true;  // the gradient of a source has its out-degree times one factor
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands = std::tuple<h_of_sources, h_of_destinations, operand<w, rows_of::edge, operand_kind::per_row>>;
  using gradients =
      std::tuple<gradient_set<as_source<0>, as_destination<1>, whole<2>>, gradient_set<as_destination<1>, as_source<0>>,
                 gradient_set<as_source<0>>, gradient_set<as_destination<1>>>;
  static auto reference(auto const& row) {
    return row.sum([](auto const& edge) { return edge(2) * tanh(edge(0) * edge(1)) + edge(0); });
  }
};

/// A layer of GraphSAGE on a sampled block: the mean of the sources beside the destination's own features.
struct mean_beside_own_row {
  static constexpr char const* name = "tanh(gather<mean>(src<h>) - dst<h>), a tensor a role";
  static constexpr auto program = tanh(gather<mean>(src<h>) - dst<h>);
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands = std::tuple<h_of_destinations, h_of_sources>;
  using gradients = std::tuple<gradient_set<as_destination<0>, as_source<1>>, gradient_set<as_source<1>>>;
  static auto reference(auto const& row) {
    return tanh(row.mean([](auto const& edge) { return edge(1); }) - row(0));
  }
};

/// Scores of both roles: the tensor that is scored with is also the value.
struct attention_of_roles {
  static constexpr char const* name = "gather<sum>(softmax(dot(src<h>, dst<h>) * 0.25) * src<h>), a tensor a role";
  static constexpr auto program = gather<sum>(softmax(dot(src<h>, dst<h>) * 0.25) * src<h>);
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands = std::tuple<h_of_sources, h_of_destinations>;
  using gradients = std::tuple<gradient_set<as_source<0>, as_destination<1>>>;
  static auto reference(auto const& row) {
    auto const score = [](auto const& edge) {
      return 0.25 * edge.sum_channels([](auto const& channel) { return channel(0) * channel(1); });
    };
    return row.softmax_sum(score, [](auto const& edge) { return edge(0); });
  }
};

}  // namespace edgewise::testing

/// The battery has more sources than destinations, fewer, and one of either.
TEMPLATE_TEST_CASE("bindings: a tensor a role, values and gradients on the battery", "[program]",
                   weighted_products_of_roles, mean_beside_own_row, attention_of_roles) {
  check_case<TestType, float>(run_on_host<TestType, float>);
}

TEMPLATE_TEST_CASE("bindings: a tensor a role, the adjoint identity", "[program]", weighted_products_of_roles,
                   mean_beside_own_row, attention_of_roles) {
  check_adjoint_identity<TestType>();
}

TEST_CASE("bindings: where a name is bound and one of its roles too, the role goes first", "[program]") {
  auto const edges = make_test_graph("three edges", 3, 2, {{0, 0}, {2, 0}, {1, 1}});
  double const of_sources[] = {1, 2, 4}, of_others[] = {100, 200};
  double result[2] = {};
  auto const in =
      bindings(bind<h>(wide<double const>(of_others, 2, 1)), bind<src<h>>(wide<double const>(of_sources, 3, 1)));
  auto const plan =
      fuse(graph{edges.csr(), edges.csc()}, automatic{}, gather<edgewise::sum>(src<h>) + dst<h>).plan(cpu{}, in);
  plan.forward(cpu{}, in, out(wide(result, 2, 1)));
  CHECK(result[0] == 105);
  CHECK(result[1] == 202);
}
