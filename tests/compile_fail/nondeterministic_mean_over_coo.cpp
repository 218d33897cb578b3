// expected-error: nondeterministic: chooses how gradients of max and min over edges grouped by destination are summed, and whether automatic may scatter a sum, max or min over graph{coo}
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct h;

void run(ew::graph<ew::coo_view<>> const& g) {
  auto const kernel = ew::fuse(g, ew::automatic{.passes = 1}, ew::gather<ew::mean>(ew::src<h>), ew::nondeterministic{});
}
