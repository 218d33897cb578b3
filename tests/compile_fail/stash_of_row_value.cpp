// expected-error: stash: this expression is decided by one endpoint or by parameters alone
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct h;
struct score;
struct other;

void run(ew::graph<ew::csr_view<>> const& g) {
  auto const kernel = ew::fuse(g, ew::automatic{}, ew::gather<ew::sum>(ew::named<score>(exp(ew::dst<h>)) * ew::src<h>),
                               ew::stash<score>{});
}
