// expected-error: stash: a program of edges keeps nothing
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct h;

void run(ew::graph<ew::csr_view<>> const& g) {
  auto const kernel = ew::fuse(g, ew::automatic{}, ew::scatter(ew::dst<h> * ew::src<h>), ew::stash<ew::automatic>{});
}
