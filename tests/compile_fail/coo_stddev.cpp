// expected-error: graph{coo}: this gather has no atomic form, only sum (of a softmax too), max and min have; convert
// with to_csr
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct h;

void run(ew::graph<ew::coo_view<>> const& g, float* data) {
  auto const in = ew::bindings(ew::bind<h>(ew::wide(data, 3, 2)));
  auto const plan = ew::fuse(g, ew::edge_balanced{}, ew::gather<ew::stddev>(ew::src<h>)).plan(ew::cpu{}, in);
}
