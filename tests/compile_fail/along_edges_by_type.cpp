// expected-error: along_edges: takes no matrix that is bound by_type
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct h;
struct W;

void run(ew::graph<ew::csr_view<>> const& g, float const* p, ew::row_types_view<> const& types) {
  auto const in = ew::bindings(ew::bind<h>(ew::wide(p, 3, 8)), ew::bind<W>(ew::by_type(ew::wide(p, 16, 4), types)));
  ew::fuse(g, ew::automatic{}, ew::gather<ew::sum>(ew::linear<W>(ew::src<h>)), ew::along_edges<8>{})
      .plan(ew::cpu{}, in);
}
