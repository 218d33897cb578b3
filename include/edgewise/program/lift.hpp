// Lifting: what vertices have to know before edges can read it becomes a unit of its own, and a leaf in its place.
#pragma once

#include <type_traits>
#include <utility>

#include <edgewise/expression/linear.hpp>
#include <edgewise/expression/named.hpp>
#include <edgewise/expression/roles.hpp>
#include <edgewise/expression/vertex_value.hpp>
#include <edgewise/gather/sum.hpp>
#include <edgewise/program/aggregation.hpp>
#include <edgewise/program/divided_sums.hpp>
#include <edgewise/program/place.hpp>
#include <edgewise/program/unit_program.hpp>

namespace edgewise::inline v0::detail {

/// An expression whose values of vertices are leaves, and what makes those, in the order of their numbers: expressions
/// of destinations, `source_value` and `dense_product`. Each reads earlier ones alone.
template <class E, class... Units>
struct lifted {
  E expr;
  pack<Units...> units;
};
template <class E, class... U>
constexpr lifted<E, U...> make_lifted(E const& e, pack<U...> const& units) {
  return {e, units};
}

template <class G, class M>
struct is_known_by_type<gather_node<G, M>> : is_known_by_type<M> {};
template <class E>
struct is_known_by_type<source_value<E>> : is_known_by_type<E> {};

/// The number of the unit that computes E already; -1 where there is none, or its type does not say all about E. A name
/// stands for one value, whatever numbers are in it.
template <class E, class... U>
consteval int find_unit(type_list<U...>) {
  if constexpr ((is_known_by_type<E>::value || is_named<E>)&&contains_type<E, type_list<U...>>) {
    return index_of_type<E, type_list<U...>>;
  } else {
    return -1;
  }
}
template <class E, class... U>
consteval int find_in(type_tag<pack<U...>>) {
  return find_unit<E>(type_list<U...>{});
}
/// A leaf in role R for the value of E, which becomes a unit unless it is one.
template <role R, class E, class... U>
constexpr auto lift_to_unit(E const& e, pack<U...> const& units) {
  constexpr int known = find_unit<E>(type_list<U...>{});
  if constexpr (known >= 0) {
    return make_lifted(leaf<R, unit_value<known>>{}, units);
  } else {
    return make_lifted(leaf<R, unit_value<sizeof...(U)>>{}, join_packs(units, make_pack(e)));
  }
}

template <bool InMessage, class E, class... U>
constexpr auto lift(E const& e, pack<U...> const& units);

/// Lifts arguments I.. of a node, after those in `done`.
template <bool InMessage, int I, class E, class... D, class... U>
constexpr auto lift_arguments(E const& e, pack<D...> const& done, pack<U...> const& units) {
  if constexpr (I == argument_list<E>::type::size) {
    return make_lifted(done, units);
  } else {
    auto const a = lift<InMessage>(e.template argument<I>(), units);
    return lift_arguments<InMessage, I + 1>(e, join_packs(done, make_pack(a.expr)), a.units);
  }
}
template <class G, class M, class... U>
constexpr auto lift_gather(gather_node<G, M> const& gather, pack<U...> const& units) {
  auto const message = lift<true>(gather.message, units);
  using lifted_message = std::remove_cvref_t<decltype(message.expr)>;
  return make_lifted(gather_node<G, lifted_message>{message.expr}, message.units);
}
/// Sums and means are linear: what divides all messages of a row divides their sum once, and takes no unit (operator
/// reorganisation, MLSys 2022, section 4). Messages are summed undivided then (docs/numerics.md).
template <class G, class M, class... U>
constexpr auto lift_divided(gather_node<G, M> const& gather, pack<U...> const& units) {
  auto const divided = divide_message(gather.message);
  if constexpr (is_divided<std::remove_const_t<decltype(divided)>>) {
    auto const sum_of_rest = lift_gather(edgewise::gather<G>(divided.rest), units);
    auto const divisor = lift<false>(divided.divisor, sum_of_rest.units);
    return make_lifted(make_node(row_quotient{}, sum_of_rest.expr, divisor.expr), divisor.units);
  } else {
    return lift_gather(gather, units);
  }
}

/// A leaf for the value of an expression that one vertex decides: an operand's, or that of a unit. Above gathers the
/// vertex is the destination.
template <bool InMessage, class X, class... U>
constexpr auto lift_vertex(X const& x, pack<U...> const& units) {
  auto const value = lift<InMessage>(x, units);
  using value_type = std::remove_cvref_t<decltype(value.expr)>;
  if constexpr (is_leaf_of<value_type, role::source, role::destination>) {
    return value;
  } else {
    constexpr role decided_by = role_of_expression<value_type>;
    static_assert(!InMessage || decided_by == role::source || decided_by == role::destination,
                  "linear, per_vertex: in messages they take what one endpoint of the edge decides, as in "
                  "linear<W>(src<h>) or linear<W>(src<h> - dst<h>), per_vertex(dot(param<a>, src<h>)) "
                  "(expression/linear.hpp)");
    if constexpr (decided_by == role::source) {
      return lift_to_unit<role::source>(source_value<value_type>{value.expr}, value.units);
    } else {
      return lift_to_unit<role::destination>(value.expr, value.units);
    }
  }
}

/// The leaves of concatenated parts, I.. of them after those in `done`.
template <bool InMessage, int I, class... Part, class... D, class... U>
constexpr auto lift_parts(pack<Part...> const& parts, pack<D...> const& done, pack<U...> const& units) {
  if constexpr (I == sizeof...(Part)) {
    return make_lifted(done, units);
  } else {
    auto const a = lift_vertex<InMessage>(get<I>(parts), units);
    return lift_parts<InMessage, I + 1>(parts, join_packs(done, make_pack(a.expr)), a.units);
  }
}
/// The sum of the products of rows and blocks of W, from block I on.
template <class W, int I, class... Row, class... U>
constexpr auto lift_products(pack<Row...> const& rows, pack<U...> const& units) {
  using row = type_at<I, type_list<Row...>>;
  using product = dense_product<table_of_leaf<row>, W, I, type_list<table_of_leaf<Row>...>>;
  auto const first = lift_to_unit<row::role_of>(product{}, units);
  if constexpr (I + 1 == sizeof...(Row)) {
    return first;
  } else {
    auto const rest = lift_products<W, I + 1>(rows, first.units);
    return make_lifted(first.expr + rest.expr, rest.units);
  }
}
template <bool InMessage, class W, class X, class... U>
constexpr auto lift_linear(X const& x, pack<U...> const& units) {
  auto const row = lift_vertex<InMessage>(x, units);
  return lift_products<W, 0>(make_pack(row.expr), row.units);
}
template <bool InMessage, class W, class... Part, class... U>
constexpr auto lift_linear(node<operation::concat, Part...> const& x, pack<U...> const& units) {
  auto const rows = lift_parts<InMessage, 0>(x.args, pack<>{}, units);
  return lift_products<W, 0>(rows.expr, rows.units);
}
template <bool InMessage, class W, class A, class... U>
constexpr auto lift_linear(node<operation::negate, A> const& x, pack<U...> const& units) {
  auto const a = lift_linear<InMessage, W>(get<0>(x.args), units);
  return make_lifted(-a.expr, a.units);
}
template <bool InMessage, class W, class Sum, class... U>
constexpr auto lift_linear_sum(Sum const& x, pack<U...> const& units);
template <bool InMessage, class W, class A, class B, class... U>
constexpr auto lift_linear(node<operation::add, A, B> const& x, pack<U...> const& units) {
  return lift_linear_sum<InMessage, W>(x, units);
}
template <bool InMessage, class W, class A, class B, class... U>
constexpr auto lift_linear(node<operation::subtract, A, B> const& x, pack<U...> const& units) {
  return lift_linear_sum<InMessage, W>(x, units);
}
/// A sum of both endpoints' rows is distributed: each end has a product of its own. What one vertex decides is added
/// before it is multiplied.
template <bool InMessage, class W, class Sum, class... U>
constexpr auto lift_linear_sum(Sum const& x, pack<U...> const& units) {
  if constexpr (InMessage && role_of_expression<Sum> == role::edge) {
    auto const a = lift_linear<InMessage, W>(get<0>(x.args), units);
    auto const b = lift_linear<InMessage, W>(get<1>(x.args), a.units);
    return make_lifted(x.with_arguments(a.expr, b.expr), b.units);
  } else {
    auto const row = lift_vertex<InMessage>(x, units);
    return lift_products<W, 0>(make_pack(row.expr), row.units);
  }
}

/// A value of a vertex in a message: a leaf in the role that it is read in.
template <class E, class... U>
constexpr auto lift_value_of_vertex(E const& e, pack<U...> const& units) {
  auto const value = lift<false>(e.arg, units);
  using value_type = std::remove_cvref_t<decltype(value.expr)>;
  if constexpr (is_unit_value<value_type>::value) {
    return make_lifted(leaf<E::role_of, typename value_type::name>{}, value.units);
  } else {
    static_assert(has_gather<value_type> || reads_unit_values<value_type>,
                  "at_source, at_destination: read values of gathers, as in at_source(gather<sum>(src<h>)); operands "
                  "are src<h> and dst<h> (expression/vertex_value.hpp)");
    return lift_to_unit<E::role_of>(value.expr, value.units);
  }
}

/// Sums whose divisors may be taken out.
template <class G, class M>
inline constexpr bool may_divide = (std::is_same_v<G, sum> || std::is_same_v<G, mean>)&&any_node<is_row_value, M>::value
                                   && !has_self<M>;

/// Puts leaves in the place of values of vertices that messages read, and what they are behind `units`: inner ones
/// first, equal ones once. This is Seastar's automaton (EuroSys 2021, section 5): a value goes on in its traversal
/// until an aggregation is read along edges, where the next one begins. InMessage: below a gather or scatter.
template <bool InMessage, class E, class... U>
constexpr auto lift(E const& e, pack<U...> const& units) {
  if constexpr (is_vertex_value<E>::value && InMessage) {
    return lift_value_of_vertex(e, units);
  } else if constexpr (is_vertex_value<E>::value) {
    static_assert(E::role_of == role::destination,
                  "at_source: belongs inside a gather, whose edges have sources (expression/vertex_value.hpp)");
    return lift<false>(e.arg, units);
  } else if constexpr (is_linear<E>::value) {
    return lift_linear<InMessage, typename E::matrix>(e.arg, units);
  } else if constexpr (is_per_vertex<E>::value) {
    if constexpr (InMessage) {
      return lift_vertex<true>(e.arg, units);
    } else {
      return lift<false>(e.arg, units);
    }
  } else if constexpr (is_scatter<E>::value && InMessage) {  // a value of the edge like any other
    return lift<true>(e.arg, units);
  } else if constexpr (is_gather<E>::value) {
    if constexpr (may_divide<typename E::gather_type, typename E::message_type>) {
      return lift_divided(e, units);
    } else {
      return lift_gather(e, units);
    }
  } else if constexpr (is_node<E>) {
    static_assert(require_node<E>::ok);
    auto const args = lift_arguments < InMessage || is_scatter<E>::value, 0 > (e, pack<>{}, units);
    return [&]<int... I>(std::integer_sequence<int, I...>) {
      auto const node = e.with_arguments(get<I>(args.expr)...);
      using node_type = std::remove_const_t<decltype(node)>;
      constexpr int known = is_named<E> && !InMessage ? find_in<node_type>(type_tag<decltype(args.units)>{}) : -1;
      if constexpr (known >= 0) {  // a vertex reads what edges have read before
        return make_lifted(leaf<role::destination, unit_value<known>>{}, args.units);
      } else {
        return make_lifted(node, args.units);
      }
    }
    (std::make_integer_sequence<int, argument_list<E>::type::size>{});
  } else {
    return make_lifted(e, units);
  }
}

}  // namespace edgewise::inline v0::detail
