// expected-error: at_source, at_destination: read values of gathers
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct h;

auto run(ew::graph<ew::csr_view<>> const& g) {
  return ew::fuse(g, ew::automatic{}, ew::gather<ew::sum>(ew::at_source(ew::dst<h>)));
}
