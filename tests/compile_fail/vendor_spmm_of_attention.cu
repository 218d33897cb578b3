// expected-error: vendor_spmm: cuSPARSE computes gather<sum> or gather<mean> of src<h> or of edge<w> * src<h>, and
// nothing above it
#include <edgewise/edgewise.cuh>
#include <edgewise/vendor/vendor_spmm.cuh>

namespace ew = edgewise;

struct h;
struct s;

void run(ew::graph<ew::csr_view<>, ew::csc_view<>> const& g, float* data) {
  auto const in = ew::bindings(ew::bind<h>(ew::wide(data, 3, 2)), ew::bind<s>(ew::per_row(data, 4)));
  ew::vendor_spmm(ew::cuda{}, g, ew::gather<ew::sum>(softmax(ew::edge<s>) * ew::src<h>), in);
}
