// expected-error: exec: has no engine here; to run on cuda include edgewise/edgewise.cuh
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct h;

void run(ew::graph<ew::coo_view<>> const& g, float* data) {
  auto const in = ew::bindings(ew::bind<h>(ew::wide(data, 3, 2)));
  auto const plan = ew::fuse(g, ew::edge_balanced{}, ew::gather<ew::sum>(ew::src<h>)).plan(ew::cuda{}, in);
}
