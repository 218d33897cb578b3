// expected-error: fuse: an option is given twice
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct h;

void run(ew::graph<ew::csr_view<>> const& g) {
  auto const kernel =
      ew::fuse(g, ew::automatic{}, ew::gather<ew::sum>(ew::src<h>), ew::recompute{}, ew::stash<ew::automatic>{});
}
