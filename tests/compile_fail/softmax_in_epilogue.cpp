// expected-error: softmax: must be a factor of the message of gather<sum>
// every-compiler
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct h;
struct w;

auto run(ew::graph<ew::csr_view<>> const& g) {
  return ew::fuse(g, ew::automatic{}, ew::softmax(ew::gather<ew::sum>(ew::src<h>)));
}
