// Places: what tells apart two nodes of one type, and folding of what constants alone decide.
#pragma once

#include <edgewise/expression/functor.hpp>
#include <edgewise/expression/scatter_node.hpp>
#include <edgewise/expression/with_self.hpp>

namespace edgewise {

/// A constant, a rate of dropout or an operation with members, at a position of unit Unit of a program (-1: the
/// epilogue). Their numbers live in the object, so only with its place does the type of an expression say what it
/// computes.
template <int Unit, int Position>
struct place {};

template <class Place>
struct placed_constant : constant {};
template <class Place, class Op>
struct placed_operation : Op {};
template <class Place>
struct placed_rate : dropout_rate {};

namespace detail {

template <class E>
inline constexpr bool is_any_constant = std::is_same_v<E, constant>;
template <class Place>
inline constexpr bool is_any_constant<placed_constant<Place>> = true;

/// Does the type of E say all about it? Then two expressions of one type are equal.
template <class E>
struct is_known_by_type : std::is_empty<E> {};
template <class Place>
struct is_known_by_type<placed_constant<Place>> : std::true_type {};
template <class Op>
inline constexpr bool is_known_operation = std::is_empty_v<Op>;
template <class Place, class Op>
inline constexpr bool is_known_operation<placed_operation<Place, Op>> = true;
template <class Op, class... A>
struct is_known_by_type<node<Op, A...>>
    : std::bool_constant<is_known_operation<Op> && (is_known_by_type<A>::value && ...)> {};
template <class A>
struct is_known_by_type<head_sum_node<A>> : is_known_by_type<A> {};
template <class A>
struct is_known_by_type<lane_sum_node<A>> : is_known_by_type<A> {};
template <class Name, class Number, class Place, class A, class Shape>
struct is_known_by_type<dropout_node<Name, Number, placed_rate<Place>, A, Shape>> : is_known_by_type<A> {};

template <class Op, class... T>
concept evaluates = requires(Op const& op, T... x) {
  op.value(x...);
};
template <class Op, class Indices>
struct evaluates_double;
template <class Op, int... J>
struct evaluates_double<Op, std::integer_sequence<int, J...>>
    : std::bool_constant<evaluates<Op, argument_at<J, double>...>> {};
template <class F, int... J>
struct evaluates_double<operation::functor<F>, std::integer_sequence<int, J...>>
    : std::bool_constant<is_callable<F, sizeof...(J), double>> {};

/// An expression with places; Next is the first position that is free.
template <class E, int Next>
struct placed_expression {
  static constexpr int next = Next;
  E expr;
};

template <int Unit, int Next, class E>
struct place_impl {
  static constexpr auto apply(E const& e) { return placed_expression<E, Next>{e}; }
};
/// Gives every constant, every dropout and every operation with members its place, from position Next on, and evaluates
/// operations of constants, in double.
template <int Unit, int Next = 0, class E>
constexpr auto give_places(E const& e) {
  return place_impl<Unit, Next, E>::apply(e);
}

template <int Unit, int Next>
struct place_impl<Unit, Next, constant> {
  static constexpr auto apply(constant const& e) {
    using result = placed_constant<place<Unit, Next>>;
    return placed_expression<result, Next + 1>{result{e}};
  }
};

/// Places of arguments I.. of a node, after those in `done`.
template <int Unit, int Next, int I, class Args, class... D>
constexpr auto place_arguments(Args const& args, pack<D...> const& done) {
  if constexpr (I == Args::size) {
    return placed_expression<pack<D...>, Next>{done};
  } else {
    auto const a = give_places<Unit, Next>(get<I>(args));
    using arg = std::remove_cvref_t<decltype(a.expr)>;
    return place_arguments<Unit, decltype(a)::next, I + 1>(args, join_packs(done, pack<arg>{{{a.expr}}}));
  }
}
template <class Op, class... A, int... I>
constexpr double fold_constants(Op const& op, pack<A...> const& args, std::integer_sequence<int, I...>) {
  return static_cast<double>(op.value(get<I>(args).number.template as<double>()...));
}

template <int Unit, int Next, class Op, class... A>
struct place_impl<Unit, Next, node<Op, A...>> {
  static constexpr auto apply(node<Op, A...> const& e) {
    return rebuild(e.op, place_arguments<Unit, Next, 0>(e.args, pack<>{}));
  }

private:
  template <class... B, int Free>
  static constexpr auto rebuild(Op const& op, placed_expression<pack<B...>, Free> const& args) {
    if constexpr ((is_any_constant<B> && ...) &&
                  evaluates_double<Op, std::make_integer_sequence<int, sizeof...(B)>>::value) {
      using result = placed_constant<place<Unit, Free>>;
      double const value = fold_constants(op, args.expr, std::make_integer_sequence<int, sizeof...(B)>{});
      return placed_expression<result, Free + 1>{result{constant{value}}};
    } else if constexpr (std::is_empty_v<Op> || std::is_final_v<Op>) {
      return placed_expression<node<Op, B...>, Free>{node<Op, B...>{op, args.expr}};
    } else {
      using placed = placed_operation<place<Unit, Free>, Op>;
      return placed_expression<node<placed, B...>, Free + 1>{node<placed, B...>{placed{op}, args.expr}};
    }
  }
};
/// Nodes of one argument, rebuilt around it.
template <int Unit, int Next, template <class> class Node, class A>
constexpr auto place_only_argument(A const& arg) {
  auto const a = give_places<Unit, Next>(arg);
  using result = Node<std::remove_cvref_t<decltype(a.expr)>>;
  return placed_expression<result, decltype(a)::next>{result{a.expr}};
}
template <int Unit, int Next, class A>
struct place_impl<Unit, Next, head_sum_node<A>> {
  static constexpr auto apply(head_sum_node<A> const& e) {
    return place_only_argument<Unit, Next, head_sum_node>(e.arg);
  }
};
template <int Unit, int Next, class A>
struct place_impl<Unit, Next, lane_sum_node<A>> {
  static constexpr auto apply(lane_sum_node<A> const& e) {
    return place_only_argument<Unit, Next, lane_sum_node>(e.arg);
  }
};
template <int Unit, int Next, class Name, class Number, class A>
struct place_impl<Unit, Next, dropout_node<Name, Number, dropout_rate, A>> {
  static constexpr auto apply(dropout_node<Name, Number, dropout_rate, A> const& e) {
    auto const a = give_places<Unit, Next>(e.arg);
    constexpr int position = decltype(a)::next;
    using rate = placed_rate<place<Unit, position>>;
    using result = dropout_node<Name, Number, rate, std::remove_cvref_t<decltype(a.expr)>>;
    return placed_expression<result, position + 1>{result{a.expr, rate{e.rate}}};
  }
};
template <int Unit, int Next, class A>
struct place_impl<Unit, Next, softmax_node<A>> {
  static constexpr auto apply(softmax_node<A> const& e) { return place_only_argument<Unit, Next, softmax_node>(e.arg); }
};
template <int Unit, int Next, class M>
struct place_impl<Unit, Next, with_self_node<M>> {
  static constexpr auto apply(with_self_node<M> const& e) {
    return place_only_argument<Unit, Next, with_self_node>(e.message);
  }
};

/// What scatter holds, in its place: a value of the edge like any other.
template <int Unit, int Next, class M>
struct place_impl<Unit, Next, scatter_node<M>> {
  static constexpr auto apply(scatter_node<M> const& e) { return give_places<Unit, Next>(e.message); }
};

}  // namespace detail
}  // namespace edgewise
