// expected-error: nondeterministic: chooses how gradients of max and min over edges grouped by destination are summed
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct h;

void run(ew::graph<ew::csr_view<>> const& g) {
  auto const kernel = ew::fuse(g, ew::automatic{}, ew::gather<ew::sum>(ew::src<h>), ew::nondeterministic{});
}
