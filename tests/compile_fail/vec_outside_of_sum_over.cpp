// expected-error: sum_over: an operand bound to small vectors (vec_per_row, vec_per_head) is read outside of sum_over
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct p;
struct h;

void run(ew::graph<ew::csr_view<>> const& g, float* data) {
  auto const in = ew::bindings(ew::bind<p>(ew::vec_per_row<2>(data, 3)), ew::bind<h>(ew::wide(data, 3, 2)));
  auto const plan = ew::fuse(g, ew::automatic{}, ew::gather<ew::sum>(ew::edge<p> * ew::src<h>)).plan(ew::cpu{}, in);
}
