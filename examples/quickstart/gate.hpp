// The user's part of the quickstart: a functor and a program, the same for host and device.
#pragma once

#include <edgewise/edgewise.hpp>

namespace quickstart {

namespace ew = edgewise;

// [begin program]
struct gate {  // a function of scalars; its derivative is found from this text
  static constexpr char const* name = "gate";
  float sharpness;
  template <class T>
  EDGEWISE_HD T operator()(T x, T weight) const {
    return x / (T(1) + ew::exp(-sharpness * weight * x));
  }
};
struct h;  // names of the operands
struct w;
struct b;

// out[v] = relu(sum over edges e: u -> v of gate(h[u], w[e]) + b)
inline constexpr auto program =
    ew::relu(ew::gather<ew::sum>(ew::apply(gate{2}, ew::src<h>, ew::edge<w>)) + ew::param<b>);
// [end program]

}  // namespace quickstart
