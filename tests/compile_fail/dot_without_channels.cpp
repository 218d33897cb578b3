// expected-error: dot / sum_channels: needs at least one operand with channels
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct h;
struct w;

void run(ew::graph<ew::csr_view<>> const& g, float* data) {
  auto const in = ew::bindings(ew::bind<h>(ew::per_head(data, 3, 2)), ew::bind<w>(ew::per_row(data, 3)));
  auto const plan =
      ew::fuse(g, ew::automatic{}, ew::gather<ew::sum>(ew::dot(ew::edge<w>, ew::src<h>))).plan(ew::cpu{}, in);
}
