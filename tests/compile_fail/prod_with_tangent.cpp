// expected-error: gather<prod>: has no tangents
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct h;

void run(ew::graph<ew::csr_view<>> const& g, ew::with_tangent<double>* data) {
  auto const in = ew::bindings(ew::bind<h>(ew::wide(data, 3, 2)));
  ew::fuse(g, ew::automatic{}, ew::gather<ew::prod>(ew::src<h>))
      .plan(ew::cpu{}, in)
      .forward(ew::cpu{}, in, ew::out(ew::wide(data + 6, 3, 2)));
}
