// The gradients of messages of which max and min pick one edge per channel, formed in time O(vertices x channels)
// instead of by traversals of the edges.
#pragma once

#include <edgewise/core/extents.hpp>
#include <edgewise/engine/argument_concept.hpp>
#include <edgewise/engine/coo_concept.hpp>
#include <edgewise/fields/program_traits.hpp>
#include <edgewise/format/graph_traits.hpp>
#include <edgewise/plan/saved_state.hpp>
#include <edgewise/program/argument_plan.hpp>
#include <edgewise/program/sums.hpp>

namespace edgewise::inline v0::detail {

/// Every gradient of a table is stored as it is summed.
template <class T, class Table>
inline constexpr bool all_stored_as = false;
template <class T, class... Bound>
inline constexpr bool all_stored_as<T, type_list<Bound...>> = (std::is_same_v<T, typename Bound::storage> && ...);

/// May gradients of a program be formed along argument edges? It depends on which are asked for, too.
template <class Exec, class Sums, class Program, class Table, class Traits>
bool visits_arguments(graph_counts counts, row_extents extents, bool has_source) {
  using engine = argument_engine<Exec>;
  if (!argument_plan<Program, Table, Traits>::program_fits || !engine::template takes<typename Traits::accumulator>)
    return false;
  constexpr bool atomic = std::is_same_v<Sums, nondeterministic>;
  return !has_source ||
         engine::template is_worth_it<atomic>(counts, elements_of_kind(Traits::template aggregation_kind<0>, extents));
}

/// Memory that a plan keeps for these gradients.
template <class Exec, class Sums, class Program, class Table, class Traits>
argument_room room_for_argument(graph_counts counts, row_extents extents, bool has_source) {
  if (!visits_arguments<Exec, Sums, Program, Table, Traits>(counts, extents, has_source)) return {};
  return {sources_of_arguments<Program, Table, Traits>::value, counts.sources,
          elements_of_kind(Traits::template aggregation_kind<0>, extents)};
}

/// What the gradients of Request... take. Stored: program_traits with the output as it is stored.
template <class Exec, class Sums, class Graph, class Program, class Table, class Stored, class... Request>
struct argument_gradients {
  using T = typename Stored::accumulator;
  using plan = argument_plan<Program, Table, Stored, Request...>;
  using plan_type = typename plan::plan_type;
  using graph_traits = detail::graph_traits<Graph>;
  using engine = argument_engine<Exec>;
  static constexpr bool serves = plan::serves && engine::template takes<T>;
  /// Sums of 16-bit gradients are rounded once, as a whole.
  static constexpr bool adds_floats =
      std::is_same_v<Sums, nondeterministic> && all_stored_as<T, typename plan::source_targets>;

  template <class Bound>
  struct is_shared_target : std::bool_constant<plan::template is_shared<typename Bound::leaf>> {};
  using shared = typename leaves_of_table<filter_types<is_shared_target, typename plan::own_targets>>::type;
  using pass_table = concat_types<Table, typename Stored::field_table>;
  using pass_type = argument_pass<Program, pass_table, typename plan::source_targets, typename plan::own_targets,
                                  shared, typename graph_traits::index_type, typename graph_traits::offset_type, T>;

  /// A pass ready to run, and the longest chunk that its rows allow.
  template <class Bindings, class Saved, class Fields>
  static auto make(Program const& program, Graph const& graph, row_extents extents, Bindings const& in,
                   Saved const& saved, Fields const& fields, Request const&... requests) {
    constexpr operand_kind kind = Stored::template aggregation_kind<0>;
    struct {
      pass_type pass{};
      int chunk = 1;
    } ready;
    pass_type& pass = ready.pass;
    auto const& grouping = graph_traits::by_destination(graph);
    pass.program = program;
    fill_operands<Table>(pass.operands, in);
    ready.chunk = Stored::fill_fields(pass.operands, fields);
    plan_type::template fill_gradients<stage::destination>(pass.own, requests...);
    ready.chunk = smaller(ready.chunk, plan_type::template fill_gradients<stage::source>(pass.sources, requests...));
    Stored::for_each_aggregation([&](auto i) {
      constexpr int I = decltype(i)::value;
      pass.sources_of_arguments[I] = static_cast<typename graph_traits::index_type const*>(saved.template sources<I>());
      pass.argument_ids[I] = static_cast<typename graph_traits::offset_type const*>(saved.template field<I, 0>());
    });
    pass.neighbors = grouping.neighbors;
    pass.num_edges = grouping.num_edges;
    pass.num_rows = grouping.num_rows;
    pass.num_sources = grouping.num_neighbors;
    pass.num_row_elements = elements_of_kind(kind, extents);
    pass.channels = kind == operand_kind::wide ? extents.channels : 1;
    if (kind != operand_kind::wide || pass.num_row_elements % 4 != 0) ready.chunk = 1;
    return ready;
  }

  template <class Ready>
  static void run(Exec const& exec, Ready const& ready, argument_room const& room, char* memory,
                  Request const&... requests) {
    bool const any_edge = ready.pass.num_edges > 0;
    (clear(exec, any_edge, requests), ...);
    if (any_edge) engine::template run<adds_floats>(exec, ready.pass, room, ready.chunk, memory);
  }

private:
  using edge_leaves = typename leaves_of_table<typename plan::edge_targets>::type;
  using source_leaves = typename leaves_of_table<typename plan::source_targets>::type;

  /// Gradients that some rows or edges add to, and others leave alone, begin as zeros.
  template <class R>
  static void clear([[maybe_unused]] Exec const& exec, [[maybe_unused]] bool any_edge,
                    [[maybe_unused]] R const& request) {
    if constexpr (!R::accumulates && !plan_type::template written_before<stage::destination, R> &&
                  plan_type::template touches<R, typename plan::target_leaves>::value) {
      constexpr bool adds = plan_type::template touches<R, edge_leaves>::value ||
                            (adds_floats && plan_type::template touches<R, source_leaves>::value);
      if (adds || !any_edge) coo_engine<Exec>::clear_rows(exec, request.view);
    }
  }
};

}  // namespace edgewise::inline v0::detail
