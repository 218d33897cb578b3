// An operation from outside the library: (a - b)^2, channel by channel. The skeleton of docs/add_an_operation.md.
#pragma once

#include <edgewise/edgewise.hpp>

namespace outside {

namespace ew = edgewise;

// [begin operation]
/// (a - b)^2.
struct squared_difference {
  static constexpr char const* name = "squared_difference";  // in plan.explain()
  static constexpr int flops = 2;                            // a channel
  template <class T>
  EDGEWISE_HD T value(T a, T b) const {
    return (a - b) * (a - b);
  }
  /// Bit j: the derivative by argument I reads argument j; bit 31: it reads the result. Optional, all by default.
  template <int I>
  static constexpr unsigned reads = 0b11;
  /// adjoint times the derivative of `value` by argument I.
  template <int I, class T>
  EDGEWISE_HD T pull(T adjoint, T /*result*/, T a, T b) const {
    return (I == 0 ? T(2) : T(-2)) * (a - b) * adjoint;
  }
};

/// The message (a - b)^2; the smaller argument broadcasts.
template <ew::expression A, ew::expression B>
constexpr auto squared_distance_of(A const& a, B const& b) {
  return ew::node<squared_difference, A, B>{{}, ew::make_pack(a, b)};
}
// [end operation]

}  // namespace outside
