// expected-error: backward: a gradient is asked for one role of an operand whose product serves both
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;
struct h;
struct W;

void test(ew::graph<ew::csr_view<>, ew::csc_view<>> const& g, float* data) {
  auto const x = ew::wide(data, 4, 2);
  auto const in = ew::bindings(ew::bind<h>(x), ew::bind<W>(ew::wide(data, 2, 2)));
  auto const program = ew::gather<ew::max>(ew::linear<W>(ew::src<h> - ew::dst<h>));
  auto const plan = ew::fuse(g, ew::automatic{}, program).plan(ew::cpu{}, in);
  auto saved = plan.make_saved(ew::cpu{});
  plan.forward(ew::cpu{}, in, ew::out(x), saved);
  plan.backward(ew::cpu{}, in, saved, ew::grad_out(x), ew::grad<ew::src<h>>(x));
}
