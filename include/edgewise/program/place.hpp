// Places: what tells apart two nodes of one type, and folding of what constants alone decide.
#pragma once

#include <edgewise/expression/functor.hpp>
#include <edgewise/expression/scatter_node.hpp>
#include <edgewise/expression/with_self.hpp>

namespace edgewise::inline v0::detail {

/// A constant, or the numbers of a node, such as a rate of dropout or an operation with members, at a position of
/// aggregation Aggregation of a program (-1: the epilogue). Their numbers live in the object, so only with its place
/// does the type of an expression say what it computes.
template <int Aggregation, int Position>
struct place {};

template <class Place>
struct placed_constant : constant {};
/// The numbers of a node, in their place.
template <class Place, class Numbers>
struct placed : Numbers {};

template <class E>
inline constexpr bool is_any_constant = std::is_same_v<E, constant>;
template <class Place>
inline constexpr bool is_any_constant<placed_constant<Place>> = true;

/// Does the type of E say all about it? Then two expressions of one type are equal.
template <class E>
struct is_known_by_type : std::is_empty<E> {};
template <class Place>
struct is_known_by_type<placed_constant<Place>> : std::true_type {};
template <class Numbers>
inline constexpr bool are_known = std::is_empty_v<Numbers>;
template <class Place, class Numbers>
inline constexpr bool are_known<placed<Place, Numbers>> = true;
template <class... A>
consteval bool all_known_by_type(type_list<A...>) {
  return (is_known_by_type<A>::value && ...);
}
template <class E>
requires is_node<E>
struct is_known_by_type<E>
    : std::bool_constant<are_known<typename numbers_of<E>::type> && all_known_by_type(typename E::arguments{})> {
};

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

/// Does a node evaluate to a constant?
template <class E, class... A>
inline constexpr bool is_foldable = false;
template <class Op, class... B, class... A>
inline constexpr bool is_foldable<node<Op, B...>, A...> =
    (is_any_constant<A> && ...) && evaluates_double<Op, std::make_integer_sequence<int, sizeof...(A)>>::value;

template <int Aggregation, int Next, class E>
constexpr auto give_places_from(E const& e);

/// Places of arguments I.. of a node, after those in `done`.
template <int Aggregation, int Next, int I, class E, class... D>
constexpr auto place_arguments(E const& e, pack<D...> const& done) {
  if constexpr (I == argument_list<E>::type::size) {
    return placed_expression<pack<D...>, Next>{done};
  } else {
    auto const a = give_places_from<Aggregation, Next>(e.template argument<I>());
    using arg = std::remove_cvref_t<decltype(a.expr)>;
    return place_arguments<Aggregation, decltype(a)::next, I + 1>(e, join_packs(done, pack<arg>{{{a.expr}}}));
  }
}
template <int Next, class E>
constexpr auto place_expression(E const& e) {
  return placed_expression<E, Next>{e};
}
/// The node around arguments that have their places; Free is the first position after those.
template <int Aggregation, int Free, class E, class... A>
constexpr auto place_node(E const& e, A const&... args) {
  using numbers = typename numbers_of<E>::type;
  if constexpr (is_foldable<E, A...>) {
    auto const value = static_cast<double>(e.op.value(args.number.template as<double>()...));
    return place_expression<Free + 1>(placed_constant<place<Aggregation, Free>>{constant{value}});
  } else if constexpr (std::is_empty_v<numbers> || std::is_final_v<numbers>) {
    return place_expression<Free>(e.with_arguments(args...));
  } else {
    return place_expression<Free + 1>(e.template with_numbers<placed<place<Aggregation, Free>, numbers>>(args...));
  }
}

/// Gives every constant, and every node that holds numbers, its place, from position Next on; evaluates operations of
/// constants, in double; what scatter holds stands in its place, a value of the edge like any other.
template <int Aggregation, int Next, class E>
constexpr auto give_places_from(E const& e) {
  if constexpr (std::is_same_v<E, constant>) {
    return place_expression<Next + 1>(placed_constant<place<Aggregation, Next>>{e});
  } else if constexpr (is_scatter<E>::value) {
    return give_places_from<Aggregation, Next>(e.arg);
  } else if constexpr (is_node<E>) {
    static_assert(require_node<E>::ok);
    auto const args = place_arguments<Aggregation, Next, 0>(e, pack<>{});
    return [&]<int... I>(std::integer_sequence<int, I...>) {
      return place_node<Aggregation, decltype(args)::next>(e, get<I>(args.expr)...);
    }
    (std::make_integer_sequence<int, argument_list<E>::type::size>{});
  } else {
    return place_expression<Next>(e);
  }
}

template <int Aggregation, class E>
constexpr auto give_places(E const& e) {
  return give_places_from<Aggregation, 0>(e);
}

}  // namespace edgewise::inline v0::detail
