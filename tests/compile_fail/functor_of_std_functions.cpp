// expected-error: functor_calls_ew_exp_not_std_exp
// every-compiler
// first-lines: 25
#include <cmath>

#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct gate {
  template <class T>
  EDGEWISE_HD T operator()(T x) const {
    return x / (T(1) + std::exp(-x));
  }
};
struct h;

auto const program = ew::gather<ew::sum>(ew::apply(gate{}, ew::src<h>));
