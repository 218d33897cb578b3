// Arithmetic of messages: + - * / and the inner product dot.
#pragma once

#include <edgewise/expression/expression.hpp>

namespace edgewise::inline v0 {

namespace operation {

struct add {
  static constexpr char const* name = "+";
  static constexpr bool is_lanewise = true;
  static constexpr int flops = 1;
  static constexpr bool has_finite_slope = true;
  template <class T>
  EDGEWISE_HD T value(T a, T b) const {
    return a + b;
  }
  template <int I>
  static constexpr unsigned reads = 0;
  template <int I, class T>
  EDGEWISE_HD T pull(T adjoint, T, T, T) const {
    return adjoint;
  }
};

struct subtract {
  static constexpr char const* name = "-";
  static constexpr bool is_lanewise = true;
  static constexpr int flops = 1;
  static constexpr bool has_finite_slope = true;
  template <class T>
  EDGEWISE_HD T value(T a, T b) const {
    return a - b;
  }
  template <int I>
  static constexpr unsigned reads = 0;
  template <int I, class T>
  EDGEWISE_HD T pull(T adjoint, T, T, T) const {
    return I == 0 ? adjoint : -adjoint;
  }
};

struct multiply {
  static constexpr char const* name = "*";
  static constexpr bool is_lanewise = true;
  static constexpr int flops = 1;
  static constexpr bool has_finite_slope = true;
  template <class T>
  EDGEWISE_HD T value(T a, T b) const {
    return a * b;
  }
  template <int I>
  static constexpr unsigned reads = I == 0 ? 2u : 1u;  // the other factor
  template <int I, class T>
  EDGEWISE_HD T pull(T adjoint, T, T a, T b) const {
    return adjoint * (I == 0 ? b : a);
  }
};

struct divide {
  static constexpr char const* name = "/";
  static constexpr bool is_lanewise = true;
  static constexpr int flops = 4;
  template <class T>
  EDGEWISE_HD T value(T a, T b) const {
    return a / b;
  }
  template <int I>
  static constexpr unsigned reads = I == 0 ? 2u : ~0u;
  template <int I, class T>
  EDGEWISE_HD T pull(T adjoint, T result, T, T b) const {
    return I == 0 ? adjoint / b : -adjoint * result / b;
  }
};

struct negate {
  static constexpr char const* name = "-";
  static constexpr bool is_lanewise = true;
  static constexpr int flops = 1;
  static constexpr bool has_finite_slope = true;
  template <class T>
  EDGEWISE_HD T value(T a) const {
    return -a;
  }
  template <int I>
  static constexpr unsigned reads = 0;
  template <int I, class T>
  EDGEWISE_HD T pull(T adjoint, T, T) const {
    return -adjoint;
  }
};

}  // namespace operation

/// Sums, differences, products, quotients and negatives, channel by channel: values broadcast over the axes that they
/// lack. One side is an expression, the other one, too, or a number.
template <class A, class B>
requires detail::operands<A, B>
constexpr auto operator+(A const& a, B const& b) { return detail::make_node(operation::add{}, a, b); }
template <class A, class B>
requires detail::operands<A, B>
constexpr auto operator-(A const& a, B const& b) { return detail::make_node(operation::subtract{}, a, b); }
template <class A, class B>
requires detail::operands<A, B>
constexpr auto operator*(A const& a, B const& b) { return detail::make_node(operation::multiply{}, a, b); }
template <class A, class B>
requires detail::operands<A, B>
constexpr auto operator/(A const& a, B const& b) { return detail::make_node(operation::divide{}, a, b); }
template <expression A>
constexpr auto operator-(A const& a) {
  return detail::make_node(operation::negate{}, a);
}

/// Inner product over the channels of each head: [.., heads, channels] x [.., heads, channels] to [.., heads].
template <class A, class B>
requires detail::operands<A, B>
constexpr auto dot(A const& a, B const& b) { return sum_channels(a * b); }

}  // namespace edgewise::inline v0
