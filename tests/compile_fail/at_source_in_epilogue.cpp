// expected-error: at_source: belongs inside a gather
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct h;

auto run(ew::graph<ew::csr_view<>> const& g) {
  return ew::fuse(g, ew::automatic{}, ew::gather<ew::sum>(ew::src<h>) + ew::at_source(ew::gather<ew::sum>(ew::src<h>)));
}
