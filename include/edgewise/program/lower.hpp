// Lowering: a program as written becomes aggregations, which traversals run, and an epilogue over their values.
#pragma once

#include <edgewise/expression/concat.hpp>
#include <edgewise/expression/named.hpp>
#include <edgewise/program/aggregation.hpp>
#include <edgewise/program/edge_program.hpp>
#include <edgewise/program/equal_aggregations.hpp>
#include <edgewise/program/place.hpp>

namespace edgewise::inline v0::detail {

/// What kernels run: the gathers in order of appearance, what they do along self edges, and the vertex expression over
/// `aggregation_value<I>`.
template <class Epilogue, class Aggregations, class Selves>
struct lowered_program;
template <class Epilogue, class... Aggregations, class... Selves>
struct lowered_program<Epilogue, type_list<Aggregations...>, type_list<Selves...>> {
  using epilogue_type = Epilogue;
  using aggregation_types = type_list<Aggregations...>;
  using self_types = type_list<Selves...>;
  using leaves = unique_types<concat_types<typename Aggregations::leaves...>>;  ///< of messages along edges
  using self_leaves = unique_types<concat_types<typename Selves::leaves...>>;
  static constexpr int num_aggregations = sizeof...(Aggregations);
  static constexpr bool has_self = self_leaves::size > 0;
  Epilogue epilogue;
  pack<Aggregations...> aggregations;
  pack<Selves...> selves;
};

/// What a named value with gathers, of type Named, has become.
template <class Named, class Value>
struct named_gathers {
  using named_type = Named;
  Value value;
};

/// An expression with its gathers replaced by values, the aggregations taken out of it, and the named values met so
/// far.
template <class E, class Aggregations, class Names>
struct lowered {
  E expr;
  Aggregations aggregations;
  Names names;
};
template <class E, class Aggregations, class Names>
constexpr lowered<E, Aggregations, Names> make_lowered(E const& e, Aggregations const& aggregations,
                                                       Names const& names) {
  return {e, aggregations, names};
}

/// The place among named values of one of type E, or -1: a name stands for one value, whatever numbers are in it.
template <class E, class... N>
consteval int place_of_named(type_tag<pack<N...>>) {
  using types = type_list<typename N::named_type...>;
  if constexpr (is_named<E> && contains_type<E, types>) {
    return index_of_type<E, types>;
  } else {
    return -1;
  }
}

template <int Next, class E, class Names>
constexpr auto lower(E const& e, Names const& names);

/// Lowers arguments I.. of a node, after those in `done`.
template <int Next, int I, class E, class Done, class Aggregations, class Names>
constexpr auto lower_arguments(E const& e, Done const& done, Aggregations const& aggregations, Names const& names) {
  if constexpr (I == argument_list<E>::type::size) {
    return make_lowered(done, aggregations, names);
  } else {
    auto const a = lower<Next>(e.template argument<I>(), names);
    return lower_arguments<Next + decltype(a.aggregations)::size, I + 1>(
        e, join_packs(done, make_pack(a.expr)), join_packs(aggregations, a.aggregations), a.names);
  }
}
template <class E, class... A>
concept differs_above_gathers = requires(E const& e, A const&... a) {
  e.above_gathers(a...);
};
template <class E, class... A>
constexpr auto around_lowered(E const& e, A const&... args) {
  if constexpr (differs_above_gathers<E, A...>) {
    return e.above_gathers(args...);
  } else {
    return e.with_arguments(args...);
  }
}
template <int Next, class G, class M, class Names>
constexpr auto lower_gather(gather_node<G, M> const& gather, Names const& names) {
  static_assert(!has_concat<M>, "concat: ends a program, it is no message; gather each part (expression/concat.hpp)");
  auto const message = give_places<Next>(gather.message);
  auto const aggregation = make_aggregations(gather_node<G, std::remove_cvref_t<decltype(message.expr)>>{message.expr});
  return make_lowered(leaf<role::destination, aggregation_value<Next>>{}, make_pack(aggregation), names);
}

/// Takes the gathers out of an expression; Next is the number of the first. Those of a named value are taken once.
template <int Next, class E, class Names>
constexpr auto lower(E const& e, Names const& names) {
  constexpr int known = place_of_named<E>(type_tag<Names>{});
  if constexpr (known >= 0) {
    return make_lowered(get<known>(names).value, pack<>{}, names);
  } else if constexpr (is_gather<E>::value) {
    return lower_gather<Next>(e, names);
  } else if constexpr (is_node<E>) {
    auto const args = lower_arguments<Next, 0>(e, pack<>{}, pack<>{}, names);
    auto const value = [&]<int... I>(std::integer_sequence<int, I...>) {
      return around_lowered(e, get<I>(args.expr)...);
    }
    (std::make_integer_sequence<int, argument_list<E>::type::size>{});
    if constexpr (is_named<E> && decltype(args.aggregations)::size > 0) {
      using found = named_gathers<E, std::remove_const_t<decltype(value)>>;
      return make_lowered(value, args.aggregations, join_packs(args.names, make_pack(found{value})));
    } else {
      return make_lowered(value, args.aggregations, args.names);
    }
  } else {
    return make_lowered(e, pack<>{}, names);
  }
}

template <class E, class... U, class... S, int... I>
constexpr auto split_selves(E const& epilogue, pack<aggregation_with_self<U, S>...> const& aggregations,
                            std::integer_sequence<int, I...>) {
  return lowered_program<E, type_list<U...>, type_list<S...>>{
      epilogue, {{{get<I>(aggregations).aggregation}...}}, {{{get<I>(aggregations).self}...}}};
}

/// A leaf that an epilogue cannot read: a destination has no one source and no one edge.
template <class L>
struct is_edge_leaf
    : std::bool_constant<L::role_of == role::source || L::role_of == role::edge || L::role_of == role::relation> {};

/// What holds of programs of vertices.
template <class E>
struct require_vertex_program {
  static_assert(!has_concat_below<E>,
                "concat: ends a program, as in concat(gather<mean>(m), gather<max>(m)); nothing is computed from it "
                "(expression/concat.hpp)");
  static_assert(!has_softmax<E>,
                "softmax: must be a factor of the message of gather<sum>, as in gather<sum>(softmax(score) * value) "
                "(program/lower.hpp)");
  static_assert(!has_self<E>,
                "with_self: belongs directly inside a gather, as in gather<sum>(with_self(message)) "
                "(program/lower.hpp)");
  static constexpr bool ok = true;
};
/// What is left of it above gathers.
template <class Epilogue>
struct require_epilogue {
  static_assert(filter_types<is_edge_leaf, typename Epilogue::leaves>::size == 0,
                "program: outside of gathers only destinations and parameters can be read, not src<...>, edge<...> or "
                "relation<...>; gather it, or read dst<...> (program/lower.hpp)");
  static constexpr bool ok = true;
};

/// A program of vertices that gathers nothing. Its masks belong to rows, as those above gathers do.
template <class E>
constexpr auto lower_vertices(E const& e) {
  static_assert(require_vertex_program<E>::ok);
  auto const by_row = lower<0>(e, pack<>{}).expr;
  static_assert(require_epilogue<std::remove_const_t<decltype(by_row)>>::ok);
  auto const epilogue = give_places<-1>(by_row).expr;
  return lowered_program<std::remove_const_t<decltype(epilogue)>, type_list<>, type_list<>>{epilogue, {}, {}};
}
template <class E>
constexpr auto lower_vertex_program(E const& e) {
  static_assert(require_vertex_program<E>::ok);
  auto const result = lower<0>(e, pack<>{});
  static_assert(decltype(result.aggregations)::size > 0,
                "program: holds no gather; write gather<sum>(message), or scatter(message) for a value of every edge "
                "(program/lower.hpp)");
  if constexpr (decltype(result.aggregations)::size > 0) {
    static_assert(require_epilogue<std::remove_cvref_t<decltype(result.expr)>>::ok);
  }
  auto const aggregations = keep_aggregations<0>(result.aggregations);
  auto const epilogue = renumber<decltype(types_of(result.aggregations))>(give_places<-1>(result.expr).expr);
  return split_selves(epilogue, aggregations, std::make_integer_sequence<int, decltype(aggregations)::size>{});
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

}  // namespace edgewise::inline v0::detail
