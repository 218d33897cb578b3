// expected-error: bindings: these are not of the types that the plan was made for
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct h;
struct w;

void run(ew::graph<ew::csr_view<>, ew::csc_view<>> const& g, float* data) {
  auto const rows = ew::bind<h>(ew::wide(data, 3, 2));
  auto const weights = ew::bind<w>(ew::per_row(data, 4));
  auto const plan = ew::fuse(g, ew::automatic{}, ew::gather<ew::sum>(ew::edge<w> * ew::src<h>))
                        .plan(ew::cpu{}, ew::bindings(rows, weights));
  plan.forward(ew::cpu{}, ew::bindings(weights, rows), ew::out(ew::wide(data + 6, 3, 2)));
}
