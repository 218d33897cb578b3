// expected-error: hand_over: over graph{coo} nothing is handed
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct h;

void run(ew::graph<ew::coo_view<>> const& g, float* data) {
  auto const in = ew::bindings(ew::bind<h>(ew::wide(data, 3, 1, 2)));
  auto const program = ew::gather<ew::sum>(ew::softmax(ew::dot(ew::dst<h>, ew::src<h>)) * ew::src<h>);
  auto const plan = ew::fuse(g, ew::edge_balanced{}, program, ew::hand_over{}).plan(ew::cpu{}, in);
}
