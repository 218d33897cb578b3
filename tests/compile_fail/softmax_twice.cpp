// expected-error: softmax: only one factor of a message may be a softmax
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct h;
struct w;

auto run(ew::graph<ew::csr_view<>> const& g) {
  return ew::fuse(g, ew::automatic{}, ew::gather<ew::sum>(ew::softmax(ew::edge<w>) * ew::softmax(ew::src<h>)));
}
