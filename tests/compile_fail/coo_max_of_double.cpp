// expected-error: graph{coo}: max and min are scattered as 64-bit words of a float and its edge; store operands as float or convert with to_csr
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct h;

void run(ew::graph<ew::coo_view<>> const& g, double* data) {
  auto const in = ew::bindings(ew::bind<h>(ew::wide(data, 3, 2)));
  auto const plan = ew::fuse(g, ew::edge_balanced{}, ew::gather<ew::max>(ew::src<h>)).plan(ew::cpu{}, in);
}
