// expected-error: with_self: belongs directly inside a gather
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct h;

auto run(ew::graph<ew::csr_view<>> const& g) {
  return ew::fuse(g, ew::automatic{}, ew::with_self(ew::gather<ew::sum>(ew::src<h>)));
}
