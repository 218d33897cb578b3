// expected-error: at_source, at_destination, over_row, linear, per_vertex: need grouped edges
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct h;

auto run(ew::graph<ew::coo_view<>> const& g) {
  return ew::fuse(g, ew::automatic{}, ew::gather<ew::sum>(ew::exp(ew::src<h> - ew::over_row<ew::max>(ew::src<h>))));
}
