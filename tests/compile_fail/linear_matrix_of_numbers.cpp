// expected-error: linear: its matrix is bound as wide(data, inputs, heads, channels)
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;
struct h;
struct W;

void test(ew::graph<ew::csr_view<>> const& g, float const* data) {
  auto const in = ew::bindings(ew::bind<h>(ew::wide(data, 4, 2)), ew::bind<W>(ew::per_head(data, 2, 3)));
  ew::fuse(g, ew::automatic{}, ew::gather<ew::sum>(ew::linear<W>(ew::src<h>))).plan(ew::cpu{}, in);
}
