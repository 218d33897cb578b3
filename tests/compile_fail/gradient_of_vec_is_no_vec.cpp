// expected-error: grad: the gradient of small vectors is small vectors of the same length (vec_per_row, vec_per_head)
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct p;

void run(ew::graph<ew::csr_view<>, ew::csc_view<>> const& g, float* data) {
  auto const in = ew::bindings(ew::bind<p>(ew::vec_per_head<2>(data, 3, 2)));
  auto const plan = ew::fuse(g, ew::automatic{}, ew::gather<ew::sum>(ew::sum_over<2>(ew::src<p>))).plan(ew::cpu{}, in);
  auto const saved = plan.make_saved(ew::cpu{});
  plan.backward(ew::cpu{}, in, saved, ew::grad_out(ew::per_head(data, 3, 2)), ew::grad<p>(ew::per_head(data, 3, 2)));
}
