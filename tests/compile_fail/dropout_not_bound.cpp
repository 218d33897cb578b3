// expected-error: bindings: the random numbers of a dropout are not bound
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct h;
struct drop;

void run(ew::graph<ew::csr_view<>> const& g, float* data) {
  auto const in = ew::bindings(ew::bind<h>(ew::wide(data, 3, 2)));
  auto const plan =
      ew::fuse(g, ew::automatic{}, ew::gather<ew::sum>(ew::dropout<drop>(ew::src<h>, 0.5))).plan(ew::cpu{}, in);
}
