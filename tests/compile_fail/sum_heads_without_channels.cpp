// expected-error: sum_heads / mean_heads: needs a value with heads and channels, such as a gather of wide operands
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct w;

void run(ew::graph<ew::csr_view<>> const& g, float* data) {
  auto const in = ew::bindings(ew::bind<w>(ew::per_head(data, 3, 2)));
  auto const plan = ew::fuse(g, ew::automatic{}, ew::sum_heads(ew::gather<ew::sum>(ew::edge<w>))).plan(ew::cpu{}, in);
}
