// expected-error: bindings: the name of a dropout is bound to its random numbers
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct h;
struct drop;

void run(ew::graph<ew::csr_view<>> const& g, float* data) {
  auto const in = ew::bindings(ew::bind<h>(ew::wide(data, 3, 2)), ew::bind<drop>(ew::per_row(data, 1)));
  auto const plan =
      ew::fuse(g, ew::automatic{}, ew::gather<ew::sum>(ew::dropout<drop>(ew::src<h>, 0.5))).plan(ew::cpu{}, in);
}
