// expected-error: scatter: a program of edges cannot hold a gather
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct h;

auto run(ew::graph<ew::csr_view<>> const& g) {
  return ew::fuse(g, ew::automatic{}, ew::scatter(ew::src<h> * ew::gather<ew::sum>(ew::src<h>)));
}
