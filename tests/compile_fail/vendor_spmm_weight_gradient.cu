// expected-error: vendor_spmm: gives the gradient of the features alone
#include <edgewise/edgewise.cuh>
#include <edgewise/vendor/vendor_spmm.cuh>

namespace ew = edgewise;

struct h;
struct w;

void run(ew::graph<ew::csr_view<>, ew::csc_view<>> const& g, float* data) {
  auto const in = ew::bindings(ew::bind<h>(ew::wide(data, 3, 2)), ew::bind<w>(ew::per_row(data, 4)));
  auto const plan = ew::vendor_spmm(ew::cuda{}, g, ew::gather<ew::sum>(ew::edge<w> * ew::src<h>), in);
  auto const saved = plan.make_saved(ew::cuda{});
  plan.backward(ew::cuda{}, in, saved, ew::grad_out(ew::wide(data, 3, 2)), ew::grad<w>(ew::per_row(data, 4)));
}
