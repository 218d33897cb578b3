// expected-error: bindings: operands stored as double or with_tangent cannot be mixed with others in one program; float,
// every-compiler
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct h;
struct w;

void run(ew::graph<ew::csr_view<>> const& g, float* data, double* weights) {
  auto const in = ew::bindings(ew::bind<h>(ew::wide(data, 3, 2)), ew::bind<w>(ew::per_row(weights, 3)));
  auto const plan = ew::fuse(g, ew::automatic{}, ew::gather<ew::sum>(ew::edge<w> * ew::src<h>)).plan(ew::cpu{}, in);
}
