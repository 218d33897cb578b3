// expected-error: sum_over: an operand under sum_over<R> is bound to small vectors of another length than R
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct a;
struct p;

void run(ew::graph<ew::csr_view<>> const& g, float* data) {
  auto const in = ew::bindings(ew::bind<p>(ew::vec_per_row<2>(data, 3)), ew::bind<a>(ew::vec_per_row<3>(data, 1)));
  auto const message = ew::sum_over<2>(ew::edge<p> * ew::param<a>);
  auto const plan = ew::fuse(g, ew::automatic{}, ew::gather<ew::sum>(message)).plan(ew::cpu{}, in);
}
