// expected-error: automatic: over graph{coo} it groups the edges; to do so on cuda include edgewise/format/convert.cuh
#include <edgewise/edgewise.cuh>

namespace ew = edgewise;

struct h;

void run(ew::graph<ew::coo_view<>> const& g, float* data) {
  auto const in = ew::bindings(ew::bind<h>(ew::wide(data, 3, 2)));
  auto const plan = ew::fuse(g, ew::automatic{}, ew::gather<ew::sum>(ew::src<h>)).plan(ew::cuda{}, in);
}
