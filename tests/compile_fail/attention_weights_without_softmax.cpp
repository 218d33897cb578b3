// expected-error: attention_weights: the program needs exactly one softmax
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct h;

void run(ew::graph<ew::csr_view<>> const& g, float* x) {
  auto const in = ew::bindings(ew::bind<h>(ew::wide(x, 2, 4)));
  auto const plan = ew::fuse(g, ew::automatic{}, ew::gather<ew::sum>(ew::src<h>)).plan(ew::cpu{}, in);
  auto const saved = plan.make_saved(ew::cpu{});
  plan.attention_weights(ew::cpu{}, in, saved, ew::out(ew::per_head(x, 3, 1)));
}
