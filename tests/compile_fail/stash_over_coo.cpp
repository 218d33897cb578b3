// expected-error: stash: over graph{coo} everything is computed again
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct h;
struct score;

void run(ew::graph<ew::coo_view<>> const& g, float* data) {
  auto const in = ew::bindings(ew::bind<h>(ew::wide(data, 3, 2)));
  auto const program = ew::gather<ew::sum>(ew::named<score>(ew::dst<h> * ew::src<h>));
  auto const plan = ew::fuse(g, ew::edge_balanced{}, program, ew::stash<score>{}).plan(ew::cpu{}, in);
}
