// expected-error: bindings: an operand is bound that the program does not read
// expected-error: require_read<edgewise::v0::every_role<h>
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct h;

void run(ew::graph<ew::csr_view<>> const& g, float* data) {
  // The only role that is read has a binding of its own.
  auto const in = ew::bindings(ew::bind<h>(ew::wide(data, 3, 2)), ew::bind<ew::src<h>>(ew::wide(data, 3, 2)));
  auto const plan = ew::fuse(g, ew::automatic{}, ew::gather<ew::sum>(ew::src<h>)).plan(ew::cpu{}, in);
}
