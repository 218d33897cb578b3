// expected-error: plan: edges of graph{coo} take no policy
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct h;

void run(ew::graph<ew::coo_view<>> const& g, float* data) {
  auto const in = ew::bindings(ew::bind<h>(ew::wide(data, 3, 2)));
  auto const kernel = ew::fuse(g, ew::edge_balanced{}, ew::gather<ew::sum>(ew::src<h>));
  auto const plan = kernel.plan(ew::cpu{}, in, ew::schedule_policy<ew::edge_split>{});
}
