// expected-error: grad: gradients of per_lane operands are not formed; bind the operand as wide
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct h;
struct w;

void run(ew::graph<ew::csr_view<>> const& g, float* data) {
  auto const in = ew::bindings(ew::bind<h>(ew::wide(data, 3, 2, 4)), ew::bind<w>(ew::per_lane(data, 1, 4)));
  auto const plan = ew::fuse(g, ew::automatic{}, ew::gather<ew::sum>(ew::src<h>) + ew::param<w>).plan(ew::cpu{}, in);
  auto const saved = plan.make_saved(ew::cpu{});
  plan.backward(ew::cpu{}, in, saved, ew::grad_out(ew::wide(data, 3, 2, 4)), ew::grad<w>(ew::per_lane(data, 1, 4)));
}
