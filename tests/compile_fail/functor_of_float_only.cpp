// expected-error: functor F: cannot be differentiated, its call operator does not take ew::dual
// every-compiler
#include <edgewise/expression/functor.hpp>

struct halve {
  EDGEWISE_HD float operator()(float x) const { return x / 2; }
};
struct h;

constexpr auto message = edgewise::apply(halve{}, edgewise::src<h>);
