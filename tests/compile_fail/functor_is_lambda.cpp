// expected-error: functor F: is a lambda
// every-compiler
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;
struct h;

auto const square = [](auto x) { return x * x; };
auto const message = ew::apply(square, ew::src<h>);
