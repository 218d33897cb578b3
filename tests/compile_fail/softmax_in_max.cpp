// expected-error: softmax: is fused with gather<sum> only
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct h;
struct w;

auto run(ew::graph<ew::csr_view<>> const& g) {
  return ew::fuse(g, ew::automatic{}, ew::gather<ew::max>(ew::softmax(ew::edge<w>) * ew::src<h>));
}
