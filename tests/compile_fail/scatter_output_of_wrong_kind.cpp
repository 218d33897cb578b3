// expected-error: out, grad_out: the program's value
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct h;

void run(ew::graph<ew::csr_view<>> const& g, float* x) {
  auto const in = ew::bindings(ew::bind<h>(ew::wide(x, 2, 4)));
  auto const plan = ew::fuse(g, ew::automatic{}, ew::scatter(ew::dot(ew::src<h>, ew::dst<h>))).plan(ew::cpu{}, in);
  plan.forward(ew::cpu{}, in, ew::out(ew::wide(x, 3, 4)));
}
