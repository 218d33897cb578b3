// expected-error: out, grad_out: the program's value
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct h;

void run(ew::graph<ew::csr_view<>, ew::csc_view<>> const& g, float* data, float const* adjoint) {
  auto const in = ew::bindings(ew::bind<h>(ew::wide(data, 3, 2)));
  auto const plan = ew::fuse(g, ew::automatic{}, ew::gather<ew::sum>(ew::src<h>)).plan(ew::cpu{}, in);
  auto const saved = plan.make_saved(ew::cpu{});
  plan.backward(ew::cpu{}, in, saved, ew::grad_out(ew::per_row(adjoint, 3)), ew::grad<h>(ew::wide(data, 3, 2)));
}
