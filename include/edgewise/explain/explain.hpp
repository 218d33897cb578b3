// Plain text about a plan: what runs, what it reads and writes per edge, what it keeps.
#pragma once

#include <sstream>
#include <string>

#include <edgewise/core/extents.hpp>
#include <edgewise/cost/cost_text.hpp>
#include <edgewise/cost/program_cost.hpp>
#include <edgewise/explain/expression_text.hpp>
#include <edgewise/fields/program_traits.hpp>
#include <edgewise/program/parts.hpp>
#include <edgewise/program/stash.hpp>

namespace edgewise::inline v0::detail {

/// A gather as text; with_self: it also runs along self edges.
template <class G, class M>
std::string aggregation_text(reduce_aggregation<G, M> const& aggregation, bool with_self) {
  std::string const message = expression_text(aggregation.message);
  return std::string("gather<") + G::name + ">(" + (with_self ? "with_self(" + message + ")" : message) + ")";
}
template <class S, class V>
std::string aggregation_text(softmax_aggregation<S, V> const& aggregation, bool with_self) {
  std::string const message = weighed_text(aggregation.score, aggregation.value);
  return "gather<sum>(" + (with_self ? "with_self(" + message + ")" : message) + ")";
}

/// The gathers of a program, a line each, numbered where the epilogue reads them, and the epilogue.
template <class Traits, class Program>
void explain_aggregations(std::ostream& s, Program const& program) {
  Traits::for_each_aggregation([&](auto i) {
    constexpr int I = decltype(i)::value;
    s << "  ";
    if (!Traits::identity_epilogue) s << "gather" << I << " = ";
    s << aggregation_text(get<I>(program.aggregations), Traits::template has_self_edge<I>) << "\n";
  });
  if (!Traits::identity_epilogue) s << "  epilogue: " << expression_text(program.epilogue) << "\n";
}

/// A line for what is hoisted for a while; nothing where nothing is.
template <class Program, class... E>
void explain_hoisted(std::ostream& s, [[maybe_unused]] Program const& program, char const* when, type_list<E...>) {
  if (sizeof...(E) == 0) return;
  [[maybe_unused]] char const* separator = "";
  s << "  " << when << ": ";
  ((s << separator << expression_text(find_part<E>(program)), separator = ", "), ...);
  s << "\n";
}
template <class Hoisted, class Program>
void explain_all_hoisted(std::ostream& s, Program const& program) {
  explain_hoisted(s, program, "once a launch", typename Hoisted::template of<duration::launch>{});
  explain_hoisted(s, program, "once a row", typename Hoisted::template of<duration::row>{});
  explain_hoisted(s, program, "once an edge, read more than once", typename Hoisted::template of<duration::block>{});
}

/// The masks of a program, a line each.
template <class Table>
std::string explain_dropout() {
  std::string result;
  [&]<class... Bound>(type_list<Bound...>) {
    ((is_random_leaf<typename Bound::leaf>
          ? void(result += "  " + leaf_name<typename Bound::leaf>() +
                           ": mask by (seed, step, stream, edge id or row, element), recomputed, never stored\n")
          : void()),
     ...);
  }(Table{});
  return result;
}

template <role R>
struct is_operand_in_role {
  template <class L>
  struct test : std::bool_constant<L::role_of == R && !is_random_leaf<L> && !is_number_leaf<L>> {};
};
/// Do messages along edges read an operand in role R?
template <class Program, role R>
inline constexpr bool messages_read =
    filter_types<is_operand_in_role<R>::template test, typename Program::leaves>::size > 0;

/// The operands of a program, a line each. Returns the bytes that an edge reads of them.
template <class Table>
std::int64_t explain_operands(std::ostream& s, row_extents extents) {
  std::int64_t edge_bytes = 0;
  [&]<class... Bound>(type_list<Bound...>) {
    ((s << "  " << expression_text(typename Bound::leaf{}) << ": " << kind_name(Bound::kind) << ", "
        << elements_of_kind(Bound::kind, extents) * static_cast<std::int64_t>(sizeof(typename Bound::storage))
        << " bytes a row\n",
      edge_bytes +=
      Bound::leaf::role_of == role::source || Bound::leaf::role_of == role::edge
          ? elements_of_kind(Bound::kind, extents) * static_cast<std::int64_t>(sizeof(typename Bound::storage))
          : 0),
     ...);
  }(filter_types<is_operand_bound, Table>{});
  return edge_bytes;
}

/// What runs for which gradients; has_source: the graph's edges are grouped by source too. `first`: lines of what comes
/// before.
template <class Program>
std::string explain_gradients(bool has_source, std::string const& first = {}) {
  constexpr bool reads_endpoints = messages_read<Program, role::destination> || messages_read<Program, role::source>;
  std::string result = "backward, as far as gradients are asked for:\n" + first;
  if (messages_read<Program, role::destination>) result += "  of destinations: 1 traversal grouped by destination\n";
  if (messages_read<Program, role::source>) {
    result += has_source ? "  of sources: 1 traversal grouped by source\n"
                         : "  of sources: none, the graph's edges are not grouped by source\n";
  }
  if (messages_read<Program, role::edge> || messages_read<Program, role::parameter>) {
    result += std::string("  of edges and parameters: ") + (reads_endpoints ? "along with these, or else " : "") +
              "1 traversal grouped by destination\n";
  }
  if (messages_read<Program, role::relation>) result += "  of operands by type: 1 traversal grouped by type\n";
  return result;
}
/// on_the_way: the traversal by destination prepares what it can; visits_arguments: the plan forms gradients along
/// argument edges where it can.
template <class Program, class Table, class Traits>
std::string explain_backward(bool has_source, bool on_the_way, bool visits_arguments) {
  using vertex_leaves = typename vertex_expressions<Program>::leaves;
  std::string first;
  if (Traits::template needs_vertex_stage<vertex_leaves>) {
    bool const is_prepared =
        on_the_way && prepares_inner_term<Program, type_list<field_leaf<0, inner_field>>, role::destination>();
    first =
        joined("  first 1 launch over vertices: ", Traits::identity_epilogue ? "" : "epilogue, ",
               Program::has_self ? "self edges, " : "", "what edges read of their destination",
               is_prepared ? "; none where the traversal by destination forms gradients of scores, which prepares it\n"
                           : "\n");
  }
  if (argument_plan<Program, Table, Traits>::program_fits && visits_arguments) {
    first +=
        "  where each gradient asked for has the axes of the gathers' values: along argument edges, without a "
        "traversal; "
        "else\n";
  }
  return explain_gradients<Program>(has_source, first);
}

/// What is kept of each edge, and what is computed again although it costs more than a constant for each element.
template <class Traits, class Program>
void explain_stash(std::ostream& s, Program const& program, row_extents extents) {
  using stashed = typename stashed_of<Program>::type;
  for_each_index_on_host<stashed::size>([&](auto i) {
    constexpr int I = decltype(i)::value;
    using bound = type_at<I, typename Traits::stash_table>;
    s << "  and " << elements_of_kind(bound::kind, extents) * static_cast<std::int64_t>(sizeof(typename bound::storage))
      << " bytes an edge: " << expression_text(find_part<type_at<I, stashed>>(program)) << "\n";
  });
  using costly = unique_types<typename costly_parts_of<typename Program::aggregation_types>::type>;
  [&]<class... E>(type_list<E...>) {
    ((s << "  computed again for each edge, at a cost that grows with the channels: "
        << expression_text(find_part<E>(program)) << " (stash<automatic> keeps it)\n"),
     ...);
  }(types_without<costly, stashed>{});
}

inline std::string launches_text(int launches) {
  return launches == 1 ? "1 launch" : std::to_string(launches) + " launches";
}

/// has_source: the graph's edges are grouped by source too. launches: of a traversal by destination. Cost: what the
/// plan's passes take at least.
template <class Table, class Traits, class Program, class Cost>
std::string explain_program(Program const& program, graph_counts counts, bool has_source, row_extents extents,
                            char const* mapping, std::size_t workspace_bytes, int launches, std::string const& schedule,
                            Cost const& cost) {
  std::ostringstream s;
  s << "graph: " << counts.destinations << " destinations, " << counts.sources << " sources, " << counts.edges
    << " edges\n"
    << "rows: " << extents.heads << " heads x " << extents.channels << " channels; mapping: " << mapping << "\n"
    << "forward: 1 traversal grouped by destination, " << launches_text(launches) << ", " << schedule << "\n";
  using held = typename forward_expressions<Program>::along_edges;
  explain_aggregations<Traits>(s, program);
  explain_all_hoisted<held>(s, program);
  explain_hoisted(s, program, "once a vertex, read more than once",
                  concat_types<typename forward_expressions<Program>::shared_without_gathers,
                               typename forward_expressions<Program>::shared_over_gathers>{});
  std::int64_t const edge_bytes = explain_operands<Table>(s, extents);
  s << explain_dropout<Table>();
  using output = typename Cost::default_output;
  plan_cost const forward = cost.template forward<output>(true);
  s << "  each edge: " << edge_bytes << " bytes of operands (its neighbor and id not counted), "
    << whole_number(forward.traversals.back().edge_flops) << " flops\n";
  s << "saved: " << whole_number(cost.saved_bytes()) << " bytes a destination; all else is recomputed\n";
  explain_stash<Traits>(s, program, extents);
  s << explain_backward<Program, Table, Traits>(has_source, cost.prepares_on_the_way, cost.visits_arguments);
  double const handed = cost.handed_bytes(typename Cost::every_gradient{});
  if (handed > 0) {
    s << "  where both run, the traversal by destination hands " << whole_number(handed)
      << " bytes an edge to that by source: weights and adjoints of scores\n";
  }
  s << explain_cost(forward, cost.template backward<output>(typename Cost::every_gradient{}))
    << "workspace: " << workspace_bytes << " bytes\n";
  return s.str();
}

}  // namespace edgewise::inline v0::detail
