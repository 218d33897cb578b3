// expected-error: backward: a gradient is asked for one role of an operand whose product serves both
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;
struct h;
struct a;
struct b;

void test(ew::graph<ew::csr_view<>, ew::csc_view<>> const& g, float* data) {
  auto const x = ew::wide(data, 4, 2);
  auto const y = ew::per_head(data, 4, 1);
  auto const in = ew::bindings(ew::bind<h>(x), ew::bind<a>(ew::wide(data, 1, 2)), ew::bind<b>(ew::wide(data, 1, 2)));
  auto const program = ew::gather<ew::sum>(ew::per_vertex(ew::dot(ew::param<a>, ew::src<h>)) +
                                           ew::per_vertex(ew::dot(ew::param<b>, ew::dst<h>)));
  auto const plan = ew::fuse(g, ew::automatic{}, program).plan(ew::cpu{}, in);
  auto saved = plan.make_saved(ew::cpu{});
  plan.forward(ew::cpu{}, in, ew::out(y), saved);
  plan.backward(ew::cpu{}, in, saved, ew::grad_out(y), ew::grad<ew::src<h>>(x));
}
