// expected-error: concat: ends a program, as in
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct h;
struct w;

void run(ew::graph<ew::csr_view<>> const& g, float* x) {
  auto const in = ew::bindings(ew::bind<h>(ew::wide(x, 2, 4)), ew::bind<w>(ew::per_row(x, 3)));
  auto const message = ew::edge<w> * ew::src<h>;
  auto const program = ew::relu(ew::concat(ew::gather<ew::sum>(message), ew::gather<ew::max>(message)));
  auto const plan = ew::fuse(g, ew::automatic{}, program).plan(ew::cpu{}, in);
  plan.forward(ew::cpu{}, in, ew::out(ew::wide(x, 2, 2, 4)));
}
