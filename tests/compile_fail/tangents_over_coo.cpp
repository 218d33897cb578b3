// expected-error: with_tangent: rows over graph{coo} are added to by many edges at a time
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;
struct h;

void test(ew::graph<ew::coo_view<>> const& g, ew::with_tangent<float> const* data) {
  auto const in = ew::bindings(ew::bind<h>(ew::wide(data, 4, 2)));
  ew::fuse(g, ew::edge_balanced{}, ew::gather<ew::sum>(ew::src<h>)).plan(ew::cpu{}, in);
}
