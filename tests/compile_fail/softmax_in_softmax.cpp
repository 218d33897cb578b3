// expected-error: softmax: the score of a softmax cannot hold another softmax
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct h;
struct w;

auto run(ew::graph<ew::csr_view<>> const& g) {
  return ew::fuse(g, ew::automatic{}, ew::gather<ew::sum>(ew::softmax(ew::softmax(ew::edge<w>)) * ew::src<h>));
}
