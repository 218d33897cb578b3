// expected-error: functor F: cannot be called with this many scalars, or is not const
#include <edgewise/expression/functor.hpp>

struct product {
  template <class T>
  EDGEWISE_HD T operator()(T x, T y) {
    return x * y;
  }
};
struct h;

constexpr auto message = edgewise::apply(product{}, edgewise::src<h>, edgewise::dst<h>);
