// expected-error: tensor_core: takes one gather<sum> or gather<mean> of a number per head times a row of the source
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct h;

auto run(ew::wsb_view<ew::csr_view<>> const& csr, ew::wsb_view<ew::csc_view<>> const& csc, ew::float16 const* H) {
  auto const in = ew::bindings(ew::bind<h>(ew::wide(H, 3, 64)));
  return ew::fuse(ew::graph{csr, csc}, ew::tensor_core{}, ew::gather<ew::sum>(ew::relu(ew::src<h> + ew::dst<h>)))
      .plan(ew::cpu{}, in);
}
