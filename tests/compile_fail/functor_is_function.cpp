// expected-error: write a struct where F is a function (expression/functor.hpp)
#include <edgewise/expression/functor.hpp>

template <class T>
T product(T x, T y) {
  return x * y;
}
struct h;

constexpr auto message = edgewise::apply(product<double>, edgewise::src<h>, edgewise::dst<h>);
