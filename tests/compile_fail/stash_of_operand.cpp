// expected-error: stash: only results of operations and sums over channels can be kept
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct h;
struct score;
struct other;

void run(ew::graph<ew::csr_view<>> const& g) {
  auto const kernel =
      ew::fuse(g, ew::automatic{}, ew::gather<ew::sum>(ew::named<score>(ew::src<h>)), ew::stash<score>{});
}
