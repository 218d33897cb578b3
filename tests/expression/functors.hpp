// User functors as the tests of host and device use them.
#pragma once

#include <edgewise/expression/functor.hpp>
#include <edgewise/expression/mathematics.hpp>

namespace edgewise::testing {

/// x * sigmoid(x), with nothing but a call operator.
struct silu {
  template <class T>
  EDGEWISE_HD T operator()(T x) const {
    return x / (1 + edgewise::exp(-x));
  }
};

/// Promises slopes that are finite: its derivative runs along the adjoint.
struct leaky_sum {
  static constexpr bool has_finite_slope = true;
  template <class T>
  EDGEWISE_HD T operator()(T a, T b) const {
    T const x = a + 2 * b;
    return x > T(0) ? x : T(0.25) * x;
  }
};

/// exp(-gamma (d - center)^2): state of either precision travels with the message.
struct radial_basis {
  static constexpr char const* name = "radial_basis";
  static constexpr int flops = 11;
  float gamma;
  double center;
  template <class T>
  EDGEWISE_HD T operator()(T distance) const {
    T const offset = distance - T(center);
    return edgewise::exp(-T(gamma) * offset * offset);
  }
};

/// A branch, a kink and two arguments.
struct gate {
  template <class T>
  EDGEWISE_HD T operator()(T x, T weight) const {
    return x > weight ? edgewise::maximum(x * weight, T(0)) : 0.25 * x;
  }
};

struct fused_multiply_tanh {
  template <class T>
  EDGEWISE_HD T operator()(T a, T b, T c) const {
    return edgewise::tanh(a * b + c);
  }
};

struct interpolate {
  template <class T>
  EDGEWISE_HD T operator()(T a, T b, T t, T power) const {
    T const part = edgewise::pow(t, power);
    T result = a;
    result += part * (b - a);
    return result;
  }
};

/// Brings its own derivative, and a call operator that dual numbers do not fit.
struct own_derivative {
  EDGEWISE_HD float operator()(float x, float y) const { return x * x * y; }
  EDGEWISE_HD double operator()(double x, double y) const { return x * x * y; }
  template <int I, class T>
  EDGEWISE_HD T pull(T adjoint, T, T x, T y) const {
    return I == 0 ? 2 * x * y * adjoint : x * x * adjoint;
  }
};

/// A derivative that is not the function's: whoever asks for it sees whether it is used.
struct straight_through {
  template <class T>
  EDGEWISE_HD T operator()(T x) const {
    return x > 0 ? T(1) : T(-1);
  }
  template <int I, class T>
  EDGEWISE_HD T pull(T adjoint, T, T) const {
    return adjoint;
  }
};

}  // namespace edgewise::testing
