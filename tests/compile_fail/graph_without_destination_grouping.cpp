// expected-error: graph: a gather on chip needs the edges grouped by destination; build graph{csr} or graph{csr, csc}
// every-compiler
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct h;

void run(ew::graph<ew::csc_view<>> const& g, float* data) {
  auto const in = ew::bindings(ew::bind<h>(ew::wide(data, 3, 2)));
  auto const plan = ew::fuse(g, ew::edge_balanced{}, ew::gather<ew::sum>(ew::src<h>)).plan(ew::cpu{}, in);
}
