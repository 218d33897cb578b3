// expected-error: backward: takes (exec, bindings, saved, grad_out(view), grad<name>(view)...)
#include <vector>

#include <edgewise/edgewise.hpp>

namespace ew = edgewise;
struct h;

void run(ew::graph<ew::csr_view<int, int>> const& graph, std::vector<float>& x) {
  auto const in = ew::bindings(ew::bind<h>(ew::wide(x.data(), 3, 2)));
  auto const kernel = ew::fuse(graph, ew::automatic{}, ew::gather<ew::sum>(ew::src<h> - ew::dst<h>));
  auto const plan = kernel.plan(ew::cpu{}, in);
  auto const saved = plan.make_saved(ew::cpu{});
  plan.backward(ew::cpu{}, in, saved, ew::grad_out(ew::wide(x.data(), 3, 2)), ew::wide(x.data(), 3, 2));
}
