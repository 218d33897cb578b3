// expected-error: graph{coo}: sums that are scattered into 16 bits are formed as float first
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct h;

void run(ew::graph<ew::coo_view<>> const& g, float const* data, float const* adjoint, ew::bfloat16* gradient) {
  auto const in = ew::bindings(ew::bind<h>(ew::wide(data, 3, 2)));
  auto const plan = ew::fuse(g, ew::edge_balanced{}, ew::gather<ew::sum>(ew::src<h>)).plan(ew::cpu{}, in);
  auto const saved = plan.make_saved(ew::cpu{});
  plan.backward(ew::cpu{}, in, saved, ew::grad_out(ew::wide(adjoint, 3, 2)), ew::grad<h>(ew::wide(gradient, 3, 2)));
}
