// expected-error: saved from make_saved of this plan and not const
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct h;

void run(ew::graph<ew::csr_view<>, ew::csc_view<>> const& g, float* data) {
  auto const in = ew::bindings(ew::bind<h>(ew::wide(data, 3, 2)));
  auto const plan = ew::fuse(g, ew::automatic{}, ew::gather<ew::sum>(ew::src<h>)).plan(ew::cpu{}, in);
  auto const saved = plan.make_saved(ew::cpu{});
  plan.forward(ew::cpu{}, in, ew::out(ew::wide(data + 6, 3, 2)), saved);
}
