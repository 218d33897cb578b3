// expected-error: stash: no part of a message has this name
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct h;
struct score;
struct other;

void run(ew::graph<ew::csr_view<>> const& g) {
  auto const kernel =
      ew::fuse(g, ew::automatic{}, ew::gather<ew::sum>(ew::named<score>(ew::dst<h> * ew::src<h>)), ew::stash<other>{});
}
