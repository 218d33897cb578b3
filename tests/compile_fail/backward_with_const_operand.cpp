// expected-error: bindings: these are not of the types that the plan was made for
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct h;

void run(ew::graph<ew::csr_view<>, ew::csc_view<>> const& g, float* data) {
  auto const in = ew::bindings(ew::bind<h>(ew::wide(data, 3, 2)));
  auto const plan = ew::fuse(g, ew::automatic{}, ew::gather<ew::sum>(ew::src<h>)).plan(ew::cpu{}, in);
  float const* const fixed = data;
  plan.backward(ew::cpu{}, ew::bindings(ew::bind<h>(ew::wide(fixed, 3, 2))), plan.make_saved(ew::cpu{}),
                ew::grad_out(ew::wide(data + 6, 3, 2)), ew::grad<h>(ew::wide(data + 12, 3, 2)));
}
