// expected-error: functor F: must be trivially copyable, it travels to the device
#include <edgewise/expression/functor.hpp>

#include <vector>

struct polynomial {
  std::vector<double> coefficients;
  template <class T>
  EDGEWISE_HD T operator()(T x) const {
    return x * T(coefficients[0]);
  }
};
struct h;

auto const message = edgewise::apply(polynomial{{1.0}}, edgewise::src<h>);
