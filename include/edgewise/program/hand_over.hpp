// What the traversal by destination hands to the one by source in a backward pass: two numbers per edge and head.
#pragma once

#include <edgewise/program/edge_program.hpp>
#include <edgewise/program/gradient_plan.hpp>
#include <edgewise/program/handed_softmax.hpp>
#include <edgewise/program/lower.hpp>
#include <edgewise/program/needs.hpp>
#include <edgewise/program/parts.hpp>
#include <edgewise/program/stash.hpp>
#include <edgewise/program/stashing_program.hpp>

namespace edgewise::inline v0 {

/// An option of `fuse` for programs with a softmax. In a backward pass both traversals need, of every edge, its weight
/// and the adjoint of its score. By default each computes them from the operands. With `hand_over{}` the traversal by
/// destination stores them, 2 numbers per edge and head in the plan's workspace, and the traversal by source reads
/// them: it needs neither scores nor inner products, nor the operands that only those read, such as features of edges.
/// Nothing is handed over where the gradients that are asked for do not take both traversals, where scores differ
/// from channel to channel, where a score has no operand whose gradient the traversal by destination forms, nor over
/// tiles.
/// `hand_over<automatic>{}` decides by the operands' types: it hands over where the traversal by source then reads
/// fewer rows of channels.
template <class... Choice>
struct hand_over {};

namespace detail {

/// When a program hands over.
enum class handing { never, where_it_saves_rows, always };

template <class Option>
inline constexpr bool is_handing_option = false;
template <>
inline constexpr bool is_handing_option<hand_over<>> = true;
template <>
inline constexpr bool is_handing_option<hand_over<automatic>> = true;

/// A program whose backward pass hands over.
template <class Program, handing When>
struct handing_program : Program {
  using handing_free = Program;
};
template <class Program, handing When>
struct parts<handing_program<Program, When>> : parts<Program> {};
template <class Program, handing When>
struct stashed_of<handing_program<Program, When>> : stashed_of<Program> {};

template <class Program>
inline constexpr handing handing_of = handing::never;
template <class Program, handing When>
inline constexpr handing handing_of<handing_program<Program, When>> = When;

/// The program with what Option says.
template <class Option, class Program>
constexpr auto with_handing(Program const& program) {
  if constexpr (!is_handing_option<Option>) {
    return program;
  } else {
    static_assert(any_softmax<typename Program::aggregation_types>,
                  "hand_over: the program has no softmax, so that traversals have nothing to hand over "
                  "(program/hand_over.hpp)");
    constexpr handing when = std::is_same_v<Option, hand_over<>> ? handing::always : handing::where_it_saves_rows;
    return handing_program<Program, when>{program};
  }
}

template <class Option, class Aggregation>
constexpr auto with_handing(edge_program<Aggregation> const& program) {
  static_assert(!is_handing_option<Option>,
                "hand_over: for programs that gather; one of edges computes what both its traversals need twice "
                "(program/hand_over.hpp)");
  return program;
}

template <class Rule, class OtherRule = Rule, class Program, handing When>
constexpr auto rewrite_program(handing_program<Program, When> const& p) {
  auto const inner = rewrite_program<Rule, OtherRule>(static_cast<Program const&>(p));
  return handing_program<std::remove_const_t<decltype(inner)>, When>{inner};
}
template <class Program, handing When>
constexpr auto backward_program(handing_program<Program, When> const& p) {
  return backward_program(static_cast<Program const&>(p));
}

template <class Aggregation>
constexpr Aggregation const& as_handed(Aggregation const& a) {
  return a;
}
template <class S, class V>
constexpr handed_softmax<S, V> as_handed(softmax_aggregation<S, V> const& a) {
  return {a.score, a.value};
}
template <class Aggregation>
using as_handed_t = std::remove_cvref_t<decltype(as_handed(std::declval<Aggregation const&>()))>;

/// The program of a traversal that reads what was handed over.
template <class E, class... U, class S>
constexpr auto handed_program(lowered_program<E, type_list<U...>, S> const& p) {
  return [&]<int... I>(std::integer_sequence<int, I...>) {
    return lowered_program<E, type_list<as_handed_t<U>...>, S>{
        p.epilogue, {{{as_handed(get<I>(p.aggregations))}...}}, p.selves};
  }
  (std::make_integer_sequence<int, sizeof...(U)>{});
}
template <class Program>
using handed_program_of = std::remove_cvref_t<decltype(handed_program(std::declval<Program const&>()))>;

/// Can a traversal towards Source read of an aggregation what one towards Destination computes?
template <class Aggregation, class Destination, class Source>
inline constexpr bool may_be_handed = true;
template <class S, class V, class Destination, class Source>
inline constexpr bool may_be_handed<softmax_aggregation<S, V>, Destination, Source> =
    !depends_on<softmax_aggregation<S, V>, Source> || depends_on<S, Destination>;

template <class Table, role R>
struct is_row_of_edge {
  template <class Leaf>
  static consteval bool is_read_by_edge() {
    using bound = bound_for<Leaf, Table>;
    if constexpr (std::is_void_v<bound>) {
      return false;
    } else {
      return (Leaf::role_of == R || Leaf::role_of == role::edge) && extent_of_kind(bound::kind) == extent::wide;
    }
  }
  template <class Leaf>
  struct test : std::bool_constant<is_read_by_edge<Leaf>()> {};
};

/// Do the traversals of a backward pass hand over? Program: as the backward pass sees it, of a program that hands over
/// `When`; Table: its operands; Plan: which gradients are asked for.
template <class Program, handing When, class Table, class Plan>
consteval bool hands_over() {
  if constexpr (When == handing::never || !Plan::runs_destination || !Plan::runs_source) {
    return false;
  } else {
    using destination = typename leaves_of_table<typename Plan::template targets<role::destination>>::type;
    using source = typename leaves_of_table<typename Plan::template targets<role::source>>::type;
    using aggregations = typename Program::aggregation_types;
    using handed = typename handed_program_of<Program>::aggregation_types;
    using indices = std::make_integer_sequence<int, Program::num_aggregations>;
    using rows = is_row_of_edge<Table, role::destination>;
    using before = filter_types<rows::template test, typename all_backward_needs<aggregations, source, indices>::type>;
    using after = filter_types<rows::template test, typename all_backward_needs<handed, source, indices>::type>;
    constexpr bool may = []<class... U>(type_list<U...>) {
      return (may_be_handed<U, destination, source> && ...) && ((U::is_softmax && depends_on<U, source>) || ...);
    }(aggregations{});
    return may && (When == handing::always || after::size < before::size);
  }
}

}  // namespace detail
}  // namespace edgewise::inline v0
