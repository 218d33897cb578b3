// expected-error: program: reads no operand
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

void run(ew::graph<ew::csr_view<>> const& g) {
  ew::fuse(g, ew::automatic{}, ew::gather<ew::sum>(ew::constant(1.0))).plan(ew::cpu{}, ew::bindings());
}
