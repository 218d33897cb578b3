// expected-error: out, grad_out: the program's value
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct h;

void run(ew::graph<ew::csr_view<>> const& g, float* data) {
  auto const in = ew::bindings(ew::bind<h>(ew::wide(data, 3, 2, 4)));
  auto const plan = ew::fuse(g, ew::automatic{}, ew::sum_heads(ew::gather<ew::sum>(ew::src<h>))).plan(ew::cpu{}, in);
  plan.forward(ew::cpu{}, in, ew::out(ew::wide(data, 3, 2, 4)));
}
