// Lowering: a program as written becomes units, which traversals run, and an epilogue over their values.
#pragma once

#include <edgewise/expression/concat.hpp>
#include <edgewise/program/edge_program.hpp>
#include <edgewise/program/equal_units.hpp>
#include <edgewise/program/place.hpp>
#include <edgewise/program/unit.hpp>

namespace edgewise {

/// What kernels run: the gathers in order of appearance, what they do along self edges, and the vertex expression over
/// `unit_value<I>`.
template <class Epilogue, class Units, class Selves>
struct lowered_program;
template <class Epilogue, class... Units, class... Selves>
struct lowered_program<Epilogue, type_list<Units...>, type_list<Selves...>> {
  using epilogue_type = Epilogue;
  using unit_types = type_list<Units...>;
  using self_types = type_list<Selves...>;
  using leaves = unique_types<concat_types<typename Units::leaves...>>;  ///< of messages along edges
  using self_leaves = unique_types<concat_types<typename Selves::leaves...>>;
  static constexpr int num_units = sizeof...(Units);
  static constexpr bool has_self = self_leaves::size > 0;
  Epilogue epilogue;
  pack<Units...> units;
  pack<Selves...> selves;
};

namespace detail {

/// An expression with its gathers replaced by values, and the units taken out of it.
template <class E, class... Units>
struct lowered {
  E expr;
  pack<Units...> units;
};

template <int Next, class E>
constexpr auto lower(E const& e);

/// Lowers arguments I.. of a node, after those in `done`.
template <int Next, int I, class Args, class... D, class... U>
constexpr auto lower_arguments(Args const& args, pack<D...> const& done, pack<U...> const& units) {
  if constexpr (I == Args::size) {
    return lowered<pack<D...>, U...>{done, units};
  } else {
    auto const a = lower<Next>(get<I>(args));
    using arg = std::remove_cvref_t<decltype(a.expr)>;
    return lower_arguments<Next + decltype(a.units)::size, I + 1>(args, join_packs(done, pack<arg>{{{a.expr}}}),
                                                                  join_packs(units, a.units));
  }
}
template <class Op, class... A, class... U>
constexpr auto rebuild(Op const& op, lowered<pack<A...>, U...> const& args) {
  return lowered<node<Op, A...>, U...>{node<Op, A...>{op, args.expr}, args.units};
}
template <class A, class... U>
constexpr auto rebuild_head_sum(lowered<A, U...> const& arg) {
  return lowered<head_sum_node<A>, U...>{head_sum_node<A>{arg.expr}, arg.units};
}
template <class A, class... U>
constexpr auto rebuild_lane_sum(lowered<A, U...> const& arg) {
  return lowered<lane_sum_node<A>, U...>{lane_sum_node<A>{arg.expr}, arg.units};
}

/// Above gathers a mask belongs to the row.
template <class Name, class E, class A, class... U>
constexpr auto rebuild_dropout(E const& e, lowered<A, U...> const& arg) {
  using result = dropout_node<Name, row_number, dropout_rate, A>;
  return lowered<result, U...>{result{arg.expr, e.rate}, arg.units};
}

template <class E>
struct lower_impl {
  template <int Next>
  static constexpr auto apply(E const& e) {
    return lowered<E>{e, {}};
  }
};
template <class G, class M>
struct lower_impl<gather_node<G, M>> {
  template <int Next>
  static constexpr auto apply(gather_node<G, M> const& gather) {
    static_assert(!has_concat<M>, "concat: ends a program, it is no message; gather each part (expression/concat.hpp)");
    auto const message = give_places<Next>(gather.message);
    auto const unit = make_units(gather_node<G, std::remove_cvref_t<decltype(message.expr)>>{message.expr});
    return lowered<leaf<role::destination, unit_value<Next>>, std::remove_const_t<decltype(unit)>>{{}, {{{unit}}}};
  }
};
template <class Op, class... A>
struct lower_impl<node<Op, A...>> {
  template <int Next>
  static constexpr auto apply(node<Op, A...> const& e) {
    return rebuild(e.op, lower_arguments<Next, 0>(e.args, pack<>{}, pack<>{}));
  }
};
template <class A>
struct lower_impl<head_sum_node<A>> {
  template <int Next>
  static constexpr auto apply(head_sum_node<A> const& e) {
    return rebuild_head_sum(lower<Next>(e.arg));
  }
};
template <class A>
struct lower_impl<lane_sum_node<A>> {
  template <int Next>
  static constexpr auto apply(lane_sum_node<A> const& e) {
    return rebuild_lane_sum(lower<Next>(e.arg));
  }
};

template <class Name, class Number, class A>
struct lower_impl<dropout_node<Name, Number, dropout_rate, A>> {
  template <int Next>
  static constexpr auto apply(dropout_node<Name, Number, dropout_rate, A> const& e) {
    return rebuild_dropout<Name>(e, lower<Next>(e.arg));
  }
};

template <int Next, class E>
constexpr auto lower(E const& e) {
  return lower_impl<E>::template apply<Next>(e);
}

template <class E, class... U, class... S, int... I>
constexpr auto split_selves(E const& epilogue, pack<unit_with_self<U, S>...> const& units,
                            std::integer_sequence<int, I...>) {
  return lowered_program<E, type_list<U...>, type_list<S...>>{
      epilogue, {{{get<I>(units).unit}...}}, {{{get<I>(units).self}...}}};
}

/// A leaf that an epilogue cannot read: a destination has no one source and no one edge.
template <class L>
struct is_edge_leaf : std::bool_constant<L::role_of == role::source || L::role_of == role::edge> {};

template <class E>
constexpr auto lower_vertex_program(E const& e) {
  static_assert(!has_concat_below<E>,
                "concat: ends a program, as in concat(gather<mean>(m), gather<max>(m)); nothing is computed from it "
                "(expression/concat.hpp)");
  static_assert(!has_softmax<E>,
                "softmax: must be a factor of the message of gather<sum>, as in gather<sum>(softmax(score) * value) "
                "(program/lower.hpp)");
  auto const result = lower<0>(e);
  static_assert(decltype(result.units)::size > 0,
                "program: holds no gather; write gather<sum>(message), or scatter(message) for a value of every edge "
                "(program/lower.hpp)");
  static_assert(decltype(result.units)::size == 0 ||
                    filter_types<is_edge_leaf, typename std::remove_cvref_t<decltype(result.expr)>::leaves>::size == 0,
                "program: outside of gathers only destinations and parameters can be read, not src<...> or edge<...> "
                "(program/lower.hpp)");
  auto const units = keep_units<0>(result.units);
  auto const epilogue = renumber<decltype(types_of(result.units))>(give_places<-1>(result.expr).expr);
  return split_selves(epilogue, units, std::make_integer_sequence<int, decltype(units)::size>{});
}

/// A program as kernels run it: `lowered_program`, or `edge_program` where it scatters.
template <class E>
constexpr auto lower_program(E const& e) {
  if constexpr (has_scatter<E>) {
    return lower_edge_program(e);
  } else {
    return lower_vertex_program(e);
  }
}

}  // namespace detail
}  // namespace edgewise
