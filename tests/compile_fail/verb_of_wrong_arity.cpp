// expected-error: functor F: cannot be called with this many scalars
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct h;

auto run() {
  return ew::apply_edge([](auto x, auto y) { return x + y; }, ew::src<h>);
}
