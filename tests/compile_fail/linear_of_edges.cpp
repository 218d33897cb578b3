// expected-error: linear, per_vertex: in messages they take what one endpoint of the edge decides
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;
struct f;
struct W;

auto test(ew::graph<ew::csr_view<>> const& g) {
  return ew::fuse(g, ew::automatic{}, ew::gather<ew::sum>(ew::linear<W>(ew::edge<f>)));
}
