// Elementwise functions of messages and epilogues.
#pragma once

#include <edgewise/core/error.hpp>
#include <edgewise/expression/expression.hpp>

namespace edgewise::inline v0 {

namespace operation {

/// e to the power x.
struct exp {
  static constexpr char const* name = "exp";
  static constexpr bool is_lanewise = true;
  static constexpr int flops = 8;
  template <class T>
  EDGEWISE_HD T value(T x) const {
    return edgewise::exp(x);
  }
  template <int I, class T>
  EDGEWISE_HD T pull(T adjoint, T result, T) const {
    return adjoint * result;
  }
};

/// The natural logarithm of x: -inf at 0, NaN below.
struct log {
  static constexpr char const* name = "log";
  static constexpr bool is_lanewise = true;
  static constexpr int flops = 8;
  template <class T>
  EDGEWISE_HD T value(T x) const {
    return edgewise::log(x);
  }
  template <int I, class T>
  EDGEWISE_HD T pull(T adjoint, T, T x) const {
    return adjoint / x;
  }
};

/// The hyperbolic tangent of x.
struct tanh {
  static constexpr char const* name = "tanh";
  static constexpr bool is_lanewise = true;
  static constexpr int flops = 12;
  static constexpr bool has_finite_slope = true;
  template <class T>
  EDGEWISE_HD T value(T x) const {
    return edgewise::tanh(x);
  }
  template <int I, class T>
  EDGEWISE_HD T pull(T adjoint, T result, T) const {
    return adjoint * (T(1) - result * result);
  }
};

/// 1 / (1 + exp(-x)).
struct sigmoid {
  static constexpr char const* name = "sigmoid";
  static constexpr bool is_lanewise = true;
  static constexpr int flops = 12;
  static constexpr bool has_finite_slope = true;
  template <class T>
  EDGEWISE_HD T value(T x) const {
    return T(1) / (T(1) + edgewise::exp(-x));
  }
  template <int I, class T>
  EDGEWISE_HD T pull(T adjoint, T result, T) const {
    return adjoint * result * (T(1) - result);
  }
};

/// max(x, 0); the derivative at 0 is 0. NaN passes.
struct relu {
  static constexpr char const* name = "relu";
  static constexpr bool is_lanewise = true;
  static constexpr int flops = 1;
  static constexpr bool has_finite_slope = true;
  static constexpr bool chooses = true;
  template <class T>
  EDGEWISE_HD T value(T x) const {
    return detail::select(x <= T(0), T(0), x);
  }
  template <int I, class T>
  EDGEWISE_HD T pull(T adjoint, T, T x) const {
    return detail::select(x > T(0), adjoint, T(0));
  }
};

/// x for x > 0, slope * x elsewhere; the slope is not negative.
struct leaky_relu {
  static constexpr char const* name = "leaky_relu";
  static constexpr bool is_lanewise = true;
  static constexpr int flops = 2;
  static constexpr bool has_finite_slope = true;
  detail::constant_value slope;
  double parameter() const { return slope.in_double; }
  template <class T>
  EDGEWISE_HD T value(T x) const {
    return detail::select(x > T(0), x, slope.template as<T>() * x);
  }
  template <int I, class T>
  EDGEWISE_HD T pull(T adjoint, T, T x) const {
    return detail::select(x > T(0), adjoint, slope.template as<T>() * adjoint);
  }
  /// The result has the argument's sign, and stays in registers where the sum of a score reads it: no bits are kept
  /// from one comparison to the other.
  template <int I, class T>
  EDGEWISE_HD T pull_channels(T adjoint, T result, T) const {
    return detail::select(result > T(0), adjoint, slope.template as<T>() * adjoint);
  }
};

/// x for x > 0, alpha (exp(x) - 1) elsewhere.
struct elu {
  static constexpr char const* name = "elu";
  static constexpr bool is_lanewise = true;
  static constexpr int flops = 10;
  detail::constant_value alpha;
  double parameter() const { return alpha.in_double; }
  template <class T>
  EDGEWISE_HD T value(T x) const {
    if constexpr (detail::is_lanes<T>) {
      return detail::select(x > T(0), x, alpha.template as<T>() * (edgewise::exp(x) - T(1)));
    } else {
      return x > T(0) ? x : alpha.template as<T>() * (edgewise::exp(x) - T(1));  // behind a branch
    }
  }
  template <int I, class T>
  EDGEWISE_HD T pull(T adjoint, T result, T x) const {
    if constexpr (detail::is_lanes<T>) {
      return detail::select(x > T(0), adjoint, adjoint * (result + alpha.template as<T>()));
    } else {
      return x > T(0) ? adjoint : adjoint * (result + alpha.template as<T>());
    }
  }
};

/// |x|; the derivative at 0 is 0.
struct abs {
  static constexpr char const* name = "abs";
  static constexpr int flops = 1;
  static constexpr bool has_finite_slope = true;
  static constexpr bool chooses = true;
  template <class T>
  EDGEWISE_HD T value(T x) const {
    return edgewise::abs(x);
  }
  template <int I, class T>
  EDGEWISE_HD T pull(T adjoint, T, T x) const {
    return x > T(0) ? adjoint : (x < T(0) ? -adjoint : T(0));
  }
};

/// x times x.
struct square {
  static constexpr char const* name = "square";
  static constexpr bool is_lanewise = true;
  static constexpr int flops = 1;
  template <class T>
  EDGEWISE_HD T value(T x) const {
    return x * x;
  }
  template <int I, class T>
  EDGEWISE_HD T pull(T adjoint, T, T x) const {
    return T(2) * x * adjoint;
  }
};

/// The square root of x, NaN below 0; the derivative at 0 is infinite.
struct sqrt {
  static constexpr char const* name = "sqrt";
  static constexpr int flops = 8;
  template <class T>
  EDGEWISE_HD T value(T x) const {
    return edgewise::sqrt(x);
  }
  template <int I, class T>
  EDGEWISE_HD T pull(T adjoint, T result, T) const {
    return adjoint / (T(2) * result);
  }
};

/// The larger of two; on a tie the adjoint goes to the first.
struct maximum {
  static constexpr char const* name = "maximum";
  static constexpr int flops = 1;
  static constexpr bool has_finite_slope = true;
  static constexpr bool chooses = true;
  template <class T>
  EDGEWISE_HD T value(T a, T b) const {
    return edgewise::maximum(a, b);
  }
  template <int I, class T>
  EDGEWISE_HD T pull(T adjoint, T, T a, T b) const {
    return (a >= b) == (I == 0) ? adjoint : T(0);
  }
};

/// The smaller of two; on a tie the adjoint goes to the first.
struct minimum {
  static constexpr char const* name = "minimum";
  static constexpr int flops = 1;
  static constexpr bool has_finite_slope = true;
  static constexpr bool chooses = true;
  template <class T>
  EDGEWISE_HD T value(T a, T b) const {
    return edgewise::minimum(a, b);
  }
  template <int I, class T>
  EDGEWISE_HD T pull(T adjoint, T, T a, T b) const {
    return (a <= b) == (I == 0) ? adjoint : T(0);
  }
};

}  // namespace operation

namespace detail {

[[noreturn]] inline void throw_bad_slope(double slope) {
  throw invalid_argument(text("leaky_relu: slope = ", slope, " is negative"));
}

}  // namespace detail

template <expression A>
constexpr auto exp(A const& a) {
  return detail::make_node(operation::exp{}, a);
}
template <expression A>
constexpr auto log(A const& a) {
  return detail::make_node(operation::log{}, a);
}
template <expression A>
constexpr auto tanh(A const& a) {
  return detail::make_node(operation::tanh{}, a);
}
template <expression A>
constexpr auto sigmoid(A const& a) {
  return detail::make_node(operation::sigmoid{}, a);
}
template <expression A>
constexpr auto relu(A const& a) {
  return detail::make_node(operation::relu{}, a);
}
/// x for x > 0, slope * x elsewhere. Throws `invalid_argument` where the slope is negative.
template <expression A>
constexpr auto leaky_relu(A const& a, double slope = 0.01) {
  if (!(slope >= 0.0)) detail::throw_bad_slope(slope);
  return detail::make_node(operation::leaky_relu{slope}, a);
}
template <expression A>
constexpr auto elu(A const& a, double alpha = 1.0) {
  return detail::make_node(operation::elu{alpha}, a);
}
template <expression A>
constexpr auto abs(A const& a) {
  return detail::make_node(operation::abs{}, a);
}
template <expression A>
constexpr auto square(A const& a) {
  return detail::make_node(operation::square{}, a);
}
template <expression A>
constexpr auto sqrt(A const& a) {
  return detail::make_node(operation::sqrt{}, a);
}
template <class A, class B>
requires detail::operands<A, B>
constexpr auto maximum(A const& a, B const& b) { return detail::make_node(operation::maximum{}, a, b); }
template <class A, class B>
requires detail::operands<A, B>
constexpr auto minimum(A const& a, B const& b) { return detail::make_node(operation::minimum{}, a, b); }

}  // namespace edgewise::inline v0
