// expected-error: graph{coo}: sums that are scattered into 16 bits are formed as float first
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct h;

void run(ew::graph<ew::coo_view<>> const& g, float const* data, ew::float16* result) {
  auto const in = ew::bindings(ew::bind<h>(ew::wide(data, 3, 2)));
  auto const plan = ew::fuse(g, ew::edge_balanced{}, ew::gather<ew::sum>(ew::src<h>)).plan(ew::cpu{}, in);
  plan.forward(ew::cpu{}, in, ew::out(ew::wide(result, 3, 2)));
}
