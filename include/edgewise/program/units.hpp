// Programs of several units: gathers whose messages read values of vertices that other gathers make.
#pragma once

#include <type_traits>
#include <utility>

#include <edgewise/expression/arithmetic.hpp>
#include <edgewise/expression/roles.hpp>
#include <edgewise/expression/vertex_value.hpp>
#include <edgewise/program/hand_over.hpp>
#include <edgewise/program/hoisted.hpp>
#include <edgewise/program/lower.hpp>
#include <edgewise/program/stash.hpp>
#include <edgewise/program/unit_program.hpp>

namespace edgewise::inline v0 {

/// The name of what unit Unit of a program computes for every vertex, among the operands of later units.
template <int Unit>
struct unit_value {};

namespace detail {

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

/// An expression whose values of vertices are leaves, and the expressions that make those, in the order of their
/// numbers: each reads earlier ones alone.
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

/// The number of the unit that computes E already; -1 where there is none, or its type does not say all about E.
template <class E, class... U>
consteval int find_unit(type_list<U...>) {
  if constexpr (is_known_by_type<E>::value && contains_type<E, type_list<U...>>) {
    return index_of_type<E, type_list<U...>>;
  } else {
    return -1;
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
template <class G, class M>
inline constexpr bool may_divide = (std::is_same_v<G, sum> || std::is_same_v<G, mean>)&&any_node<is_row_value, M>::value
                                   && !has_self<M>;

/// Puts leaves in the place of values of vertices that messages read, and what they are behind `units`: inner ones
/// first, equal ones once. This is Seastar's automaton (EuroSys 2021, section 5): a value goes on in its traversal
/// until an aggregation is read along edges, where the next one begins. InMessage: below a gather or scatter.
template <bool InMessage, class E, class... U>
constexpr auto lift(E const& e, pack<U...> const& units) {
  if constexpr (is_vertex_value<E>::value && InMessage) {
    auto const value = lift<false>(e.arg, units);
    using value_type = std::remove_cvref_t<decltype(value.expr)>;
    static_assert(has_gather<value_type>,
                  "at_source, at_destination: read values of gathers, as in at_source(gather<sum>(src<h>)); operands "
                  "are src<h> and dst<h> (expression/vertex_value.hpp)");
    constexpr int known = find_unit<value_type>(decltype(types_of(value.units)){});
    if constexpr (known >= 0) {
      return make_lifted(leaf<E::role_of, unit_value<known>>{}, value.units);
    } else {
      constexpr int number = decltype(value.units)::size;
      return make_lifted(leaf<E::role_of, unit_value<number>>{}, join_packs(value.units, make_pack(value.expr)));
    }
  } else if constexpr (is_vertex_value<E>::value) {
    static_assert(E::role_of == role::destination,
                  "at_source: belongs inside a gather, whose edges have sources (expression/vertex_value.hpp)");
    return lift<false>(e.arg, units);
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
      return make_lifted(e.with_arguments(get<I>(args.expr)...), args.units);
    }
    (std::make_integer_sequence<int, argument_list<E>::type::size>{});
  } else {
    return make_lifted(e, units);
  }
}

/// A unit that scatters keeps nothing: its output is what edges compute.
template <class Keeping, class E>
constexpr auto lower_unit(E const& e) {
  return apply_policy<std::conditional_t<has_scatter<E>, recompute, Keeping>>(lower_program(e));
}
/// Lowers a program of any number of units; one alone is lowered as it is.
template <class Keeping, class E>
constexpr auto lower_units(E const& e) {
  auto const whole = lift<false>(e, pack<>{});
  constexpr int num_values = decltype(whole.units)::size;
  if constexpr (num_values == 0) {
    return apply_policy<Keeping>(lower_program(whole.expr));
  } else {
    static_assert(std::is_same_v<Keeping, recompute> || std::is_same_v<Keeping, stash<automatic>>,
                  "stash: names are of programs of one unit; over several, stash<automatic> and recompute can be told "
                  "(program/units.hpp)");
    return [&]<int... K>(std::integer_sequence<int, K...>) {
      auto const make = []<class... L>(L const&... unit) { return unit_program<L...>{make_pack(unit...)}; };
      return make(lower_unit<Keeping>(get<K>(whole.units))..., lower_unit<Keeping>(whole.expr));
    }
    (std::make_integer_sequence<int, num_values>{});
  }
}

template <class Option, class... Unit>
constexpr auto with_handing(unit_program<Unit...> const& program) {
  static_assert(!is_handing_option<Option>,
                "hand_over: takes programs of one unit; this one reads values of vertices along edges "
                "(program/units.hpp)");
  return program;
}

/// A program's leaves: those of messages, self edges and epilogue.
template <class Program>
struct program_leaves {
  using type = unique_types<concat_types<typename Program::leaves, typename Program::self_leaves,
                                         operand_leaves<typename Program::epilogue_type>>>;
};
template <class Aggregation>
struct program_leaves<edge_program<Aggregation>> {
  using type = typename edge_program<Aggregation>::leaves;
};

template <class... Unit>
struct program_leaves<unit_program<Unit...>> {
  using type = unique_types<concat_types<typename program_leaves<Unit>::type...>>;
};

template <class L>
struct is_unit_value : std::false_type {};
template <role R, int Unit>
struct is_unit_value<leaf<R, unit_value<Unit>>> : std::true_type {};
template <class L>
struct is_no_unit_value : std::bool_constant<!is_unit_value<L>::value> {};
/// Does a list of leaves hold the value of a unit, in any role?
template <int Unit, class Leaves>
inline constexpr bool reads_unit = contains_type<leaf<role::source, unit_value<Unit>>, Leaves> ||
                                   contains_type<leaf<role::destination, unit_value<Unit>>, Leaves>;

}  // namespace detail
}  // namespace edgewise::inline v0
