// expected-error: bindings: an operand of the program is not bound; add bind<name>(view) for it
// every-compiler
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct h;
struct w;

void run(ew::graph<ew::csr_view<>> const& g, float* data) {
  auto const in = ew::bindings(ew::bind<h>(ew::wide(data, 3, 2)));  // w is missing
  auto const plan = ew::fuse(g, ew::automatic{}, ew::gather<ew::sum>(ew::edge<w> * ew::src<h>)).plan(ew::cpu{}, in);
}
