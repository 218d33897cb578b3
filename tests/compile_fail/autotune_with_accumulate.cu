// expected-error: autotune: runs the backward pass many times, which overwrites gradients: ask with grad, not
// accumulate
#include <edgewise/edgewise.cuh>
#include <edgewise/tuning/autotune.cuh>

namespace ew = edgewise;

struct h;

void run(ew::graph<ew::csr_view<>, ew::csc_view<>> const& g, float* data) {
  auto const in = ew::bindings(ew::bind<h>(ew::wide(data, 3, 2)));
  auto const kernel = ew::fuse(g, ew::automatic{}, ew::gather<ew::sum>(ew::src<h>));
  ew::tuning_cache cache;
  auto const y = ew::wide(data, 3, 2);
  ew::autotune(ew::cuda{}, cache, kernel, in, ew::out(y), ew::grad_out(y), ew::accumulate<h>(y));
}
