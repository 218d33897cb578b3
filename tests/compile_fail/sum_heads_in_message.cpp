// expected-error: sum_heads / mean_heads: belongs above gathers, as in sum_heads(gather<sum>(message))
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct h;

void run(ew::graph<ew::csr_view<>> const& g, float* data) {
  auto const in = ew::bindings(ew::bind<h>(ew::wide(data, 3, 2, 4)));
  auto const plan = ew::fuse(g, ew::automatic{}, ew::gather<ew::sum>(ew::sum_heads(ew::src<h>))).plan(ew::cpu{}, in);
}
