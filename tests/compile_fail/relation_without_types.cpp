// expected-error: relation<...>: reads a row by the type of an edge, and the edges of this graph have none
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct h;
struct w;

void run(ew::graph<ew::csr_view<>> const& g) {
  ew::fuse(g, ew::automatic{}, ew::gather<ew::sum>(ew::relation<w> * ew::src<h>));
}
