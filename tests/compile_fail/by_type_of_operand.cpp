// expected-error: bindings: by_type binds the matrix of a linear<W>(x), and no other operand
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct h;

void run(ew::graph<ew::csr_view<>> const& g, float const* rows, ew::row_types_view<> const& types) {
  auto const in = ew::bindings(ew::bind<h>(ew::by_type(ew::wide(rows, 10, 4), types)));
  ew::fuse(g, ew::automatic{}, ew::gather<ew::sum>(ew::src<h>)).plan(ew::cpu{}, in);
}
