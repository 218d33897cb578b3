#include "run_tangents.hpp"

#include "check_tangents.hpp"
#include "plan/host_machine.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("tangents: derivatives of values and gradients along a direction", "[program]", weighted_tangents,
                   dense_tangents EDGEWISE_MORE_CASES(attention_tangents, potential_tangents, mixed_tangents,
                                                      largest_tangents)) {
  check_tangents<TestType>(
      [](test_graph const& graph, tangent_inputs const& in) {
        return run_tangents<TestType, with_tangent<double>>(host_machine{}, graph, in);
      },
      [](test_graph const& graph, tangent_inputs const& in) {
        return run_tangents<TestType, double>(host_machine{}, graph, in);
      });
}

// Where an operation chooses, adjoints of 0 are left out; one of 0 with a tangent is not 0.
TEST_CASE("tangents: an adjoint of 0 keeps its tangent below what chooses", "[program]") {
  using number = with_tangent<double>;
  struct h;
  std::vector<int> const offsets{0, 1, 2}, neighbors{1, 0};
  auto const csr = view_csr(vertices(2), offsets, neighbors);
  auto const csc = to_csc(cpu{}, csr);
  std::vector<number> const x{{1, 0}, {-2, 0}}, adjoint{{0, 1}, {0, 1}};
  std::vector<number> y(2), gradient(2);
  auto const in = bindings(bind<h>(wide(x.data(), 2, 1)));
  auto const tangents_of = [&](auto const& program) {
    auto const plan = fuse(edgewise::graph{csr, csc}, automatic{}, program).plan(cpu{}, in);
    auto saved = plan.make_saved(cpu{});
    plan.forward(cpu{}, in, out(wide(y.data(), 2, 1)), saved);
    plan.backward(cpu{}, in, saved, grad_out(wide(adjoint.data(), 2, 1)), grad<h>(wide(gradient.data(), 2, 1)));
    return std::vector<double>{gradient[0].tangent, gradient[1].tangent};
  };
  std::vector<double> const slopes{2, -4};  // of the square
  CHECK(tangents_of(gather<sum>(relu(square(src<h>)))) == slopes);
  CHECK(tangents_of(gather<edgewise::max>(square(src<h>))) == slopes);
  CHECK(tangents_of(gather<sum>(where(square(src<h>) > 0, square(src<h>), dst<h>))) == slopes);
}
