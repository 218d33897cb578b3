// expected-error: mapping: the edges of graph{coo} are not grouped: edge_balanced takes them so, automatic groups them; convert with to_csr
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct h;

void run(ew::graph<ew::coo_view<>> const& g, float* data) {
  auto const in = ew::bindings(ew::bind<h>(ew::wide(data, 3, 2)));
  auto const plan = ew::fuse(g, ew::vertex_balanced{}, ew::gather<ew::sum>(ew::src<h>)).plan(ew::cpu{}, in);
}
