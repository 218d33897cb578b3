// Sums and means whose messages are divided by a value of the row: they are divided once, after the sum.
#pragma once

#include <type_traits>

#include <edgewise/expression/arithmetic.hpp>
#include <edgewise/expression/roles.hpp>
#include <edgewise/expression/scatter_node.hpp>
#include <edgewise/expression/vertex_value.hpp>

namespace edgewise::inline v0::detail {

/// a / b of a sum over a row and a divisor of all its messages. A row without edges has no message and is 0, whatever
/// it would be divided by; so is one whose sum and divisor are 0. Where the divisor is 0 both derivatives are.
struct row_quotient {
  static constexpr char const* name = "/";
  static constexpr int flops = 4;
  template <class T>
  EDGEWISE_HD T value(T a, T b) const {
    return a == T(0) && b == T(0) ? T(0) : a / b;
  }
  template <int I>
  static constexpr unsigned reads = I == 0 ? 2u : reads_result | 2u;
  template <int I, class T>
  EDGEWISE_HD T pull(T adjoint, T result, T, T b) const {
    if (b == T(0)) return T(0);
    return I == 0 ? adjoint / b : -adjoint * result / b;
  }
};

/// A message as a quotient, `rest` over `divisor`, which is a value of the row; undivided where there is none.
struct undivided {};
template <class Rest, class Divisor>
struct divided_message {
  using divisor_type = Divisor;
  Rest rest;
  Divisor divisor;
};
template <class Rest, class Divisor>
constexpr divided_message<Rest, Divisor> make_divided(Rest const& rest, Divisor const& divisor) {
  return {rest, divisor};
}
template <class Divided>
inline constexpr bool is_divided = !std::is_same_v<typename Divided::divisor_type, undivided>;
template <class E>
struct is_row_value : std::false_type {};
template <class Value>
struct is_row_value<at_destination_node<Value>> : std::true_type {};
/// Is E made of values of the row alone, gathers among them?
template <class E>
inline constexpr bool is_row_divisor = any_node<is_row_value, E>::value&& role_of_expression<E> == role::destination;

/// Takes one divisor out, if there is one. Others stay, each with the factor that it belongs to: the sum of messages
/// without any might leave the range of numbers.
template <class E>
constexpr auto divide_message(E const& e) {
  return make_divided(e, undivided{});
}
template <class A, class B>
constexpr auto divide_message(node<operation::divide, A, B> const& e);
template <class M>
constexpr auto divide_message(scatter_node<M> const& e);
template <class A, class B>
constexpr auto divide_message(node<operation::multiply, A, B> const& e) {
  auto const a = divide_message(get<0>(e.args));
  if constexpr (is_divided<std::remove_const_t<decltype(a)>>) {
    return make_divided(a.rest * get<1>(e.args), a.divisor);
  } else {
    auto const b = divide_message(get<1>(e.args));
    return make_divided(get<0>(e.args) * b.rest, b.divisor);
  }
}
template <class A, class B>
constexpr auto divide_message(node<operation::divide, A, B> const& e) {
  if constexpr (is_row_divisor<B>) {
    return make_divided(get<0>(e.args), get<1>(e.args));
  } else {
    auto const a = divide_message(get<0>(e.args));
    return make_divided(a.rest / get<1>(e.args), a.divisor);
  }
}
template <class M>
constexpr auto divide_message(scatter_node<M> const& e) {
  return divide_message(e.arg);
}

}  // namespace edgewise::inline v0::detail
