// expected-error: bindings: random numbers are bound to a name that the program reads as an operand
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct h;
struct drop;

void run(ew::graph<ew::csr_view<>> const& g, ew::random_state const* state) {
  auto const in = ew::bindings(ew::bind<h>(ew::random_numbers(state)), ew::bind<drop>(ew::random_numbers(state)));
  auto const plan =
      ew::fuse(g, ew::automatic{}, ew::gather<ew::sum>(ew::dropout<drop>(ew::src<h>, 0.5))).plan(ew::cpu{}, in);
}
