// An expression as text, as it is written: edge<w> * src<h>.
#pragma once

#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>

#include <edgewise/core/error.hpp>
#include <edgewise/expression/component.hpp>
#include <edgewise/expression/dropout.hpp>
#include <edgewise/expression/head_sum.hpp>
#include <edgewise/program/aggregation.hpp>
#include <edgewise/program/bindings.hpp>
#include <edgewise/program/parts.hpp>
#include <edgewise/program/place.hpp>

namespace edgewise::inline v0::detail {

/// How tightly an expression's text holds together: a part that is looser than where it stands takes parentheses.
enum class precedence { sum, product, sign, call };

/// The text of an expression and how tightly it holds together.
template <class E>
struct describe {
  static constexpr precedence level = precedence::call;
  static std::string text(E const&) { return "?"; }
};

/// An expression as text, with the numbers of the object: 0.5 * dot(dst<q>, src<k>).
template <class E>
std::string expression_text(E const& e) {
  return describe<E>::text(e);
}
/// The same text, in parentheses where it is looser than `least`.
template <class E>
std::string expression_text(E const& e, precedence least) {
  return describe<E>::level < least ? "(" + expression_text(e) + ")" : expression_text(e);
}
template <class First, class... Rest>
std::string call_text(std::string const& name, First const& first, Rest const&... rest) {
  return name + "(" + (expression_text(first) + ... + (", " + expression_text(rest))) + ")";
}

template <role R, class Name>
struct describe<leaf<R, Name>> {
  static constexpr precedence level = precedence::call;
  static std::string text(leaf<R, Name> const&) { return leaf_name<leaf<R, Name>>(); }
};
template <role R, class Name, int Index, int Length>
struct describe<leaf<R, component<Name, Index, Length>>> {
  static constexpr precedence level = precedence::call;
  static std::string text(leaf<R, component<Name, Index, Length>> const&) {
    return detail::joined(leaf_name<leaf<R, Name>>(), "[", Index, "]");
  }
};
template <class W, int Row>
struct describe<leaf<role::parameter, matrix_row<W, Row>>> {
  static constexpr precedence level = precedence::call;
  static std::string text(leaf<role::parameter, matrix_row<W, Row>> const&) {
    return detail::joined(leaf_name<leaf<role::matrix, W>>(), "[", Row, "]");
  }
};
template <int I>
struct describe<leaf<role::destination, aggregation_value<I>>> {
  static constexpr precedence level = precedence::call;
  static std::string text(leaf<role::destination, aggregation_value<I>> const&) { return "gather" + std::to_string(I); }
};
template <>
struct describe<constant> {
  static constexpr precedence level = precedence::call;
  static std::string text(constant const& e) { return detail::joined(e.number.in_double); }
};
template <class Place>
struct describe<placed_constant<Place>> : describe<constant> {};
template <>
struct describe<one> : describe<constant> {};
template <>
struct describe<inverse_of_heads> {
  static constexpr precedence level = precedence::product;
  static std::string text(inverse_of_heads const&) { return "1 / heads"; }
};

/// The sign between the arguments of an operation, or before its only one; 0 where it is written as a call.
template <class Op>
constexpr char sign_of(std::size_t arguments) {
  bool const is_sign = Op::name[0] != 0 && Op::name[1] == 0;
  if (!is_sign) return 0;
  char const sign = Op::name[0];
  if (arguments == 1) return sign == '-' ? sign : 0;
  return arguments == 2 && (sign == '+' || sign == '-' || sign == '*' || sign == '/') ? sign : 0;
}
template <class Op, class... A>
struct describe<node<Op, A...>> {
  static constexpr char sign = sign_of<Op>(sizeof...(A));
  static constexpr precedence level = sign == 0                      ? precedence::call
                                      : sizeof...(A) == 1            ? precedence::sign
                                      : (sign == '+' || sign == '-') ? precedence::sum
                                                                     : precedence::product;
  static std::string text(node<Op, A...> const& e) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) { return text_of(e.op, get<I>(e.args)...); }
    (std::make_index_sequence<sizeof...(A)>{});
  }

private:
  template <class... Args>
  static std::string text_of([[maybe_unused]] Op const& op, Args const&... args) {
    if constexpr (sign != 0) {
      return signed_text(args...);
    } else if constexpr (requires { op.parameter(); }) {
      return call_text(Op::name, args..., constant{op.parameter()});
    } else {
      return call_text(Op::name, args...);
    }
  }
  template <class Arg>
  static std::string signed_text(Arg const& a) {
    return sign + expression_text(a, precedence::sign);
  }
  /// Of equal precedence the left argument comes first; a right one is in parentheses, so that the text says in which
  /// order numbers are added.
  template <class Left, class Right>
  static std::string signed_text(Left const& a, Right const& b) {
    constexpr precedence tighter = level == precedence::sum ? precedence::product : precedence::sign;
    return expression_text(a, level) + ' ' + sign + ' ' + expression_text(b, tighter);
  }
};
/// What nodes write their text with.
struct text_writer {
  template <class... A>
  std::string call(std::string const& name, A const&... args) const {
    return call_text(name, args...);
  }
  template <class Leaf>
  std::string name_of() const {
    return leaf_name<Leaf>();
  }
};
/// A node as it writes itself, or a call of its name.
template <class E>
requires is_node<E>
struct describe<E> {
  static constexpr precedence level = precedence::call;
  static std::string text(E const& e) {
    if constexpr (requires { e.text(text_writer{}); }) {
      return e.text(text_writer{});
    } else {
      return [&]<int... I>(std::integer_sequence<int, I...>) { return call_text(E::name, e.template argument<I>()...); }
      (std::make_integer_sequence<int, E::arguments::size>{});
    }
  }
};

/// softmax(score) * value.
template <class S, class V>
std::string weighed_text(S const& score, V const& value) {
  std::string const weight = call_text("softmax", score);
  if constexpr (std::is_same_v<V, one>) {
    return weight;
  } else {
    return weight + " * " + expression_text(value, precedence::sign);
  }
}

}  // namespace edgewise::inline v0::detail
