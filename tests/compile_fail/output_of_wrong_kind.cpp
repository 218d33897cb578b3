// expected-error: out, grad_out: the program's value
// every-compiler
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct h;
struct w;

void run(ew::graph<ew::csr_view<>> const& g, float* data, float* result) {
  auto const in = ew::bindings(ew::bind<h>(ew::wide(data, 3, 2)));
  auto const plan = ew::fuse(g, ew::automatic{}, ew::gather<ew::sum>(ew::src<h>)).plan(ew::cpu{}, in);
  plan.forward(ew::cpu{}, in, ew::out(ew::per_row(result, 3)));
}
