// Sums and extrema over ungrouped edges: atomics of every architecture.
#include <edgewise/edgewise.cuh>

struct h;
struct w;

template <class Gather>
void scatter(edgewise::graph<edgewise::coo_view<int, int>> const& g, int vertices, int edges, int channels,
             float* data) {
  namespace ew = edgewise;
  auto const rows = ew::wide(data, vertices, channels);
  auto const in = ew::bindings(ew::bind<h>(rows), ew::bind<w>(ew::per_row(data, edges)));
  auto const plan = ew::fuse(g, ew::edge_balanced{}, ew::gather<Gather>(ew::edge<w> * ew::src<h>)).plan(ew::cuda{}, in);
  plan.forward(ew::cuda{}, in, ew::out(rows));
}

template void scatter<edgewise::sum>(edgewise::graph<edgewise::coo_view<int, int>> const&, int, int, int, float*);
template void scatter<edgewise::max>(edgewise::graph<edgewise::coo_view<int, int>> const&, int, int, int, float*);
