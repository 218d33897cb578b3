// expected-error: grad: the gradient of a double is stored as double, that of a float, bfloat16 or float16 as one of these
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct h;

void run(ew::graph<ew::csr_view<>, ew::csc_view<>> const& g, ew::bfloat16* data, double* gradient) {
  auto const in = ew::bindings(ew::bind<h>(ew::wide(data, 3, 2)));
  auto const plan = ew::fuse(g, ew::automatic{}, ew::gather<ew::sum>(ew::src<h>)).plan(ew::cpu{}, in);
  plan.backward(ew::cpu{}, in, plan.make_saved(ew::cpu{}), ew::grad_out(ew::wide(data, 3, 2)),
                ew::grad<h>(ew::wide(gradient, 3, 2)));
}
