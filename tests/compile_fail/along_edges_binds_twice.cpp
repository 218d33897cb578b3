// expected-error: along_edges: an operand is read by a product and by itself
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;
struct h;
struct W;

void test(ew::graph<ew::csr_view<>> const& g, float const* data) {
  auto const in = ew::bindings(ew::bind<h>(ew::wide(data, 4, 2)), ew::bind<W>(ew::wide(data, 2, 2)));
  auto const program = ew::gather<ew::sum>(ew::linear<W>(ew::src<h>)) + ew::dst<h>;
  ew::fuse(g, ew::automatic{}, program, ew::along_edges<2>{}).plan(ew::cpu{}, in);
}
