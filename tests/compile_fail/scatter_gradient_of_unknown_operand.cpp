// expected-error: backward: a gradient is asked for an operand that the program does not read
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct h;
struct k;

void run(ew::graph<ew::csr_view<>> const& g, float* x) {
  auto const in = ew::bindings(ew::bind<h>(ew::wide(x, 2, 4)));
  auto const plan = ew::fuse(g, ew::automatic{}, ew::scatter(ew::dst<h>)).plan(ew::cpu{}, in);
  auto const saved = plan.make_saved(ew::cpu{});
  plan.backward(ew::cpu{}, in, saved, ew::grad_out(ew::wide(x, 3, 4)), ew::grad<k>(ew::wide(x, 2, 4)));
}
