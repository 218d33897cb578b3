// Plain text about a plan over ungrouped edges.
#pragma once

#include <edgewise/core/extents.hpp>
#include <edgewise/cost/coo_cost.hpp>
#include <edgewise/explain/explain.hpp>
#include <edgewise/gather/scatter_form.hpp>

namespace edgewise::inline v0::detail {

/// What the traversals of a form do, in order.
inline char const* coo_launches(scatter_form form) {
  switch (form) {
    case scatter_form::add:
      return "the output is cleared, 1 traversal of equal shares of edges, 1 launch";
    case scatter_form::softmax:
      return "the output, words and sums of weights are cleared, 3 traversals of equal shares of edges, 3 launches "
             "(largest scores, sums of weights, normalised and weighted sums)";
    default:
      return "64-bit words are cleared, 1 traversal of equal shares of edges, 2 launches (the second reads the words)";
  }
}

/// What a scattered gather keeps of each destination.
template <class Traits>
std::int64_t coo_saved_bytes([[maybe_unused]] row_extents extents) {
  using fields = typename Traits::template fields_of<0>;
  std::int64_t kept = 0;
  [&]<class... S>(type_list<S...>) {
    ((kept += elements_of_kind(fields::saved_kind, extents) * static_cast<std::int64_t>(sizeof(S))), ...);
  }(typename fields::saved{});
  return kept;
}

/// Traits: `program_traits` of the program; form: how its gather is scattered.
template <class Table, class Traits, class Program>
std::string explain_coo(Program const& program, graph_counts counts, row_extents extents, char const* mapping,
                        scatter_form form, std::size_t workspace_bytes) {
  using held =
      hoisted_expressions<typename roots_of_aggregations<typename Program::aggregation_types>::type, role::parameter>;
  bool const adds = form == scatter_form::add || form == scatter_form::softmax;
  std::ostringstream s;
  s << "graph: " << counts.destinations << " destinations, " << counts.sources << " sources, " << counts.edges
    << " edges, not grouped\n"
    << "rows: " << extents.heads << " heads x " << extents.channels << " channels; mapping: " << mapping << "\n"
    << "forward: " << coo_launches(form) << "\n"
    << "  " << aggregation_text(get<0>(program.aggregations), false) << ", scattered: "
    << (adds ? "sums by atomics, not bitwise reproducible on a GPU"
             : "message and position in one atomic, deterministic")
    << "\n";
  explain_all_hoisted<held>(s, program);
  std::int64_t read = 0;
  [&]<class... Bound>(type_list<Bound...>) {
    auto const row_bytes = [&](auto tag) {
      using bound = typename decltype(tag)::type;
      return elements_of_kind(bound::kind, extents) * static_cast<std::int64_t>(sizeof(typename bound::storage));
    };
    ((s << "  " << leaf_name<typename Bound::leaf>() << ": " << kind_name(Bound::kind) << ", "
        << row_bytes(type_tag<Bound>{}) << " bytes a row\n",
      read += Bound::leaf::role_of == role::parameter ? 0 : row_bytes(type_tag<Bound>{})),
     ...);
  }(filter_types<is_operand_bound, Table>{});
  s << explain_dropout<Table>();
  std::int64_t const written =
      elements_of_kind(Traits::out_kind, extents) *
      static_cast<std::int64_t>(adds ? sizeof(typename Traits::accumulator) : sizeof(std::uint64_t));
  s << "  each edge: " << read << " bytes of operands (its endpoints and id not counted), " << written
    << " bytes of atomics, "
    << flops_of_values<typename roots_of_aggregations<typename Program::aggregation_types>::type, role::parameter,
                       Table>(extents)
               .edge +
           all_folds<typename Program::aggregation_types, Table>::count(extents)
    << " flops\n";
  s << "saved: " << coo_saved_bytes<Traits>(extents) << " bytes a destination; all else is recomputed\n"
    << "backward: " << (form == scatter_form::softmax ? "the inner term at destinations, then " : "")
    << "1 traversal for all gradients; those of sources and destinations are cleared and summed by atomics\n"
    << "workspace: " << workspace_bytes << " bytes\n";
  return s.str();
}

}  // namespace edgewise::inline v0::detail
