// expected-error: functor F: cannot be called with this many scalars
#include <edgewise/expression/functor.hpp>

struct gate {
  template <class T>
  EDGEWISE_HD T operator()(T x, T weight) const {
    return x * weight;
  }
};
struct h;

constexpr auto message = edgewise::apply(gate{}, edgewise::src<h>);
