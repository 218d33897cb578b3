// expected-error: graph{coo}: this gather has no atomic form, only sum, max and min have; convert with to_csr
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct h;

void run(ew::graph<ew::coo_view<>> const& g, float* data) {
  auto const in = ew::bindings(ew::bind<h>(ew::wide(data, 3, 2)));
  auto const program = ew::gather<ew::sum>(ew::softmax(ew::src<h>) * ew::src<h>);
  auto const plan = ew::fuse(g, ew::edge_balanced{}, program).plan(ew::cpu{}, in);
}
