// Hoisting: expressions evaluated once, held in registers, read like leaves, their adjoints summed and pulled once.
#pragma once

#include <edgewise/pass/gradient_sink.hpp>
#include <edgewise/program/chosen.hpp>
#include <edgewise/program/hoisted.hpp>
#include <edgewise/program/needs.hpp>
#include <edgewise/register/cuda_geometry.hpp>

namespace edgewise::inline v0::detail {

/// An environment that holds the value of E, evaluated in Base.
template <class E, class Record, class Base>
struct hoisting_environment {
  using geometry = typename Base::geometry;
  using accumulator = typename Base::accumulator;
  using held = typename append_type<typename Base::held, E>::type;
  using read = typename Base::read;
  using newest = E;

  geometry const& geo;
  Base const& base;
  Record const& record;

  template <class Leaf>
  EDGEWISE_HD auto const& leaf_value() const {
    if constexpr (std::is_same_v<Leaf, E>) {
      return record.value;
    } else {
      return base.template leaf_value<Leaf>();
    }
  }
};

/// Calls f(env) with an environment that also holds the expressions of a list, each evaluated where those before it are
/// held already. Records live until f returns, because `pull_hoisted` needs them.
EDGEWISE_HD_AS_ITS_ARGUMENT
template <class Program, class Env, class F>
EDGEWISE_HD void hold(type_list<>, Program const&, Env const& env, F const& f) {
  f(env);
}
EDGEWISE_HD_AS_ITS_ARGUMENT
template <class E, class... Rest, class Program, class Env, class F>
EDGEWISE_HD void hold(type_list<E, Rest...>, Program const& program, Env const& env, F const& f) {
  auto const record = find_part<E>(program).trace(env);
  hoisting_environment<E, std::remove_const_t<decltype(record)>, Env> const next{env.geo, env, record};
  hold(type_list<Rest...>{}, program, next, f);
}

/// Pulls the sums of adjoints of the Count newest hoisted expressions, newest first: those below get theirs on the way.
/// Sums over threads are taken before, so that no derivative meets the zeros of threads that hold no part.
template <int Count, class Program, class Env, class Sums, class Sink>
EDGEWISE_HD void pull_hoisted(Program const& program, Env const& env, Sums const& sums, Sink& sink) {
  if constexpr (Count > 0) {
    using newest = typename Env::newest;
    if constexpr (contains_type<newest, typename leaves_of_table<typename Sums::table>::type>) {
      auto const adjoint = complete(env.geo, slot_value<newest>(sums));
      pull_chosen<is_chosen<newest, Program>()>(find_part<newest>(program), env.base, env.record, adjoint, sink);
    }
    pull_hoisted<Count - 1>(program, env.base, sums, sink);
  }
}

/// What `adjoint_sums` needs to know of hoisted expressions, those of List that depend on Targets. Table: the leaves.
template <class List, class Targets, class Table, class Accumulator>
struct hoisted_sums_table;
template <class... E, class Targets, class Table, class Accumulator>
struct hoisted_sums_table<type_list<E...>, Targets, Table, Accumulator> {
  using geometry = cuda_geometry<4, 1, 4>;  // extents do not depend on which
  using env = environment<geometry, Accumulator, registers<geometry, Accumulator, 1, Table>,
                          registers<geometry, Accumulator, 1, type_list<>>>;
  template <class X>
  using bound =
      bound_leaf<X,
                 kind_of_extent(std::remove_cvref_t<
                                decltype(std::declval<X const&>().trace(std::declval<env const&>()).value)>::extent_of),
                 Accumulator>;
  using type =
      concat_types<type_list<>, std::conditional_t<depends_on<E, Targets>, type_list<bound<E>>, type_list<>>...>;
};
template <class List, class Targets, class Table, class Accumulator>
using hoisted_bounds = typename hoisted_sums_table<List, Targets, Table, Accumulator>::type;

/// Do adjoints of hoisted expressions sum over channels or heads before they are pulled? A tile has only a part of such
/// sums.
template <class Sums>
inline constexpr bool has_narrow_sums = false;
template <class... Bound>
inline constexpr bool has_narrow_sums<type_list<Bound...>> = ((extent_of_kind(Bound::kind) != extent::wide) || ...);

/// What a walk hoists, as tables: values for the launch and the row, values of each block, and sums of adjoints.
template <class Launch, class Row, class Block, class Table, class Accumulator, class Sums = type_list<>>
struct hoisted_demand {
  using all_leaves = typename leaves_of_table<Table>::type;
  using fixed = hoisted_bounds<concat_types<Launch, Row>, all_leaves, Table, Accumulator>;
  using varying = hoisted_bounds<Block, all_leaves, Table, Accumulator>;
  using sums = Sums;
};

/// Adjoints of hoisted expressions go to their sums, all others on. Hoisted: the `gradient_sink` of their sums.
template <class Hoisted, class Sink>
struct hoisted_sink {
  Hoisted& held;
  Sink& sink;

  template <class E>
  static consteval bool wants() {
    return Sink::template wants<E>();
  }
  template <class Leaf, class Env, class Adjoint>
  EDGEWISE_HD void add(Env const& env, Adjoint const& adjoint) {
    if constexpr (contains_type<Leaf, typename Hoisted::targets>) {
      held.template add<Leaf>(env, adjoint);
    } else {
      sink.template add<Leaf>(env, adjoint);
    }
  }
};

}  // namespace edgewise::inline v0::detail
