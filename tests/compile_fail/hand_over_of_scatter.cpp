// expected-error: hand_over: for programs that gather
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct h;

void run(ew::graph<ew::csr_view<>, ew::csc_view<>> const& g) {
  auto const program = ew::scatter(ew::softmax(ew::dot(ew::dst<h>, ew::src<h>)));
  auto const kernel = ew::fuse(g, ew::automatic{}, program, ew::hand_over{});
}
