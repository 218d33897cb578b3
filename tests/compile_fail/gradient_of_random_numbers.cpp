// expected-error: grad: the random numbers of a dropout have no gradient
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct h;
struct drop;

void run(ew::graph<ew::csr_view<>> const& g, float* data, ew::random_state const* state) {
  auto const in = ew::bindings(ew::bind<h>(ew::wide(data, 3, 2)), ew::bind<drop>(ew::random_numbers(state)));
  auto const plan =
      ew::fuse(g, ew::automatic{}, ew::gather<ew::sum>(ew::dropout<drop>(ew::src<h>, 0.5))).plan(ew::cpu{}, in);
  auto const saved = plan.make_saved(ew::cpu{});
  plan.backward(ew::cpu{}, in, saved, ew::grad_out(ew::wide(data, 3, 2)), ew::grad<drop>(ew::per_row(data, 1)));
}
