// expected-error: out: the output of operands of double is stored as double, that of others as float, bfloat16 or float16
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct h;
struct w;

void run(ew::graph<ew::csr_view<>> const& g, float* data, double* result) {
  auto const in = ew::bindings(ew::bind<h>(ew::wide(data, 3, 2)));
  auto const plan = ew::fuse(g, ew::automatic{}, ew::gather<ew::sum>(ew::src<h>)).plan(ew::cpu{}, in);
  plan.forward(ew::cpu{}, in, ew::out(ew::wide(result, 3, 2)));
}
