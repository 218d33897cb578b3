// Plain text about a plan of edges.
#pragma once

#include <edgewise/core/extents.hpp>
#include <edgewise/cost/coo_cost.hpp>
#include <edgewise/cost/edge_program_cost.hpp>
#include <edgewise/explain/explain.hpp>

namespace edgewise::inline v0::detail {

/// An edge program as text.
template <class M>
std::string edge_aggregation_text(edge_aggregation<M> const& aggregation) {
  return "scatter(" + expression_text(aggregation.message) + ")";
}
template <class S, class V>
std::string edge_aggregation_text(edge_softmax_aggregation<S, V> const& aggregation) {
  return "scatter(" + weighed_text(aggregation.score, aggregation.value) + ")";
}

/// Traits: `edge_traits` of the program; has_source: the graph's edges are grouped by source too. Cost: what the plan's
/// passes take at least; launches: of a traversal by destination.
template <class Table, class Traits, class Program, class Cost>
std::string explain_edges(Program const& program, graph_counts counts, bool has_source, row_extents extents,
                          char const* mapping, std::size_t workspace_bytes, int launches, std::string const& schedule,
                          Cost const& cost) {
  using output = typename Cost::default_output;
  plan_cost const forward = cost.template forward<output>(true);
  using held =
      hoisted_expressions<typename roots_of_aggregations<typename Program::aggregation_types>::type, role::destination>;
  constexpr bool is_softmax = Traits::forward_fields::size > 0;
  std::ostringstream s;
  s << "graph: " << counts.destinations << " destinations, " << counts.sources << " sources, " << counts.edges
    << " edges\n"
    << "rows: " << extents.heads << " heads x " << extents.channels << " channels; mapping: " << mapping << "\n"
    << (is_softmax ? "forward: 2 traversals grouped by destination, " : "forward: 1 traversal grouped by destination, ")
    << launches_text((is_softmax ? 2 : 1) * launches)
    << (is_softmax ? " (normalizers of rows, values of edges), " : ", ") << schedule << "\n"
    << "  " << edge_aggregation_text(get<0>(program.aggregations)) << "\n";
  explain_all_hoisted<held>(s, program);
  std::int64_t const read = explain_operands<Table>(s, extents);
  s << explain_dropout<Table>() << "  each edge: " << read << " bytes of operands (its neighbor and id not counted), "
    << elements_of_kind(Traits::out_kind, extents) << " elements of output, "
    << whole_number(forward.traversals.back().edge_flops) << " flops\n"
    << (is_softmax ? "saved: normalizers, " : "saved: ") << whole_number(cost.saved_bytes())
    << " bytes a destination; all else is recomputed\n"
    << explain_gradients<Program>(
           has_source,
           is_softmax ? "  first 1 traversal grouped by destination: inner products of values and adjoints\n" : "")
    << explain_cost(forward, cost.template backward<output>(typename Cost::every_gradient{}))
    << "workspace: " << workspace_bytes << " bytes\n";
  return s.str();
}

/// What a softmax keeps of each destination.
template <class Traits>
std::int64_t normalizer_bytes(row_extents extents) {
  if (Traits::forward_fields::size == 0) return 0;
  return elements_of_kind(Traits::row_kind, extents) * static_cast<std::int64_t>(sizeof(typename Traits::normalizer));
}

/// An edge program over edges that are not grouped, as text.
template <class Table, class Traits, class Program>
std::string explain_coo_edges(Program const& program, graph_counts counts, row_extents extents, char const* mapping,
                              std::size_t workspace_bytes) {
  using held =
      hoisted_expressions<typename roots_of_aggregations<typename Program::aggregation_types>::type, role::parameter>;
  constexpr bool is_softmax = Traits::forward_fields::size > 0;
  std::ostringstream s;
  s << "graph: " << counts.destinations << " destinations, " << counts.sources << " sources, " << counts.edges
    << " edges, not grouped\n"
    << "rows: " << extents.heads << " heads x " << extents.channels << " channels; mapping: " << mapping << "\n"
    << (is_softmax
            ? "forward: words and sums of weights are cleared, 3 traversals of equal shares of edges, 3 launches "
              "(largest scores, sums of weights, weighed values of edges)\n"
            : "forward: 1 traversal of equal shares of edges, 1 launch\n")
    << "  " << edge_aggregation_text(get<0>(program.aggregations)) << "\n";
  explain_all_hoisted<held>(s, program);
  explain_operands<Table>(s, extents);
  s << explain_dropout<Table>() << (is_softmax ? "saved: normalizers, " : "saved: ")
    << normalizer_bytes<Traits>(extents) << " bytes a destination; all else is recomputed\n"
    << "backward: " << (is_softmax ? "1 traversal for inner products of values and adjoints, then " : "")
    << "1 traversal for all gradients; those of sources and destinations are cleared and summed by atomics\n"
    << "workspace: " << workspace_bytes << " bytes\n";
  return s.str();
}

}  // namespace edgewise::inline v0::detail
