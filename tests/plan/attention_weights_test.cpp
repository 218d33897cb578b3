#include <edgewise/plan/attention_weights.hpp>

#include "support/catch.hpp"

#include "attention_weights_check.hpp"
#include "host_machine.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("attention weights: of every edge, by edge id", "[plan]", gat_and_weights,
                   self_and_weights EDGEWISE_MORE_CASES(transformer_and_weights, layer_and_weights,
                                                        dropped_and_weights)) {
  check_weights<TestType>(run_on_host<TestType, float>);
}

TEST_CASE("attention weights: wrong arguments are named", "[plan]") {
  auto const edges = make_test_graph("few", 3, 2, {{0, 1}, {2, 0}, {1, 1}, {2, 1}});
  std::vector<float> const s(4), x(12);
  std::vector<float> result(8), weights(4);
  auto const in = bindings(bind<edgewise::testing::s>(per_row(s.data(), 4)), bind<h>(wide(x.data(), 3, 4)));
  auto const plan =
      fuse(graph{edges.csr()}, automatic{}, gather<sum>(softmax(edge<edgewise::testing::s>) * src<h>)).plan(cpu{}, in);
  auto saved = plan.make_saved(cpu{});
  auto const to = out(per_row(weights.data(), 4));
  CHECK_THROWS_WITH(plan.attention_weights(cpu{}, in, saved, to), Catch::Contains("saved holds nothing"));
  plan.forward(cpu{}, in, out(wide(result.data(), 2, 4)), saved);
  CHECK_THROWS_WITH(plan.attention_weights(cpu{}, in, saved, out(per_row(weights.data(), 2))),
                    "attention_weights: has 2 rows, the graph has 4 edges");
  plan.attention_weights(cpu{}, in, saved, to);
  CHECK(weights[1] == 1.0f);
  CHECK(weights[0] == Approx(1.0 / 3));
  auto const other =
      fuse(graph{edges.csr()}, automatic{}, gather<sum>(softmax(edge<edgewise::testing::s>) * src<h>)).plan(cpu{}, in);
  CHECK_THROWS_WITH(other.attention_weights(cpu{}, in, saved, to), Catch::Contains("saved was made by another plan"));
}
