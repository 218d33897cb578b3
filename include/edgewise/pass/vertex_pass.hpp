// The per-vertex stage of the backward pass: pulls the epilogue and prepares exactly what the edges will read.
#pragma once

#include <edgewise/pass/aggregation_backward.hpp>
#include <edgewise/pass/expression_kind.hpp>
#include <edgewise/pass/forward_pass.hpp>
#include <edgewise/pass/gradient_sink.hpp>
#include <edgewise/pass/launch_state.hpp>
#include <edgewise/pass/pass_concept.hpp>
#include <edgewise/program/gradient_pointer.hpp>
#include <edgewise/program/needs.hpp>

namespace edgewise::inline v0::detail {

/// Where the stage leaves the fields of an aggregation; null pointers are not wanted.
template <class Aggregation, class T>
struct prepared_pointers {
  static constexpr int count = Aggregation::gather_type::num_prepared;
  T* gradient = nullptr;  ///< of the gather's value, where an epilogue lies between it and the output
  T* field[count > 0 ? count : 1] = {};
};
template <class Score, class Value, class T>
struct prepared_pointers<softmax_aggregation<Score, Value>, T> {
  T* gradient = nullptr;
  T* field[1] = {};  ///< inner product of the gather's value and its gradient
};

/// The extent in which the adjoint of an aggregation's value is summed up: where the epilogue spreads the value over
/// channels or heads that it lacks, each thread has its own part of the sum.
EDGEWISE_HD constexpr extent summing_extent(extent e) {
  return e == extent::wide ? extent::wide : (rank(e) == 1 ? extent::narrow_partial : extent::uniform_partial);
}

/// Values of aggregations that have fewer axes than the output, the bound leaf Gradient.
template <class Gradient>
struct is_spread_value {
  template <class Bound>
  struct test : std::false_type {};
  template <int I, operand_kind Kind, class T>
  struct test<bound_leaf<leaf<role::destination, aggregation_value<I>>, Kind, T>>
      : std::bool_constant<(rank(extent_of_kind(Kind)) < rank(extent_of_kind(Gradient::kind)))> {};
};

/// Is the inner term of an aggregation one number a row, whose value has more? It is then summed over whole rows.
template <class Aggregation, class Table, class T>
inline constexpr bool has_term_of_row = false;
template <class Score, class Value, class Table, class T>
inline constexpr bool has_term_of_row<softmax_aggregation<Score, Value>, Table, T> =
    kind_of_expression<Score, Table, T>() == operand_kind::per_row&& kind_of_expression<Value, Table, T>() !=
    operand_kind::per_row;
template <class Aggregations, class Table, class T>
inline constexpr bool any_term_of_row = false;
template <class... Aggregation, class Table, class T>
inline constexpr bool any_term_of_row<type_list<Aggregation...>, Table, T> = (has_term_of_row<Aggregation, Table, T> ||
                                                                              ...);

/// Collects the adjoints of aggregation values, besides the gradients that a `gradient_sink` collects.
template <class Values, class Sink>
struct epilogue_sink {
  Values& values;
  Sink& sink;

  template <class E>
  static consteval bool wants() {
    return true;
  }
  template <class Leaf, class Env, class Adjoint>
  EDGEWISE_HD void add(Env const& env, Adjoint const& adjoint) {
    if constexpr (contains_type<Leaf, typename Values::leaves>) {
      auto& sum = slot_value<Leaf>(values);
      using sum_type = std::remove_cvref_t<decltype(sum)>;
      auto const& part = fit_partial<sum_type::extent_of>(env.geo, adjoint);
      for_each_lanes<sum_type>(env.geo, [&](int b, int c, auto l) {
        auto& place = sum.at(b, c, l);
        place += spread<std::remove_cvref_t<decltype(place)>>(part.at(b, c, l));
      });
    } else {
      sink.template add<Leaf>(env, adjoint);
    }
  }
};

/// Table: the program's bound leaves, the kept values `aggregation_value<I>` and the saved fields of its aggregations;
/// Loaded: those of its leaves that are read. Gradients: the bound leaves of the output's adjoint, one for each of its
/// parts, which are of one kind. Targets: gradients of the epilogue's own leaves.
template <class Program, class Table, class Loaded, class Gradients, class Targets, class Offset, class Accumulator>
struct vertex_pass : row_pass {
  using Gradient = type_at<0, Gradients>;
  using accumulator = Accumulator;
  using offset_type = Offset;
  using tables = pass_tables<Table, type_list<>, role::destination>;  // of edges: none is walked
  using loads = pass_tables<concat_types<Table, Gradients>,
                            concat_types<Loaded, typename leaves_of_table<Gradients>::type>, role::destination>;
  using row_targets = bound_in_role<role::destination, Targets>;
  using parameter_targets = bound_in_role<role::parameter, Targets>;
  static constexpr bool walks_edges = false;
  static constexpr bool reads_degrees = Program::num_aggregations > 0;
  static constexpr bool has_parameter_targets = parameter_targets::size > 0;
  using epilogue_type = typename Program::epilogue_type;
  using spread_values = filter_types<is_spread_value<Gradient>::template test, Table>;
  static constexpr int wide_states = 1 + Gradients::size + Program::num_aggregations;

  using target_leaves = typename leaves_of_table<Targets>::type;
  using expressions =
      vertex_expressions<Program, typename roots_towards<typename Program::self_types, target_leaves>::type>;
  template <class Geometry>
  using launch_leaves = Loaded;
  template <class Geometry>
  using launch_hoisted = typename expressions::held::template of<duration::launch>;
  using hoisted_registers = hoisted_demand<type_list<>, type_list<>, type_list<>, Table, Accumulator>;
  using row_hoisted = type_list<>;  // without edges only what occurs twice is worth hoisting
  using hoisted_before = types_without<typename expressions::shared_without_gathers,
                                       typename expressions::held::template of<duration::launch>>;
  using hoisted_over = typename expressions::shared_over_gathers;
  template <class List, class Leaves>
  using hoisted_table = hoisted_bounds<List, Leaves, Table, Accumulator>;
  using launch_sums = hoisted_table<typename expressions::held::template of<duration::launch>, target_leaves>;
  using hoisted_sums = concat_types<hoisted_table<hoisted_before, target_leaves>,
                                    hoisted_table<hoisted_over, typename epilogue_type::leaves>>;
  static constexpr bool sums_channels = any_aggregation_sums_channels<typename Program::aggregation_types> ||
                                        any_softmax<typename Program::aggregation_types> ||
                                        has_channel_sum<epilogue_type> || spread_values::size > 0 ||
                                        has_narrow_sums<concat_types<launch_sums, hoisted_sums>>;
  static constexpr bool sums_inside = sums_channels || has_head_sum<epilogue_type>;
  static constexpr layout_need need =
      any_term_of_row<typename Program::aggregation_types, Table, Accumulator>
          ? layout_need::whole_rows
          : find_layout_need<sums_channels, Table, concat_types<laid_out_targets<Targets>, spread_values>,
                             has_head_sum<epilogue_type>>();

  template <class Aggregations>
  struct prepared_for;
  template <class... Aggregation>
  struct prepared_for<type_list<Aggregation...>> {
    using type = pack<prepared_pointers<Aggregation, Accumulator>...>;
  };

  Program program;
  operand_pointers<concat_types<Table, Gradients>> operands{};
  gradient_pointers<Targets> gradients;
  typename prepared_for<typename Program::aggregation_types>::type prepared;
  Offset num_edges;  ///< of the graph: self edges are numbered from here

  template <class Geometry>
  using launch_sums_of = launch_state<Geometry, Accumulator, parameter_targets, launch_sums>;
  template <class Geometry>
  struct state : launch_sums_of<Geometry> {
    bool any;  ///< vertices so far
  };
  /// Called before the first row and after the last, for sums over all vertices.
  template <class Geometry>
  EDGEWISE_HD void start_launch(Geometry const& geo, state<Geometry>& s) const {
    static_cast<launch_sums_of<Geometry>&>(s).start_launch(geo);
    s.any = false;
  }
  template <class Env, class State>
  EDGEWISE_HD void finish_launch(Env const& launch, State& s) const {
    using geometry = typename Env::geometry;
    static_cast<launch_sums_of<geometry>&>(s).finish_launch(launch.geo);
    auto const ok = edge_mask<1>::one(s.any);
    adjoint_sums<geometry, Accumulator, 1, type_list<>> nothing;
    gradient_sink<geometry, Accumulator, 1, type_list<>, type_list<>, parameter_targets> targets{nothing, nothing,
                                                                                                 s.parameters, ok};
    gradient_sink<geometry, Accumulator, 1, type_list<>, type_list<>, launch_sums> holds{nothing, nothing,
                                                                                         s.hoisted_parameters, ok};
    hoisted_sink<decltype(holds), decltype(targets)> sink{holds, targets};
    pull_hoisted<launch_hoisted<geometry>::size>(program, launch, s.hoisted_parameters, sink);
  }

  template <class Env, class Index, class State>
  EDGEWISE_HD void finish(Env const& row_env, Index row, Offset degree, bool live, State& s) const {
    finish_with(row_env, row, degree, live, s, std::make_integer_sequence<int, Program::num_aggregations>{});
    s.count(row_env.geo, 1);
  }

private:
  template <class Geometry>
  using message_env = typename pass_registers<vertex_pass, Geometry, 1>::env;

  template <int I, class Geometry>
  static consteval extent aggregation_extent() {
    using aggregation = std::remove_cvref_t<decltype(get<I>(std::declval<Program const&>().aggregations))>;
    return aggregation_state<aggregation, message_env<Geometry>, Offset>::extent_of;
  }
  template <class Leaf, class... Slot>
  struct adjoint_slots;
  template <class... Leaf, class... Slot>
  struct adjoint_slots<type_list<Leaf...>, Slot...> : Slot... {
    using leaves = type_list<Leaf...>;
  };

  /// The output's adjoint; of a value per channel, which every head holds a copy of, that of one copy.
  template <class Geometry, class V>
  EDGEWISE_HD static decltype(auto) adjoint_of_value([[maybe_unused]] Geometry const& geo, V const& gradient) {
    if constexpr (Gradient::kind == operand_kind::per_channel) {
      V one_copy;
      for_each_entry<V>(geo, [&](int b, int c, int l) {
        one_copy.at(b, c, l) = geo.leads_channels(c) ? gradient.at(b, c, l) : Accumulator(0);
      });
      return one_copy;
    } else {
      return (gradient);
    }
  }

  /// The output's adjoint as the epilogue takes it: a pack where there are several parts.
  template <class Env, class First, class... Rest>
  EDGEWISE_HD static decltype(auto) adjoint_of_output(Env const& env, type_list<First, Rest...>) {
    if constexpr (sizeof...(Rest) == 0) {
      return adjoint_of_value(env.geo, env.template leaf_value<typename First::leaf>());
    } else {
      return make_pack(adjoint_of_value(env.geo, env.template leaf_value<typename First::leaf>()),
                       adjoint_of_value(env.geo, env.template leaf_value<typename Rest::leaf>())...);
    }
  }

  template <class Env, class Index, class State, int... I>
  EDGEWISE_HD void finish_with(Env const& row_env, Index row, Offset degree, bool live, State& s,
                               std::integer_sequence<int, I...> aggregations) const {
    using Geometry = typename Env::geometry;
    Geometry const& geo = row_env.geo;
    auto const& gradient = adjoint_of_output(row_env, Gradients{});

    adjoint_slots<type_list<leaf<role::destination, aggregation_value<I>>...>,
                  register_slot<leaf<role::destination, aggregation_value<I>>,
                                register_value<Accumulator, summing_extent(aggregation_extent<I, Geometry>()), 1,
                                               Geometry::max_chunks, Geometry::channels_per_chunk>>...>
        adjoints;
    (fill(geo, slot_value<leaf<role::destination, aggregation_value<I>>>(adjoints), Accumulator(0)), ...);

    adjoint_sums<Geometry, Accumulator, 1, row_targets> row_sums;
    row_sums.clear(geo);
    adjoint_sums<Geometry, Accumulator, 1, hoisted_sums> sums_of_hoisted;
    sums_of_hoisted.clear(geo);
    adjoint_sums<Geometry, Accumulator, 1, type_list<>> no_edges;
    if constexpr (launch_sums::size > 0) s.any = s.any || live;
    auto const ok = edge_mask<1>::one(live);
    gradient_sink<Geometry, Accumulator, 1, row_targets, type_list<>, parameter_targets> targets{row_sums, no_edges,
                                                                                                 s.parameters, ok};
    gradient_sink<Geometry, Accumulator, 1, hoisted_sums, type_list<>, launch_sums> holds{sums_of_hoisted, no_edges,
                                                                                          s.hoisted_parameters, ok};
    hoisted_sink<decltype(holds), decltype(targets)> inner_sink{holds, targets};
    epilogue_sink<decltype(adjoints), decltype(inner_sink)> sink{adjoints, inner_sink};
    using number_table = bound_subset<Loaded, bound_in_role<role::edge, Table>>;
    registers<Geometry, Accumulator, 1, number_table> numbers;  // of the self edge, where a mask reads it
    Offset const edges[1] = {self_edge(row)};
    load_leaves(number_table{}, geo, operands, edges, numbers);
    hold(hoisted_before{}, program, extend(row_env, numbers), [&](auto const& env) {
      hold(hoisted_over{}, program, env, [&](auto const& vertex) {
        auto const record = program.epilogue.trace(vertex);
        program.epilogue.pull(vertex, record, gradient, sink);
        pull_hoisted<hoisted_over::size>(program, vertex, sums_of_hoisted, sink);
      });
      prepare_aggregations(env, row, degree, live, adjoints, inner_sink, aggregations);
      pull_hoisted<hoisted_before::size>(program, env, sums_of_hoisted, inner_sink);
    });
    row_sums.for_each([&](auto tag, auto const& sum) {
      using bound = typename decltype(tag)::type;
      constexpr int stride = element_stride<typename bound::leaf>;
      auto const whole = complete_sum<bound::kind>(geo, sum);
      auto const& to = gradients.template of<bound>();
      if (live) store_row<bound::kind, stride>(geo, to.data, to.row_stride, row, whole, 0, to.accumulate);
    });
  }

  template <class Geometry, class Index, class V>
  EDGEWISE_HD void store_own(Geometry const& geo, Accumulator* data, Index row, V const& x) const {
    constexpr operand_kind kind = kind_of_extent(V::extent_of);
    store_row<kind>(geo, data, row_elements(kind, geo), row, x, 0);
  }

  template <int I>
  static consteval bool has_self_edge() {
    return !std::is_same_v<std::remove_cvref_t<decltype(get<I>(std::declval<Program const&>().selves))>, no_self>;
  }

  template <class Env, class Index, class Adjoints, class Sink, int... I>
  EDGEWISE_HD void prepare_aggregations([[maybe_unused]] Env const& env, [[maybe_unused]] Index row,
                                        [[maybe_unused]] Offset degree, [[maybe_unused]] bool live,
                                        [[maybe_unused]] Adjoints const& adjoints, [[maybe_unused]] Sink& sink,
                                        std::integer_sequence<int, I...>) const {
    (prepare_aggregation<I>(env, row, degree, live, get<I>(program.aggregations),
                            complete(env.geo, slot_value<leaf<role::destination, aggregation_value<I>>>(adjoints)),
                            sink),
     ...);
  }
  template <class Index>
  EDGEWISE_HD Offset self_edge(Index row) const {
    return static_cast<Offset>(num_edges + static_cast<Offset>(row));
  }
  /// A self edge sees the row's own leaves, and the fields of its aggregation as they were just made.
  template <int I, class Env, class Index, class Fields, class Sink>
  EDGEWISE_HD void pull_self(Env const& env, Index row, Fields const& fields, Sink& sink) const {
    Offset const edges[1] = {self_edge(row)};
    pull_aggregation<I, 1>(get<I>(program.selves), extend(env, fields), edges, sink);
  }

  template <int I, class Env, class Index, class Gather, class Message, class Adjoint, class Sink>
  EDGEWISE_HD void prepare_aggregation(Env const& env, Index row, Offset row_degree, bool live,
                                       reduce_aggregation<Gather, Message> const&, Adjoint const& adjoint,
                                       Sink& sink) const {
    using Geometry = typename Env::geometry;
    Geometry const& geo = env.geo;
    Offset const degree = has_self_edge<I>() ? row_degree + Offset(1) : row_degree;
    auto const& to = get<I>(prepared);
    if (live && to.gradient) store_own(geo, to.gradient, row, adjoint);
    using T = Accumulator;
    using field_value = register_value<T, Adjoint::extent_of, 1, Geometry::max_chunks, Geometry::channels_per_chunk>;
    [&]<int... P>(std::integer_sequence<int, P...>) {
      adjoint_slots<type_list<field_leaf<I, gradient_field>, field_leaf<I, prepared_field<P>>...>,
                    register_slot<field_leaf<I, gradient_field>, field_value>,
                    register_slot<field_leaf<I, prepared_field<P>>, field_value>...>
          fields;
      for_each_entry<field_value>(geo, [&](int b, int c, int l) {
        slot_value<field_leaf<I, gradient_field>>(fields).at(b, c, l) = adjoint.at(b, c, l);
      });
      (prepare_field<I, P, Gather>(env, row, degree, live, adjoint,
                                   slot_value<field_leaf<I, prepared_field<P>>>(fields),
                                   std::make_integer_sequence<int, Gather::template saved<T, Offset>::size>{}),
       ...);
      if constexpr (has_self_edge<I>()) pull_self<I>(env, row, fields, sink);
    }
    (std::make_integer_sequence<int, Gather::num_prepared>{});
  }
  template <int I, int P, class Gather, class Env, class Index, class Adjoint, class Field, int... S>
  EDGEWISE_HD void prepare_field(Env const& env, Index row, Offset degree, bool live, Adjoint const& adjoint,
                                 Field& field, std::integer_sequence<int, S...>) const {
    auto const& geo = env.geo;
    auto const made = map(
        geo, [degree](Accumulator g, auto const&... saved) { return Gather::template prepare<P>(g, degree, saved...); },
        adjoint, env.template leaf_value<field_leaf<I, saved_field<S>>>()...);
    for_each_entry<Field>(geo, [&](int b, int c, int l) { field.at(b, c, l) = made.at(b, c, l); });
    auto const& to = get<I>(prepared);
    if (live && to.field[P]) store_own(geo, to.field[P], row, made);
  }

  template <int I, class Env, class Index, class Score, class Value, class Adjoint, class Sink>
  EDGEWISE_HD void prepare_aggregation(Env const& env, Index row, Offset, bool live,
                                       softmax_aggregation<Score, Value> const& aggregation, Adjoint const& adjoint,
                                       Sink& sink) const {
    using Geometry = typename Env::geometry;
    Geometry const& geo = env.geo;
    using score_value =
        std::remove_cvref_t<decltype(aggregation.score.trace(std::declval<message_env<Geometry> const&>()).value)>;
    auto const& to = get<I>(prepared);
    if (live && to.gradient) store_own(geo, to.gradient, row, adjoint);
    auto const& result = env.template leaf_value<leaf<role::destination, aggregation_value<I>>>();
    auto const product = map(
        geo, [](Accumulator g, Accumulator v) { return g * v; }, adjoint, result);
    auto const inner = complete(geo, fit<score_value::extent_of>(geo, product));
    if (live && to.field[0]) store_own(geo, to.field[0], row, inner);
    if constexpr (has_self_edge<I>()) {
      using inner_value = std::remove_const_t<decltype(inner)>;
      adjoint_slots<type_list<field_leaf<I, gradient_field>, field_leaf<I, inner_field>>,
                    register_slot<field_leaf<I, gradient_field>, Adjoint>,
                    register_slot<field_leaf<I, inner_field>, inner_value>>
          fields{};
      slot_value<field_leaf<I, gradient_field>>(fields) = adjoint;
      slot_value<field_leaf<I, inner_field>>(fields) = inner;
      pull_self<I>(env, row, fields, sink);
    }
  }
};

}  // namespace edgewise::inline v0::detail
