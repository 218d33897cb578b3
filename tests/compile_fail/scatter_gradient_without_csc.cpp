// expected-error: backward: the gradient of a source operand needs the edges grouped by source
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct h;

void run(ew::graph<ew::csr_view<>> const& g, float* x) {
  auto const in = ew::bindings(ew::bind<h>(ew::wide(x, 2, 4)));
  auto const plan = ew::fuse(g, ew::automatic{}, ew::scatter(ew::src<h>)).plan(ew::cpu{}, in);
  auto const saved = plan.make_saved(ew::cpu{});
  plan.backward(ew::cpu{}, in, saved, ew::grad_out(ew::wide(x, 3, 4)), ew::grad<h>(ew::wide(x, 2, 4)));
}
