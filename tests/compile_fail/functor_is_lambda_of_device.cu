// expected-error: functor F: is a lambda
// flags: --extended-lambda
#include <edgewise/edgewise.cuh>

namespace ew = edgewise;
struct h;

auto run() {
  auto const twice = [] __device__(float x) { return 2 * x; };
  return ew::gather<ew::sum>(ew::apply(twice, ew::src<h>));
}
