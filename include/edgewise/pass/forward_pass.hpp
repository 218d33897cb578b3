// The forward pass of a program: fold every aggregation over a row's edges, then evaluate the epilogue and store.
#pragma once

#include <edgewise/pass/aggregation_forward.hpp>
#include <edgewise/pass/fold_tree.hpp>
#include <edgewise/pass/pass_concept.hpp>
#include <edgewise/pass/thread_scores.hpp>
#include <edgewise/pass/traverse.hpp>
#include <edgewise/program/layout.hpp>
#include <edgewise/program/lower.hpp>

namespace edgewise::inline v0::detail {

/// Where the forward pass keeps fields of aggregation I for the backward pass; null pointers keep nothing.
template <class Aggregation, class T, class Offset>
struct saved_pointers;
template <class Gather, class Message, class T, class Offset, class List = typename Gather::template saved<T, Offset>>
struct reduce_saved;
template <class Gather, class Message, class T, class Offset, class... S>
struct reduce_saved<Gather, Message, T, Offset, type_list<S...>> {
  using fields = type_list<S...>;
  pack<S*...> data;
};
/// Where it also keeps the sources of argument edges: rows of vertex ids of the graph's type, -1 where there is none.
struct no_sources {};
struct source_pointer {
  void* sources = nullptr;
};
template <class Gather, class Message, class T, class Offset>
struct saved_pointers<reduce_aggregation<Gather, Message>, T, Offset>
    : reduce_saved<Gather, Message, T, Offset>, std::conditional_t<picks_edge<Gather>, source_pointer, no_sources> {
  T* result = nullptr;  ///< the gather's value, kept where the epilogue's derivative reads it
};
template <class Score, class Value, class T, class Offset>
struct saved_pointers<softmax_aggregation<Score, Value>, T, Offset> {
  using fields = type_list<softmax_normalizer<T>>;
  pack<softmax_normalizer<T>*> data;
  T* result = nullptr;
};

template <class Score, class T, class Offset>
struct saved_pointers<normalizer_aggregation<Score>, T, Offset> {
  using fields = type_list<>;
  pack<> data;
  softmax_normalizer<T>* result = nullptr;
};

/// Where the forward pass keeps values of edges.
template <class Stashed, class T>
struct stash_pointers;
template <class... E, class T>
struct stash_pointers<type_list<E...>, T> {
  template <class>
  using pointer = T*;
  using type = pack<pointer<E>...>;
};

/// State of all aggregations for one row.
template <class Aggregations, class Env, class Offset>
struct program_state;
template <class... Aggregation, class Env, class Offset>
struct program_state<type_list<Aggregation...>, Env, Offset> {
  pack<aggregation_state<Aggregation, Env, Offset>...> aggregations;
};

/// IsPerChannel: no part of the program's value differs from head to head, and the output has one row for all.
template <class Program, class Table, class Offset, class Accumulator, class Out, bool IsPerChannel = false>
struct forward_pass : row_pass {
  using accumulator = Accumulator;
  using offset_type = Offset;
  using epilogue_type = typename Program::epilogue_type;
  using needed = concat_types<typename Program::leaves>;
  using tables = pass_tables<Table, needed, role::destination>;
  using loads = tables;
  using plan = forward_expressions<Program>;
  using stashed = typename stashed_of<Program>::type;

  /// A host thread takes many rows: it keeps what they share. A group on a GPU takes one, and what only the epilogue
  /// reads would cost it registers while it walks.
  template <class Geometry>
  static constexpr bool keeps_parameters = Geometry::group_size == 1;
  template <class Geometry>
  using launch_leaves = std::conditional_t<keeps_parameters<Geometry>, typename plan::all_leaves, needed>;
  template <class Geometry>
  using launch_hoisted = typename std::conditional_t<keeps_parameters<Geometry>, typename plan::everywhere,
                                                     typename plan::along_edges>::template of<duration::launch>;
  using row_hoisted = typename plan::along_edges::template of<duration::row>;
  using block_hoisted = typename plan::along_edges::template of<duration::block>;
  using hoisted_registers = hoisted_demand<typename plan::along_edges::template of<duration::launch>, row_hoisted,
                                           block_hoisted, Table, Accumulator>;

  template <class Aggregations>
  struct saved_for;
  template <class... Aggregation>
  struct saved_for<type_list<Aggregation...>> {
    using type = pack<saved_pointers<Aggregation, Accumulator, Offset>...>;
    template <class U>
    struct edge_test : std::false_type {};
    template <class G, class M>
    struct edge_test<reduce_aggregation<G, M>> : std::bool_constant<G::needs_edge && !picks_edge<G>> {};
    static constexpr bool any_needs_edge = (edge_test<Aggregation>::value || ...);
    static constexpr bool any_picks_edge = (aggregation_picks_edge<Aggregation> || ...);
    static constexpr bool any_rounds = (!aggregation_picks_edge<Aggregation> || ...);
  };
  static constexpr bool walks_edges = Program::num_aggregations > 0;
  static constexpr bool reads_degrees = walks_edges;
  static constexpr bool sums_channels =
      any_aggregation_sums_channels<typename Program::aggregation_types> || has_channel_sum<epilogue_type>;
  static constexpr bool sums_inside = sums_channels || has_head_sum<epilogue_type>;
  static constexpr layout_need need =
      find_layout_need<sums_channels, Table, type_list<>, has_head_sum<epilogue_type>>();
  using aggregation_types = typename Program::aggregation_types;
  static constexpr bool has_scores_by_head = detail::has_scores_by_head<aggregation_types, Table>;
  static constexpr bool scores_by_thread =
      has_thread_scores<aggregation_types, Table> && stashed::size == 0 && block_hoisted::size == 0;
  static constexpr int wide_states = Program::num_aggregations;
  static constexpr int narrow_states = 3;  // of a softmax: the largest score, the sum of weights, a rescale
  static constexpr bool needs_edge =
      saved_for<typename Program::aggregation_types>::any_needs_edge || stashed::size > 0;
  /// Ids of argument edges are read once per row, not once per edge.
  static constexpr bool takes_positions = saved_for<typename Program::aggregation_types>::any_picks_edge;

  Program program;
  operand_pointers<Table> operands;
  typename saved_for<typename Program::aggregation_types>::type saved;
  typename stash_pointers<stashed, Accumulator>::type stash;  ///< rows by edge id; null pointers keep nothing
  Out* out;
  std::int64_t out_row_stride;
  std::int64_t out_part_stride = 0;  ///< elements from one part of the output to the next; 0: side by side in a row
  Offset num_edges;                  ///< of the graph: self edges are numbered from here
  void const* neighbors = nullptr;   ///< of the grouping, where edges are picked
  Offset const* edge_ids = nullptr;  ///< edge ids of the grouping; null where they are positions

  template <class Geometry>
  using env_for = typename pass_registers<forward_pass, Geometry, 1>::env;
  template <class Geometry>
  using state = program_state<typename Program::aggregation_types, env_for<Geometry>, Offset>;

  template <class Geometry>
  EDGEWISE_HD void start(Geometry const& geo, state<Geometry>& s) const {
    for_each_index<Program::num_aggregations>(
        [&](auto i) EDGEWISE_INLINE_LAMBDA { get<decltype(i)::value>(s.aggregations).start(geo); });
  }
  template <int Edges, class Env, class State>
  EDGEWISE_HD void step(Env const& env, edge_mask<Edges> const& ok, Offset const (&edges)[Edges], State& s) const {
    step<Edges>(env, ok, edges, edges, s);
  }
  template <int Edges, class Env, class State>
  EDGEWISE_HD void step(Env const& env, edge_mask<Edges> const& ok, Offset const (&edges)[Edges],
                        Offset const (&positions)[Edges], State& s) const {
    hold(block_hoisted{}, program, env, [&](auto const& messages) {
      for_each_index<Program::num_aggregations>([&](auto i) {
        constexpr int I = decltype(i)::value;
        // Folding needs the registers' block count, the state does not depend on it.
        constexpr bool picks = aggregation_picks_edge<type_at<I, aggregation_types>>;
        get<I>(s.aggregations)
            .template fold<Edges>(get<I>(program.aggregations), messages, ok, picks ? positions : edges);
      });
      for_each_index<stashed::size>([&](auto i) { keep_values<decltype(i)::value, Edges>(messages, ok, edges); });
    });
  }
  template <class Geometry>
  EDGEWISE_HD void expect_row(Geometry const& geo, std::int64_t row) const {
    if constexpr (!IsPerChannel) expect_store(geo, out, out_row_stride, row);
  }
  static constexpr bool rounds_rows = saved_for<typename Program::aggregation_types>::any_rounds;
  template <class State>
  EDGEWISE_HD static State& row_part(State& s) {
    return s;
  }
  template <class Geometry, class State>
  EDGEWISE_HD void merge_parts(Geometry const& geo, State& into, State const& later) const {
    merge(geo, into, later);
  }
  template <class Geometry>
  EDGEWISE_HD void merge(Geometry const& geo, state<Geometry>& into, state<Geometry> const& later) const {
    for_each_index<Program::num_aggregations>([&](auto i) {
      get<decltype(i)::value>(into.aggregations).merge(geo, get<decltype(i)::value>(later.aggregations));
    });
  }
  template <class State, class F>
  EDGEWISE_HD static void components(State& s, F const& f) {
    for_each_index<Program::num_aggregations>([&](auto i) { get<decltype(i)::value>(s.aggregations).components(f); });
  }

  /// Folds self edges, evaluates the epilogue of a finished row and stores; threads with `live` false only take part in
  /// channel sums. What messages did not read of the row is loaded now.
  template <class Env, class Index, class State>
  EDGEWISE_HD void finish(Env const& row_env, Index row, Offset degree, bool live, State& s) const {
    using Geometry = typename Env::geometry;
    using before = concat_types<typename leaves_of_table<typename tables::needed_fixed>::type,
                                filter_types<is_parameter, launch_leaves<Geometry>>>;
    using vertex_table = concat_types<typename tables::fixed_table, bound_in_role<role::edge, Table>>;
    using table = bound_without<before, bound_subset<typename plan::vertex_leaves, vertex_table>>;
    registers<Geometry, Accumulator, 1, table> values;
    Index const rows[1] = {row};
    load_leaves(bound_in_role<role::destination, table>{}, row_env.geo, operands, rows, values);
    Index const zero[1] = {Index(0)};
    load_leaves(bound_in_role<role::parameter, table>{}, row_env.geo, operands, zero, values);
    Offset const edges[1] = {self_edge(row)};
    load_leaves(bound_in_role<role::edge, table>{}, row_env.geo, operands, edges, values);  // its number, if anything
    hold(types_without<typename plan::shared_without_gathers, typename Env::held>{}, program, extend(row_env, values),
         [&](auto const& env) EDGEWISE_INLINE_LAMBDA {
           if constexpr (Program::has_self) fold_self(env, edges, s);
           finish_with(env, row, degree, live, s, std::make_integer_sequence<int, Program::num_aggregations>{});
         });
  }

private:
  /// Stores what a block of edges computed of the expression at I of those that are kept.
  template <int I, int Edges, class Env>
  EDGEWISE_HD void keep_values(Env const& env, edge_mask<Edges> const& ok, Offset const (&edges)[Edges]) const {
    Accumulator* const to = get<I>(stash);
    if (to == nullptr) return;
    auto const value = find_part<type_at<I, stashed>>(program).trace(env).value;
    constexpr operand_kind kind = kind_of_extent(std::remove_cvref_t<decltype(value)>::extent_of);
    store_edges<kind>(env.geo, to, row_elements(kind, env.geo), false, edges, ok, value);
  }
  template <class Index>
  EDGEWISE_HD Offset self_edge(Index row) const {
    return static_cast<Offset>(num_edges + static_cast<Offset>(row));
  }
  /// Folds the virtual self edge, the last of the row, into every aggregation that has one.
  template <class Env, class State>
  EDGEWISE_HD void fold_self(Env const& env, Offset const (&edges)[1], State& s) const {
    auto const ok = edge_mask<1>::one(true);
    for_each_index<Program::num_aggregations>([&](auto i) {
      constexpr int I = decltype(i)::value;
      using self_type = std::remove_cvref_t<decltype(get<I>(program.selves))>;
      if constexpr (!std::is_same_v<self_type, no_self>) {
        get<I>(s.aggregations).template fold<1>(get<I>(program.selves), env, ok, edges);
      }
    });
  }
  /// Edges of the row as aggregation I counts them.
  template <int I>
  EDGEWISE_HD Offset count_edges(Offset degree) const {
    using self_type = std::remove_cvref_t<decltype(get<I>(program.selves))>;
    return std::is_same_v<self_type, no_self> ? degree : degree + Offset(1);
  }

  template <class Leaves, class... Slot>
  struct value_slots : Slot... {
    using leaves = Leaves;
  };

  template <class Env, class Index, class State, int... I>
  EDGEWISE_HD void finish_with(Env const& env, Index row, Offset degree, bool live, State& s,
                               std::integer_sequence<int, I...>) const {
    auto const& geo = env.geo;
    value_slots<type_list<leaf<role::destination, aggregation_value<I>>...>,
                register_slot<leaf<role::destination, aggregation_value<I>>,
                              std::remove_cvref_t<decltype(get<I>(s.aggregations).finish(geo, degree))>>...> const
        values{{get<I>(s.aggregations).finish(geo, count_edges<I>(degree))}...};
    if (live)
      (save_aggregation<I>(geo, row, count_edges<I>(degree), get<I>(s.aggregations),
                           slot_value<leaf<role::destination, aggregation_value<I>>>(values)),
       ...);
    hold(typename plan::shared_over_gathers{}, program, extend(env, values),
         [&](auto const& vertex) EDGEWISE_INLINE_LAMBDA {
           for_each_part(
               program.epilogue.trace(vertex).value, [&](auto part, auto const& result) EDGEWISE_INLINE_LAMBDA {
                 constexpr extent found = std::remove_cvref_t<decltype(result)>::extent_of;
                 constexpr operand_kind kind = IsPerChannel ? operand_kind::per_channel : kind_of_extent(found);
                 std::int64_t const part_stride = out_part_stride > 0 ? out_part_stride : row_elements(kind, geo);
                 std::int64_t const first = decltype(part)::value * part_stride;
                 if (live) store_row<kind>(geo, out + first, out_row_stride, row, result, 0);
               });
         });
  }

  template <int I, class Geometry, class Index, class State, class Value>
  EDGEWISE_HD void save_aggregation(Geometry const& geo, Index row, Offset degree, State const& s,
                                    Value const& result) const {
    auto const& to = get<I>(saved);
    if (to.result) {
      constexpr operand_kind kind = kind_of_extent(Value::extent_of);
      store_row<kind>(geo, to.result, row_elements(kind, geo), row, result, 0);
    }
    s.save(geo, degree, [&](auto field, auto const& x) EDGEWISE_INLINE_LAMBDA {
      constexpr operand_kind kind = kind_of_extent(std::remove_cvref_t<decltype(x)>::extent_of);
      auto* const data = get<decltype(field)::value>(to.data);
      if constexpr (aggregation_picks_edge<type_at<I, aggregation_types>>) {
        if (data) save_argument<I, kind>(geo, row, x, data, static_cast<Index*>(to.sources));
      } else {
        if (data) store_row<kind>(geo, data, row_elements(kind, geo), row, x, 0);
      }
    });
  }
  /// Keeps the ids of argument edges and, where they are kept, their sources: read while the row is in cache. A self
  /// edge has no position, and its number is its id.
  template <int I, operand_kind Kind, class Geometry, class Index, class V>
  EDGEWISE_HD void save_argument(Geometry const& geo, Index row, V const& positions, Offset* ids,
                                 Index* sources) const {
    std::int64_t const elements = row_elements(Kind, geo);
    if (sources) {
      auto const* const from = static_cast<Index const*>(neighbors);
      auto const found = look_up<I, Index>(geo, positions, from, [](Offset) { return Index(-1); });
      store_row<Kind>(geo, sources, elements, row, found, 0);
    }
    if (edge_ids) {
      auto const found = look_up<I, Offset>(geo, positions, edge_ids, [](Offset p) { return p; });
      store_row<Kind>(geo, ids, elements, row, found, 0);
    } else {
      store_row<Kind>(geo, ids, elements, row, positions, 0);
    }
  }
  /// What a list says of the positions of real edges, else what `otherwise` makes of them. Entries outside the row are
  /// not looked up: they hold anything where pieces of it were merged.
  template <int I, class T, class Geometry, class V, class F>
  EDGEWISE_HD mapped_t<T, V> look_up(Geometry const& geo, V const& positions, T const* list, F const& otherwise) const {
    constexpr bool has_self = !std::is_same_v<std::remove_cvref_t<decltype(get<I>(program.selves))>, no_self>;
    mapped_t<T, V> found;
    for_each_entry<V>(geo, [&](int b, int c, int l) {
      Offset const p = positions.at(b, c, l);
      bool const is_listed = is_inside<V::extent_of>(geo, c, l) && p >= 0 && (!has_self || p < num_edges);
      found.at(b, c, l) = is_listed ? list[p] : otherwise(p);
    });
    return found;
  }
};

}  // namespace edgewise::inline v0::detail
