// expected-error: gather: a message cannot hold another gather
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct h;
struct w;

auto run(ew::graph<ew::csr_view<>> const& g) {
  return ew::fuse(g, ew::automatic{}, ew::gather<ew::sum>(ew::src<h> * ew::gather<ew::sum>(ew::src<h>)));
}
