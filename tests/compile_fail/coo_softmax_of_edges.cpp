// expected-error: graph{coo}: edges that are not grouped are scattered into one gather
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct h;

void run(ew::graph<ew::coo_view<>> const& g, float* x) {
  ew::fuse(g, ew::edge_balanced{}, ew::scatter(ew::softmax(ew::src<h>)))
      .plan(ew::cpu{}, ew::bindings(ew::bind<h>(ew::wide(x, 2, 4))));
}
