// expected-error: functor F: its 'pull' must take the adjoint, the result and every argument
#include <edgewise/expression/functor.hpp>

struct halve {
  template <class T>
  EDGEWISE_HD T operator()(T x) const {
    return x / 2;
  }
  template <class T, int I>  // the index comes first
  EDGEWISE_HD T pull(T adjoint, T, T) const {
    return adjoint / 2;
  }
};
struct h;

constexpr auto message = edgewise::apply(halve{}, edgewise::src<h>);
