// expected-error: hand_over: the program has no softmax
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct h;

void run(ew::graph<ew::csr_view<>, ew::csc_view<>> const& g) {
  auto const kernel = ew::fuse(g, ew::automatic{}, ew::gather<ew::sum>(ew::dst<h> * ew::src<h>), ew::hand_over{});
}
