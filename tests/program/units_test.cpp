#include <stdexcept>

#include "units_cases.hpp"

#include <edgewise/expression/functor.hpp>

#include "plan/check_case.hpp"
#include "plan/host_machine.hpp"
#include "units_graphs.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("units: values and gradients on small graphs", "[program]", normalized_weights,
                   normalized_edges EDGEWISE_MORE_CASES(two_hops, differences_of_means, below_the_maximum)) {
  check_case<TestType, float>(run_on_host<TestType, float>, units_battery());
}

TEST_CASE("units: three hops", "[program]") {
  check_case<propagation, float>(run_on_host<propagation, float>, small_battery(60));
}

TEST_CASE("units: the same bits for any number of threads", "[program]") {
  random_stream random("units: threads");
  auto const graph = random_skewed();
  auto request = draw_request<two_hops, float>(graph, {2, 12}, random);
  request.asked_set = 3;
  check_any_threads(run_on_host<two_hops, float>, request);
}

namespace {

bool fails = false;
struct failing_square {
  template <class T>
  EDGEWISE_HD T operator()(T x) const {
    if (fails) throw std::runtime_error("failing_square");
    return x * x;
  }
};

}  // namespace

TEST_CASE("units: a forward pass that threw leaves nothing to go back from", "[program]") {
  auto const graph = multi_edges();
  std::vector<double> features(8, 2), result(8), gradient(8);
  auto const in = bindings(bind<h>(wide(features.data(), 4, 2)));
  auto const program = gather<sum>(at_source(gather<sum>(apply(failing_square{}, src<h>))));
  auto const plan = fuse(edgewise::graph{graph.csr(), graph.csc()}, automatic{}, program).plan(cpu{}, in);
  auto saved = plan.make_saved(cpu{});
  auto const y = wide(result.data(), 4, 2);
  plan.forward(cpu{}, in, out(y), saved);
  fails = true;
  CHECK_THROWS_AS(plan.forward(cpu{}, in, out(y), saved), std::runtime_error);
  fails = false;
  CHECK_THROWS_WITH(plan.backward(cpu{}, in, saved, grad_out(y), grad<h>(wide(gradient.data(), 4, 2))),
                    Catch::Contains("saved holds nothing"));
}

TEST_CASE("units: a backward pass that is refused has written nothing", "[program]") {
  constexpr int channels = 100000;  // more than a softmax's inner product takes
  auto const graph = multi_edges();
  std::vector<double> features(4 * channels, 0.5), weights(12, 1), result(4 * channels), gradient(4 * channels, 7);
  auto const in = bindings(bind<h>(wide(features.data(), 4, channels)), bind<w>(per_row(weights.data(), 12)));
  auto const inner = gather<sum>(softmax(edge<w>) * src<h>);
  auto const plan = fuse(edgewise::graph{graph.csr(), graph.csc()}, automatic{}, gather<sum>(at_source(inner) * src<h>))
                        .plan(cpu{}, in);
  auto saved = plan.make_saved(cpu{});
  auto const y = wide(result.data(), 4, channels);
  plan.forward(cpu{}, in, out(y), saved);
  std::vector<double> weight_gradient(12, 7);
  CHECK_THROWS_AS(plan.backward(cpu{}, in, saved, grad_out(y), accumulate<h>(wide(gradient.data(), 4, channels)),
                                accumulate<w>(per_row(weight_gradient.data(), 12))),
                  invalid_argument);
  CHECK(gradient == std::vector<double>(gradient.size(), 7));
}

TEST_CASE("units: what a plan costs is what its units cost", "[program]") {
  auto const graph = multi_edges();
  std::vector<float> features(8, 2), weights(12), result(8);
  auto const in = bindings(bind<h>(wide(features.data(), 4, 2)), bind<w>(per_row(weights.data(), 12)));
  auto const y = wide(result.data(), 4, 2);
  edgewise::graph const g{graph.csr(), graph.csc()};
  auto const hop = gather<sum>(edge<w> * src<h>);
  auto const one = fuse(g, automatic{}, hop).plan(cpu{}, in);
  auto const two = fuse(g, automatic{}, gather<sum>(edge<w> * at_source(hop))).plan(cpu{}, in);
  auto const saved = two.make_saved(cpu{});
  CHECK(two.forward_cost(out(y)).gather_bytes() == 2 * one.forward_cost(out(y)).gather_bytes());
  CHECK(two.forward_cost(out(y), saved).flops() == 2 * one.forward_cost(out(y)).flops());
  auto const dx = grad<h>(y);
  CHECK(two.backward_cost(grad_out(y), dx).flops() == 2 * one.backward_cost(grad_out(y), dx).flops());
}
