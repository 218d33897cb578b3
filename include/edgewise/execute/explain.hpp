// Plain text about a plan: what runs, what it reads and writes per edge, what it keeps.
#pragma once

#include <sstream>
#include <string>

#include <edgewise/program/program_traits.hpp>

namespace edgewise::detail {

/// An expression as text: src<h> * edge<w>.
template <class E>
struct describe {
  static std::string text() { return "?"; }
};
template <role R, class Name>
struct describe<leaf<R, Name>> {
  static std::string text() { return leaf_name<leaf<R, Name>>(); }
};
template <int I>
struct describe<leaf<role::destination, unit_value<I>>> {
  static std::string text() { return "gather" + std::to_string(I); }
};
template <>
struct describe<constant> {
  static std::string text() { return "c"; }
};
template <class Place>
struct describe<placed_constant<Place>> : describe<constant> {};
template <class Op, class... A>
struct describe<node<Op, A...>> {
  static std::string text() {
    std::string result = std::string(Op::name) + "(";
    bool first = true;
    ((result += (first ? "" : ", ") + describe<A>::text(), first = false), ...);
    return result + ")";
  }
};
template <>
struct describe<one> {
  static std::string text() { return "1"; }
};
template <class Name, class Number, class Rate, class A, class Shape>
struct describe<dropout_node<Name, Number, Rate, A, Shape>> {
  static std::string text() { return leaf_name<random_leaf<Name>>() + "(" + describe<A>::text() + ")"; }
};
template <class A>
struct describe<lane_sum_node<A>> {
  static std::string text() { return "sum_lanes(" + describe<A>::text() + ")"; }
};
template <class Unit>
struct describe_unit;
template <class G, class M>
struct describe_unit<reduce_unit<G, M>> {
  static std::string text() { return std::string("gather<") + G::name + ">(" + describe<M>::text() + ")"; }
};
template <class S, class V>
struct describe_unit<softmax_unit<S, V>> {
  static std::string text() { return "gather<sum>(softmax(" + describe<S>::text() + ") * " + describe<V>::text() + ")"; }
};

/// Floating-point operations of a node itself, per lane.
template <class E>
inline constexpr int node_flops = 0;
template <class Op, class... A>
inline constexpr int node_flops<node<Op, A...>> = Op::flops;
template <class A>
inline constexpr int node_flops<lane_sum_node<A>> = 1;
template <class Name, class Number, class Rate, class A, class Shape>
inline constexpr int node_flops<dropout_node<Name, Number, Rate, A, Shape>> = 1;

/// Operations an edge costs, per lane: expressions that it alone decides, each once, and the folds of units.
template <class Held, class... Unit>
consteval int flops_of_edge(type_list<Unit...>) {
  int const folds = (0 + ... + (Unit::is_softmax ? 2 : 1));
  return folds + []<class... E>(type_list<E...>) {
    return (0 + ... + (Held::template duration_of<E> == duration::block ? node_flops<E> : 0));
  }(typename Held::all{});
}

/// A line for what is held for a while; nothing where nothing is.
template <class... E>
void explain_held(std::ostream& s, char const* when, type_list<E...>) {
  if (sizeof...(E) == 0) return;
  [[maybe_unused]] char const* separator = "";
  s << "  " << when << ": ";
  ((s << separator << describe<E>::text(), separator = ", "), ...);
  s << "\n";
}
template <class Held>
void explain_all_held(std::ostream& s) {
  explain_held(s, "once a launch", typename Held::template of<duration::launch>{});
  explain_held(s, "once a row", typename Held::template of<duration::row>{});
  explain_held(s, "once an edge, read more than once", typename Held::template of<duration::block>{});
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

template <class Program, class Table, class Traits>
std::string explain_program(graph_counts counts, row_extents extents, char const* mapping, std::size_t workspace_bytes,
                            std::string const& schedule) {
  std::ostringstream s;
  s << "graph: " << counts.destinations << " destinations, " << counts.sources << " sources, " << counts.edges << " edges\n"
    << "rows: " << extents.heads << " heads x " << extents.lanes << " lanes; mapping: " << mapping << "\n"
    << "forward: 1 traversal grouped by destination, 1 launch, " << schedule << "\n";
  using held = typename forward_expressions<Program>::along_edges;
  constexpr int flops = flops_of_edge<held>(typename Program::unit_types{});
  [&]<class... Unit>(type_list<Unit...>) {
    ((s << "  " << describe_unit<Unit>::text() << "\n"), ...);
  }(typename Program::unit_types{});
  if (!Traits::identity_epilogue) s << "  epilogue: " << describe<typename Program::epilogue_type>::text() << "\n";
  explain_all_held<held>(s);
  explain_held(s, "once a vertex, read more than once",
               concat_types<typename forward_expressions<Program>::shared_without_gathers,
                            typename forward_expressions<Program>::shared_over_gathers>{});
  std::int64_t edge_bytes = 0;
  [&]<class... Bound>(type_list<Bound...>) {
    ((s << "  " << leaf_name<typename Bound::leaf>() << ": " << kind_name(Bound::kind) << ", "
        << elements_of_kind(Bound::kind, extents) * static_cast<std::int64_t>(sizeof(typename Bound::storage)) << " bytes a row\n",
      edge_bytes += Bound::leaf::role_of == role::source || Bound::leaf::role_of == role::edge
                        ? elements_of_kind(Bound::kind, extents) * static_cast<std::int64_t>(sizeof(typename Bound::storage))
                        : 0),
     ...);
  }(filter_types<is_operand_bound, Table>{});
  s << explain_dropout<Table>();
  s << "  each edge: " << edge_bytes << " bytes of operands and its index, "
    << std::int64_t{flops} * extents.heads * extents.lanes << " flops\n";
  std::int64_t kept = 0;
  Traits::for_each_unit([&](auto i) {
    constexpr int I = decltype(i)::value;
    using fields = typename Traits::template fields_of<I>;
    [&]<class... S>(type_list<S...>) {
      ((kept += elements_of_kind(fields::saved_kind, extents) * static_cast<std::int64_t>(sizeof(S))), ...);
    }(typename fields::saved{});
    if (Traits::template keeps_result<I>) {
      kept += elements_of_kind(Traits::template unit_kind<I>, extents) * static_cast<std::int64_t>(sizeof(typename Traits::accumulator));
    }
  });
  s << "saved: " << kept << " bytes a destination; all else is recomputed\n"
    << "backward: one traversal grouped by destination for destination-side gradients, one grouped by source for source-side "
       "ones; edge and parameter gradients ride along"
    << (Traits::template needs_vertex_stage<type_list<>> ? "; one per-vertex launch before them" : "") << "\n"
    << "workspace: " << workspace_bytes << " bytes\n";
  return s.str();
}

}  // namespace edgewise::detail
