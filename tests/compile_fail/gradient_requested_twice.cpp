// expected-error: backward: the gradient of an operand is asked for twice
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct h;
struct w;

void run(ew::graph<ew::csr_view<>, ew::csc_view<>> const& g, float* data) {
  auto const in = ew::bindings(ew::bind<h>(ew::wide(data, 3, 2)));
  auto const plan = ew::fuse(g, ew::automatic{}, ew::gather<ew::sum>(ew::src<h>)).plan(ew::cpu{}, in);
  auto const saved = plan.make_saved(ew::cpu{});
  auto const view = ew::wide(data, 3, 2);
  plan.backward(ew::cpu{}, in, saved, ew::grad_out(view), ew::grad<h>(view), ew::grad<ew::src<h>>(view));
}
