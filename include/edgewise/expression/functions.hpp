// Further elementwise functions: smooth activations, sin, cos and pow, comparisons, and choices by them.
#pragma once

#include <edgewise/core/error.hpp>
#include <edgewise/expression/activation.hpp>
#include <edgewise/expression/expression.hpp>
#include <edgewise/expression/mathematics.hpp>

namespace edgewise::inline v0 {

namespace operation {

/// x sigmoid(x).
struct silu {
  static constexpr char const* name = "silu";
  static constexpr int flops = 12;
  static constexpr bool has_finite_slope = true;
  template <int I>
  static constexpr unsigned reads = 0b1;
  template <class T>
  EDGEWISE_HD T value(T x) const {
    return x / (T(1) + edgewise::exp(-x));
  }
  template <int I, class T>
  EDGEWISE_HD T pull(T adjoint, T, T x) const {
    T const s = T(1) / (T(1) + edgewise::exp(-x));
    return adjoint * s * (T(1) + x * (T(1) - s));
  }
};

/// log(1 + exp(x)), without overflow.
struct softplus {
  static constexpr char const* name = "softplus";
  static constexpr int flops = 18;
  static constexpr bool has_finite_slope = true;
  template <int I>
  static constexpr unsigned reads = 0b1;
  template <class T>
  EDGEWISE_HD T value(T x) const {
    bool const is_positive = x > T(0);
    T const rest = edgewise::log1p(edgewise::exp(is_positive ? -x : x));
    return is_positive ? x + rest : rest;
  }
  template <int I, class T>
  EDGEWISE_HD T pull(T adjoint, T, T x) const {
    return adjoint / (T(1) + edgewise::exp(-x));
  }
};

/// x times the normal distribution function of x: x (1 + erf(x / sqrt(2))) / 2. The form with tanh is another function.
struct gelu {
  static constexpr char const* name = "gelu";
  static constexpr int flops = 20;
  static constexpr bool has_finite_slope = true;
  template <int I>
  static constexpr unsigned reads = 0b1;
  template <class T>
  EDGEWISE_HD T value(T x) const {
    return x * below(x);
  }
  template <int I, class T>
  EDGEWISE_HD T pull(T adjoint, T, T x) const {
    T const density = T(0.39894228040143267794) * edgewise::exp(T(-0.5) * x * x);
    return adjoint * (below(x) + x * density);
  }

private:
  template <class T>
  EDGEWISE_HD static T below(T x) {
    return T(0.5) * edgewise::erfc(T(-0.70710678118654752440) * x);  // accurate where 1 + erf is not
  }
};

/// The sine of x, in radians.
struct sin {
  static constexpr char const* name = "sin";
  static constexpr int flops = 20;
  static constexpr bool has_finite_slope = true;
  template <int I>
  static constexpr unsigned reads = 0b1;
  template <class T>
  EDGEWISE_HD T value(T x) const {
    return edgewise::sin(x);
  }
  template <int I, class T>
  EDGEWISE_HD T pull(T adjoint, T, T x) const {
    return adjoint * edgewise::cos(x);
  }
};

/// The cosine of x, in radians.
struct cos {
  static constexpr char const* name = "cos";
  static constexpr int flops = 20;
  static constexpr bool has_finite_slope = true;
  template <int I>
  static constexpr unsigned reads = 0b1;
  template <class T>
  EDGEWISE_HD T value(T x) const {
    return edgewise::cos(x);
  }
  template <int I, class T>
  EDGEWISE_HD T pull(T adjoint, T, T x) const {
    return -adjoint * edgewise::sin(x);
  }
};

/// x to a power that is fixed; the derivative of x^0 is 0.
struct pow {
  static constexpr char const* name = "pow";
  static constexpr int flops = 30;
  template <int I>
  static constexpr unsigned reads = 0b1;
  detail::constant_value power;
  double parameter() const { return power.in_double; }
  template <class T>
  EDGEWISE_HD T value(T x) const {
    return edgewise::pow(x, power.template as<T>());
  }
  template <int I, class T>
  EDGEWISE_HD T pull(T adjoint, T, T x) const {
    T const p = power.template as<T>();
    return p == T(0) ? T(0) : adjoint * p * edgewise::pow(x, p - T(1));
  }
};

/// What comparisons have in common: two arguments, and no derivative by either.
struct comparison {
  static constexpr int flops = 1;
  static constexpr bool has_finite_slope = true;
  static constexpr bool chooses = true;
  template <int I>
  static constexpr unsigned reads = 0;
  template <int I, class T>
  EDGEWISE_HD T pull(T, T, T, T) const {
    return T(0);
  }
};

/// 1 where a < b, else 0.
struct less : comparison {
  static constexpr char const* name = "less";
  template <class T>
  EDGEWISE_HD T value(T a, T b) const {
    return a < b ? T(1) : T(0);
  }
};

/// 1 where a <= b, else 0.
struct less_equal : comparison {
  static constexpr char const* name = "less_equal";
  template <class T>
  EDGEWISE_HD T value(T a, T b) const {
    return a <= b ? T(1) : T(0);
  }
};

/// a where the condition is not 0, else b; what is not chosen has no gradient, nor has the condition.
struct where {
  static constexpr char const* name = "where";
  static constexpr int flops = 1;
  static constexpr bool has_finite_slope = true;
  static constexpr bool chooses = true;
  template <int I>
  static constexpr unsigned reads = I == 0 ? 0 : 0b1;
  template <class T>
  EDGEWISE_HD T value(T condition, T a, T b) const {
    return condition == T(0) ? b : a;
  }
  template <int I, class T>
  EDGEWISE_HD T pull(T adjoint, T, T condition, T, T) const {
    return I > 0 && (condition == T(0)) == (I == 2) ? adjoint : T(0);
  }
};

}  // namespace operation

namespace detail {

[[noreturn]] inline void throw_bad_range(double low, double high) {
  throw invalid_argument(text("clamp: low = ", low, " is not at most high = ", high));
}

}  // namespace detail

template <expression A>
constexpr auto silu(A const& a) {
  return detail::make_node(operation::silu{}, a);
}
template <expression A>
constexpr auto softplus(A const& a) {
  return detail::make_node(operation::softplus{}, a);
}
template <expression A>
constexpr auto gelu(A const& a) {
  return detail::make_node(operation::gelu{}, a);
}
template <expression A>
constexpr auto sin(A const& a) {
  return detail::make_node(operation::sin{}, a);
}
template <expression A>
constexpr auto cos(A const& a) {
  return detail::make_node(operation::cos{}, a);
}
/// a to a power that is a number; NaN for negative a where it is no integer.
template <expression A>
constexpr auto pow(A const& a, double power) {
  return detail::make_node(operation::pow{power}, a);
}
/// Chosen for a power that is an expression, to say so.
template <expression A, expression B>
auto pow(A const&, B const&) {
  static_assert(sizeof(A) == 0, "pow: takes a number as power; write exp(log(a) * b), or a functor");
}
/// low for a < low, high for a > high, else a; the gradient is a's from low to high, both included. Throws
/// `invalid_argument` where low > high.
template <expression A>
constexpr auto clamp(A const& a, double low, double high) {
  if (!(low <= high)) detail::throw_bad_range(low, high);
  return minimum(maximum(a, low), high);
}

namespace detail {

template <class E>
inline constexpr bool is_comparison = false;
template <class A, class B>
inline constexpr bool is_comparison<node<operation::less, A, B>> = true;
template <class A, class B>
inline constexpr bool is_comparison<node<operation::less_equal, A, B>> = true;

/// `0 < x < 1` would compare 1 or 0 with 1.
template <class A, class B>
struct require_no_chain {
  static_assert(!is_comparison<A> && !is_comparison<B>,
                "comparison: of a comparison; write (0 < x) * (x < 1) for both, maximum(a, b) for either and 1 - a for "
                "not");
  static constexpr bool ok = true;
};
template <class A>
struct require_no_logic {
  static_assert(sizeof(A) == 0,
                "&&, ||, !: are not of expressions; write a * b for both, maximum(a, b) for either and 1 - a for not");
  static constexpr bool ok = false;
};
template <class Op, class A, class B>
constexpr auto compare(A const& a, B const& b) {
  static_assert(require_no_chain<A, B>::ok);
  return make_node(Op{}, a, b);
}

}  // namespace detail

/// Comparisons: for each channel 1 where it holds, else 0, also where a side is NaN. They are numbers without gradient.
/// A comparison of a comparison, `0 < x < 1`, does not compile; `(0 < x) * (x < 1)` is both, `maximum(a, b)` either,
/// `1 - a` not.
template <class A, class B>
requires detail::operands<A, B>
constexpr auto operator<(A const& a, B const& b) { return detail::compare<operation::less>(a, b); }
template <class A, class B>
requires detail::operands<A, B>
constexpr auto operator>(A const& a, B const& b) { return detail::compare<operation::less>(b, a); }
template <class A, class B>
requires detail::operands<A, B>
constexpr auto operator<=(A const& a, B const& b) { return detail::compare<operation::less_equal>(a, b); }
template <class A, class B>
requires detail::operands<A, B>
constexpr auto operator>=(A const& a, B const& b) { return detail::compare<operation::less_equal>(b, a); }

/// Chosen for the logic of expressions, to say what to write in its place.
template <class A, class B>
requires detail::operands<A, B>
constexpr auto operator&&(A const&, B const&) { return detail::require_no_logic<A>::ok; }
template <class A, class B>
requires detail::operands<A, B>
constexpr auto operator||(A const&, B const&) { return detail::require_no_logic<A>::ok; }
template <expression A>
constexpr auto operator!(A const&) {
  return detail::require_no_logic<A>::ok;
}

/// `where(a > 0, b, c)`: b where the condition is not 0 (or is NaN), else c. What is not chosen gets no gradient, not
/// even where its derivative is infinite.
template <class C, class A, class B>
requires detail::operands<C, A, B>
constexpr auto where(C const& condition, A const& a, B const& b) {
  return detail::make_node(operation::where{}, condition, a, b);
}

}  // namespace edgewise::inline v0
