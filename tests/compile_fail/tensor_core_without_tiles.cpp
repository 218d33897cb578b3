// expected-error: mapping: tensor_core walks tiles, and this graph has none; convert with to_wsb
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct h;

auto run(ew::csr_view<> const& csr, ew::csc_view<> const& csc) {
  return ew::fuse(ew::graph{csr, csc}, ew::tensor_core{}, ew::gather<ew::sum>(ew::src<h>));
}
